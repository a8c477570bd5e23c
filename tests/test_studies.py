"""Studies: their cells are kept, and what is told of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Small
from macla.evals.studies.__main__ import main
from macla.evals.studies.cells import FOLDER, Cell, play_cells
from macla.evals.studies.helping import evidence, make, pruned
from macla.evals.studies.studies import STUDIES, Options
from macla.procedures.errors import DataError
from macla.procedures.library import Library
from test_report import result

OPTIONS = Options("alfworld", "valid_seen", library="lib", limit=8)


def counting(folder: Path, name: str, code: str = "") -> Cell:
    """Return a cell that says how often it was done, and uses its own folder."""
    log = folder / f"{name}.log"
    program = (
        f"import json, pathlib\nopen({str(log)!r}, 'a').write('x')\n"
        f"pathlib.Path('{FOLDER}/made').mkdir()\n{code}\nprint(json.dumps([1]))"
    )
    return Cell(name, (("python", "-c", program),))


def test_what_was_done_is_not_done_again(tmp_path: Path) -> None:
    bad = counting(tmp_path, "bad", "raise SystemExit('on purpose')")
    cells = [counting(tmp_path, "a"), bad, counting(tmp_path, "b")]
    with pytest.raises(DataError, match="on purpose"):
        play_cells(cells, tmp_path / "study")
    again = [cells[0], counting(tmp_path, "bad"), cells[2]]  # mended: other commands
    told: list[str] = []
    answers = play_cells(again, tmp_path / "study", jobs=2, progress=lambda n, *_: told.append(n))
    assert answers == {"a": [[1]], "bad": [[1]], "b": [[1]]}
    assert list(answers) == ["a", "bad", "b"]  # in order, whoever came first
    assert (tmp_path / "a.log").read_text() == "x"
    assert (tmp_path / "bad.log").read_text() == "xx"
    assert "a" not in told
    # A file that is only half there is done again.
    (tmp_path / "study" / "cells" / "a.json").write_text('{"digest":')
    assert play_cells(again, tmp_path / "study") == answers
    assert (tmp_path / "a.log").read_text() == "xx"


def test_a_pruned_copy_and_the_course_of_evidence(burrow: Small, tmp_path: Path) -> None:
    told = pruned(str(burrow.path), str(tmp_path / "copy"), 1, 1)
    kept = Library.open(tmp_path / "copy")
    assert told["had"] == {
        "procedure": len(Library.open(burrow.path).procedures),
        "meta": len(Library.open(burrow.path).metas),
    }
    assert len(kept.metas) == 1 < told["had"]["meta"]
    assert sum(not item[-1] for item in told["items"]) == told["gone"] > 0
    assert all(0.0 < rho < 1.0 and 0.0 <= share <= 1.0 for _, rho, share, _ in told["items"])
    courses = evidence(str(burrow.path))["courses"]
    assert courses
    assert all(0.0 < rho < 1.0 for course in courses.values() for _, rho in course)
    make(str(tmp_path / "new"), "d", '{"thresholds": {"theta_dup": 0.7}}')
    assert Library.open(tmp_path / "new").settings.settings["thresholds"] == {"theta_dup": 0.7}


def answer_of(study: str, cell: Cell) -> list[Any]:
    """Return what a cell's commands would print."""
    played = result("macla", "11110000")
    played["metrics"] |= {"library_bytes": 1, "decision_ms": None, "peak_memory_bytes": 1}
    if study == "capacity":
        items = [["meta a", 0.9, 0.5, True], ["meta b", 0.2, 0.1, False]]
        return [{"had": {"meta": 2}, "gone": 1, "items": items}, played]
    if study == "practice":
        window = {"last": 10, "success": 0.5, "low": 0.2, "high": 0.8, "mean": 0.7}
        window |= {"fallback": 0.1, "procedures": 3, "metas": 1}
        curve = {"windows": [window, {**window, "last": 20}], "episodes": 20, "successes": 10}
        return [curve, {"courses": {"a@1": [[1, 0.5], [2, 0.7]]}}, played]
    return [{}, played]


@pytest.mark.parametrize("name", STUDIES)
def test_each_study_tells_tables_and_plots(name: str, monkeypatch: Any, tmp_path: Path) -> None:
    study = STUDIES[name]
    cells = study.cells(OPTIONS)
    assert len({cell.name for cell in cells}) == len(cells)
    assert all("--json" in c or c[0] == "python" for cell in cells for c in cell.commands)
    answers = {cell.name: answer_of(name, cell) for cell in cells}
    monkeypatch.setattr("macla.evals.studies.__main__.play_cells", lambda *_, **__: answers)
    library = ["--library", "lib"] if study.library else []
    assert main([name, "--out", str(tmp_path), "--limit", "8", *library]) == 0
    written = json.loads((tmp_path / f"{name}.json").read_text())
    kinds = {figure["kind"] for section in written["sections"] for figure in section["figures"]}
    assert "table" in kinds
    assert kinds & {"lines", "intervals"}
    assert "4 of 8" in (tmp_path / f"{name}.md").read_text()
    assert "<svg" in (tmp_path / f"{name}.html").read_text()


def test_what_cannot_be_studied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arms"]) == 2
    assert "needs --library" in capsys.readouterr().err
    assert main(["ablations", "--suite", "nothing"]) == 2
    assert "no suite 'nothing'" in capsys.readouterr().err
    done = subprocess.run(
        [sys.executable, "-m", "macla.evals.studies", "--help"], capture_output=True, text=True
    )
    assert all(name in done.stdout for name in STUDIES)
