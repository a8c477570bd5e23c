"""Three folds of the human plans: learned from two thirds, played on the third, nothing seen twice.

``python -m macla.evals.travelplanner.folds`` teaches three libraries, plays each through the loop
on the trips that it was not taught, and prints the official figures of all of them together.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from ...procedures.intervals import wilson_interval
from ..arms import Setting
from ..runner import play_all
from ..suites import EvalTask, make_suite
from ..teaching import teach
from .demonstrations import demonstration
from .tasks import trips_of_split

__all__ = ["main", "play_fold"]

_FOLDS = 3


def play_fold(fold: int, source: str, folder: Path, data: str | None = None) -> list[bool]:
    """Teach a library without a fold and return which trips of the fold are final passes.

    Args:
        fold: 0 to 2.
        source: ``reference`` or ``database``. The human plans of the fold are hidden, so that they
            do not say which cities are told of.
        folder: Where the library goes.
        data: The data root.
    """
    library = folder / f"fold{fold}"
    shown = [demonstration(trip, root=data) for trip in trips_of_split(f"notfold{fold}", data)]
    teach(library, shown, domain="travelplanner")
    suite = make_suite("travelplanner", data=data, source=source)
    setting = Setting(suite, library=str(library), max_steps=suite.max_steps)
    trips = [replace(trip, human_plan=()) for trip in trips_of_split(f"fold{fold}", data)]
    outcomes = play_all(setting, [EvalTask(trip.id, trip) for trip in trips])
    return [outcome.success for outcome in outcomes]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", choices=("reference", "database"), default="reference")
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        passed = [
            one
            for fold in range(_FOLDS)
            for one in play_fold(fold, wanted.source, Path(folder), wanted.data)
        ]
    interval = wilson_interval(sum(passed), len(passed))
    print(
        f"{wanted.source}: {sum(passed)} of {len(passed)} final passes, {_FOLDS}-fold "
        f"(95 % interval {interval.low:.3f} to {interval.high:.3f})"
    )


if __name__ == "__main__":
    main()
