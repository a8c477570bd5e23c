"""Candidates that are taken one after the other until enough."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import program_document, program_from_document
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.program_learner import learn_program
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import order_text
from macla.procedures.programs.notation_reading import read_order
from macla.procedures.programs.program_conditions import Field
from macla.procedures.programs.sources import Order
from program_play import replayed


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


def _archive(seed: int) -> Trajectory:
    """Chests are looked through from the first on; a shut one is opened before."""
    draw = random.Random(f"archive {seed}")
    chests = draw.sample(("red", "blue", "green", "grey", "pink", "brown", "white"), 4)
    things = [f"K-{number}" for number in draw.sample(range(1000, 9999), 4)]
    shut = {chest for chest in chests if draw.random() < 0.5}
    states = ("shut" if chest in shut else "wide" for chest in chests)
    obs = ["\n".join(f"- the {c} chest ({state})" for c, state in zip(chests, states, strict=True))]
    acts: list[str] = []
    wanted = draw.choice(things[:3])
    for chest, thing in zip(chests, things, strict=True):
        if chest in shut:
            acts.append(f"unlock the {chest} chest")
            obs.append(f"The {chest} chest is wide now.")
        acts.append(f"look into the {chest} chest")
        obs.append(f"there lies {thing}")
        if thing == wanted:
            break
    return Trajectory(f"Get {wanted}.", (*obs, "Taken."), (*acts, f"take {wanted}"), True)


def test_a_step_before_each_look_is_left_out_where_it_holds_already() -> None:
    (proposal,) = propose_programs([_archive(seed) for seed in range(40)])
    assert proposal.trusted
    file = program_from_document(program_document(proposal.file))
    for seed in range(100, 130):
        assert replayed(file, _archive(seed)) == list(_archive(seed).acts)


def test_the_place_in_the_list_is_read_as_it_is_written() -> None:
    order = Order(Field("1"), greatest=False, listed=True)
    assert order_text(order) == "first listed {1}"
    assert read_order("first listed {1}") == order
