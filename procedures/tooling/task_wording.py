"""How a task is worded: its words, without what calls were given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ..episodes.tokens import Tokens, has_digit, spans, tokens
from ..episodes.unification import common
from .tool_operators import Said

ALIKE = 0.7
"""Share of the words that two tasks, or two answers, have in common if they are worded alike."""
_GAP = "*"
_ENCLOSED = re.compile(r"(?<=[^\w\s])[\w-]+(?=[^\w\s])")
"""A part of a path, or what stands in quotation marks."""
_LONGEST = 2_000
"""Characters of the longest text that is masked in parts; bounds the time."""


def wording_of(task: str, values: Iterable[str]) -> Tokens:
    """Return the words of a task, ``*`` for what calls were given, and for figures.

    Args:
        task: The task.
        values: Values of arguments.
    """
    return words_apart(task, Said("", given_words(values)))


def words_apart(text: str, quotable: Said) -> Tokens:
    """Return the words of a text, ``*`` for what was said, and for figures."""
    words: list[str] = []
    for token in tokens(masked(text, quotable)):
        sign = _GAP if has_digit(token) else token
        if not (words and words[-1] == sign == _GAP):
            words.append(sign)
    return tuple(words)


def parted(task: str, words: frozenset[str]) -> tuple[str, ...]:
    """Return what stands in a task between words that calls were given, and between figures."""
    figures = [span for span in spans(task) if has_digit(task[slice(*span)])]
    places = [
        (begin, end)
        for begin, end in Said("", words).found_in(task)
        if not any(first <= begin and end <= last for first, last in figures)
    ]
    places += [
        (first, last) for first, last in figures if all(last <= b or first >= e for b, e in places)
    ]
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


def given_words(values: Iterable[str]) -> frozenset[str]:
    """Return what a task may say of arguments: them, names and figures, parts of paths."""
    return frozenset(
        word for text in values for word in (text, *names_in(text), *_ENCLOSED.findall(text))
    )


def names_in(text: str) -> Iterator[str]:
    """Yield the words of a text that are names or figures."""
    for word in re.findall(r"[\w-]+", text):
        if has_digit(word) or word[0].isupper():
            yield word


def masked(text: str, quotable: Said) -> str:
    """Return a text with ``*`` for what was said."""
    if text in quotable and text:
        return _GAP
    if len(text) > _LONGEST:
        return text
    parts: list[str] = []
    at = 0
    for begin, end in quotable.found_in(text):
        parts += [text[at:begin], _GAP]
        at = end
    return "".join([*parts, text[at:]])


def agree(one: Tokens, other: Tokens) -> bool:
    """Whether two texts have the same words, or one of them was said before as a whole."""
    return one == other or (_GAP,) in (one, other)


@lru_cache(100_000)
def alike(one: Tokens, other: Tokens) -> bool:
    """Whether two texts have most of their words in common, in order."""
    if one == other:
        return True
    a = [word for word in one if word[0].isalnum()]
    b = [word for word in other if word[0].isalnum()]
    if not a or not b:
        return False
    return len(common(a, b)) >= ALIKE * max(len(a), len(b))
