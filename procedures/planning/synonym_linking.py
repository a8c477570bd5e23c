"""What stands in for a thing whose word names nothing here: a thing with a word of its cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from ..common.text import speaks_of
from .episode_memory import EpisodeMemory

__all__ = ["stand_ins"]

_MOST = 6
"""Most ways to replace words that are tried."""


def stand_ins(named: Mapping[str, str], memory: EpisodeMemory) -> list[dict[str, str]]:
    """Return ways to read what is asked for, in the order in which they are to be tried.

    A word that something here has is never replaced. Of a word that nothing here has, those of its
    cluster are other readings: after the word itself, because its thing may only not have been
    found yet; but before it where the library never met the word, so that it hardly names another
    thing, or where something was done already to what stands in for it.

    Args:
        named: Parameter → the word for its thing.
        memory: The episode so far.

    Returns:
        Readings: parameter → word instead of the one that is asked for. The empty one, always
        among them, replaces nothing.
    """
    kinds = {memory.kind_of(entity) for entity in memory.known}
    options: dict[str, list[str]] = {}
    for name, word in named.items():
        mates = memory.lexicon.clusters.mates(word)
        if mates and not _there(word, kinds):
            there = [mate for mate in mates if _there(mate, kinds)]
            if there:
                options[name] = there
    if not options:
        return [{}]
    found = [
        dict(zip(options, words, strict=True))
        for words, _ in zip(product(*options.values()), range(_MOST), strict=False)
    ]
    dealt_with = {memory.kind_of(entity) for entity in memory.acted_on}
    first = [each for each in found if _sure(each, named, memory, dealt_with)]
    return [*first, {}, *(each for each in found if each not in first)]


def _there(word: str, kinds: Iterable[str]) -> bool:
    return any(speaks_of(kind, word) for kind in kinds)


def _sure(
    reading: Mapping[str, str],
    named: Mapping[str, str],
    memory: EpisodeMemory,
    dealt_with: Iterable[str],
) -> bool:
    return all(
        memory.mates(named[name]) or _there(word, dealt_with) for name, word in reading.items()
    )
