"""The official evaluator: eight checks of common sense, five of what was asked for.

The hard checks are made only of plans that are complete and name nothing that does not exist; a
plan whose hard checks were skipped fails them.

Source: Xie et al. 2024, TravelPlanner: A Benchmark for Real-World Planning with Language Agents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .completeness import complete_information
from .database import Database
from .nights import minimum_nights
from .plan import Plan
from .route import reasonable_route
from .sandbox import within_sandbox
from .tasks import Trip
from .transport import transport_without_conflict
from .variety import diverse_attractions, diverse_restaurants
from .verdict import Check, Verdict
from .whereabouts import within_current_city
from .wishes import cuisine, house_rule, room_type, transportation, within_budget

__all__ = ["COMMONSENSE", "HARD", "Aggregate", "Evaluation", "aggregate", "evaluate_plan"]

COMMONSENSE: Mapping[str, Check] = {
    "is_reasonable_visiting_city": reasonable_route,
    "is_valid_restaurants": diverse_restaurants,
    "is_valid_attractions": diverse_attractions,
    "is_valid_accommodation": minimum_nights,
    "is_valid_transportation": transport_without_conflict,
    "is_valid_information_in_current_city": within_current_city,
    "is_valid_information_in_sandbox": within_sandbox,
    "is_not_absent": complete_information,
}
"""The official names of the checks of common sense."""
HARD: Mapping[str, Check] = {
    "valid_cuisine": cuisine,
    "valid_room_rule": house_rule,
    "valid_transportation": transportation,
    "valid_room_type": room_type,
    "valid_cost": within_budget,
}
"""The official names of the hard checks."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the checks say of one plan.

    Attributes:
        delivered: Whether there is a plan.
        commonsense: Official name to verdict; empty where nothing was delivered.
        hard: Official name to verdict, of what was asked for; None where it was not looked at.
    """

    delivered: bool
    commonsense: Mapping[str, Verdict]
    hard: Mapping[str, Verdict] | None

    @property
    def commonsense_passed(self) -> bool:
        """Whether the plan passes all checks of common sense."""
        return self.delivered and all(verdict.passed for verdict in self.commonsense.values())

    @property
    def hard_passed(self) -> bool:
        """Whether the plan passes all hard checks, and they were made."""
        return self.hard is not None and all(verdict.passed for verdict in self.hard.values())

    @property
    def passed(self) -> bool:
        """Final pass: both."""
        return self.commonsense_passed and self.hard_passed

    @property
    def reasons(self) -> list[str]:
        """What is wrong, in words."""
        verdicts = [*self.commonsense.items(), *(self.hard or {}).items()]
        return [f"{name}: {verdict.reason}" for name, verdict in verdicts if not verdict.passed]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The six official figures, each in [0, 1], and over how many plans."""

    n: int
    delivery: float
    commonsense_micro: float
    commonsense_macro: float
    hard_micro: float
    hard_macro: float
    final_pass: float
    hard_total: int


def evaluate_plan(trip: Trip, plan: Plan, database: Database) -> Evaluation:
    """Check a plan; days beyond those of the trip are not looked at."""
    if not plan:
        return Evaluation(False, {}, None)
    days = plan[: trip.days]
    commonsense = {name: check(trip, days, database) for name, check in COMMONSENSE.items()}
    hard = None
    if commonsense["is_not_absent"].passed and (
        commonsense["is_valid_information_in_sandbox"].passed
    ):
        hard = {name: HARD[name](trip, days, database) for name in _asked(trip)}
    return Evaluation(True, commonsense, hard)


def aggregate(trips: Sequence[Trip], evaluations: Sequence[Evaluation]) -> Aggregate:
    """Return the official figures of evaluations, in the order of their trips.

    Raises:
        ValueError: There are none, or not one for each trip.
    """
    if not trips or len(trips) != len(evaluations):
        raise ValueError(f"{len(trips)} trips and {len(evaluations)} evaluations")
    n = len(trips)
    hard_total = sum(1 + trip.wishes for trip in trips)
    commonsense = sum(v.passed for one in evaluations for v in one.commonsense.values())
    hard = sum(v.passed for one in evaluations for v in (one.hard or {}).values())
    return Aggregate(
        n=n,
        delivery=sum(one.delivered for one in evaluations) / n,
        commonsense_micro=commonsense / (n * len(COMMONSENSE)),
        commonsense_macro=sum(one.commonsense_passed for one in evaluations) / n,
        hard_micro=hard / hard_total,
        hard_macro=sum(one.hard_passed for one in evaluations) / n,
        final_pass=sum(one.passed for one in evaluations) / n,
        hard_total=hard_total,
    )


def _asked(trip: Trip) -> list[str]:
    """Return the hard checks that apply to a task, in the official order."""
    applies = {
        "valid_cuisine": bool(trip.cuisines),
        "valid_room_rule": trip.house_rule is not None,
        "valid_transportation": trip.transportation is not None,
        "valid_room_type": trip.room_type is not None,
        "valid_cost": True,
    }
    return [name for name, asked in applies.items() if asked]
