"""Which episodes are one procedure: groups that grow by one episode at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..model import Procedure
from .abstraction import abstract, shape_of, worth_learning
from .episodes import ToolEpisode
from .execution import goal_template
from .rewording import called_with, reworded
from .templates import Hole, words_of

__all__ = ["Group", "Groups"]

_SAMPLE = 8
"""Most episodes of a group that a procedure is made of: the latest."""
_TRIED = 5
"""Most groups that an episode is tried with."""
_LIKE = 0.4
_LONGEST = 200
"""Most words of an episode's arguments that are compared."""


@dataclass(slots=True)
class Group:
    """Episodes that one procedure explains.

    Attributes:
        shape: Tools and form of arguments.
        episodes: The latest ones.
        procedure: What they demonstrate; its id is not settled here.
        support: How many there were.
        latest: When the last one came, counted in episodes.
    """

    shape: str
    episodes: list[ToolEpisode]
    procedure: Procedure
    support: int = 1
    latest: int = 0


class Groups:
    """All groups, by shape."""

    def __init__(self, episodes: Iterable[ToolEpisode] = ()) -> None:
        self._by_shape: dict[str, list[Group]] = {}
        self._count = 0
        for episode in episodes:
            self.add(episode)

    def __iter__(self) -> Iterator[Group]:
        """All groups."""
        for groups in self._by_shape.values():
            yield from groups

    def add(self, episode: ToolEpisode) -> Group | None:
        """Put an episode where it belongs; None where nothing can be learned from it."""
        clean = worth_learning(episode)
        if clean is None:
            return None
        self._count += 1
        shape = shape_of(clean)
        known = self._by_shape.setdefault(shape, [])
        best = _same_words(known, clean) or _other_words(known, clean)
        if best is not None:
            group, made = best
            group.episodes = [*group.episodes[-_SAMPLE + 1 :], clean]
            group.procedure = made
            group.support += 1
            group.latest = self._count
            return group
        alone = abstract([clean], "new")
        if alone is None:
            return None
        group = Group(shape, [clean], alone, latest=self._count)
        known.append(group)
        return group


def _same_words(groups: list[Group], episode: ToolEpisode) -> tuple[Group, Procedure] | None:
    """Return the group whose tasks are worded like this one, with what it demonstrates now."""
    best: tuple[int, Group, Procedure] | None = None
    for group in _nearest(groups, episode.task):
        if group.procedure.wordings:
            continue
        made = abstract([*group.episodes[-_SAMPLE + 1 :], episode], group.procedure.id)
        if made is None:
            continue
        words = sum(not isinstance(piece, Hole) for piece in goal_template(made.goal))
        if best is None or words > best[0]:
            best = (words, group, made)
    return None if best is None else best[1:]


def _other_words(groups: list[Group], episode: ToolEpisode) -> tuple[Group, Procedure] | None:
    """Return the group in which the same was done for tasks in other words."""
    calls = _call_words(episode)
    rated: list[tuple[float, int]] = []
    for number, group in enumerate(groups):
        matcher = SequenceMatcher(None, _call_words(group.episodes[-1]), calls, autojunk=False)
        if matcher.real_quick_ratio() > _LIKE and matcher.quick_ratio() > _LIKE:
            rated.append((-matcher.ratio(), number))
    for _, number in sorted(rated)[:_TRIED]:
        group = groups[number]
        made = reworded(group.procedure, [*group.episodes[-_SAMPLE + 1 :], episode])
        if made is not None:
            return group, made
    return None


def _call_words(episode: ToolEpisode) -> list[str]:
    return words_of(called_with(episode))[:_LONGEST]


def _nearest(groups: list[Group], task: str) -> list[Group]:
    """Return the groups whose goals are most like a task."""
    words = [each.casefold() for each in words_of(task)]
    rated: list[tuple[float, int]] = []
    for number, group in enumerate(groups):
        goal = [
            "" if isinstance(piece, Hole) else piece.casefold()
            for piece in goal_template(group.procedure.goal)
        ]
        matcher = SequenceMatcher(None, goal, words, autojunk=False)
        if matcher.real_quick_ratio() > _LIKE and matcher.quick_ratio() > _LIKE:
            ratio = matcher.ratio()
            if ratio > _LIKE:
                rated.append((-ratio, number))
    return [groups[number] for _, number in sorted(rated)[:_TRIED]]
