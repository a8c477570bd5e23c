"""Which of several worlds an episode is of, as its task and its first observation tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from ..words.function_words import FUNCTION_WORDS
from .tokens import words_of

__all__ = ["beginning_of", "fit", "telling_words", "world_of"]

_MOST = 40
"""Words by which a world is known; more make a file longer, and tell it apart no better."""
_ENOUGH = 6
"""Words of a world that a beginning of its episodes tells; more are told by chance as well."""
_SELDOM = 0.05
"""Share of the beginnings below which a word is a name that some of them have."""


def beginning_of(task: str, observation: str) -> str:
    """Return what an episode begins with: its task and what is observed first."""
    return f"{task}\n{observation}"


def telling_words(beginnings: Iterable[str]) -> tuple[str, ...]:
    """Return words of which each of some beginnings of episodes tells several, sorted.

    One world may have tasks of several kinds, and a word that most of them tell is none of the
    others'. Words that only hold sentences together are told in any world.
    """
    told = [_words(each) for each in beginnings]
    count = Counter(word for words in told for word in words)
    least = max(min(2, len(told)), _SELDOM * len(told))
    lacking = dict.fromkeys(range(len(told)), _ENOUGH)
    chosen: set[str] = set()
    while lacking and len(chosen) < _MOST:
        gain = Counter(word for at in lacking for word in told[at] - chosen if count[word] >= least)
        if not gain:
            break
        best = min(gain, key=lambda word: (-gain[word], word))
        chosen.add(best)
        lacking = {
            at: number - (best in told[at])
            for at, number in lacking.items()
            if number > (best in told[at])
        }
    return tuple(sorted(chosen))


def fit(words: Collection[str], told: Collection[str]) -> float:
    """Return how well a world fits what was told, in [0, 1]: whether enough of its words were.

    Args:
        words: Those that tell it.
        told: All that were told.
    """
    return min(1.0, _number(words, told) / min(_ENOUGH, len(words))) if words else 0.0


def world_of(worlds: Mapping[str, Collection[str]], beginning: str) -> str:
    """Return the world that fits a beginning best.

    Args:
        worlds: The words that tell each; of those that fit alike the first is taken of which the
            greatest share was told.
        beginning: Of an episode; see :func:`beginning_of`.
    """
    if len(worlds) == 1:
        return next(iter(worlds))
    told = _words(beginning)
    return max(
        worlds,
        key=lambda name: (
            fit(worlds[name], told),
            _number(worlds[name], told) / max(1, len(worlds[name])),
        ),
    )


def _number(words: Collection[str], told: Collection[str]) -> int:
    return sum(word in told for word in words)


@lru_cache(64)  # each step of an episode asks for its beginning's
def _words(text: str) -> frozenset[str]:
    return frozenset({*words_of(text.casefold())} - FUNCTION_WORDS)
