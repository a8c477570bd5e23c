"""Terms that are known at a moment, whatever is chosen: slots, told fields and arguments."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ..program_conditions import Argument, TaskSlot, Term, ToldField


def known_terms(history: History, most_fields: int | None = None) -> Iterator[tuple[Term, str]]:
    """Yield slots of the task, fields of single facts and newest arguments, with their values.

    Args:
        history: The moment.
        most_fields: Most fields of a fact, the first ones; all for None.
    """
    for slot, value in history.asked.fields.items():
        yield TaskSlot(slot), value
    for fact in single_facts(history):
        for name, value in itertools.islice(fact.fields.items(), most_fields):
            yield ToldField(fact.kind, name), value
    for operator in dict.fromkeys(call.operator for call in history.calls):
        for index, value in enumerate(history.arguments(operator)):
            yield Argument(operator, index), value


def single_facts(history: History) -> Iterator[Fact]:
    """Yield the facts that are the only ones of their kind in its newest result."""
    for kind in history.kinds:
        fact = history.single(kind)
        if fact is not None and kind != UNREAD:
            yield fact
