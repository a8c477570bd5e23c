"""Minimum nights: one stays as long as the house wants one to."""

from __future__ import annotations

from itertools import groupby

from .database import Database, entries_named
from .plan import Plan
from .tasks import Trip
from .values import filled, named_place
from .verdict import PASSED, Verdict, failed

__all__ = ["minimum_nights"]


def minimum_nights(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check each run of nights in one house; a name that fits several houses is not checked."""
    if any("accommodation" not in day.present for day in plan):
        return failed("a day says nothing of the accommodation")
    for text, run in groupby(day.accommodation for day in plan):
        if not filled(text):
            continue
        nights = sum(1 for _ in run)
        place = named_place(text)
        houses = entries_named(database.accommodations, place.name, place.city)
        if len(houses) == 1 and nights < houses[0].minimum_nights:
            return failed(f"{text} wants {houses[0].minimum_nights:g} nights at least")
    return PASSED
