"""Occasions for experiments: a step could not be done, or a look revealed nothing.

An occasion is described by what was done just before (its frame) and by what was then observed
(patterns over the action's arguments), so that the same obstacle is recognised wherever it is met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon, ParsedAction, fill_frame
from ..words.sentence_patterns import observation_patterns

__all__ = [
    "BEGAN",
    "EXPERIMENTS",
    "KEPT",
    "MARKS",
    "Occasion",
    "about",
    "occasions_of",
    "read_action",
    "since_began",
    "written",
]

EXPERIMENTS = "experiments"
"""Key of a trajectory's ``info`` that holds its occasions."""
BEGAN = "began"
"""Key of a trajectory's ``info``, where it was solved by trying: index of the first action of the
plan that succeeded, 0 where there is none."""
KEPT = "kept"
"""Key of a trajectory's ``info``: indices of earlier actions that this plan built on."""
MARKS = "marks"
"""Key of a trajectory's ``info``: after each action, a name of the situation it led to."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Where going on was possible or not, and what was tried.

    Attributes:
        procedure: Id of the procedure that was being run.
        after: Index of the action just before; the episode's observations are one ahead of it.
        blocked: Whether it was not possible to go on.
        trials: (index of the action tried, whether it was possible to go on after it).
    """

    procedure: str
    after: int
    blocked: bool
    trials: tuple[tuple[int, bool], ...] = field(default=())

    def to_document(self) -> dict[str, Any]:
        """Write it as plain values."""
        return {
            "procedure": self.procedure,
            "after": self.after,
            "blocked": self.blocked,
            "trials": [list(trial) for trial in self.trials],
        }


def occasions_of(episode: Trajectory) -> list[Occasion]:
    """Return the occasions of an episode; what does not fit the episode is passed over."""
    found: list[Occasion] = []
    for entry in episode.info.get(EXPERIMENTS, ()):
        if not isinstance(entry, Mapping):
            continue
        after, trials = entry.get("after"), entry.get("trials", ())
        if not isinstance(after, int) or not 0 <= after < len(episode.acts):
            continue
        kept = [(t[0], bool(t[1])) for t in trials if 0 <= t[0] < len(episode.acts)]
        name, blocked = str(entry.get("procedure", "")), bool(entry.get("blocked"))
        found.append(Occasion(name, after, blocked, tuple(kept)))
    return found


def since_began(episode: Trajectory) -> Trajectory:
    """Return what solved an episode that was solved by trying: other episodes as they are.

    What came before the plan that succeeded is cut, save what it built on, and so is what led back
    to a situation in which the same was possible: nothing had come of it.
    """
    began = episode.info.get(BEGAN)
    if not isinstance(began, int) or not 0 <= began < len(episode.acts):
        return episode
    marks: list[Any] = ["", *episode.info.get(MARKS, ())]
    built_on = episode.info.get(KEPT, ())
    told = built_on if isinstance(built_on, list | tuple) else ()
    kept = [i for i in told if isinstance(i, int) and 0 <= i < began]
    for index in range(began, len(episode.acts)):
        if 0 < index < len(marks):
            same = (i for i, at in enumerate(kept) if at < len(marks) and marks[at] == marks[index])
            cut = next(same, None)
            if cut is not None:
                kept = kept[:cut]
        kept.append(index)
    observations = (episode.obs[0], *(episode.obs[index + 1] for index in kept))
    return replace(episode, obs=observations, acts=tuple(episode.acts[i] for i in kept), info={})


def read_action(lexicon: Lexicon, action: str) -> ParsedAction:
    """Read an action as frame and arguments, by its entities alone where no frame is known."""
    frame, arguments = lexicon.parse(action)
    return (frame, arguments) if arguments else lexicon.abstract(action.lower())


def about(lexicon: Lexicon, action: str, observation: str) -> tuple[str, dict[str, str], list[str]]:
    """Describe a situation: the action's frame, entity → slot, and the patterns that name one."""
    frame, arguments = read_action(lexicon, action)
    slots = {argument: str(i) for i, argument in enumerate(arguments)}
    patterns = [
        pattern
        for pattern in observation_patterns(lexicon, observation, slots)
        if any("{" + slot + "}" in pattern for slot in slots.values())
    ]
    return frame, slots, patterns


def written(lexicon: Lexicon, action: str, slots: Mapping[str, str]) -> str | None:
    """Write an action over a situation's slots; None if it is about something else as well."""
    frame, arguments = read_action(lexicon, action)
    if not arguments or any(argument not in slots for argument in arguments):
        return None
    names: Sequence[str] = ["{" + slots[argument] + "}" for argument in arguments]
    return fill_frame(frame, names)
