"""Find optional clauses of tasks and give them slots of their own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from .special_forms import recurring_forms
from .templates import Line, Template, filled, pieces, readings_of
from .tokens import Tokens, tokens

_MOST = 16
"""Most templates of a task with and without optional clauses; it bounds the search."""


def with_clauses(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Return templates, each followed by those with recurring clauses filled into a slot.

    ``Go to {1}.``, which reads "Go to Rome, by train." as well as "Go to Rome.", is followed by
    ``Go to {1}, by {2}.``. A slot keeps its name.

    Args:
        templates: Templates, the most frequent first.
        lines: All lines.
        phrases: Argument values.
    """
    names = _Names({slot for template in templates for slot in template.slots})
    template_by_text: dict[str, Template] = {}
    pending = list(readings_of(templates, lines).items())
    while pending and len(template_by_text) < _MOST:
        template, readings = pending.pop(0)
        longer: list[Template] = []
        for index, slot in enumerate(template.slots):
            column = [(line, values[index]) for line, values in readings]
            for form in recurring_forms(column, slot, template, phrases):
                at = _base_slot(form, [value for _, value in column])
                if at is not None:
                    slot_names = names.of(form, slot, at, template)
                    longer.append(filled(template, slot, form, slot_names))
        template_by_text.setdefault(template.text, template)
        pending += readings_of(longer, [line for line, _ in readings]).items()
    return tuple(template_by_text.values())


def _base_slot(form: Template, values: Sequence[str]) -> int | None:
    """Return the slot of a form that clauses are added to; None where it holds no clause.

    A clause is optional and no part of a value: signs separate it from the value, or the value
    also occurs without it.
    """
    inner = [reading for value in values if (reading := form.read(value))]
    alone_count = [sum(reading[at] in values for reading in inner) for at in range(len(form.slots))]
    if not alone_count:
        return None
    best = max(range(len(alone_count)), key=lambda at: (alone_count[at], -at))
    signs = any(not w[0].isalnum() for part in pieces(form.text)[0] for w in tokens(part))
    return best if signs or alone_count[best] * 2 > len(inner) else None


class _Names:
    """Names of slots; a clause's slot has the same name after the same words."""

    def __init__(self, names: set[str]) -> None:
        self._taken = names
        self._clauses: dict[Tokens, str] = {}

    def of(self, form: Template, slot: str, at: int, template: Template) -> list[str]:
        """Return the names of a form's slots, one of which keeps the name of the filled slot.

        Args:
            form: Template that fills the slot.
            slot: The slot.
            at: Index of the form's slot that keeps the name.
            template: Template of the slot; its names stay unique.
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
