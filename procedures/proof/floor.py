"""The floor at play: the next action of the nearest demonstration, where that was proved.

A demonstration of the very same situation (the same task, all observations alike) is done again
as it is, unless demonstrations that begin in one situation credibly go on apart: then what is told
does not say enough, and it is done only where nothing else is known. Of the others the nearest is
re-bound to the task (:mod:`.rebound`), as far as held-out demonstrations prove it: each is compared
with its own nearest, re-bound. What is compared is what the calls brought. A call that is spelled
otherwise but leads to the same is the same; one that left no trace is not, for nobody knows what
it did.

What a wrong end costs decides how much has to be proved. Where episodes are paid by degrees, one
that ends wrongly is paid less and costs nothing beside: there the re-bound one is done for tasks
as near as one of which it brought what was shown, and for others where nothing else is known. Else
it is done as far as all that is told is what the demonstration was told, and only for tasks as near
to it as those of which nearly all came out right.

Where a program has several candidates, none of them final, the one that the nearest demonstration
takes comes first, for tasks so near that this meets what was shown more often.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..conditions.text_patterns import normalise
from ..episodes.trajectories import Trajectory, cleaned
from ..evidence.intervals import wilson_interval
from .folds import sample_of
from .nearest import Nearest
from .rebound import exchanged, exchanges

_MOST_HELD_OUT = 200
"""Demonstrations that are held out."""
_LEAST_RIGHT_SHARE = 0.8
"""Lower bound of the share that has to come out right where a wrong end costs."""
_MOST_TASK_WORDS = 500
"""Words of a task beyond which none is re-bound: aligning two of them takes their product."""


@dataclass(frozen=True, slots=True)
class FloorProof:
    """How well the nearest demonstration, re-bound, did for demonstrations that were held out.

    Attributes:
        graded: Whether episodes are paid by degrees, so that a wrong end costs nothing beside.
        reproduced: Demonstrations of which it brought what was shown.
        of: Demonstrations that it would have played to an end.
        near: Least likeness of a task to a demonstration from which on it is trusted; None where
            it is not.
        guides: The same from which on programs take its candidates first; None where not.
        repeats: Whether what was shown in the very same situation is done again before what plans
            know.
    """

    graded: bool = False
    reproduced: int = 0
    of: int = 0
    near: float | None = None
    guides: float | None = None
    repeats: bool = True

    def to_document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "graded": self.graded,
            "reproduced": self.reproduced,
            "of": self.of,
            "near": self.near,
            "guides": self.guides,
            "repeats": self.repeats,
        }

    @classmethod
    def from_document(cls, document: object) -> FloorProof:
        """Read plain data; what is no proof proves nothing."""
        if not isinstance(document, Mapping):
            return UNPROVED
        counts = document.get("reproduced"), document.get("of")
        likeness = document.get("near"), document.get("guides")
        if not all(isinstance(n, int) for n in counts):
            return UNPROVED
        if not all(isinstance(n, int | float | None) for n in likeness):
            return UNPROVED
        repeats = document.get("repeats") is not False
        return cls(document.get("graded") is True, *counts, *likeness, repeats)  # type: ignore[arg-type]


UNPROVED = FloorProof()
Choices = Callable[[Trajectory], Iterable[tuple[Sequence[str], str]]]


def _no_choices(_: Trajectory) -> Iterable[tuple[Sequence[str], str]]:
    """Say of a demonstration that no program has several candidates."""
    return ()


@dataclass(frozen=True)
class Copy:
    """A demonstration, re-bound to a task.

    Attributes:
        shown: The demonstration.
        task: The task.
    """

    shown: Trajectory
    task: str

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Phrase of the demonstration's task → phrase of this task."""
        return exchanges(self.shown.task, self.task)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The demonstration's actions, re-bound."""
        return tuple(exchanged(action, self.words) for action in self.shown.acts)

    def told(self, number: int, observation: str) -> bool:
        """Whether an observation is the one that is expected: with the new names, or the old."""
        expected = self.shown.obs[number].replace(self.shown.task, self.task)
        plain = _plain(observation)
        return plain in (_plain(expected), _plain(exchanged(expected, self.words)))


class Floor:
    """Demonstrations that succeeded, ready to be done again.

    Args:
        episodes: Those that failed are left out.
        proof: How far the nearest one is trusted.
    """

    def __init__(self, episodes: Iterable[Trajectory] = (), proof: FloorProof = UNPROVED) -> None:
        self._episodes = [each for each in episodes if each.success and each.obs]
        self._proof = proof
        self._beginnings: dict[tuple[str, str], list[Trajectory]] = {}
        for episode in self._episodes:
            same_beginning = self._beginnings.setdefault(
                (episode.task, cleaned(episode.obs[0])), []
            )
            same_beginning.append(episode)
        for same_beginning in self._beginnings.values():
            same_beginning.sort(key=lambda episode: len(episode.acts))
        self._last: tuple[str, str, tuple[float, Copy] | None] | None = None

    def paid(self, task: str, first: str) -> bool:
        """Whether a wrong end costs nothing but what the right one would have been paid.

        It is so where the demonstration nearest to an episode was paid by degrees; of others beside
        it, which may be of other worlds, nothing follows.
        """
        near = self._found(task, first) if self._proof.graded else None
        return near is not None and near[1].shown.reward is not None

    def guided(self, task: str, first: str, ways: Sequence[str]) -> str | None:
        """Return which of several actions the nearest demonstration takes, if that is better.

        Args:
            task: What is asked.
            first: The first observation.
            ways: The actions.
        """
        near = None if self._proof.guides is None else self._found(task, first)
        if near is None or near[0] < (self._proof.guides or 0.0):
            return None
        return _first_copied(near[1], ways)

    def same(
        self, task: str, first: str, history: Sequence[Sequence[object]], *, far: bool = False
    ) -> str | None:
        """Return what the shortest demonstration did next in this very situation, if there is one.

        Args:
            task: What is asked.
            first: The first observation.
            history: ``(action, observation, …)`` of each step so far.
            far: Whether it is enough that one was shown: nothing else is known.
        """
        if not (far or self._proof.repeats):
            return None
        at = len(history)
        for episode in self._beginnings.get((task, cleaned(first)), ()):
            if at < len(episode.acts) and all(
                action == demonstrated and cleaned(str(result)) == cleaned(observed)
                for (action, result, *_), demonstrated, observed in zip(
                    history, episode.acts, episode.obs[1:], strict=False
                )
            ):
                return episode.acts[at]
        return None

    def nearest(
        self,
        task: str,
        first: str,
        history: Sequence[Sequence[object]],
        can: Callable[[str], str | None] = lambda action: action,
        *,
        far: bool = False,
    ) -> str | None:
        """Return what the nearest demonstration, re-bound, does next; None where it is not trusted.

        It goes on only where all that was done so far is its own. What is not possible is left out.

        Args:
            task: What is asked.
            first: The first observation.
            history: ``(action, observation, …)`` of each step so far.
            can: Returns an action as it can be done, or None.
            far: Whether any likeness is enough where a wrong end costs nothing: nothing else is
                known.
        """
        copy = self._copy(task, first, far=far)
        if copy is None:
            return None
        paid = self.paid(task, first)
        at = 0
        for action, result, *_ in history:
            while at < len(copy.actions) and _plain(copy.actions[at]) != _plain(str(action)):
                at += 1
            if at == len(copy.actions):
                return None
            at += 1
            if not paid and not copy.told(at, str(result)):
                return None
        remaining = copy.actions[at:] if paid else copy.actions[at : at + 1]
        return next((each for each in map(can, remaining) if each is not None), None)

    def _copy(self, task: str, first: str, *, far: bool) -> Copy | None:
        """Return the nearest demonstration, re-bound, where it may be done again."""
        near = None if self._proof.near is None else self._found(task, first)
        if near is None:
            return None
        paid = self.paid(task, first)
        if self._proof.graded and not paid:
            return None  # what was proved by degrees says nothing where a wrong end costs
        if near[0] < (self._proof.near or 0.0) and not (far and paid):
            return None
        return near[1] if paid or near[1].told(0, first) else None

    def _found(self, task: str, first: str) -> tuple[float, Copy] | None:
        """Return the likeness of the nearest demonstration, and that; the last is remembered."""
        if self._last is None or self._last[:2] != (task, first):
            near = None
            if self._episodes and not _too_long(task):
                likeness, demonstration = self._index.found(task, first)
                near = (
                    None if _too_long(demonstration.task) else (likeness, Copy(demonstration, task))
                )
            self._last = task, first, near
        return self._last[2]

    @cached_property
    def _index(self) -> Nearest:
        return Nearest(self._episodes)


def prove_floor(episodes: Sequence[Trajectory], choices: Choices = _no_choices) -> FloorProof:
    """Compare demonstrations, a sample of many, with their nearest others, re-bound.

    Args:
        episodes: The demonstrations.
        choices: Tells of one where programs have several candidates: these, and what was shown.
    """
    demonstrations = [
        each for each in episodes if each.success and each.obs and not _too_long(each.task)
    ]
    if len(demonstrations) < 2:
        return UNPROVED
    graded = any(each.reward is not None for each in demonstrations)
    index = Nearest(demonstrations)
    results: list[tuple[float, bool]] = []
    gains: list[tuple[float, int]] = []
    for number in sample_of(len(demonstrations), _MOST_HELD_OUT):
        likeness, other = index.found(
            demonstrations[number].task, demonstrations[number].obs[0], without=number
        )
        copy = Copy(other, demonstrations[number].task)
        if graded or _plays_to_end(copy, demonstrations[number]):
            results.append((likeness, brings_the_same(copy, demonstrations[number])))
        for ways, action in choices(demonstrations[number]):
            first_choice = _first_copied(copy, ways) or ways[0]
            meets, met_before = (_plain(each) == _plain(action) for each in (first_choice, ways[0]))
            gains.append((likeness, meets - met_before))
    reproduced = sum(right for _, right in results)
    guides, repeats = _least_to_gain(gains), _go_on_alike(demonstrations)
    if graded:
        lowest = min((likeness for likeness, right in results if right), default=None)
        return FloorProof(True, reproduced, len(results), lowest, guides, repeats)
    near, right = None, 0
    for count, (likeness, each) in enumerate(sorted(results, reverse=True), 1):
        right += int(each)
        if wilson_interval(right, count).low >= _LEAST_RIGHT_SHARE:
            near = likeness
    return FloorProof(False, reproduced, len(results), near, guides, repeats)


def _go_on_alike(demonstrations: Sequence[Trajectory]) -> bool:
    """Whether demonstrations that begin alike may all do the same; false only where credibly not.

    Where one hides from another what differs (rooms that look alike from the door), doing again
    what one of them did is a guess, and a plan that was learned from all of them guesses better.
    """
    situations: dict[tuple[str, str], list[Trajectory]] = {}
    for demonstration in demonstrations:
        situations.setdefault((demonstration.task, cleaned(demonstration.obs[0])), []).append(
            demonstration
        )
    same_count = count = 0
    for members in situations.values():
        if len(members) > 1:
            commonest = Counter(
                tuple(map(_plain, demonstration.acts)) for demonstration in members
            ).most_common(1)
            # Of those that go on as most do the first is no evidence: something has to be.
            same_count += commonest[0][1] - 1
            count += len(members) - 1
    return count == 0 or wilson_interval(same_count, count).high >= _LEAST_RIGHT_SHARE


def _least_to_gain(gains: Iterable[tuple[float, int]]) -> float | None:
    """Return the likeness from which on the gain is greatest; None where there is none."""
    gain = most = 0
    least = None
    for likeness, each in sorted(gains, reverse=True):
        gain += each
        if gain > most:
            most, least = gain, likeness
    return least


def _first_copied(copy: Copy, ways: Sequence[str]) -> str | None:
    actions = set(map(_plain, copy.actions))
    return next((way for way in ways if _plain(way) in actions), None)


def brings_the_same(copy: Copy, demonstration: Trajectory) -> bool:
    """Whether a re-bound demonstration ends as what was shown does, reaching the same on its way.

    From some step on, the actions are the same and begin where the same was told. Before it they
    may differ, if each of them changed what is seen: what came of it stands in what is told.
    """
    copied, demonstrated = [*map(_plain, copy.actions)], [*map(_plain, demonstration.acts)]
    if copied == demonstrated:
        return True
    same = 0
    while (
        same < min(len(copied), len(demonstrated)) and copied[-1 - same] == demonstrated[-1 - same]
    ):
        same += 1
    return any(
        copy.told(len(copied) - steps_left, demonstration.obs[len(demonstrated) - steps_left])
        and _always_changes(copy.shown.obs[: len(copied) - steps_left + 1])
        and _always_changes(demonstration.obs[: len(demonstrated) - steps_left + 1])
        for steps_left in range(1, same + 1)
    )


def _always_changes(observations: Sequence[str]) -> bool:
    return all(_plain(one) != _plain(other) for one, other in itertools.pairwise(observations))


def _plays_to_end(copy: Copy, demonstration: Trajectory) -> bool:
    """Whether a copy would be played to its end in a world that tells what was shown.

    It is left where something else is told; where it does something else, nobody knows.
    """
    for number, (action, other) in enumerate(zip(copy.actions, demonstration.acts, strict=False)):
        if not copy.told(number, demonstration.obs[number]):
            return False
        if _plain(action) != _plain(other):
            break
    return True


def _plain(text: str) -> str:
    return normalise(cleaned(text))


def _too_long(task: str) -> bool:
    return len(task.split()) > _MOST_TASK_WORDS
