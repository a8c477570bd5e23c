"""A program leaves idle steps out, and no step that every demonstration does."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.program_learner import learn_program

TOOLS = ["saw", "drill", "lamp", "torch", "fan", "ladder", "mixer", "router"]
PEOPLE = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal"]
IDLE = [
    ("hum a tune", "La la la."),
    ("sweep the floor", "The floor is clean."),
    ("wave", "Nobody sees it."),
]
ALWAYS = {"fetch-the", "write", "hand-over-the"}


def hires(rng: Random) -> Iterator[Trajectory]:
    """Yield hires with something idle before each step with a chance of a third."""
    for _ in range(20):
        tool, person = rng.choice(TOOLS), rng.choice(PEOPLE)
        steps = [
            (f"fetch the {tool}", f"On the counter: {tool}."),
            (f"write {person}", f"Slip: {person}."),
            (f"hand over the {tool}", "Next, please!"),
        ]
        actions, observations = [], [f"In store: {tool}."]
        for step in steps:
            idle = [rng.choice(IDLE)] if rng.random() < 1 / 3 else []
            for action, observation in [*idle, step]:
                actions.append(action)
                observations.append(observation)
        yield Trajectory(f"{person} hires the {tool}.", tuple(observations), tuple(actions), True)


@pytest.mark.parametrize("seed", [0, 37, 51])
def test_what_all_demonstrations_do_is_not_idle_while_something_else_may_be(seed: int) -> None:
    """What is done now and then may follow a condition by chance, and hide those of others."""
    _, lessons = read_lesson(list(hires(Random(seed))))
    assert {step.id for step in learn_program(lessons).steps} >= ALWAYS
