"""Demonstrations of different worlds are learned apart: no line of one means a thing in another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...episodes.tokens import words_of
from ...trajectories import Trajectory

__all__ = ["worlds_of"]

_LEAST = 5
"""Demonstrations without which nothing is a world of its own."""


def worlds_of(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return demonstrations by world, the largest first; each keeps its order.

    Actions say what is done at one end, with few words for all that is done. Demonstrations of one
    world share such words, or begin with the same line, if only by way of others; few that share
    none stay with the largest.

    Args:
        demonstrations: Of one world or several.
    """
    parents: dict[str, str] = {}

    def root(word: str) -> str:
        while parents.setdefault(word, word) != word:
            word = parents[word]
        return word

    begins, ends = ([_words(each, at) for each in demonstrations] for at in (0, -1))
    few = min(begins, ends, key=lambda each: len({word for words in each for word in words}))
    few = [[*words, *_first_line(each)] for words, each in zip(few, demonstrations, strict=True)]
    for words in few:
        first, *others = words or [""]
        for word in others:
            parents[root(word)] = root(first)
    worlds: dict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(few):
        worlds[root((words or [""])[0])].append(number)
    largest, *smaller = sorted(worlds.values(), key=len, reverse=True) or [[]]
    apart = [each for each in smaller if len(each) >= _LEAST]
    rest = sorted([*largest, *(n for each in smaller if len(each) < _LEAST for n in each)])
    return [[demonstrations[n] for n in world] for world in (rest, *apart) if world]


def _words(shown: Trajectory, at: int) -> list[str]:
    """Return the words at one end of the actions of a demonstration."""
    said = (words_of(action.casefold()) for action in shown.acts)
    return list(dict.fromkeys(words[at] for words in said if words))


def _first_line(shown: Trajectory) -> list[str]:
    """Return the first line that a demonstration is told, if it says anything."""
    line = shown.obs[0].strip().partition("\n")[0]
    return [f"told: {line}"] if line else []
