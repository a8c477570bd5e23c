"""Candidates that are taken one after the other until enough."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.program_learner import learn_program


def _search(draw: random.Random, manner: str) -> Trajectory:
    """Drawers are opened until one holds the thing, which is taken."""
    drawers = draw.sample(range(10, 99), 5)
    things = draw.sample(range(1000, 9999), 5)
    holds = dict(zip(drawers, (f"K-{thing}" for thing in things), strict=True))
    opened = drawers if manner == "listed" else [*drawers[1:], drawers[0]]
    wanted = holds[draw.choice(drawers)]
    obs, acts = ["\n".join(f"- drawer {n} ({draw.choice(('oak', 'ash'))})" for n in drawers)], []
    for drawer in opened:
        acts.append(f"open {drawer}")
        obs.append(f"there lies {holds[drawer]}")
        if holds[drawer] == wanted:
            break
    return Trajectory(f"Get {wanted}.", (*obs, "Taken."), (*acts, f"take {wanted}"), True)


@pytest.mark.parametrize(("manner", "some"), [("listed", False), ("from the second", True)])
def test_what_is_taken_in_turn_as_it_is_listed_leaves_none(manner: str, some: bool) -> None:
    draw = random.Random(3)
    program = learn_program(read_lesson([_search(draw, manner) for _ in range(30)])[1])
    (opening,) = (step for step in program.steps if step.operator.startswith("open"))
    assert opening.some is some
