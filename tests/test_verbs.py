"""Verbs are found at either end of actions."""

from __future__ import annotations

import pytest
from macla.adapters.verb_last import with_verbs_last
from macla.evals.foreign_worlds import WORLDS, demonstrations
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.episodes.verbs import split_verb, verb_end, verbs_of


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_the_end_is_found_in_every_world(world):
    shown = demonstrations(world, 10)
    assert verb_end(shown) == 0
    assert verb_end([with_verbs_last(each) for each in shown]) == -1


def test_many_verbs_may_act_on_few_things():
    shown = Trajectory(
        task="Mend the pump.",
        obs=("A pump stands here.", "It drips.", "It is dry.", "It runs."),
        acts=("inspect pump", "dry pump", "start pump"),
        success=True,
    )
    assert verbs_of([shown]) == [{"inspect", "dry", "start"}]
    assert verbs_of([with_verbs_last(shown)]) == [{"inspect", "dry", "start"}]


@pytest.mark.parametrize(
    ("action", "at", "parts"),
    [
        ("Open box 1", 0, ("open", ("box", "1"))),
        ("box 1 Open", -1, ("open", ("box", "1"))),
        ("wait", -1, ("wait", ())),
        ("", 0, ("", ())),
    ],
)
def test_an_action_is_split(action, at, parts):
    assert split_verb(action, at) == parts


def test_without_an_episode_verbs_stand_first():
    assert verb_end([]) == 0
    assert verbs_of([]) == []
