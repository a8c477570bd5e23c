"""Split demonstrations by world, so that each world is learned by itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ..words.function_words import FUNCTION_WORDS
from .tokens import words_of
from .trajectories import Trajectory
from .verbs import verbs_of

_LEAST = 2
"""Demonstrations; a smaller group is no world of its own."""
_ALIKE = 0.2
"""Least overlap (Jaccard) of the common words of two groups that look alike."""


def worlds_of(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return demonstrations by world, the largest first; each keeps its order.

    Actions have their verbs at one end, from a small set. Demonstrations with the same verbs are
    one group. Two groups are of one world if they share a verb and their common words overlap, or
    if they begin with the same line; the relation is transitive. Small groups without a relation
    stay with the largest world.

    Args:
        demonstrations: Demonstrations of one world or several.
    """
    numbers_by_verbs: dict[frozenset[str], list[int]] = defaultdict(list)
    for number, verbs in enumerate(verbs_of(demonstrations)):
        numbers_by_verbs[verbs or frozenset([""])].append(number)
    numbers_by_root: dict[int, list[int]] = defaultdict(list)
    members = list(numbers_by_verbs.values())
    for at, root in enumerate(_world_of_groups(list(numbers_by_verbs), members, demonstrations)):
        numbers_by_root[root] += members[at]
    largest, *smaller = sorted(numbers_by_root.values(), key=len, reverse=True) or [[]]
    other_worlds = [sorted(each) for each in smaller if len(each) >= _LEAST]
    first_world = sorted([*largest, *(n for each in smaller if len(each) < _LEAST for n in each)])
    return [[demonstrations[n] for n in world] for world in (first_world, *other_worlds) if world]


def _world_of_groups(
    words: Sequence[frozenset[str]],
    members: Sequence[Sequence[int]],
    demonstrations: Sequence[Trajectory],
) -> list[int]:
    """Return for each group a number that all groups of its world share."""
    parents = list(range(len(words)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = at = parents[parents[at]]
        return at

    common_words = [_common_words([demonstrations[n] for n in each]) for each in members]
    group_by_line: dict[str, int] = {}
    for at, each in enumerate(members):
        for line in filter(None, (_first_line(demonstrations[n]) for n in each)):
            parents[root(at)] = root(group_by_line.setdefault(line, at))
    for at, group_words in enumerate(words):
        for other in range(at):
            if (
                root(at) != root(other)
                and group_words & words[other]
                and _look_similar(common_words[at], common_words[other])
            ):
                parents[root(at)] = root(other)
    return [root(at) for at in range(len(words))]


def _look_similar(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= _ALIKE * len(first | second)


def _common_words(demonstrations: Sequence[Trajectory]) -> frozenset[str]:
    """Return the words that occur in more than half of the demonstrations.

    Function words are left out, since all worlds of a language share them.
    """
    count = Counter(
        word
        for each in demonstrations
        for word in {w for observation in each.obs for w in words_of(observation.casefold())}
    )
    frequent = {word for word, number in count.items() if 2 * number > len(demonstrations)}
    return frozenset(frequent - FUNCTION_WORDS)


def _first_line(demonstration: Trajectory) -> str:
    """Return the first line of a demonstration's first observation; may be empty."""
    return demonstration.obs[0].strip().partition("\n")[0]
