"""One library of many domains: learned, played beside each domain's own, and told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Small
from macla.evals import index_recall as recall_module
from macla.evals.index_recall import DEPTHS
from macla.evals.one_library import steps
from macla.evals.one_library.__main__ import capacity_cells, cells_of, main
from macla.evals.one_library.report import capacity_section, sections_of
from macla.evals.one_library.sources import GROUPS, SOURCES
from macla.evals.studies.cells import FOLDER

WORLDS = ("ladder/till-at-night", "ladder/contact-form")


def test_no_domain_is_sealed_or_held_and_each_has_a_row() -> None:
    from macla.evals.fresh_worlds.parts import HELD
    from macla.evals.ladder.worlds import SEALED

    unseen = {kind.name for kinds in (SEALED, *HELD.values()) for kind in kinds}
    assert not {name.rpartition("/")[2] for name in SOURCES} & unseen
    for name in SOURCES:
        assert sum(belongs(name) for belongs in GROUPS.values()) == 1


def test_two_worlds_in_one_library_play_as_alone(tmp_path: Path) -> None:
    told = steps.learned(str(tmp_path / "one"), WORLDS, ())
    assert (told["demonstrations"], told["programs"]) == (80, 2)
    one = steps.played(str(tmp_path / "one"), WORLDS, (), 2)
    own = steps.alone(str(tmp_path), WORLDS, (), 2)
    assert list(one) == list(own) == list(WORLDS)
    assert one == own
    assert all(each["won"] and each["reward"] == 1.0 for w in WORLDS for each in one[w])
    assert all(0.0 < each["expected"] <= 1.0 for w in WORLDS for each in one[w])


def test_procedures_for_other_goals_are_added(tmp_path: Path) -> None:
    library = str(tmp_path / "one")
    steps.learned(library, WORLDS[:1], ())
    before = steps.played(library, WORLDS[:1], (), 1)
    assert steps.crowded(library, 1)["procedures"] > 50
    assert steps.played(library, WORLDS[:1], (), 1) == before


def test_recall_is_that_of_an_exact_search(burrow: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    class Burrows:
        def lesson(self) -> Any:
            return burrow.trajectories

    monkeypatch.setattr(steps, "source", lambda name: Burrows())
    told = steps.recall(str(burrow.path), ["burrows"], 30)
    assert told["queries"] > 5
    assert {told[kind][str(k)] for kind in ("procedure", "meta") for k in DEPTHS} == {1.0}
    likeness = np.array([[0.9, 0.5, 0.1], [0.2, 0.8, 0.8]])
    assert recall_module._share_found([[0.9, 0.5], [0.8, 0.8]], likeness, 2) == 1.0
    assert recall_module._share_found([[0.9, 0.1], [0.8, 0.2]], likeness, 2) == 0.5


def test_cells_make_the_library_first_and_own_ones_in_parts(tmp_path: Path) -> None:
    names = ["alfworld", *(name for name in SOURCES if name.startswith("ladder/"))]
    together, *alone = cells_of(names, ("programs",), 5, tmp_path / "library")
    assert [words[3] for words in together.commands] == ["learn", "crowd", "recall", "play"]
    assert all(words[4] == str(tmp_path / "library") for words in together.commands)
    played = [name for cell in alone for name in json.loads(cell.commands[0][5])]
    assert played == names
    assert all(cell.commands[0][3:5] == ("alone", FOLDER) for cell in alone)
    assert len({cell.name for cell in alone}) == len(alone) == 4


def episodes(marks: str) -> list[dict[str, Any]]:
    return [
        {"task": "t", "reward": float(m), "won": m == "1", "expected": 0.8 if m == "1" else None}
        for m in marks
    ]


def answers() -> dict[str, list[Any]]:
    holds = {"demonstrations": 80, "programs": 2, "procedures": 3, "plans": 1}
    entries = {"entries": 3, "1": 1.0, "4": 0.75, "16": 1.0}
    own = {WORLDS[0]: episodes("1111"), WORLDS[1]: episodes("1100")}
    one = {WORLDS[0]: episodes("1101"), WORLDS[1]: episodes("1100")}
    crowd = {"procedures": 956}
    return {
        "together": [holds, crowd, {"queries": 9, "procedure": entries}, one],
        "ladder-a": [own],
    }


def test_what_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (section,) = sections_of(answers())
    compared, worse, found, brier, _ = section.figures
    assert compared.rows[0][:4] == ("ladder, development", "2", "6 of 8, 0.750", "5 of 8, 0.625")  # type: ignore[union-attr]
    assert "0 : 1" in compared.rows[0]  # type: ignore[union-attr]
    assert worse.rows == ((WORLDS[0], "1.000", "0.750"),)  # type: ignore[union-attr]
    assert found.rows == (("procedure", "3", "1.0000", "0.7500", "1.0000"),)  # type: ignore[union-attr]
    assert [row[:2] for row in brier.rows] == [("own libraries", "6"), ("one library", "5")]  # type: ignore[union-attr]
    monkeypatch.setattr("macla.evals.one_library.__main__.play_cells", lambda *_, **__: answers())
    assert main(["--only", "ladder/till,ladder/contact", "--out", str(tmp_path)]) == 0
    written = json.loads((tmp_path / "one-library.json").read_text())
    assert (
        written["command"] == "python -m macla.evals.one_library --only ladder/till,ladder/contact"
    )
    assert str(tmp_path) not in json.dumps(written)
    assert "cores" in written["machine"]


def test_capacities_are_told_with_what_went() -> None:
    cells = capacity_cells(WORLDS, (), 5, Path("library"))
    assert [cell.name for cell in cells][:2] == ["capacity-25-5", "capacity-50-10"]
    items = [["meta a", 0.9, 0.5, True], ["meta b", 0.2, 0.1, False]]
    told = {"had": {"meta": 2}, "gone": 1, "items": items}
    answers = {cell.name: [told, {WORLDS[0]: episodes("1100")}] for cell in cells}
    curve, scatter, table = capacity_section(answers).figures
    assert table.rows[0] == ("25/5", "1", "1", "2 of 4 (15.0 to 85.0 %)")  # type: ignore[union-attr]
    assert [point[0] for point in curve.lines[0].points][-1] == 300.0  # type: ignore[union-attr]
    assert [line.points for line in scatter.lines] == [((0.5, 0.9),), ((0.1, 0.2),)]  # type: ignore[union-attr]


def test_what_cannot_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "nothing"]) == 2
    assert "no domain is left" in capsys.readouterr().err
    assert main(["--without", "luck"]) == 2
