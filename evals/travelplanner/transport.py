"""Transport without conflict: who drives neither flies nor takes a taxi on the way."""

from __future__ import annotations

from .cost import Transport, transport_of
from .database import Database
from .plan import Plan
from .tasks import Trip
from .values import filled
from .verdict import PASSED, Verdict, failed

__all__ = ["transport_without_conflict"]


def transport_without_conflict(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that one leaves on the first day, and that the car is not left behind."""
    if not plan or not filled(plan[0].transportation):
        return failed("nothing is said of how one leaves on day 1")
    kinds = {transport_of(day.transportation) for day in plan if filled(day.transportation)}
    if Transport.DRIVING in kinds and kinds & {Transport.FLIGHT, Transport.TAXI}:
        return failed("self-driving goes with neither flights nor taxis")
    return PASSED
