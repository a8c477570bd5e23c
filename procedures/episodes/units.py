"""Units behind numbers: what all quantities of a slot end with is no part of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .templates import Line, Template, filled, readings_of
from .tokens import has_digit
from .unification import unification

_LEAST = 5
"""Least quantities with a unit; fewer may be chance."""
_SHARE = 0.9
"""Least share of a slot's values that are quantities; a heading stands in one column with them."""


def with_units(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> Iterator[Template]:
    """Yield templates, each with units behind its slots followed by itself.

    Args:
        templates: Templates, the most frequent first.
        lines: All lines.
        phrases: Argument values; where one has its unit, the unit is part of the value.
    """
    for template, readings in readings_of(templates, lines).items():
        with_unit = template
        for index, slot in enumerate(template.slots):
            column = [values[index] for _, values in readings]
            quantities = [value for value in column if has_digit(value.lstrip("+-")[:1])]
            often = len(quantities) >= max(_LEAST, _SHARE * len(readings))
            if often and slot not in template.lists and phrases.isdisjoint(quantities):
                form = unification(quantities)
                if form is not None and len(form.slots) == 1 and form.weight:
                    with_unit = filled(with_unit, slot, form, [slot])
        if with_unit != template:
            yield with_unit
        yield template
