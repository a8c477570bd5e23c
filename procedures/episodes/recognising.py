"""Recognise an episode's world by its task and its first observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from ..words.function_words import FUNCTION_WORDS
from .tokens import words_of

_MOST = 40
"""Most telling words of a world; more lengthen the file and distinguish no better."""
_ENOUGH = 6
"""Telling words in a beginning that suffice to recognise its world."""
_SELDOM = 0.05
"""Least share of the beginnings with a telling word; rarer ones are names."""


def beginning_of(task: str, observation: str) -> str:
    """Return the beginning of an episode: its task and its first observation."""
    return f"{task}\n{observation}"


def telling_words(beginnings: Iterable[str]) -> tuple[str, ...]:
    """Return telling words, sorted, of which each beginning of an episode has several.

    A world may have tasks of several kinds, so the words cover all beginnings greedily. Function
    words are left out.
    """
    words_by_beginning = [_words(each) for each in beginnings]
    count = Counter(word for words in words_by_beginning for word in words)
    least = max(min(2, len(words_by_beginning)), _SELDOM * len(words_by_beginning))
    missing_count = dict.fromkeys(range(len(words_by_beginning)), _ENOUGH)
    selected: set[str] = set()
    while missing_count and len(selected) < _MOST:
        gain = Counter(
            word
            for at in missing_count
            for word in words_by_beginning[at] - selected
            if count[word] >= least
        )
        if not gain:
            break
        best = min(gain, key=lambda word: (-gain[word], word))
        selected.add(best)
        missing_count = {
            at: number - (best in words_by_beginning[at])
            for at, number in missing_count.items()
            if number > (best in words_by_beginning[at])
        }
    return tuple(sorted(selected))


def fit(words: Collection[str], told_words: Collection[str]) -> float:
    """Return the fit of a world to an episode's words in [0, 1]; 1 with enough telling words.

    Args:
        words: Telling words of the world.
        told_words: Words of the episode.
    """
    return min(1.0, _told_count(words, told_words) / min(_ENOUGH, len(words))) if words else 0.0


def world_of(worlds: Mapping[str, Collection[str]], beginning: str) -> str:
    """Return the world that fits a beginning best.

    Args:
        worlds: World → its telling words; of equally fitting worlds, the first with the greatest
            share of its words is taken.
        beginning: Beginning of an episode; see :func:`beginning_of`.
    """
    if len(worlds) == 1:
        return next(iter(worlds))
    told_words = _words(beginning)
    return max(
        worlds,
        key=lambda name: (
            fit(worlds[name], told_words),
            _told_count(worlds[name], told_words) / max(1, len(worlds[name])),
        ),
    )


def _told_count(words: Collection[str], told_words: Collection[str]) -> int:
    return sum(word in told_words for word in words)


@lru_cache(64)  # each step of an episode reads its beginning
def _words(text: str) -> frozenset[str]:
    return frozenset({*words_of(text.casefold())} - FUNCTION_WORDS)
