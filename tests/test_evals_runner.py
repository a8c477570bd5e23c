"""Suites, arms and the runner, without the command line."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from macla.evals.players.arms import Setting, make_environment, run_id
from macla.evals.reports.report import EvalReport
from macla.evals.running.episode import EpisodeOutcome
from macla.evals.running.metered import meter_environment
from macla.evals.running.runner import play_all
from macla.evals.suites.suites import EvalTask, make_suite, sampled
from macla.graph.protocols import AdmissibleEnvironment
from macla.procedures.common.errors import DataError, EnvironmentFailure
from macla.schemas import validator


class Counting:
    """Won after as many steps as the task says; pays a point a step."""

    def __init__(self) -> None:
        self.left = 0

    def reset(self, task: Any) -> tuple[str, str]:
        if task == "bad":
            raise DataError("no such task")
        if task < 0:
            raise EnvironmentFailure("broken")
        self.left = task
        return "count", f"{task} to go"

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        self.left -= 1
        return f"{self.left} to go", 1.0, self.left == 0, {"won": self.left == 0}

    def admissible(self) -> list[str]:
        return ["count"]


@dataclass(frozen=True)
class CountingSuite:
    name: str = "counting"
    domain: str = "counting"
    max_steps: int = 5
    guarded: bool = False

    def environment(self, *, show_admissible: bool) -> Counting:
        return Counting()

    def facts(self) -> Mapping[str, str]:
        return {}


def setting(**changes: Any) -> Setting:
    suite: Any = CountingSuite()
    return Setting(
        **{"suite": suite, "arm": "random", "max_steps": 5, "admissible": True} | changes
    )


def tasks(*counts: Any) -> list[EvalTask]:
    return [
        EvalTask(f"t{i}", count, "even" if i % 2 == 0 else "odd") for i, count in enumerate(counts)
    ]


def report(outcomes: list[EpisodeOutcome], **changes: Any) -> EvalReport:
    return EvalReport(setting(**changes), "split", tuple(outcomes), "none", 1.0)


def test_outcomes_are_metered() -> None:
    won, lost = play_all(setting(), tasks(3, 9))
    assert (won.success, won.steps, won.reward, won.fallback_steps) == (True, 3, 3.0, 3)
    assert (lost.success, lost.steps, lost.reward) == (False, 5, 5.0)
    found = report([won, lost])
    assert found.success_rate == 0.5
    assert found.mean_steps == 4
    assert found.groups() == {"even": (1, 1), "odd": (0, 1)}
    document = found.to_document()
    assert list(validator("eval_result").iter_errors(document)) == []
    assert document["mean_reward"] == 4


def test_an_environment_that_fails_spoils_one_episode() -> None:
    outcomes = play_all(setting(), tasks(1, -1, 1))
    assert [outcome.error for outcome in outcomes] == ["", "broken", ""]
    assert [outcome.success for outcome in outcomes] == [True, False, True]
    with pytest.raises(EnvironmentFailure, match="2 of 3 episodes"):
        play_all(setting(), tasks(1, -1, -1))
    with pytest.raises(EnvironmentFailure, match="10 of 10 episodes"):
        play_all(setting(), tasks(*[-1] * 99, *[1] * 200))


def test_a_task_that_is_none_is_an_error_of_the_caller() -> None:
    with pytest.raises(DataError, match="no such task"):
        play_all(setting(), tasks(1, "bad"))


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    play_all(setting(), tasks(1, 2), progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 2), (2, 2)]


def test_rates_say_who_chose_and_what_solved() -> None:
    def episode(**changes: Any) -> EpisodeOutcome:
        base: dict[str, Any] = {"id": "x", "task": "t", "success": True, "steps": 10}
        return EpisodeOutcome(**base | {"reward": 1.0, "actions": ()} | changes)

    outcomes = [
        episode(metas=("m@1",), fallback_steps=2),
        episode(fallback_steps=10),
        episode(success=False, metas=("m@1",)),
        episode(success=False, error="broke"),
    ]
    found = report(outcomes, arm="macla", library="x")
    assert found.reuse_rate == (8 + 0 + 10) / 40
    assert found.meta_hit_rate == 1 / 4
    assert found.errors == [outcomes[3]]
    assert report(outcomes).reuse_rate == 0


def test_hidden_means_hidden() -> None:
    assert isinstance(make_environment(setting()), AdmissibleEnvironment)
    hidden = make_environment(setting(arm="macla", library="x", admissible=False))
    assert not isinstance(hidden, AdmissibleEnvironment)
    assert isinstance(meter_environment(Counting()), AdmissibleEnvironment)


def test_run_ids_are_those_of_the_episode() -> None:
    ids = {run_id(setting(seed=seed), name) for seed in (0, 1) for name in ("a", "b")}
    assert len(ids) == 4
    assert run_id(setting(), "a") in ids
    assert len({run_id(setting(), "a", library_hash=h) for h in ("", "x", "y")}) == 3
    assert run_id(setting(), "\ud800 ").startswith("eval:")


def test_what_cannot_be_played_is_refused() -> None:
    for changes in (
        {"arm": "nobody"},
        {"arm": "macla"},
        {"admissible": False},
        {"max_steps": 0},
    ):
        with pytest.raises(DataError):
            setting(**changes)


def test_suites_travel_to_other_processes() -> None:
    for suite in (
        make_suite("alfworld", dialect="2.1.1", goals=None),
        make_suite("textworld", game="hunt"),
        make_suite("json:JSONDecoder"),
    ):
        assert pickle.loads(pickle.dumps(suite)) == suite
    for name, options in (("x", {}), ("alfworld", {"game": "hunt"}), ("alfworld", {"goals": "no"})):
        with pytest.raises(DataError):
            make_suite(name, **options)


def test_samples() -> None:
    assert sampled([1, 2, 3], None, 0, "things") == [1, 2, 3]
    assert sorted(sampled(range(9), 9, 0, "things")) == list(range(9))
    for count in (0, 10):
        with pytest.raises(DataError):
            sampled(range(9), count, 0, "things")


def test_tasks_of_ones_own(tmp_path: Path) -> None:
    suite = make_suite("json:JSONDecoder")
    (tmp_path / "t.jsonl").write_text(
        '\ufeff{"id": "a"}\n\n"b"\n3\n{"id": "a"}\n', encoding="utf-8"
    )
    found = suite.tasks(str(tmp_path / "t.jsonl"))
    assert [(task.id, task.reference) for task in found] == [
        ("a", {"id": "a"}),
        ("b", "b"),
        ("task-3", 3),
        ("a#4", {"id": "a"}),
    ]
    (tmp_path / "t.txt").write_text("# tasks\none\n\n  two  \n")
    assert [task.reference for task in suite.tasks(str(tmp_path / "t.txt"))] == ["one", "two"]
    assert len(suite.tasks(str(tmp_path / "t.txt"), limit=1)) == 1
    (tmp_path / "e.txt").write_text("\n# none\n")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    for bad in ("e.txt", "b.txt", "missing.txt", "x" * 5_000, "\0"):
        with pytest.raises(DataError):
            suite.tasks(str(tmp_path / bad))
