"""New templates out of shown ones: the beginning of one and the end of another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..episodes.templates import literal_text
from .template_choice import parts_of
from .text_templates import STAND_IN, Slot, Template
from .text_tokens import text_tokens

__all__ = ["crossed"]

_MOST_SLOTS, _MOST_LEVEL_0 = 9, 3
"""Slots of a template that nobody showed, and of level 0 among them: more are seldom right."""
_LEAST_SHOWN = 2
"""Fewest demonstrations of a beginning or an end that is joined with others."""
_BEGIN, _END = "^", "$"


@dataclass(frozen=True, slots=True)
class _Item:
    """A token of a template: a constant, or a slot."""

    text: str
    gap: bool
    slot: int = -1


def crossed(templates: Mapping[Template, int]) -> list[Template]:
    """Return new templates whose every run of three tokens stands in a shown template.

    A template may be parted before a word that stands behind a slot, a number or a bracket, outside
    of all brackets. Beginnings and ends that were shown twice or more are joined where parts of
    these two kinds were neighbours.

    Args:
        templates: With how many demonstrations have each.
    """
    known_parts = {part for template in templates for part in parts_of(template)}
    shapes = {template.shape for template in templates}
    items_by_template = [(template, _items(template)) for template in templates]
    items_by_template = [
        (template, items)
        for template, items in items_by_template
        if not any(STAND_IN.fullmatch(item.text) for item in items)
    ]
    heads: set[tuple[str, str]] = set()
    beginnings: dict[tuple[object, ...], tuple[Template, list[_Item], str]] = {}
    ends: dict[tuple[object, ...], tuple[Template, list[_Item], list[_Item], str]] = {}
    support: Counter[object] = Counter()
    for template, items in items_by_template:
        before = _BEGIN
        for at in [*_joint_places(items), len(items)]:
            head = items[at].text.upper() if at < len(items) else _END
            heads.add((before, head))
            first, rest = _shape_key(items[:at], template), _shape_key(items[at:], template)
            support["begin", first] += templates[template]
            support["end", rest] += templates[template]
            if at:
                beginnings.setdefault(first, (template, items[:at], before))
            if at and at < len(items):
                roles = tuple(template.contexts[n] for n in _slots_on_both_sides(items, at))
                ends.setdefault((rest, roles), (template, items[:at], items[at:], head))
            before = head
    template_by_shape: dict[tuple[str, ...], Template] = {}
    usual_beginnings = {
        key: ending for key, ending in beginnings.items() if support["begin", key] >= _LEAST_SHOWN
    }
    usual_ends = [ending for key, ending in ends.items() if support["end", key[0]] >= _LEAST_SHOWN]
    for template, begin, last in usual_beginnings.values():
        if (last, _END) in heads:
            _add_if_new(_join(template, begin, None), shapes, known_parts, template_by_shape)
        for other in usual_ends:
            if (last, other[3]) in heads and other[0] is not template:
                _add_if_new(
                    _join(template, begin, other[:3]), shapes, known_parts, template_by_shape
                )
    return sorted(template_by_shape.values(), key=lambda ending: ending.text)


def _slots_on_both_sides(items: Sequence[_Item], at: int) -> list[int]:
    """Return the slots that stand on both sides of a place."""
    before = {item.slot for item in items[:at]}
    return list(dict.fromkeys(i.slot for i in items[at:] if i.slot >= 0 and i.slot in before))


def _add_if_new(
    template: Template | None,
    shapes: set[tuple[str, ...]],
    known_parts: set[str],
    template_by_shape: dict[tuple[str, ...], Template],
) -> None:
    if template is None or template.shape in shapes or template.shape in template_by_shape:
        return
    if parts_of(template) <= known_parts:
        template_by_shape[template.shape] = template


def _items(template: Template) -> list[_Item]:
    items: list[_Item] = []
    before = ""
    for piece in template.pieces:
        if isinstance(piece, int):
            items.append(_Item("", before[-1:].isspace(), piece))
            before = ""
        else:
            items += _constants(piece)
            before = piece
    return items


def _constants(text: str) -> list[_Item]:
    """Return the tokens of a constant; a quote that stands alone is a sign."""
    items: list[_Item] = []
    for run in re.split(r"(['\"`])", text):
        tokens = text_tokens(run + " x")[:-1] if run else ()
        for place, token in enumerate(tokens):
            gap = token.gap or (place == 0 and run[:1].isspace())
            items.append(_Item(token.text, gap))
    return _quoted_gaps(text, items)


def _quoted_gaps(text: str, items: list[_Item]) -> list[_Item]:
    """Set gaps from the text itself."""
    spaced_items, at = [], 0
    for item in items:
        place = text.find(item.text, at)
        spaced_items.append(_Item(item.text, place > 0 and text[place - 1].isspace()))
        at = place + len(item.text)
    return spaced_items


def _joint_places(items: Sequence[_Item]) -> Iterator[int]:
    depth, begins = 0, True
    open_quote = ""
    for at, item in enumerate(items):
        if begins and at == 0:
            yield 0
        if item.text in ("'", '"', "`"):
            open_quote = "" if open_quote == item.text else open_quote or item.text
            continue
        if open_quote:
            continue
        before = items[at - 1] if at else None
        if depth == 0 and before is not None and item.text[:1].isalpha():
            closed = before.slot >= 0 or before.text[-1:] in ")*'\"`" or before.text[:1].isdigit()
            if closed:
                yield at
        depth += (item.text == "(") - (item.text == ")")


def _shape_key(items: Iterable[_Item], template: Template) -> tuple[object, ...]:
    numbers: dict[int, int] = {}
    return tuple(
        (numbers.setdefault(i.slot, len(numbers)), template.slots[i.slot].level)
        if i.slot >= 0
        else i.text.upper()
        for i in items
    )


def _join(
    template: Template,
    begin: Sequence[_Item],
    other: tuple[Template, Sequence[_Item], Sequence[_Item]] | None,
) -> Template | None:
    """Return the template of a beginning and an end; None where a slot of the end has no place."""
    slots: list[Slot] = []
    own_numbers: dict[int, int] = {}
    end_numbers: dict[int, int] = {}

    def add(source: Template, numbers: dict[int, int], number: int) -> int | None:
        if number not in numbers:
            slot = source.slots[number]
            of = None
            if slot.of is not None:
                of = add(source, numbers, slot.of)
                if of is None:
                    return None
            numbers[number] = len(slots)
            slots.append(Slot(slot.level, of))
        return numbers[number]

    text: list[str] = []
    for item in begin:
        if item.slot >= 0:
            add(template, own_numbers, item.slot)
        text.append(_item_text(item, own_numbers))
    tops = [n for n in own_numbers if template.slots[n].level == 0]
    if other is not None:
        source, before, end = other
        earlier = [i.slot for i in before if i.slot >= 0]
        for number in dict.fromkeys(earlier):
            if source.slots[number].level == 0:
                rank = [n for n in dict.fromkeys(earlier) if source.slots[n].level == 0].index(
                    number
                )
                if rank < len(tops):
                    end_numbers[number] = own_numbers[tops[rank]]
            else:
                context = source.contexts[number]
                level = source.slots[number].level
                same_context = [
                    n
                    for n in own_numbers
                    if template.contexts[n] == context and template.slots[n].level == level
                ]
                if same_context:
                    end_numbers[number] = own_numbers[same_context[0]]
        open_tops = [own_numbers[n] for n in tops if not _stands_alone(n, begin)]
        for rank, item in enumerate(end):
            new = (
                item.slot >= 0
                and item.slot not in end_numbers
                and source.slots[item.slot].level == 0
            )
            joined = rank + 1 < len(end) and end[rank + 1].text == "."
            if new and not joined and open_tops:
                end_numbers[item.slot] = open_tops.pop(0)
        for item in end:
            if item.slot >= 0:
                if item.slot in earlier and item.slot not in end_numbers:
                    return None
                if (
                    source.slots[item.slot].of in earlier
                    and source.slots[item.slot].of not in end_numbers
                ):
                    return None
                if add(source, end_numbers, item.slot) is None:
                    return None
            text.append(_item_text(item, end_numbers))
    if len(slots) > _MOST_SLOTS or sum(s.level == 0 for s in slots) > _MOST_LEVEL_0 or not slots:
        return None
    template_made = Template("".join(text).strip(), tuple(slots))
    present_slots = {p for p in template_made.pieces if isinstance(p, int)}
    if any(number not in present_slots for number in range(len(slots))):
        return None  # a name is of one that is not there
    return template_made


def _stands_alone(number: int, items: Sequence[_Item]) -> bool:
    """Whether a name stands by itself somewhere, not only before another of its own."""
    return any(
        item.slot == number and not (at + 1 < len(items) and items[at + 1].text == ".")
        for at, item in enumerate(items)
    )


def _item_text(item: _Item, numbers: Mapping[int, int]) -> str:
    text = f"{{{numbers[item.slot] + 1}}}" if item.slot >= 0 else literal_text(item.text)
    return f" {text}" if item.gap else text
