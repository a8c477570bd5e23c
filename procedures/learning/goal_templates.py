"""Merge goals that differ in one word, if the word names (part of) an entity that was acted on."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .analysis import Episode

_LEAST_WORDS = 2
"""Different words that a place of the goal must have held before it is a slot."""
_NAMES_SHARE = 0.8
"""Share of the episodes in which the word must name something that was acted on."""


def merge_goals(episodes: Sequence[Episode]) -> None:
    """Replace such a word by a slot in the episodes' goals, in place.

    "make a {0} of oak", which cuts an oak log, and "make a {0} of elm", which cuts an elm log,
    both become "make a {0} of {1}". Each goal is read once, and again where it changes.
    """
    families = _Families()
    for goal, members in _by_goal(episodes).items():
        families.add(goal, members)
    while (largest := families.largest()) is not None:
        at, words = largest
        changed: list[Episode] = []
        for word, (goal, members) in words.items():
            families.remove(goal)
            for episode in members:
                _open_slot(episode, at, word)
            changed += members
        for goal, members in _by_goal(changed).items():
            families.add(goal, members)


def _by_goal(episodes: Iterable[Episode]) -> dict[str, list[Episode]]:
    by_goal: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        by_goal[episode.goal].append(episode)
    return by_goal


_Key = tuple[int, int, int]


@dataclass(slots=True)
class _Family:
    """Goals that differ in one word.

    Attributes:
        at: The place of the word.
        words: The word → the goal.
        total: How many episodes have one of the goals.
        named: How many of them acted on what the word names.
    """

    at: int
    words: dict[str, str] = field(default_factory=dict)
    total: int = 0
    named: int = 0

    @property
    def names(self) -> bool:
        """Whether the words name what the episodes that have them acted on."""
        share = _NAMES_SHARE if len(self.words) > _LEAST_WORDS else 1.0
        return len(self.words) >= _LEAST_WORDS and self.named >= share * self.total


@dataclass(slots=True, frozen=True)
class _Rank:
    """The rank of a family: the larger first, then the last in order of its words.

    Attributes:
        size: How many episodes have one of its goals.
        goal: One of them.
        at: The place of the word in which they differ.
        key: Which family.
    """

    size: int
    goal: str
    at: int
    key: _Key

    def __lt__(self, other: _Rank) -> bool:
        if self.size != other.size:
            return self.size > other.size
        return self._around() > other._around()

    def _around(self) -> tuple[str, str]:
        parts = self.goal.split(" ")
        return " ".join(parts[: self.at]), " ".join(parts[self.at + 1 :])


class _Families:
    """All families of goals, with the largest at hand."""

    def __init__(self) -> None:
        self._members: dict[str, list[Episode]] = {}
        self._families: dict[_Key, _Family] = {}
        self._ranks: list[_Rank] = []
        self._acted_on: dict[int, set[str]] = {}

    def add(self, goal: str, members: Sequence[Episode]) -> None:
        """Add episodes of a goal, which may have some already."""
        if goal in self._members:
            members = [*self._members[goal], *members]
            self.remove(goal)
        self._members[goal] = list(members)
        for key, at, word in _places(goal):
            family = self._families.setdefault(key, _Family(at))
            family.words[word] = goal
            family.total += len(members)
            family.named += self._named(word, members)
            self._rank(key, family)

    def remove(self, goal: str) -> None:
        """Forget the episodes of a goal."""
        members = self._members.pop(goal)
        for key, _, word in _places(goal):
            family = self._families[key]
            del family.words[word]
            family.total -= len(members)
            family.named -= self._named(word, members)
            if family.words:
                self._rank(key, family)
            else:
                del self._families[key]

    def _rank(self, key: _Key, family: _Family) -> None:
        """Push the rank of a family whose words name entities; its earlier ranks become void."""
        if family.names:
            goal = next(iter(family.words.values()))
            heapq.heappush(self._ranks, _Rank(family.total, goal, family.at, key))

    def largest(self) -> tuple[int, dict[str, tuple[str, list[Episode]]]] | None:
        """Return the place and the words (with goal and episodes) of the largest family of names.

        Among families of one size it is the last in order of the text around the word.
        """
        while self._ranks:
            rank = heapq.heappop(self._ranks)
            family = self._families.get(rank.key)
            if family is not None and family.total == rank.size and family.names:
                words = family.words.items()
                return family.at, {word: (goal, self._members[goal]) for word, goal in words}
        return None

    def _named(self, word: str, members: Iterable[Episode]) -> int:
        count = 0
        for episode in members:
            acted_on = self._acted_on.get(id(episode))
            if acted_on is None:
                acted_on = self._acted_on[id(episode)] = _words_acted_on(episode)
            count += word in acted_on
        return count


def _places(goal: str) -> Iterator[tuple[_Key, int, str]]:
    """Yield (key of the text around it, its place, the word) for each word of a goal.

    The key holds hashes, so that a long goal is not copied for each of its words.
    """
    parts = goal.split(" ")
    before, after = [0], [0]
    for part in parts:
        before.append(hash((before[-1], part)))
    for part in reversed(parts):
        after.append(hash((after[-1], part)))
    for at, word in enumerate(parts):
        if not word.startswith("{"):
            yield (len(parts), before[at], after[len(parts) - 1 - at]), at, word


def _words_acted_on(episode: Episode) -> set[str]:
    return {
        word
        for _, arguments in episode.actions
        for argument in arguments
        for word in argument.split()
    }


def _open_slot(episode: Episode, at: int, word: str) -> None:
    parts = episode.goal.split(" ")
    parts[at] = "\0"
    fillers = list(episode.fillers)
    order: list[str] = []
    for part in parts:
        filler = word if part == "\0" else _filler(part, fillers)
        if filler is not None and filler not in order:
            order.append(filler)
    new_parts = [
        f"{{{order.index(filler)}}}"
        if (filler := word if part == "\0" else _filler(part, fillers)) is not None
        else part
        for part in parts
    ]
    episode.goal = " ".join(new_parts)
    episode.fillers = tuple(order)


def _filler(part: str, fillers: Iterable[str]) -> str | None:
    match = re.fullmatch(r"\{(\d+)\}", part)
    return list(fillers)[int(match[1])] if match else None
