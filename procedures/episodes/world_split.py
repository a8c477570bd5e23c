"""Demonstrations of different worlds are learned apart: no line of one means a thing in another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ..words.function_words import FUNCTION_WORDS
from .tokens import words_of
from .trajectories import Trajectory

__all__ = ["verbs_of", "worlds_of"]

_LEAST = 2
"""Demonstrations without which nothing is a world of its own."""
_ALIKE = 0.2
"""Share of the words that two groups always tell, or one of them, from which both look alike."""


def worlds_of(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return demonstrations by world, the largest first; each keeps its order.

    Actions say what is done at one end, with few words for all that is done. Demonstrations with
    the same such words are one group. Groups are of one world if they share such a word and look
    alike in what their demonstrations always tell, or begin with the same line, if only by way of
    others: two worlds may both have something that is opened. Few that share none stay with the
    largest.

    Args:
        demonstrations: Of one world or several.
    """
    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for number, verbs in enumerate(verbs_of(demonstrations)):
        groups[verbs or frozenset([""])].append(number)
    worlds: dict[int, list[int]] = defaultdict(list)
    members = list(groups.values())
    for at, root in enumerate(_joined(list(groups), members, demonstrations)):
        worlds[root] += members[at]
    largest, *smaller = sorted(worlds.values(), key=len, reverse=True) or [[]]
    apart = [sorted(each) for each in smaller if len(each) >= _LEAST]
    rest = sorted([*largest, *(n for each in smaller if len(each) < _LEAST for n in each)])
    return [[demonstrations[n] for n in world] for world in (rest, *apart) if world]


def verbs_of(demonstrations: Sequence[Trajectory]) -> list[frozenset[str]]:
    """Return the words at one end of each one's actions: at that with fewer words in all."""
    begins, ends = ([_words(each, at) for each in demonstrations] for at in (0, -1))
    return min(begins, ends, key=lambda each: len({word for words in each for word in words}))


def _joined(
    words: Sequence[frozenset[str]],
    members: Sequence[Sequence[int]],
    demonstrations: Sequence[Trajectory],
) -> list[int]:
    """Return of each group the number that it shares with the groups of its world."""
    parents = list(range(len(words)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = at = parents[parents[at]]
        return at

    told = [_always([demonstrations[n] for n in each]) for each in members]
    first: dict[str, int] = {}
    for at, each in enumerate(members):
        for line in filter(None, (_first_line(demonstrations[n]) for n in each)):
            parents[root(at)] = root(first.setdefault(line, at))
    for at, own in enumerate(words):
        for other in range(at):
            if root(at) != root(other) and own & words[other] and _alike(told[at], told[other]):
                parents[root(at)] = root(other)
    return [root(at) for at in range(len(words))]


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= _ALIKE * len(first | second)


def _always(shown: Sequence[Trajectory]) -> frozenset[str]:
    """Return the words that more than half of some demonstrations are told.

    Words that only hold sentences together are told in any world of their language.
    """
    count = Counter(
        word
        for each in shown
        for word in {w for told in each.obs for w in words_of(told.casefold())}
    )
    often = {word for word, number in count.items() if 2 * number > len(shown)}
    return frozenset(often - FUNCTION_WORDS)


def _words(shown: Trajectory, at: int) -> frozenset[str]:
    """Return the words at one end of the actions of a demonstration."""
    said = (words_of(action.casefold()) for action in shown.acts)
    return frozenset(words[at] for words in said if words)


def _first_line(shown: Trajectory) -> str:
    """Return the first line that a demonstration is told; empty where it says nothing."""
    return shown.obs[0].strip().partition("\n")[0]
