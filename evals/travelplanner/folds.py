"""Three folds of the human plans: learned from two thirds, played on the third, nothing seen twice.

``python -m macla.evals.travelplanner.folds`` teaches three libraries, plays each through the loop
on the trips that it was not taught, and prints how many of all of them are final passes; with
``--json`` trip by trip.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from ...adapters.teaching.teaching import teach
from ...procedures.evidence.intervals import wilson_interval
from ..players.arms import Setting
from ..running.episode import EpisodeOutcome
from ..running.runner import play_all
from ..suites.suites import EvalTask, make_suite
from .demonstrations import demonstration
from .tasks import trips_of_split

__all__ = ["main", "play_fold"]

_FOLDS = 3


def play_fold(
    fold: int, source: str, folder: Path, data: str | None = None
) -> list[EpisodeOutcome]:
    """Teach a library without a fold and return what became of the fold's trips.

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
    return play_all(setting, [EvalTask(trip.id, trip) for trip in trips])


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", choices=("reference", "database"), default="reference")
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        played = [
            one
            for fold in range(_FOLDS)
            for one in play_fold(fold, wanted.source, Path(folder), wanted.data)
        ]
    if wanted.json:
        steps = sum(one.steps for one in played) / len(played)
        episodes = [one.to_document() for one in played]
        print(json.dumps({"mean_steps": steps, "episodes": episodes}))
        return
    passed = sum(one.success for one in played)
    interval = wilson_interval(passed, len(played))
    print(
        f"{wanted.source}: {passed} of {len(played)} final passes, {_FOLDS}-fold "
        f"(95 % interval {interval.low:.3f} to {interval.high:.3f})"
    )


if __name__ == "__main__":
    main()
