"""How a task is worded: its words, without what calls were given."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from ..episodes.tokens import Tokens, has_digit, occurs, spans, tokens
from .calls import Said

__all__ = ["alike", "clustered", "given_parts", "masked", "names_in", "parted", "wording_of"]

_ALIKE = 0.7
"""Share of the words that two tasks, or two answers, have in common if they are worded alike."""
_GAP = "*"
_ENCLOSED = re.compile(r"(?<=[^\w\s])[\w-]+(?=[^\w\s])")
"""A part of a path, or what stands in quotation marks."""
_LONGEST = 2_000


def wording_of(task: str, given: Collection[str]) -> Tokens:
    """Return the words of a task, ``*`` for what calls were given, and for figures.

    Args:
        task: The task.
        given: Values of arguments.
    """
    names = frozenset(part for each in given for part in names_in(each))
    out: list[str] = []
    for token in tokens(masked(task, Said("", names.union(given, given_parts(task, given))))):
        sign = _GAP if has_digit(token) else token
        if not (out and out[-1] == sign == _GAP):
            out.append(sign)
    return tuple(out)


def parted(task: str, given: Collection[str]) -> tuple[str, ...]:
    """Return what stands in a task between what calls were given, and between figures."""
    names = frozenset(part for each in given for part in names_in(each))
    said = Said("", names.union(given, given_parts(task, given)))
    places = list(said.found_in(task))
    places += (
        (begin, end)
        for begin, end in spans(task)
        if has_digit(task[begin:end]) and all(end <= b or begin >= e for b, e in places)
    )
    parts: list[str] = []
    at = 0
    for begin, end in sorted(places):
        parts.append(task[at:begin])
        at = end
    return (*parts, task[at:])


def clustered(wordings: Sequence[Tokens]) -> list[list[int]]:
    """Return the indices of wordings that are alike."""
    heads: dict[Tokens, list[int]] = {}
    for index, wording in enumerate(wordings):
        head = next((each for each in heads if alike(each, wording)), wording)
        heads.setdefault(head, []).append(index)
    return list(heads.values())


def given_parts(task: str, given: Iterable[str]) -> Iterator[str]:
    """Yield the words of a task that calls were given, alone or as parts of paths and the like."""
    for text in given:
        for part in (text, *_ENCLOSED.findall(text)):
            if occurs(part, task):
                yield part


def names_in(text: str) -> Iterator[str]:
    """Yield the words of a text that are names or figures."""
    for word in re.findall(r"[\w-]+", text):
        if has_digit(word) or word[0].isupper():
            yield word


def masked(text: str, said: Said) -> str:
    """Return a text with ``*`` for what was said."""
    if text in said and text:
        return _GAP
    if len(text) > _LONGEST:
        return text
    out: list[str] = []
    at = 0
    for begin, end in said.found_in(text):
        out += [text[at:begin], _GAP]
        at = end
    return "".join([*out, text[at:]])


@lru_cache(100_000)
def alike(one: Tokens, other: Tokens) -> bool:
    """Whether two texts have most of their words in common, in order."""
    if one == other:
        return True
    a = [word for word in one if word[0].isalnum()]
    b = [word for word in other if word[0].isalnum()]
    if not a or not b:
        return False
    return _common(a, b) >= _ALIKE * max(len(a), len(b))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        before = row
        row = [0]
        for j, each in enumerate(other):
            row.append(before[j] + 1 if word == each else max(row[j], before[j + 1]))
    return row[-1]
