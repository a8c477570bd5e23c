"""The benchmark of choosing: worlds, libraries, regret, and what the loop reaches there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from macla.adapters.session import LibrarySession
from macla.evals.index_recall import recall_of
from macla.evals.reports.calibration import brier, reliability
from macla.evals.reports.statistics import holm
from macla.evals.selection import __main__ as command
from macla.evals.selection.arms import arm_of
from macla.evals.selection.playing import Played, play
from macla.evals.selection.report import compared
from macla.evals.selection.rival_library import Place, RivalWorlds, make_library, recorded, task_of
from macla.evals.selection.worlds import KINDS, Kind, make_world
from macla.procedures.common.errors import DataError
from macla.procedures.library.library import validate_library

WORLDS = [make_world(kind, 50 + i, 40) for i in range(2) for kind in KINDS]
ONE_OF_EACH = WORLDS[: len(KINDS)]


@pytest.mark.parametrize("kind", KINDS)
def test_worlds_are_what_they_are_said_to_be(kind: Kind) -> None:
    world = make_world(kind, 3, 60)
    assert world == make_world(kind, 3, 60) != make_world(kind, 4, 60)
    assert all(3 <= len(rivals) <= 10 for rivals in world.goals)
    early, late = ([r for g in world.goals for r in g] for _ in range(2))
    assert any(r.before != r.after for r in early) == (kind == "drift")
    assert any(len(set(r.after)) > 1 for r in late) == (kind == "context")
    assert any(sum(r.recorded) for r in early) == (kind in ("poisoned", "outdated"))


def test_a_library_holds_all_rivals_and_what_is_recorded_of_them(tmp_path: Path) -> None:
    library = make_library(tmp_path / "library", WORLDS, {})
    assert len(library.procedures) == sum(len(rivals) for w in WORLDS for rivals in w.goals)
    assert not validate_library(library.path)
    assert {row.subject for row in recorded(WORLDS)} <= library.procedures.keys()
    tasks = [task_of(WORLDS, Place(i, n)) for i in range(len(WORLDS)) for n in range(5)]
    with LibrarySession.open(library.path) as session:
        assert recall_of(session, tasks)["procedure"]["16"] > 0.99


def test_an_action_is_a_rival_at_work() -> None:
    world, environment = WORLDS[0], RivalWorlds(WORLDS)
    told = world.episodes[3]
    task, seen = environment.reset(Place(0, 3))
    thing = seen.removeprefix("Before you: a ").removesuffix(".")
    asked = task.replace(thing.removesuffix(" 1"), thing)
    assert environment.step(f"{asked}, way 1")[1] == float(told.luck[1] < world.rates(3)[1])
    assert environment.chosen == 1
    environment.reset(Place(0, 3))
    assert environment.step("whistle, way 1")[1] == 0.0
    assert environment.chosen is None


def test_there_are_only_so_many_words(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="words for 144 worlds"):
        make_library(tmp_path / "library", WORLDS * 15, {})


def test_regret_is_what_the_best_would_have_won_more() -> None:
    worlds = [make_world("plain", i, 15) for i in range(2)]
    chance = arm_of("random")
    for world, played in zip(worlds, play(worlds, chance, 1), strict=True):
        for number, regret in enumerate(played.regrets):
            rates = world.rates(number)
            assert any(regret == pytest.approx(max(rates) - each) for each in (*rates, 0.0))
        assert played.regret == pytest.approx(sum(played.regrets))
    assert play(worlds, chance, 1) == play(worlds, chance, 1)


def test_the_loop_chooses_better_than_likeness_habit_and_chance() -> None:
    """A goal's rivals are no rival readings of the task: each competes by its own evidence."""
    names = ("EU", "similarity", "frequency", "random", "EU, retrieval at random")
    regrets = {name: sum(each.regret for each in play(ONE_OF_EACH, arm_of(name))) for name in names}
    assert regrets["EU"] < 0.7 * min(regrets[name] for name in names[1:])


def test_pruning_by_worth_keeps_what_works() -> None:
    by_worth, by_chance = (
        sum(each.regret for each in play(ONE_OF_EACH, arm_of(f"EU, half pruned {how}")))
        for how in ("by worth", "at random")
    )
    assert by_worth < by_chance


def test_there_is_no_such_arm() -> None:
    with pytest.raises(DataError, match="there is no arm 'luck'"):
        arm_of("luck")


def test_calibration_of_what_is_known() -> None:
    sure = [(0.75, worked) for worked in (True, True, True, False)]
    assert brier(sure) == pytest.approx((3 * 0.0625 + 0.5625) / 4)
    (only,) = reliability(sure)
    assert (only.n, only.expected, only.worked) == (4, 0.75, 0.75)


def test_comparisons_are_paired_and_corrected() -> None:
    def lost(*regrets: float) -> list[Played]:
        return [Played((each,), (0.5,), (True,)) for each in regrets]

    first = lost(*[1.0] * 10)
    worse, same = compared(first, {"worse": lost(*[2.0] * 10), "same": first})
    assert (worse.difference, worse.better, worse.worse) == (1.0, 10, 0)
    assert worse.p_value == pytest.approx(2 * 2 / 2**10)
    assert (same.difference, same.p_value) == (0.0, 1.0)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
    with pytest.raises(DataError, match="lie in"):
        holm([1.5])


@pytest.mark.usefixtures("forked_cells")
def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ARMS", (arm_of("EU"), arm_of("Thompson")))
    given = ["--worlds", "1", "--episodes", "10", "--kind", "drift", "--out", str(tmp_path)]
    assert command.main(given) == 0
    assert "| EU's regret by Thompson's |" in capsys.readouterr().out
    document = json.loads((tmp_path / "selection.json").read_text())
    assert document["command"].endswith("--worlds 1 --episodes 10 --kind drift")
    titles = [each["title"] for each in document["sections"][0]["figures"]]
    assert titles[:2] == ["Regret", "Over all kinds"]
    assert command.main([*given, "--jobs", "2"]) == 0  # nothing is played again
    with pytest.raises(SystemExit):
        command.main(["--worlds", "0"])
