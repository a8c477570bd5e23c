"""Wordings of one task, in which slots of the same part have the same name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from ...episodes.facts import UNREAD, Fact
from ...episodes.templates import Template, pieces, template_text
from ...episodes.tokens import letters_of, magnitude, occurs

_FIGURES = re.compile(r"\d+")
_SHARE = 0.25
"""Least share of either wording's tasks in which slots of one name play the same part."""


def aligned_wordings(
    templates: Sequence[Template], parts: Iterable[tuple[str, Mapping[Hashable, frozenset[str]]]]
) -> tuple[Template, ...]:
    """Return wordings whose slots of the same part have the same name.

    Args:
        templates: The wordings, the most frequent first.
        parts: For each demonstration its task, and for each part (an argument of an operator, a
            field of a kind of facts) the values that play it.
    """
    if len(templates) < 2:
        return tuple(templates)
    parts = list(parts)
    shares_by_slot = _shares_by_slot(templates, parts)
    values_by_slot = _values_by_slot(templates, [task for task, _ in parts])
    names: dict[Template, dict[str, str]] = {}
    roles: dict[str, Mapping[Hashable, float]] = {}
    values: dict[str, set[str]] = {}
    for template in templates:
        name_by_slot: dict[str, str] = {}
        pairs = sorted(
            (
                (-likeness, slot, role)
                for slot, shares in shares_by_slot[template].items()
                for role in roles
                if (likeness := _likeness(shares, roles[role]))
            ),
            key=lambda x: (x[0], int(x[1]), int(x[2])),
        )
        for _, slot, role in pairs:
            if slot not in name_by_slot and role not in name_by_slot.values():
                name_by_slot[slot] = role
                roles[role] = _mean(roles[role], shares_by_slot[template][slot])
        # A slot without a part, which only decides something, is matched by its values.
        similarities = sorted(
            (-len(slot_values & values[role]) / len(slot_values | values[role]), slot, role)
            for slot, slot_values in values_by_slot[template].items()
            for role in values
            if slot not in name_by_slot
            and role not in name_by_slot.values()
            and slot_values & values[role]
        )
        for _, slot, role in similarities:
            if slot not in name_by_slot and role not in name_by_slot.values():
                name_by_slot[slot] = role
        for slot, role in name_by_slot.items():
            values[role] |= values_by_slot[template][slot]
        for slot in template.slots:
            if slot not in name_by_slot:
                name_by_slot[slot] = str(len(roles) + 1)
                roles[name_by_slot[slot]] = shares_by_slot[template][slot]
                values[name_by_slot[slot]] = set(values_by_slot[template][slot])
        names[template] = name_by_slot
    renamed = [_with_names(template, names[template]) for template in templates]
    lists = {slot: template for template in reversed(renamed) for slot in template.lists}
    return tuple(_with_lists(template, lists) for template in renamed)


def values_by_part(
    calls: Sequence[tuple[str, tuple[str, ...]]], results: Sequence[Sequence[Fact]]
) -> dict[Hashable, frozenset[str]]:
    """Return part → the values that play it in a demonstration.

    Args:
        calls: Operator and arguments of each call.
        results: Facts before the first call, then those that each call told.
    """
    parts: dict[Hashable, set[str]] = defaultdict(set)
    for at, (operator, arguments) in enumerate(calls):
        for index, value in enumerate(arguments):
            parts[operator, index].add(value)
            # One action may fill every field: another argument or the last result says which.
            for place in ({*arguments} - {value}) | {fact.kind for fact in results[at]}:
                parts[operator, index, place].add(value)
    for facts in results:
        for fact in facts:
            for name, value in fact.fields.items() if fact.kind != UNREAD else ():
                parts[fact.kind, name].add(value)
    return {part: frozenset(values) for part, values in parts.items()}


def _with_lists(template: Template, lists: Mapping[str, Template]) -> Template:
    """Return a wording in which a slot is a list, where another wording has a list there."""
    slots = [slot for slot in template.slots if slot in lists]
    if not slots or template.lists:
        return template
    other = lists[slots[0]]
    with_list = replace(
        template,
        lists=frozenset(slots),
        joint=other.joint,
        item=other.item,
        between=other.between,
    )
    for slot in slots if other.joint else ():
        with_list = _with_all_items(with_list, slot)
    return with_list


def _with_all_items(template: Template, slot: str) -> Template:
    """Return a wording in which a list of two slots is one slot."""
    plain, slots = pieces(template.text)
    place = slots.index(slot)
    joint_text = f" {template.joint} "
    before = place if plain[place] == joint_text else 0
    behind = place + 1 if plain[place + 1] == joint_text and place + 1 < len(slots) else 0
    joint_place = before or behind
    if not joint_place:
        return template
    other = slots[before - 1] if before else slots[behind]
    if other in template.few or other in template.lists:
        return template
    text = template_text(
        (*plain[:joint_place], *plain[joint_place + 1 :]), (s for s in slots if s != other)
    )
    return replace(template, text=text, words=template.words - {other})


def _values_by_slot(
    templates: Sequence[Template], tasks: Iterable[str]
) -> dict[Template, dict[str, set[str]]]:
    """Return wording → slot → values, with each figure as 0.

    Numbers are left out, as any two may be equal.
    """
    values_by_slot: dict[Template, dict[str, set[str]]] = {
        template: {slot: set() for slot in template.slots} for template in templates
    }
    ranked = sorted(templates, key=lambda t: (-t.weight, t.text))
    for task in tasks:
        for template in ranked:
            reading = template.read(task.replace("\n", " "))
            if reading is not None:
                for slot, value in zip(template.slots, reading, strict=True):
                    if any(map(str.isalpha, value)):
                        values_by_slot[template][slot].add(_FIGURES.sub("0", value))
                break
    return values_by_slot


def _likeness(one: Mapping[Hashable, float], other: Mapping[Hashable, float]) -> float:
    """Return how much of what two slots do is the same, in [0, 1]; 0 without a common part."""
    common = [min(one[part], other[part]) for part in one.keys() & other.keys()]
    if max(common, default=0.0) < _SHARE:
        return 0.0
    every = sum(max(one.get(part, 0.0), other.get(part, 0.0)) for part in one.keys() | other.keys())
    return sum(sorted(common)) / every


def _mean(
    one: Mapping[Hashable, float], other: Mapping[Hashable, float]
) -> Mapping[Hashable, float]:
    return {part: (one.get(part, 0.0) + other.get(part, 0.0)) / 2 for part in {*one, *other}}


def _shares_by_slot(
    templates: Sequence[Template], parts: Iterable[tuple[str, Mapping[Hashable, frozenset[str]]]]
) -> dict[Template, dict[str, Mapping[Hashable, float]]]:
    """Return wording → slot → part → share of the tasks in which the slot plays it."""
    counts: dict[tuple[Template, str], Counter[Hashable]] = defaultdict(Counter)
    task_count: Counter[Template] = Counter()
    ranked = sorted(templates, key=lambda t: (-t.weight, t.text))
    for task, values in parts:
        for template in ranked:
            reading = template.read(task.replace("\n", " "))
            if reading is None:
                continue
            task_count[template] += 1
            for slot, value in zip(template.slots, reading, strict=True):
                size = magnitude(value)
                if size is not None:
                    counts[template, slot]["type", size[0]] += 1
                things = template.items(value) if slot in template.lists else [value]
                for part, part_values in values.items():
                    if not part_values.isdisjoint(things):
                        counts[template, slot][part] += 1
                    elif isinstance(part, tuple) and isinstance(part[1], int):
                        similar = any(_is_like(v, value) for v in part_values)
                        counts[template, slot]["like", part] += similar
            break
    return {
        template: {
            slot: {part: n / task_count[template] for part, n in counts[template, slot].items()}
            for slot in template.slots
        }
        for template in templates
    }


def _is_like(one: str, other: str) -> bool:
    """Whether a value is another one, or part of it, apart from capitals and signs."""
    small, large = sorted((one.casefold(), other.casefold()), key=len)
    return occurs(small, large) or letters_of(small) == letters_of(large)


def _with_names(template: Template, names: Mapping[str, str]) -> Template:
    plain, slots = pieces(template.text)
    text = template_text(plain, (names[slot] for slot in slots))
    few = {names[slot]: values for slot, values in template.few.items()}
    lists = frozenset(names[slot] for slot in template.lists)
    words = frozenset(names[slot] for slot in template.words)
    return replace(template, text=text, few=few, lists=lists, words=words)
