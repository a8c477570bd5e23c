"""An evaluation that can be believed: planted lies are told, and what must not count does not."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Small
from invented_worlds import Burrow, burrow_demonstration, burrow_task
from macla.evals.arms import Setting
from macla.evals.episode import EpisodeOutcome
from macla.evals.leaks import Beginning, leaks
from macla.evals.metrics import METRICS, metrics
from macla.evals.runner import play_all
from macla.evals.suites import EvalTask
from macla.procedures.ablation import PARTS
from macla.procedures.library import Library
from macla.procedures.trajectories import Trajectory

SEEDS = range(1000, 1008)


@dataclass(frozen=True)
class Burrows:
    """A suite of burrows."""

    name: str = "burrows"
    domain: str = "test"
    max_steps: int = 30
    guarded: bool = False

    def environment(self, *, show_admissible: bool) -> Burrow:
        return Burrow()

    def facts(self) -> Mapping[str, str]:
        return {}


def play(library: Path, tasks: Sequence[EvalTask] = (), **changes: Any) -> list[EpisodeOutcome]:
    suite: Any = Burrows()
    setting = Setting(suite, library=str(library), max_steps=30, **changes)
    played = play_all(setting, tasks or TASKS)
    return [replace(each, seconds=0.0) for each in played]


TASKS = [EvalTask(f"b{seed}", burrow_task(seed), "lodge") for seed in SEEDS]


def test_an_empty_library_is_no_memory(tmp_path: Path) -> None:
    Library.create(tmp_path / "empty", domain="test", embedding="static")
    empty = play(tmp_path / "empty")
    assert all(each.fallback_steps == each.steps for each in empty)
    assert all(each.metas == each.procedures == () for each in empty)
    assert empty == play(tmp_path / "empty", without=PARTS)


def test_flipped_labels_change_no_score(burrow: Small) -> None:
    """What is won, the environment says: neither a label of a task nor one of a demonstration."""
    honest = play(burrow.path)
    flipped = [replace(task, group="lost") for task in TASKS]
    told = play(burrow.path, flipped)
    assert [replace(each, group="") for each in told] == [replace(e, group="") for e in honest]
    assert any(each.success for each in honest)


def test_metrics_are_of_what_was_played(burrow: Small) -> None:
    outcomes = play(burrow.path)
    told = metrics(outcomes, str(burrow.path))
    assert told.keys() == METRICS.keys()
    assert told["fallback_rate"] == 0.0
    assert told["unique_procedures"] >= 2
    assert 0.0 < told["brier"] < 0.2 < 0.8 < told["mean_posterior"] < 1.0
    assert sum(each["n"] for each in told["reliability"]) == len(outcomes)
    assert min(told["decision_ms"], told["library_bytes"], told["peak_memory_bytes"]) > 0
    # One lost episode costs what was expected of it.
    (hope,) = {each.choices[0][1] for each in outcomes[:1]}
    lost = [replace(outcomes[0], success=False)]
    assert metrics(lost, None)["brier"] == pytest.approx(hope**2)
    empty = metrics([EpisodeOutcome("a", "a", False, 0, 0.0, ())], None)
    assert {k for k, v in empty.items() if v is None} == {
        *("fallback_rate", "procedure_length", "mean_posterior", "brier", "decision_ms"),
        "library_bytes",
    }


def test_the_order_of_tasks_changes_no_score(burrow: Small) -> None:
    shuffled = random.Random(3).sample(TASKS, len(TASKS))
    assert shuffled != TASKS
    by_id = {each.id: each for each in play(burrow.path)}
    assert all(each == by_id[each.id] for each in play(burrow.path, shuffled))


def beginning(shown: Trajectory, **changes: Any) -> Beginning:
    return replace(Beginning(shown.id, shown.task, shown.obs[0]), **changes)


@pytest.mark.parametrize("lie", ["id", "text", "spelling"])
def test_what_was_taught_is_found_among_the_tasks(lie: str) -> None:
    taught = [replace(burrow_demonstration(seed), id=f"d{seed}") for seed in range(6)]
    fresh = [beginning(burrow_demonstration(seed), id=f"t{seed}") for seed in range(100, 104)]
    changes = {
        "id": {"task": "another task", "observation": "another place"},
        "text": {"id": "t1"},
        "spelling": {"id": "t1", "task": taught[2].task.upper() + " !"},
    }[lie]
    found = leaks(taught, [*fresh, beginning(taught[2], **changes)])
    (leak,) = [each for each in found if each.taught == "d2"]
    assert leak.why == ("id" if lie == "id" else "text")


def test_what_was_not_taught_is_no_leak() -> None:
    taught = [replace(burrow_demonstration(0), id="d0")]
    assert leaks(taught, [Beginning("t0", "sing a song", "You see a bird.")]) == []
