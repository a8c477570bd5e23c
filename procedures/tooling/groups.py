"""Which episodes are one procedure: groups that grow by one episode at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..model import Procedure
from .abstraction import abstract, shape_of, worth_learning
from .episodes import ToolEpisode
from .execution import goal_template
from .templates import Hole, words_of

__all__ = ["Group", "Groups"]

_SAMPLE = 8
"""Most episodes of a group that a procedure is made of: the latest."""
_TRIED = 5
"""Most groups that an episode is tried with."""
_LIKE = 0.4


@dataclass(slots=True)
class Group:
    """Episodes that one procedure explains.

    Attributes:
        shape: Tools and form of arguments.
        episodes: The latest ones.
        procedure: What they demonstrate; its id is not settled here.
        support: How many there were.
    """

    shape: str
    episodes: list[ToolEpisode]
    procedure: Procedure
    support: int = 1


class Groups:
    """All groups, by shape."""

    def __init__(self, episodes: Iterable[ToolEpisode] = ()) -> None:
        self._by_shape: dict[str, list[Group]] = {}
        for episode in episodes:
            self.add(episode)

    def __iter__(self):  # type: ignore[no-untyped-def]
        """All groups."""
        for groups in self._by_shape.values():
            yield from groups

    def add(self, episode: ToolEpisode) -> Group | None:
        """Put an episode where it belongs; None where nothing can be learned from it."""
        clean = worth_learning(episode)
        if clean is None:
            return None
        shape = shape_of(clean)
        known = self._by_shape.setdefault(shape, [])
        best: tuple[int, Group, Procedure] | None = None
        for group in _nearest(known, clean.task):
            made = abstract([*group.episodes[-_SAMPLE + 1 :], clean], group.procedure.id)
            if made is None:
                continue
            words = sum(not isinstance(piece, Hole) for piece in goal_template(made.goal))
            if best is None or words > best[0]:
                best = (words, group, made)
        if best is not None:
            _, group, made = best
            group.episodes = [*group.episodes[-_SAMPLE + 1 :], clean]
            group.procedure = made
            group.support += 1
            return group
        made = abstract([clean], "new")
        if made is None:
            return None
        group = Group(shape, [clean], made)
        known.append(group)
        return group


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
