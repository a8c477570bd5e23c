"""Merge sentences that name one thing or several into one template with a list."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .mining import mine_templates
from .templates import Line, Template, pieces, readings_of, template_text
from .tokens import has_digit, quoted, tokens

_SEVERAL = 2
"""Sentences with several items; fewer do not show a list."""
_MOST_SLOTS = 24
"""Most slots of a sentence; longer texts have too many parts that might be lists."""
_MOST_JOINTS = 6
"""Most words that are tried before the last item; it bounds the time."""
_ALIKE = 0.8
"""Least share of later items that have the form of a first item."""
_QUOTES = "'\"`"
_SIGN = re.compile(r"(?<=\S )[^\w\s]+(?= \S)")
"""A sign between blanks."""
_Readings = Mapping[Template, Sequence[tuple[Line, tuple[str, ...]]]]


def with_named_items(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Return templates; those that differ only in the number of things they name become one.

    ``Add {1}, {2} and {3}.`` and ``Add {1}.`` become ``Add {1}.``, where ``{1}`` is a list. A list
    differs from the parts of a sentence by its varying length.

    Args:
        templates: Templates, the most frequent first.
        lines: All lines.
        phrases: Argument values.
    """
    readings = readings_of(templates, lines)
    candidates = (_lists_with_joint(readings, lines, joint) for joint in ("", *_joints(lines)))
    lists = min(candidates, key=lambda each: (-each.lines, each.forms, -each.items))
    others = (
        template
        for template, template_readings in readings.items()
        if not template_readings
        or any(
            all(one.read(line.text) is None for one in lists.templates)
            for line, _ in template_readings
        )
    )
    nothing = frozenset[str]()
    template_by_text = {
        each.text: replace(each, item=item_form(each, lines, phrases)) for each in lists.templates
    }
    for each in others:
        template_by_text.setdefault(each.text, replace(each, lists=nothing, joint=""))
    return tuple(template_by_text.values())


@dataclass(frozen=True, slots=True)
class _Lists:
    """Templates with lists, and the numbers of their lines, items and forms of items."""

    templates: tuple[Template, ...]
    lines: int
    items: int
    forms: int


def _lists_with_joint(readings: _Readings, lines: Sequence[Line], joint: str) -> _Lists:
    """Return the lists whose last item follows a given word (``joint``, may be empty)."""
    forms = {
        form
        for template, template_readings in readings.items()
        if template_readings and len(template.slots) <= _MOST_SLOTS
        for form in _forms(template, joint)
    }
    templates: list[Template] = []
    item_count = shape_count = 0
    remaining = list(lines)
    for form in sorted(forms, key=lambda each: (_rank(each, lines), each.text)):
        items_by_line = {
            line: items for line in remaining if (items := _items(form, line)) is not None
        }
        several = sum(len(items) > 2 or ", " in line.text for line, items in items_by_line.items())
        lengths = set(map(len, items_by_line.values()))
        if several >= _SEVERAL and len(lengths) > 1 and _of_one_kind(list(items_by_line.values())):
            templates.append(form)
            item_count += sum(map(len, items_by_line.values()))
            shape_count += _rank(form, remaining)[0]
            remaining = [line for line in remaining if line not in items_by_line]
    return _Lists(tuple(templates), len(lines) - len(remaining), item_count, shape_count)


def _joints(lines: Sequence[Line]) -> list[str]:
    """Return candidates for what stands before the last item: the most frequent behind a comma."""
    ends = [end for line in lines for end in line.text.split(", ")[1:]]
    words = Counter(word for end in ends for word in set(tokens(end)[1:-1]) if word.isalpha())
    signs = Counter(sign for end in ends for sign in set(_SIGN.findall(end)))
    most_frequent = sorted(words, key=lambda word: (-words[word], word))[:_MOST_JOINTS]
    return [*sorted(most_frequent), *sorted(signs, key=lambda sign: (-signs[sign], sign))[:1]]


def _of_one_kind(item_lists: Sequence[Sequence[str]]) -> bool:
    """Tell whether later items have the forms of first ones, unlike clauses."""
    first = {_form(items[0]) for items in item_lists}
    later = [_form(item) in first for items in item_lists for item in items[1:]]
    return sum(later) >= _ALIKE * len(later)


def _form(thing: str) -> tuple[str, ...]:
    return tuple(map(_shape, tokens(thing)))


def _rank(form: Template, lines: Sequence[Line]) -> tuple[int, int]:
    """Return a sort key: number of forms of the items, then most items."""
    item_lists = [items for line in lines if (items := _items(form, line)) is not None]
    forms = {_form(thing) for items in item_lists for thing in items}
    return len(forms), -sum(map(len, item_lists))


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
    """Yield a template with each run of slots that are separated like items as a list."""
    parts, slots = pieces(template.text)
    gaps = {i: _around_separator(parts[i], joint) for i in range(1, len(slots))}
    for begin, end in itertools.combinations(range(len(slots) + 1), 2):
        separators = [gap for i, gap in gaps.items() if begin < i < end and gap is not None]
        if not separators and template.lists.isdisjoint(slots[begin:end]):
            continue
        # Text around an item also stands before the first and behind the last one.
        behind, before = separators[0] if separators else ("", "")
        first, last = parts[begin], parts[end]
        if first.endswith(before) and last.startswith(behind):
            plain = (first.removesuffix(before), last.removeprefix(behind), *parts[end + 1 :])
            remaining_slots = (*slots[: begin + 1], *slots[end:])
            few = {
                s: template.few[s]
                for s in remaining_slots
                if s in template.few and s != slots[begin]
            }
            text = template_text((*parts[:begin], *plain), remaining_slots)
            if any((text.count(q) - template.text.count(q)) % 2 for q in _QUOTES):
                continue  # a text in quotation marks is one item
            yield Template(text, few, frozenset({slots[begin]}), joint=joint)


def _around_separator(gap: str, joint: str) -> tuple[str, str] | None:
    """Return the text behind one item and before the next; None where no item follows."""
    for sign in (f", {joint} ", f" {joint} ", ", ") if joint else (", ",):
        behind, parted, before = gap.partition(sign)
        if parted:
            return behind, before
    return None


def item_form(form: Template, lines: Sequence[Line], phrases: frozenset[str]) -> str:
    """Return the template of an item; empty where it has no inner slots.

    Items that say several things of their names have a slot for that as well.

    Args:
        form: Template of a line, with one list.
        lines: All lines.
        phrases: Argument values.
    """
    item_lists = (items for line in lines if (items := _items(form, line)) is not None)
    things = [Line(item, number, 0) for number, items in enumerate(item_lists) for item in items]
    forms = mine_templates(things, phrases, special=False)
    if len(forms) > 1 and all(_is_name_and_more(each) for each in forms):
        forms = (Template("{1} {2}"),)
    if len(forms) != 1 or any(forms[0].read(thing.text) is None for thing in things):
        return ""
    return forms[0].text if forms[0].text != "{1}" else ""


def _is_name_and_more(form: Template) -> bool:
    """Whether an item begins with a name, and the same words follow it."""
    plain, slots = pieces(form.text)
    return len(slots) == 1 and not plain[0] and plain[1].startswith(" ")
