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
from macla.adapters.teaching.teaching import teach
from macla.evals.leaks import Beginning, leaks, main
from macla.evals.players.arms import Setting
from macla.evals.reports.metrics import METRICS, metrics
from macla.evals.running.episode import EpisodeOutcome
from macla.evals.running.metered import MeteredEnvironment
from macla.evals.running.runner import play_all
from macla.evals.suites.suites import EvalTask
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.taught import read_taught
from macla.procedures.library.library import Library
from macla.procedures.method.ablation import PARTS

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
    assert empty == play(tmp_path / "empty", arm="no-memory")


def test_flipped_labels_change_no_score(burrow: Small) -> None:
    """What is won, the environment says: neither a label of a task nor one of a demonstration."""
    honest = play(burrow.path)
    flipped = [replace(task, group="lost") for task in TASKS]
    told = play(burrow.path, flipped)
    assert [replace(each, group="") for each in told] == [replace(e, group="") for e in honest]
    assert any(each.success for each in honest)


def audited(outcomes: Sequence[EpisodeOutcome]) -> list[str]:
    """Do the actions of each episode again in a world of its own; return who was told wrongly."""
    references = {task.id: task.reference for task in TASKS}
    wrong = []
    for each in outcomes:
        world = Burrow()
        text, _ = world.reset(references[each.id])
        reward, won = 0.0, False
        for action in each.actions:
            _, gained, _, info = world.step(action)
            reward, won = reward + gained, bool(info["won"])
        told = each.task, each.success, each.reward, each.steps
        if told != (text, won, reward, len(each.actions)):
            wrong.append(each.id)
    return wrong


def always_won(*_: Any) -> bool:
    return True


def test_labels_as_results_are_caught(burrow: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an episode is said to come to is what its actions come to, done again."""
    few = TASKS[:4]
    assert audited(played := play(burrow.path, few)) == []
    # A horizon of two loses them all, which the labels of the tasks do not say.
    suite: Any = Burrows()
    lost = play_all(Setting(suite, library=str(burrow.path), max_steps=2), few)
    assert any(each.success for each in played)
    assert not any(each.success for each in lost)
    assert audited(lost) == []
    monkeypatch.setattr(
        MeteredEnvironment, "won", property(always_won, lambda *_: None), raising=False
    )
    lie = play_all(Setting(suite, library=str(burrow.path), max_steps=2), few)
    assert audited(lie) == [task.id for task in few]


def test_a_reward_that_is_off_by_one_is_caught(burrow: Small) -> None:
    honest = play(burrow.path, TASKS[:2])
    assert audited([replace(each, reward=each.reward + 1) for each in honest]) == ["b1000", "b1001"]
    assert audited([replace(each, steps=each.steps - 1) for each in honest]) == ["b1000", "b1001"]


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


def test_a_library_that_was_taught_the_test_is_caught(tmp_path: Path) -> None:
    """Of the tasks that are played those are found that its demonstrations show."""
    planted = [burrow_demonstration(seed) for seed in SEEDS][:3]
    path = tmp_path / "lying"
    teach(path, [*(burrow_demonstration(seed) for seed in range(8)), *planted], domain="test")
    asked = [beginning(burrow_demonstration(seed), id=f"b{seed}") for seed in SEEDS]
    taught = read_taught(Library.open(path))
    assert taught is not None
    assert [leak.task for leak in leaks(taught, asked)] == ["b1000", "b1001", "b1002"]


def test_what_was_not_taught_is_no_leak() -> None:
    taught = [replace(burrow_demonstration(0), id="d0")]
    assert leaks(taught, [Beginning("t0", "sing a song", "You see a bird.")]) == []


def test_what_cannot_be_looked_at_is_no_leak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["leaks", str(tmp_path / "none"), "alfworld", "--split", "x"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert str(tmp_path / "none") in capsys.readouterr().err


@dataclass
class Collapsing:
    """An environment that ends, lost, at the second action."""

    says_won: bool

    def reset(self, task: Any) -> tuple[str, str]:
        self.steps = 0
        return "dig", "A burrow."

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        self.steps += 1
        info = {"won": False} if self.says_won else {}
        return "It collapses.", 0.0, self.steps == 2, info


@pytest.mark.parametrize("says_won", [True, False])
def test_what_ends_is_not_won(says_won: bool) -> None:
    metered = MeteredEnvironment(Collapsing(says_won))
    metered.reset(None)
    assert [metered.step("dig")[2], metered.step("dig")[2]] == [False, True]
    assert not metered.won
