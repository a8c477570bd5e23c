"""Occasions for experiments: a step could not be done, or a look revealed nothing.

The frame of the action before and the patterns of its observation, over the action's arguments,
describe an occasion. So the same obstacle is recognised everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon, ParsedAction, fill_frame
from ..words.sentence_patterns import naming_patterns

EXPERIMENTS = "experiments"
"""Key of a trajectory's ``info`` that holds its occasions."""
BEGAN = "began"
"""Key of a trajectory's ``info``, if trials solved it: index of the first action of the plan that
succeeded, 0 where there is none."""
KEPT = "kept"
"""Key of a trajectory's ``info``: indices of earlier actions that this plan built on."""
MARKS = "marks"
"""Key of a trajectory's ``info``: a name of the situation after each action."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """A point of a run where going on was possible or not, with the actions tried there.

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
    """Return the occasions of an episode; entries that do not fit the episode are skipped."""
    occasions: list[Occasion] = []
    for entry in episode.info.get(EXPERIMENTS, ()):
        if not isinstance(entry, Mapping):
            continue
        after, trials = entry.get("after"), entry.get("trials", ())
        if not isinstance(after, int) or not 0 <= after < len(episode.acts):
            continue
        valid_trials = [(t[0], bool(t[1])) for t in trials if 0 <= t[0] < len(episode.acts)]
        name, blocked = str(entry.get("procedure", "")), bool(entry.get("blocked"))
        occasions.append(Occasion(name, after, blocked, tuple(valid_trials)))
    return occasions


def since_began(episode: Trajectory) -> Trajectory:
    """Return the part that solved an episode solved by trials; other episodes stay as they are.

    The actions before the successful plan are cut, except those that it built on. Actions that led
    back to an earlier situation are cut, too: they changed nothing.
    """
    began = episode.info.get(BEGAN)
    if not isinstance(began, int) or not 0 <= began < len(episode.acts):
        return episode
    marks: list[Any] = ["", *episode.info.get(MARKS, ())]
    built_on = episode.info.get(KEPT, ())
    earlier_indices = built_on if isinstance(built_on, list | tuple) else ()
    indices = [i for i in earlier_indices if isinstance(i, int) and 0 <= i < began]
    for index in range(began, len(episode.acts)):
        if 0 < index < len(marks):
            same_situations = (
                i for i, at in enumerate(indices) if at < len(marks) and marks[at] == marks[index]
            )
            first_same = next(same_situations, None)
            if first_same is not None:
                indices = indices[:first_same]
        indices.append(index)
    observations = (episode.obs[0], *(episode.obs[index + 1] for index in indices))
    return replace(episode, obs=observations, acts=tuple(episode.acts[i] for i in indices), info={})


def read_action(lexicon: Lexicon, action: str) -> ParsedAction:
    """Parse an action into frame and arguments, by its entities alone where no frame is known."""
    frame, arguments = lexicon.parse(action)
    return (frame, arguments) if arguments else lexicon.abstract(action.lower())


def about(lexicon: Lexicon, action: str, observation: str) -> tuple[str, dict[str, str], list[str]]:
    """Describe a situation: the action's frame, entity → slot, and the patterns that name one."""
    frame, arguments = read_action(lexicon, action)
    slots = {argument: str(i) for i, argument in enumerate(arguments)}
    return frame, slots, naming_patterns(lexicon, observation, slots)


def written(lexicon: Lexicon, action: str, slots: Mapping[str, str]) -> str | None:
    """Write an action over a situation's slots; None if it has any other argument."""
    frame, arguments = read_action(lexicon, action)
    if not arguments or any(argument not in slots for argument in arguments):
        return None
    names: Sequence[str] = ["{" + slots[argument] + "}" for argument in arguments]
    return fill_frame(frame, names)
