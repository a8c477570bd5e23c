"""TravelPlanner, sole planning, as a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...graph.protocols import Environment
from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from ..suites.suite_files import FiledSuite
from ..suites.suites import EvalTask, Progress, sampled
from .demonstrations import demonstration
from .environment import TravelPlannerEnvironment
from .tasks import trips_of_split

__all__ = ["TravelPlannerSuite"]


@dataclass(frozen=True, slots=True)
class TravelPlannerSuite(FiledSuite):
    """TravelPlanner.

    Attributes:
        data: The data root; None for the default.
        source: What the agent knows of the world: ``reference`` or ``database``.
    """

    data: str | None = None
    source: str = "reference"

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Return the trips of a split; with ``limit``, a random sample in the split's order."""
        trips = trips_of_split(split, self.data)
        if limit is not None and limit < len(trips):
            chosen = sampled(range(len(trips)), limit, seed, "trips")
            trips = [trips[index] for index in sorted(chosen)]
        return [EvalTask(trip.id, trip, f"{trip.level} {trip.days} days") for trip in trips]

    def solution(self, task: EvalTask) -> Sequence[str] | None:
        """Return how a person's plan is handed in; None where there is none."""
        trip = task.reference
        return demonstration(trip, self.source, self.data).acts if trip.human_plan else None

    def environment(self, *, show_admissible: bool) -> Environment:
        """Make an environment; it lists no actions.

        Raises:
            DataError: Actions should be shown.
        """
        if show_admissible:
            raise DataError("TravelPlanner has no list of possible actions; play without")
        return TravelPlannerEnvironment(self.source, self.data)

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return human plans of the train split as episodes, and the trips of no such episode."""
        trips = trips_of_split("train", self.data)
        chosen = sampled(trips, episodes, seed or 0, "human plans")
        taken = {trip.id for trip in chosen}
        shown = []
        for done, trip in enumerate(chosen, 1):
            shown.append(demonstration(trip, self.source, self.data))
            if progress is not None:
                progress(done, len(chosen))
        return shown, [trip.id for trip in trips if trip.id not in taken]

    def facts(self) -> Mapping[str, str]:
        """Return the source."""
        return {"source": self.source}
