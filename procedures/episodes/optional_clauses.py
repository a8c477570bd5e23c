"""Clauses: what a task says only at times has slots of its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from .special_forms import recurring_forms
from .templates import Line, Template, filled, pieces, readings_of
from .tokens import Tokens, tokens

__all__ = ["with_clauses"]

_MOST = 16
"""Templates of a task, with and without the clauses that are said at times."""


def with_clauses(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Return templates; where a slot holds clauses that recur, also those with clauses filled in.

    ``Go to {1}.`` that reads "Go to Rome, by train." as well as "Go to Rome." is followed by
    ``Go to {1}, by {2}.``: what is said only at times has slots of its own. A slot keeps its name.

    Args:
        templates: The most frequent first.
        lines: All lines.
        phrases: What is used as an argument.
    """
    names = _Names({slot for template in templates for slot in template.slots})
    out: dict[str, Template] = {}
    left = list(readings_of(templates, lines).items())
    while left and len(out) < _MOST:
        template, readings = left.pop(0)
        longer: list[Template] = []
        for index, slot in enumerate(template.slots):
            column = [(line, values[index]) for line, values in readings]
            for form in recurring_forms(column, slot, template, phrases):
                at = _base(form, [value for _, value in column])
                if at is not None:
                    own = names.of(form, slot, at, template)
                    longer.append(filled(template, slot, form, own))
        out.setdefault(template.text, template)
        left += readings_of(longer, [line for line, _ in readings]).items()
    return tuple(out.values())


def _base(form: Template, values: Sequence[str]) -> int | None:
    """Return the slot of a form that clauses are added to; None where it says no clause.

    A clause is said only at times, and is no part of a value: signs part it from what it is added
    to, or the same is said without it, too.
    """
    inner = [reading for value in values if (reading := form.read(value))]
    alone = [sum(reading[at] in values for reading in inner) for at in range(len(form.slots))]
    if not alone:
        return None
    best = max(range(len(alone)), key=lambda at: (alone[at], -at))
    signs = any(not w[0].isalnum() for part in pieces(form.text)[0] for w in tokens(part))
    return best if signs or alone[best] * 2 > len(inner) else None


class _Names:
    """Names of slots: that of a clause is the same wherever the same words stand before it."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._clauses: dict[Tokens, str] = {}

    def of(self, form: Template, slot: str, at: int, template: Template) -> list[str]:
        """Return the names of a form's slots, of which one goes on to be the slot that is filled.

        Args:
            form: What fills the slot.
            slot: The slot.
            at: The form's slot that keeps its name.
            template: Where the slot stands; no name stands there twice.
        """
        names = list(template.slots)
        plain, slots = pieces(form.text)
        for i in range(len(slots)):
            names.append(slot if i == at else self._of(tokens(plain[i]), names))
        return names[len(template.slots) :]

    def _of(self, clause: Tokens, others: Sequence[str]) -> str:
        name = self._clauses.get(clause)
        if name is None or name in others:
            name = next(n for n in map(str, itertools.count(1)) if n not in self._taken)
            self._taken.add(name)
            self._clauses[clause] = name
        return name
