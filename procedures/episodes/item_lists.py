"""Find lists in lines: items of one slot, separated by commas and a word before the last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .templates import Template, literal_text, pieces, renumbered, template_text
from .tokens import quoted, tokens

_JOINT_SHARE = 0.8
"""Least share of the lists with this word before the last item."""


def with_lists(template: Template, texts: Sequence[str]) -> Template:
    """Return a template with one slot for each run of slots that are items of a list.

    Args:
        template: The template.
        texts: The lines that it reads. A text in quotation marks is one item.
    """
    template = _with_items_of_parts(template, texts)
    values = [reading for text in texts if (reading := template.read(text)) is not None]
    quoted_texts = {each for text in texts for each in quoted(text)}
    columns = [Counter(column) for column in zip(*values, strict=True)]
    parts, _ = pieces(template.text)
    text_parts = [literal_text(parts[0])]
    few: dict[str, tuple[str, ...]] = {}
    lists: set[str] = set()
    number = 0
    for i, column in enumerate(columns):
        item = i > 0 and parts[i] == ", " and _of_one_kind(columns[i - 1], column)
        if item:
            text_parts[-1] = ""
            lists.add(str(number))
            few.pop(str(number), None)
        else:
            number += 1
            text_parts.append(f"{{{number}}}")
            if few_values := template.few.get(str(i + 1)):
                few[str(number)] = few_values
            if sum(", " in value and value not in quoted_texts for value in column) > 1:
                lists.add(str(number))
        text_parts.append(literal_text(parts[i + 1]))
    list_columns = (columns[i] for i in range(len(columns)) if str(i + 1) in lists)
    joint = next(filter(None, map(_joint, list_columns)), "") if number == len(columns) else ""
    return Template("".join(text_parts), few, frozenset(lists), joint=joint)


def _with_items_of_parts(template: Template, texts: Sequence[str]) -> Template:
    """Return a template with one list for items that each have the same slots and signs.

    ``Papers: {1} ({2}), {3} ({4})`` becomes ``Papers: {1}``, where ``{1}`` is a list. What commas
    alone part are items themselves.
    """
    parts, slots = pieces(template.text)
    values = [reading for text in texts if (reading := template.read(text)) is not None]
    columns = [Counter(column) for column in zip(*values, strict=True)]
    for width in range(2, len(columns) // 2 + 1):
        for begin in range(len(columns) - 2 * width + 1):
            inner = parts[begin + 1 : begin + width]
            number = _items_alike(parts, columns, begin, width)
            if number < 2 or not any(each.strip(" ,") for each in inner):
                continue
            end = begin + number * width
            behind, parted, before = parts[begin + width].partition(", ")
            if not parted or not parts[end].startswith(behind) or not parts[begin].endswith(before):
                continue
            plain = (
                *parts[:begin],
                parts[begin].removesuffix(before),
                parts[end].removeprefix(behind),
                *parts[end + 1 :],
            )
            few = {s: template.few[s] for s in (*slots[:begin], *slots[end:]) if s in template.few}
            remaining = (*slots[: begin + 1], *slots[end:])
            text = template_text(plain, remaining)
            return renumbered(Template(text, few, frozenset({slots[begin]})))
    return template


def _items_alike(
    parts: Sequence[str], columns: Sequence[Counter[str]], begin: int, width: int
) -> int:
    """Return how many items of some slots follow each other, alike in signs and values."""
    number = 1
    while begin + (number + 1) * width <= len(columns):
        at = begin + number * width
        if (
            parts[at] != parts[begin + width]
            or parts[at + 1 : at + width] != parts[begin + 1 : begin + width]
        ):
            break
        pairs = zip(columns[at - width : at], columns[at : at + width], strict=True)
        if not all(_of_one_kind(one, other) for one, other in pairs):
            break
        number += 1
    return number


def _joint(lists: Iterable[str]) -> str:
    """Return the word before the last item of nearly all lists, and before no other item."""
    several = [value.split(", ") for value in lists if ", " in value]
    middle = Counter(word for *_, last in several for word in set(tokens(last)[1:-1]))
    word, count = max(middle.items(), key=lambda x: (x[1], x[0]), default=("", 0))
    early = any(word in tokens(item)[1:-1] for *items, _ in several for item in items)
    return "" if early or len(several) < 2 or count < _JOINT_SHARE * len(several) else word


def _of_one_kind(one: Counter[str], other: Counter[str]) -> bool:
    """Tell whether two slots share at least two values and a quarter of the smaller set."""
    shared = len(set(one) & set(other))
    return shared > 1 and shared * 4 >= min(len(one), len(other))
