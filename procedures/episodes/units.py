"""Units behind numbers: what all quantities of a slot end with is no part of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .templates import Line, Template, readings_of

_LEAST = 5
"""Least values with a unit; fewer may be chance."""
_SHARE = 0.9
"""Least share of a slot's values with the unit; a heading stands in one column with them."""
_QUANTITY = re.compile(r"[-+]?\d[\d.,']*( [^\W\d_]+|€|\$|£|%| €| \$| £| %)")


def with_units(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Return templates, each with units behind its slots followed by itself.

    Args:
        templates: Templates, the most frequent first.
        lines: All lines.
        phrases: Argument values; where one has its unit, the unit is part of the value.
    """
    return tuple(_split(readings_of(templates, lines), phrases))


def _split(
    readings_by_template: Mapping[Template, Sequence[tuple[Line, tuple[str, ...]]]],
    phrases: frozenset[str],
) -> Iterator[Template]:
    for template, readings in readings_by_template.items():
        text = template.text
        for index, slot in enumerate(template.slots):
            if slot in template.lists or slot in template.few:
                continue
            quantities = [
                match for _, values in readings if (match := _QUANTITY.fullmatch(values[index]))
            ]
            units = {match[1] for match in quantities}
            often = len(quantities) >= max(_LEAST, _SHARE * len(readings))
            if often and len(units) == 1 and phrases.isdisjoint(match[0] for match in quantities):
                (unit,) = units
                text = text.replace(f"{{{slot}}}", f"{{{slot}}}{unit}")
        if text != template.text:
            yield replace(template, text=text)
        yield template
