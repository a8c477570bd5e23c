"""A world of the ladder as text, and its demonstrations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from ..forms import FORMS as TEXT_FORMS
from ..forms import Form
from .world import LadderTask, World, text_of

__all__ = [
    "TEXT_FORMS",
    "LadderEnvironment",
    "demonstration",
    "demonstrations",
    "tasks_to_play",
]


class LadderEnvironment:
    """A world as text, actions verb first, the possible ones listed.

    Attributes:
        world: The world; after an episode it tells how it went.
    """

    def __init__(self, world: World) -> None:
        self.world = world

    def reset(self, task: LadderTask) -> tuple[str, str]:
        """Start an episode; return ``(task text, first observation)``."""
        asked, first = self.world.reset(task)
        return asked, text_of(first)

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``."""
        world = self.world
        wanted = world.read(action)
        result = [world.refusal] if wanted is None else world.step(wanted)
        return text_of(result), float(world.won), world.over, {"won": world.won}

    def admissible(self) -> list[str]:
        """Return the possible actions, sorted."""
        world = self.world
        return [] if world.over else sorted({world.written(each) for each in world.possible()})


def demonstrations(world: World, form: Form, count: int) -> list[Trajectory]:
    """Return demonstrations of a world in one form, made of training names."""
    return form.told(demonstration(world, train_task(seed, form)) for seed in range(count))


def demonstration(world: World, task: LadderTask) -> Trajectory:
    """Play one episode as the world's expert.

    Raises:
        DataError: The expert does what is not possible, or does not solve the episode.
    """
    asked, first = world.reset(task)
    observations, actions = [text_of(first)], []
    for wanted in world.expert():
        if world.over or not world.accepts(wanted):
            raise DataError(f"{world.name} {task}: the expert's {wanted} is not possible")
        actions.append(world.written(wanted))
        observations.append(text_of(world.step(wanted)))
    if not world.won:
        raise DataError(f"{world.name} {task}: the expert does not solve it: {actions}")
    name = f"{world.name}/{task.part}/{task.seed}"
    return Trajectory(asked, tuple(observations), tuple(actions), success=True, id=name)


def train_task(seed: int, form: Form) -> LadderTask:
    """Return the task of a demonstration."""
    return LadderTask(seed, "train", "right first" if form.shuffled else "drawn")


def tasks_to_play(count: int) -> Sequence[LadderTask]:
    """Return the tasks of the test; names are ones that no demonstration has."""
    return [LadderTask(seed) for seed in range(count)]
