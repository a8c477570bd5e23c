"""Lists in lines: items in one slot, parted by commas, and the word before the last of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .templates import Template, literal_text, pieces
from .tokens import quoted, tokens

__all__ = ["with_lists"]

_JOINT_SHARE = 0.8
"""Share of the lists that have a word before the last item."""


def with_lists(template: Template, texts: Sequence[str]) -> Template:
    """Return a template with one slot for each run of slots that are items of a list.

    Args:
        template: The template.
        texts: The lines that it reads. What stands in quotation marks there is one thing.
    """
    values = [reading for text in texts if (reading := template.read(text)) is not None]
    whole = {each for text in texts for each in quoted(text)}
    columns = [Counter(column) for column in zip(*values, strict=True)]
    parts, _ = pieces(template.text)
    out = [literal_text(parts[0])]
    few: dict[str, tuple[str, ...]] = {}
    lists: set[str] = set()
    number = 0
    for i, column in enumerate(columns):
        item = i > 0 and parts[i] == ", " and _of_one_kind(columns[i - 1], column)
        if item:
            out[-1] = ""
            lists.add(str(number))
            few.pop(str(number), None)
        else:
            number += 1
            out.append(f"{{{number}}}")
            if closed := template.few.get(str(i + 1)):
                few[str(number)] = closed
            if sum(", " in value and value not in whole for value in column) > 1:
                lists.add(str(number))
        out.append(literal_text(parts[i + 1]))
    lists_of = (columns[i] for i in range(len(columns)) if str(i + 1) in lists)
    joint = next(filter(None, map(_joint, lists_of)), "") if number == len(columns) else ""
    return Template("".join(out), few, frozenset(lists), joint=joint)


def _joint(lists: Iterable[str]) -> str:
    """Return the word that stands before the last item of nearly all lists, and of no other."""
    several = [value.split(", ") for value in lists if ", " in value]
    middle = Counter(word for *_, last in several for word in set(tokens(last)[1:-1]))
    word, count = max(middle.items(), key=lambda x: (x[1], x[0]), default=("", 0))
    early = any(word in tokens(item)[1:-1] for *items, _ in several for item in items)
    return "" if early or len(several) < 2 or count < _JOINT_SHARE * len(several) else word


def _of_one_kind(one: Counter[str], other: Counter[str]) -> bool:
    """Whether the values of two slots are drawn from one set: a share of them are the same."""
    shared = len(set(one) & set(other))
    return shared > 1 and shared * 4 >= min(len(one), len(other))
