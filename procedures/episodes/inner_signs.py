"""Signs within words: what stands beside one may be an argument, and is then a slot of its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from .templates import Template, filled, pieces, template_text

__all__ = ["parted_at_signs"]

_SIGNS = "@/-."


def parted_at_signs(
    template: Template, readings: Sequence[Sequence[str]], phrases: frozenset[str]
) -> Template:
    """Return a template whose slots are parted at a sign beside which an argument stands.

    ``{1} deploy {2} ok`` becomes ``{1} deploy {2}@{3} ok`` where the release is used alone.

    Args:
        template: The template.
        readings: Values of its slots, for each line that it reads.
        phrases: What is used as an argument.
    """
    for index, slot in reversed(list(enumerate(template.slots))):
        values = {values[index] for values in readings}
        if slot in template.few or slot in template.lists or values & phrases:
            continue
        for sign in _SIGNS:
            parts = [value.split(sign) for value in values]
            used = sum(not phrases.isdisjoint(each) for each in parts)
            if all(len(each) == 2 and all(each) for each in parts) and used * 2 > len(parts) > 2:
                new = next(n for n in map(str, itertools.count(1)) if n not in template.slots)
                template = filled(template, slot, Template(f"{{1}}{sign}{{2}}"), [slot, new])
                break
    return _numbered(template)


def _numbered(template: Template) -> Template:
    """Return a template whose slots are numbered as they stand."""
    plain, slots = pieces(template.text)
    names = {slot: str(number) for number, slot in enumerate(slots, 1)}
    if all(slot == name for slot, name in names.items()):
        return template
    few = {names[slot]: values for slot, values in template.few.items()}
    lists = frozenset(names[slot] for slot in template.lists)
    return replace(template, text=template_text(plain, names.values()), few=few, lists=lists)
