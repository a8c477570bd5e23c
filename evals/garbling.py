"""Does an agent read what it may not? The same tasks, with all that only the reward reads garbled.

``python -m macla.evals.garbling LIBRARY webshop --split dev --limit 20`` plays tasks as they are,
and again with another right answer behind the same words: another product, other options and no
money (WebShop), another right query (InterCode-SQL), other wishes, people and budget and no plan of
a person (TravelPlanner, whose origin, destination and dates choose the tables that are told). What
the agent does has to be the same, action by action; what it is paid must not be, or nothing was
garbled.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .intercode_sql.tasks import SqlTask
from .players.arms import Setting
from .running.runner import play_all
from .suites.suites import EvalTask, Suite, make_suite
from .travelplanner.tasks import Trip

__all__ = ["Garbling", "compare", "garbled"]


@dataclass(frozen=True, slots=True)
class Garbling:
    """What garbling changed.

    Attributes:
        episodes: How many were played each way.
        same: In how many all actions are the same.
        paid: Mean reward of the tasks as they are.
        paid_garbled: Mean reward with garbled fields.
    """

    episodes: int
    same: int
    paid: float
    paid_garbled: float


def compare(setting: Setting, tasks: Sequence[EvalTask]) -> Garbling:
    """Play tasks as they are and garbled."""
    plain = play_all(setting, tasks)
    other = play_all(setting, [garbled(setting.suite, task) for task in tasks])
    same = sum(a.actions == b.actions for a, b in zip(plain, other, strict=True))
    paid, less = (sum(each.reward for each in played) / len(tasks) for played in (plain, other))
    return Garbling(len(tasks), same, paid, less)


def garbled(suite: Suite, task: EvalTask) -> EvalTask:
    """Return a task of the same words with another right answer.

    Args:
        suite: WebShop, InterCode-SQL or TravelPlanner.
        task: One of its tasks.
    """
    return replace(task, reference=_garbled(suite, task.reference))


def _garbled(suite: Suite, reference: Any) -> Any:
    if isinstance(reference, SqlTask):
        return replace(reference, gold="SELECT 'garbled'")
    if isinstance(reference, Trip):
        return replace(
            reference, people=reference.people + 5, budget=1.0, house_rule="smoking",
            cuisines=("Garbled",), room_type="shared room", transportation="no flight",
            level="", human_plan=(),
        )  # fmt: skip
    goals = suite.goals  # type: ignore[attr-defined]
    goal = goals[reference]
    other = next(each for each in goals if each.product.query != goal.product.query)
    return replace(goal, product=other.product, options={"garbled": "garbled"}, limit=0.0)


def main() -> int:
    """Run the command; the exit code is 1 if actions differ, or the reward does not."""
    parser = argparse.ArgumentParser(prog="python -m macla.evals.garbling", description=__doc__)
    parser.add_argument("library")
    parser.add_argument("suite", choices=("webshop", "intercode-sql", "travelplanner"))
    parser.add_argument("--split", required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--source", choices=("reference", "database"), default="database")
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    wanted = parser.parse_args()
    more = {"source": wanted.source} if wanted.suite == "travelplanner" else {}
    suite = make_suite(wanted.suite, data=wanted.data, **more)
    setting = Setting(suite, library=wanted.library, max_steps=suite.max_steps)
    found = compare(setting, suite.tasks(wanted.split, limit=wanted.limit))
    print(
        f"{found.same} of {found.episodes} episodes are the same action by action; mean reward "
        f"{found.paid:.3f}, with garbled fields {found.paid_garbled:.3f}"
    )
    return int(found.same < found.episodes or found.paid == found.paid_garbled)


if __name__ == "__main__":
    raise SystemExit(main())
