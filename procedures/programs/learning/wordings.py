"""Wordings of one task: slots that play the same part have the same name in all of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from ...episodes.templates import Template, pieces, template_text
from ...episodes.tokens import letters_of, magnitude, occurs

__all__ = ["aligned_wordings"]

_FIGURES = re.compile(r"\d+")
_SHARE = 0.6
"""Share of its tasks in which a slot has to play a part, so that the part is its own."""


def aligned_wordings(
    templates: Sequence[Template], parts: Iterable[tuple[str, Mapping[Hashable, frozenset[str]]]]
) -> tuple[Template, ...]:
    """Return wordings with the slots renamed.

    Args:
        templates: The wordings, the most frequent first.
        parts: For each demonstration its task, and for each part (an argument of an operator, a
            field of a kind of facts) the values that play it.
    """
    if len(templates) < 2:
        return tuple(templates)
    parts = list(parts)
    plays = _plays(templates, parts)
    says = _says(templates, [task for task, _ in parts])
    names: dict[Template, dict[str, str]] = {}
    roles: dict[str, set[Hashable]] = {}
    values: dict[str, set[str]] = {}
    for template in templates:
        mine: dict[str, str] = {}
        pairs = sorted(
            (
                (-len(played & roles[role]) / len(played | roles[role]), slot, role)
                for slot, played in plays[template].items()
                for role in roles
                if played & roles[role]
            ),
            key=lambda x: (x[0], int(x[1]), int(x[2])),
        )
        for _, slot, role in pairs:
            if slot not in mine and role not in mine.values():
                mine[slot] = role
                roles[role] |= plays[template][slot]
        # What plays no part, as it only decides something, is told by its values.
        alike = sorted(
            (-len(said & values[role]) / len(said | values[role]), slot, role)
            for slot, said in says[template].items()
            for role in values
            if slot not in mine and role not in mine.values() and said & values[role]
        )
        for _, slot, role in alike:
            if slot not in mine and role not in mine.values():
                mine[slot] = role
        for slot, role in mine.items():
            values[role] |= says[template][slot]
        for slot in template.slots:
            if slot not in mine:
                mine[slot] = str(len(roles) + 1)
                roles[mine[slot]] = set(plays[template][slot])
                values[mine[slot]] = set(says[template][slot])
        names[template] = mine
    named = [_with_names(template, names[template]) for template in templates]
    lists = {slot: template for template in reversed(named) for slot in template.lists}
    return tuple(_with_lists(template, lists) for template in named)


def _with_lists(template: Template, lists: Mapping[str, Template]) -> Template:
    """Return a wording in which one thing is a list, where another wording has several there."""
    slots = [slot for slot in template.slots if slot in lists]
    if not slots or template.lists:
        return template
    other = lists[slots[0]]
    whole = replace(template, lists=frozenset(slots), joint=other.joint, item=other.item)
    for slot in slots if other.joint else ():
        whole = _with_all_items(whole, slot)
    return whole


def _with_all_items(template: Template, slot: str) -> Template:
    """Return a wording in which a list is one slot, though two items were all that it ever had."""
    plain, slots = pieces(template.text)
    at = slots.index(slot)
    sign = f" {template.joint} "
    before = at if plain[at] == sign else 0
    behind = at + 1 if plain[at + 1] == sign and at + 1 < len(slots) else 0
    joined = before or behind
    if not joined:
        return template
    other = slots[before - 1] if before else slots[behind]
    if other in template.few or other in template.lists:
        return template
    text = template_text((*plain[:joined], *plain[joined + 1 :]), (s for s in slots if s != other))
    return replace(template, text=text, words=template.words - {other})


def _says(
    templates: Sequence[Template], tasks: Iterable[str]
) -> dict[Template, dict[str, set[str]]]:
    """Return what each slot of each wording says; of what has figures and letters, how it is built.

    Numbers say nothing: any two may be equal.
    """
    says: dict[Template, dict[str, set[str]]] = {
        template: {slot: set() for slot in template.slots} for template in templates
    }
    ranked = sorted(templates, key=lambda t: (-t.weight, t.text))
    for task in tasks:
        for template in ranked:
            reading = template.read(task.replace("\n", " "))
            if reading is not None:
                for slot, value in zip(template.slots, reading, strict=True):
                    if any(map(str.isalpha, value)):
                        says[template][slot].add(_FIGURES.sub("0", value))
                break
    return says


def _plays(
    templates: Sequence[Template], parts: Iterable[tuple[str, Mapping[Hashable, frozenset[str]]]]
) -> dict[Template, dict[str, set[Hashable]]]:
    """Return what each slot of each wording plays in most of its tasks."""
    counts: dict[tuple[Template, str], Counter[Hashable]] = defaultdict(Counter)
    number: Counter[Template] = Counter()
    ranked = sorted(templates, key=lambda t: (-t.weight, t.text))
    for task, values in parts:
        for template in ranked:
            reading = template.read(task.replace("\n", " "))
            if reading is None:
                continue
            number[template] += 1
            for slot, value in zip(template.slots, reading, strict=True):
                size = magnitude(value)
                if size is not None:
                    counts[template, slot]["type", size[0]] += 1
                things = template.items(value) if slot in template.lists else [value]
                for part, each in values.items():
                    if not each.isdisjoint(things):
                        counts[template, slot][part] += 1
                    elif isinstance(part, tuple) and isinstance(part[1], int):
                        like = any(_is_like(v, value) for v in each)
                        counts[template, slot]["like", part] += like
            break
    return {
        template: {
            slot: {
                part
                for part, count in counts[template, slot].items()
                if count >= _SHARE * number[template]
            }
            for slot in template.slots
        }
        for template in templates
    }


def _is_like(one: str, other: str) -> bool:
    """Whether a value is another one, or a part of it, in other capitals or with other signs."""
    small, large = sorted((one.casefold(), other.casefold()), key=len)
    return occurs(small, large) or letters_of(small) == letters_of(large)


def _with_names(template: Template, names: Mapping[str, str]) -> Template:
    plain, slots = pieces(template.text)
    text = template_text(plain, (names[slot] for slot in slots))
    few = {names[slot]: values for slot, values in template.few.items()}
    lists = frozenset(names[slot] for slot in template.lists)
    words = frozenset(names[slot] for slot in template.words)
    return replace(template, text=text, few=few, lists=lists, words=words)
