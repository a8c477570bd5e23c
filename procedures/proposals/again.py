"""Replay the episodes that a proposal was replayed over, and no others: do they say the same?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..episodes.trajectories import Trajectory, read_trajectories
from ..library.library import Library
from ..local.machine_folder import local_path
from ..refinement.occasions import since_began
from .proposal import Proposal, Replay
from .replay import Replayer, episode_name

_FILES = ("demonstrations.jsonl", "episodes.jsonl")
"""Files of what a library was taught from and of what was played with it."""


@dataclass(frozen=True, slots=True)
class Again:
    """A replay beside the same one, made anew.

    Attributes:
        told: What the proposal says.
        now: What its episodes say now, as far as they are stored; None if none is.
        dropped: Names of the episodes that are not stored any more.
    """

    told: Replay
    now: Replay | None
    dropped: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        """Whether all of the episodes are there and say the same."""
        return not self.dropped and self.now == self.told


def replayed_again(
    proposal: Proposal,
    stored: Sequence[Trajectory],
    replayer: Callable[[Sequence[Trajectory]], Replayer],
) -> Again | None:
    """Replay a proposal over its own episodes; None where it names none.

    Args:
        proposal: With the documents that it changes.
        stored: The stored episodes.
        replayer: Makes a replayer of episodes, with the words and procedures of the proposal.
    """
    told = proposal.replay
    if told is None or not told.episodes:
        return None
    by_name = {episode_name(each): each for each in stored}  # one may be stored in two forms
    named = [by_name[name] for name in told.episodes if name in by_name]
    dropped = tuple(name for name in told.episodes if name not in by_name)
    now = replayer(named).replay(proposal) if named else None
    # The order in which episodes are stored says nothing.
    if now is not None and {*now.episodes} == {*told.episodes}:
        now = replace(now, episodes=told.episodes, ci=_as_written(now))
    return Again(replace(told, ci=_as_written(told)), now, dropped)


def _as_written(replay: Replay) -> tuple[float, float]:
    """Return an interval with the digits that a record has."""
    low, high = replay.to_document()["ci"]
    return float(low), float(high)


def stored_episodes(library: Library) -> Iterator[Trajectory]:
    """Yield what this machine has of a library's episodes: demonstrations, and its own play.

    What was played is replayed as it was, or only the part of it that teaches.
    """
    taught, played = _kept(library)
    yield from taught
    for episode in played:
        yield episode
        if (lesson := since_began(episode)) is not episode:
            yield lesson


def whole_episodes(library: Library) -> list[Trajectory]:
    """Return the same episodes, each once and as it was."""
    taught, played = _kept(library)
    whole = list(played)
    names = {episode_name(form) for each in whole for form in (each, since_began(each))}
    return [*(each for each in taught if episode_name(each) not in names), *whole]


def _kept(library: Library) -> Iterator[Iterable[Trajectory]]:
    """Yield the episodes of each file, none where it is not there."""
    for name in _FILES:
        file = local_path(library.path, name)
        yield read_trajectories(file) if file.exists() else ()
