"""Sentences that name one thing, two, or more: one template, with a list."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .mining import mine_templates
from .templates import Line, Template, pieces, readings_of, template_text
from .tokens import has_digit, quoted, tokens

__all__ = ["with_named_items"]

_SEVERAL = 2
"""Sentences with commas in a list, from which on it is one."""
_MOST_SLOTS = 24
"""Slots of a sentence; one with more is a text, of which too many parts might be lists."""
_MOST_JOINTS = 6
"""Words that are tried before the last item."""
_ALIKE = 0.8
"""Share of things that have the form of one that is named first."""
_QUOTES = "'\"`"
_Readings = Mapping[Template, Sequence[tuple[Line, tuple[str, ...]]]]


def with_named_items(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Return templates of which those that differ in how many things they name are one.

    ``Add {1}, {2} and {3}.`` and ``Add {1}.`` become ``Add {1}.``, where ``{1}`` is a list. Signs
    and words alone do not tell a list from the parts of a sentence; that its length differs does.

    Args:
        templates: The most frequent first.
        lines: All lines.
        phrases: What is used as an argument.
    """
    readings = readings_of(templates, lines)
    candidates = (_lists(readings, lines, joint) for joint in ("", *_joints(lines)))
    lists = min(candidates, key=lambda each: (-each.lines, each.forms, -each.items))
    left = (
        template
        for template, read in readings.items()
        if not read
        or any(all(one.read(line.text) is None for one in lists.templates) for line, _ in read)
    )
    nothing = frozenset[str]()
    out = {
        each.text: replace(each, item=_item_form(each, lines, phrases)) for each in lists.templates
    }
    for each in left:
        out.setdefault(each.text, replace(each, lists=nothing, joint=""))
    return tuple(out.values())


@dataclass(frozen=True, slots=True)
class _Lists:
    """Templates with lists, and how many lines they read, of how many items in how many forms."""

    templates: tuple[Template, ...]
    lines: int
    items: int
    forms: int


def _lists(readings: _Readings, lines: Sequence[Line], joint: str) -> _Lists:
    """Return the lists that there are if a word stands before the last item."""
    forms = {
        form
        for template, read in readings.items()
        if read and len(template.slots) <= _MOST_SLOTS
        for form in _forms(template, joint)
    }
    templates: list[Template] = []
    number = shapes = 0
    left = list(lines)
    for form in sorted(forms, key=lambda each: (_rank(each, lines), each.text)):
        named = {line: items for line in left if (items := _items(form, line)) is not None}
        several = sum(len(items) > 2 or ", " in line.text for line, items in named.items())
        lengths = set(map(len, named.values()))
        if several >= _SEVERAL and len(lengths) > 1 and _of_one_kind(list(named.values())):
            templates.append(form)
            number += sum(map(len, named.values()))
            shapes += _rank(form, left)[0]
            left = [line for line in left if line not in named]
    return _Lists(tuple(templates), len(lines) - len(left), number, shapes)


def _joints(lines: Sequence[Line]) -> list[str]:
    """Return words that may stand before the last item: the most frequent ones behind a comma."""
    ends = (end for line in lines for end in line.text.split(", ")[1:])
    words = Counter(word for end in ends for word in set(tokens(end)[1:-1]) if word.isalpha())
    return sorted(sorted(words, key=lambda word: (-words[word], word))[:_MOST_JOINTS])


def _of_one_kind(named: Sequence[Sequence[str]]) -> bool:
    """Whether what is named later has the forms of what is named first: clauses have others."""
    first = {_form(items[0]) for items in named}
    later = [_form(item) in first for items in named for item in items[1:]]
    return sum(later) >= _ALIKE * len(later)


def _form(thing: str) -> tuple[str, ...]:
    return tuple(map(_shape, tokens(thing)))


def _rank(form: Template, lines: Sequence[Line]) -> tuple[int, int]:
    """Return how many forms the things have, as parts of things have others, and their number."""
    named = [items for line in lines if (items := _items(form, line)) is not None]
    forms = {_form(thing) for items in named for thing in items}
    return len(forms), -sum(map(len, named))


def _shape(token: str) -> str:
    return "0" if has_digit(token) else "a" if token[0].isalnum() else token


def _items(form: Template, line: Line) -> list[str] | None:
    values = form.read(line.text)
    if values is None:
        return None
    (slot,) = form.lists
    value = dict(zip(form.slots, values, strict=True))[slot]
    return [value] if value in quoted(line.text) else form.items(value)


def _forms(template: Template, joint: str) -> Iterator[Template]:
    """Yield a template with each of its runs of slots, parted as items are, as a list."""
    parts, slots = pieces(template.text)
    gaps = {i: _parted(parts[i], joint) for i in range(1, len(slots))}
    for begin, end in itertools.combinations(range(len(slots) + 1), 2):
        around = [gap for i, gap in gaps.items() if begin < i < end and gap is not None]
        if not around and template.lists.isdisjoint(slots[begin:end]):
            continue
        # What stands around a thing stands before the first and behind the last one, too.
        behind, before = around[0] if around else ("", "")
        first, last = parts[begin], parts[end]
        if first.endswith(before) and last.startswith(behind):
            plain = (first.removesuffix(before), last.removeprefix(behind), *parts[end + 1 :])
            kept = (*slots[: begin + 1], *slots[end:])
            few = {s: template.few[s] for s in kept if s in template.few and s != slots[begin]}
            text = template_text((*parts[:begin], *plain), kept)
            if any((text.count(q) - template.text.count(q)) % 2 for q in _QUOTES):
                continue  # what stands in quotation marks is one thing
            yield Template(text, few, frozenset({slots[begin]}), joint=joint)


def _parted(gap: str, joint: str) -> tuple[str, str] | None:
    """Return what stands behind one thing and before the next; None where it is no new thing."""
    for sign in (f", {joint} ", f" {joint} ", ", ") if joint else (", ",):
        behind, parted, before = gap.partition(sign)
        if parted:
            return behind, before
    return None


def _item_form(form: Template, lines: Sequence[Line], phrases: frozenset[str]) -> str:
    """Return how an item is read; empty where there is nothing in it."""
    named = (items for line in lines if (items := _items(form, line)) is not None)
    things = [Line(item, number, 0) for number, items in enumerate(named) for item in items]
    forms = mine_templates(things, phrases, special=False)
    if len(forms) != 1 or any(forms[0].read(thing.text) is None for thing in things):
        return ""
    return forms[0].text if forms[0].text != "{1}" else ""
