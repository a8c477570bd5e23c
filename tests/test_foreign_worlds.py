"""Worlds of other shapes: learned from 30 demonstrations, then played with half of the names new.

``python -m macla.evals.foreign_worlds`` measures the same with other numbers of demonstrations.
"""

from __future__ import annotations

import pytest
from macla.adapters.environments import HiddenAdmissible
from macla.adapters.scramble import Scrambler, scramble_environment
from macla.adapters.verb_last import verb_last_environment, with_verbs_last
from macla.evals.foreign_worlds import (
    WORLDS,
    Bomb,
    House,
    Office,
    Plant,
    Workshop,
    Yard,
    demonstrations,
    held_out_tasks,
    horizon,
)

LEARNED_FROM = 30
TASKS = held_out_tasks(12)
FLOOR = 11
"""Of 12 tasks; all 12 are won as this is written."""
LOWER_FLOORS = {Bomb: 9}
"""Of 10 that are won: what stands after "an" is no name where demonstrations have "a" alone."""
SCRAMBLED = (Plant, Bomb, House, Workshop)
BY_PLANS = (Plant, Bomb, Workshop)
"""Worlds that plans alone win in invented words, too."""


def floor(world):
    return LOWER_FLOORS.get(world, FLOOR)


@pytest.fixture(scope="module", params=WORLDS, ids=lambda world: world.__name__)
def world(request):
    return request.param


@pytest.fixture(scope="module")
def small(world, teach_small):
    return teach_small(demonstrations(world, LEARNED_FROM))


def count_won(small, world, wrap):
    most = horizon(world)
    return sum(bool(small.play(wrap(world()), task, horizon=most).get("won")) for task in TASKS)


def test_held_out_tasks_are_won_where_possible_actions_are_shown(small, world):
    assert count_won(small, world, lambda environment: environment) >= floor(world)


def test_held_out_tasks_are_won_where_possible_actions_are_hidden(small, world):
    if world is Office:
        pytest.skip("no floor: new names with full stops and capitals are not found")
    assert count_won(small, world, HiddenAdmissible) >= floor(world)


@pytest.mark.parametrize("world", [Bomb, Yard], ids=lambda world: world.__name__)
def test_as_many_are_won_where_verbs_stand_last(world, teach_small):
    shown = demonstrations(world, LEARNED_FROM)
    learned = teach_small([with_verbs_last(each) for each in shown])
    won = count_won(learned, world, lambda each: verb_last_environment(HiddenAdmissible(each)))
    assert won >= floor(world)


@pytest.mark.parametrize("world", SCRAMBLED, ids=lambda world: world.__name__)
def test_in_words_nobody_knows_as_many_are_won(world, teach_small):
    check_in_words_nobody_knows(world, teach_small)


@pytest.mark.parametrize("world", BY_PLANS, ids=lambda world: world.__name__)
def test_in_words_nobody_knows_plans_alone_win_as_many(world, learn_small):
    check_in_words_nobody_knows(world, learn_small)


def check_in_words_nobody_knows(world, learned):
    scrambler = Scrambler(3)
    shown = demonstrations(world, LEARNED_FROM)
    small = learned([scrambler.trajectory(each) for each in shown])

    def scrambled(environment):
        return scramble_environment(environment, scrambler)

    assert count_won(small, world, scrambled) >= floor(world)
    assert count_won(small, world, lambda e: scrambled(HiddenAdmissible(e))) >= floor(world)
