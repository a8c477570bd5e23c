"""A plan, as it is given to the environment: one record a day."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...procedures.common.errors import DataError
from .values import NOTHING

__all__ = ["FIELDS", "MEALS", "Day", "Plan", "read_day", "read_plan"]

MEALS = ("breakfast", "lunch", "dinner")
FIELDS = ("transportation", "breakfast", "attraction", "lunch", "dinner", "accommodation")
"""What a day has to say, beside the city."""
_MOST_DAYS = 1_000
_NO_MORE = "You don't need to fill in the information for this or later days."


@dataclass(frozen=True, slots=True)
class Day:
    """One day.

    Attributes:
        current_city: A city, or ``from A to B``.
        transportation: How one travels; "" where the record does not say.
        breakfast: A restaurant and its city, like ``lunch`` and ``dinner``.
        lunch: See ``breakfast``.
        dinner: See ``breakfast``.
        attraction: Sights, each closed by a semicolon.
        accommodation: Where one sleeps.
        present: Which keys the record has.
        entries: How many keys of the record, of whatever name, say anything.
    """

    current_city: str = ""
    transportation: str = ""
    breakfast: str = ""
    lunch: str = ""
    dinner: str = ""
    attraction: str = ""
    accommodation: str = ""
    present: frozenset[str] = frozenset()
    entries: int = 0

    @property
    def planned(self) -> bool:
        """Whether it is a day at all."""
        return bool(self.present) and self.current_city != _NO_MORE

    @property
    def meals(self) -> tuple[str, str, str]:
        """Breakfast, lunch and dinner."""
        return self.breakfast, self.lunch, self.dinner


Plan = tuple[Day, ...]


def read_plan(value: Any) -> Plan:
    """Read a plan: a list of records, or the JSON text of one.

    Raises:
        DataError: It is something else.
    """
    value = _decoded(value, "a plan")
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise DataError(f"a plan is a list of days, not {_kind(value)}")
    if len(value) > _MOST_DAYS:
        raise DataError(f"a plan has at most {_MOST_DAYS} days, not {len(value)}")
    return tuple(read_day(day) for day in value)


def read_day(value: Any) -> Day:
    """Read one day: an object, or the JSON text of one.

    Raises:
        DataError: It is something else, or one of its fields is no text.
    """
    value = _decoded(value, "a day")
    if not isinstance(value, dict):
        raise DataError(f"a day is an object with fields, not {_kind(value)}")
    texts = {}
    for name in ("current_city", *FIELDS):
        text = value.get(name)
        if text is not None and not isinstance(text, str):
            raise DataError(f"{name} must be a text, or {NOTHING!r} for nothing, not {_kind(text)}")
        texts[name] = text or ""
    entries = sum(1 for entry in value.values() if entry and entry != NOTHING)
    return Day(**texts, present=frozenset(map(str, value)), entries=entries)


def _decoded(value: Any, what: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except RecursionError:
        raise DataError(f"{what} is nested too deep; write one record of texts a day") from None
    except ValueError as error:
        raise DataError(f"{what} is no JSON: {str(error)[:100]}") from None


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a truth value"}
    return kinds.get(type(value), "nothing" if value is None else "a number")
