"""Find lists in lines: items of one slot, separated by commas and a word before the last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .templates import Template, literal_text, pieces
from .tokens import quoted, tokens

_JOINT_SHARE = 0.8
"""Least share of the lists with this word before the last item."""


def with_lists(template: Template, texts: Sequence[str]) -> Template:
    """Return a template with one slot for each run of slots that are items of a list.

    Args:
        template: The template.
        texts: The lines that it reads. A text in quotation marks is one item.
    """
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
