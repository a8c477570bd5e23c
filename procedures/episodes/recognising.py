"""Which of several worlds an episode is of, as its task and its first observation tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from ..function_words import FUNCTION_WORDS
from .tokens import words_of

__all__ = ["beginning_of", "mostly_told", "world_of"]

_MOST = 40
"""Words by which a world is known; more make a file longer, and tell it apart no better."""


def beginning_of(task: str, observation: str) -> str:
    """Return what an episode begins with: its task and what is observed first."""
    return f"{task}\n{observation}"


def mostly_told(beginnings: Iterable[str]) -> tuple[str, ...]:
    """Return the words that more than half of some beginnings of episodes tell, sorted.

    Of many the commonest stay. Words that only hold sentences together are told in any world.
    """
    told = [_words(each) for each in beginnings]
    count = Counter(word for words in told for word in words)
    often = [word for word, number in count.items() if 2 * number > len(told)]
    return tuple(sorted(sorted(often, key=lambda word: (-count[word], word))[:_MOST]))


def world_of(worlds: Mapping[str, Collection[str]], beginning: str) -> str:
    """Return the world of which a beginning tells the greatest share of what it mostly tells.

    Args:
        worlds: What each mostly tells; of those that fit alike the first is taken.
        beginning: Of an episode; see :func:`beginning_of`.
    """
    if len(worlds) == 1:
        return next(iter(worlds))
    told = _words(beginning)

    def share(name: str) -> float:
        words = worlds[name]
        return sum(word in told for word in words) / len(words) if words else 0.0

    return max(worlds, key=share)


@lru_cache(64)  # each step of an episode asks for its beginning's
def _words(text: str) -> frozenset[str]:
    return frozenset({*words_of(text.casefold())} - FUNCTION_WORDS)
