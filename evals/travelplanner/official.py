"""The six official figures of a library.

``python -m macla.evals.travelplanner.official LIBRARY --split dev`` plays a split and prints how
many plans were delivered, and what share of the checks they pass.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from ...procedures.common.errors import DataError
from ..players.arms import Setting
from ..running.runner import play_all
from ..suites.suites import make_suite
from .database import open_database
from .evaluator import Aggregate, Evaluation, aggregate, evaluate_plan
from .plan import read_plan
from .tasks import Trip

__all__ = ["main", "official_figures"]

_FINISH = "Finish["


def official_figures(
    library: str, split: str, source: str = "reference", data: str | None = None
) -> Aggregate:
    """Play a split and return the official figures of what was handed in."""
    suite = make_suite("travelplanner", data=data, source=source)
    setting = Setting(suite, library=library, max_steps=suite.max_steps)
    tasks = suite.tasks(split)
    outcomes = play_all(setting, tasks)
    trips = [task.reference for task in tasks]
    both = zip(trips, outcomes, strict=True)
    return aggregate(trips, [_evaluation(trip, one.actions, data) for trip, one in both])


def _evaluation(trip: Trip, actions: Sequence[str], data: str | None) -> Evaluation:
    """Return the verdicts on the plan with which an episode ended, if it did."""
    if not actions or not actions[-1].startswith(_FINISH):
        return evaluate_plan(trip, (), open_database(data))
    try:
        plan = read_plan(actions[-1].removeprefix(_FINISH).removesuffix("]"))
    except DataError:
        plan = ()
    return evaluate_plan(trip, plan, open_database(data))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--source", choices=("reference", "database"), default="reference")
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    wanted = parser.parse_args()
    figures = official_figures(wanted.library, wanted.split, wanted.source, wanted.data)
    for name, value in asdict(figures).items():
        print(f"{name:20} {value if isinstance(value, int) else f'{value:.3f}'}")


if __name__ == "__main__":
    main()
