"""Units behind numbers: what nearly all values of a slot end with is no part of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .templates import Line, Template, readings_of

_LEAST = 5
"""Least values with a unit; fewer may be chance."""
_SHARE = 0.9
"""Least share of a slot's values with the unit; a heading stands in one column with them."""
_QUANTITY = re.compile(r"[-+]?\d[\d.,']*( [^\W\d_]+|€|\$|£|%| €| \$| £| %)")


def with_units(templates: Sequence[Template], lines: Sequence[Line]) -> tuple[Template, ...]:
    """Return templates, each with units behind its slots followed by itself.

    Args:
        templates: Templates, the most frequent first.
        lines: All lines.
    """
    return tuple(_split(readings_of(templates, lines)))


def _split(
    readings_by_template: dict[Template, list[tuple[Line, tuple[str, ...]]]],
) -> Iterator[Template]:
    for template, readings in readings_by_template.items():
        text = template.text
        for index, slot in enumerate(template.slots):
            if slot in template.lists or slot in template.few:
                continue
            matches = [_QUANTITY.fullmatch(values[index]) for _, values in readings]
            counts = Counter(match[1] for match in matches if match)
            unit, count = max(counts.items(), key=lambda x: x[1], default=("", 0))
            if count >= max(_LEAST, _SHARE * len(readings)):
                text = text.replace(f"{{{slot}}}", f"{{{slot}}}{unit}")
        if text != template.text:
            yield replace(template, text=text)
        yield template
