"""Noisy demonstrations: the expert's actions stay, what is between them is really done."""

from __future__ import annotations

from random import Random

import pytest
from macla.evals.alfworld.engine import NOTHING, NativeEngine
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.generator import generate_game
from macla.evals.alfworld.noise import noisy_episode
from macla.evals.alfworld.problem import parse_problem
from macla.procedures.common.errors import DataError


@pytest.fixture(scope="module", params=range(4))
def demonstrated(request):
    game = generate_game(request.param).game()
    return demonstrate(game, seed=request.param), parse_problem(game.problem, game.task)


def test_the_expert_s_actions_stay_and_all_answers_are_the_game_s(demonstrated):
    shown, problem = demonstrated
    noisy = noisy_episode(shown, problem, 0.6, Random(1))
    left = iter(noisy.acts)
    assert all(action in left for action in shown.acts)
    assert len(noisy.acts) > len(shown.acts)
    engine = NativeEngine(problem)
    assert [engine.step(action)[0] for action in noisy.acts] == list(noisy.obs[1:])
    assert engine.won
    assert noisy.success


def test_every_kind_of_noise_comes_up(demonstrated):
    shown, problem = demonstrated
    seen = [noisy_episode(shown, problem, 1.0, Random(seed)) for seed in range(20)]
    verbs = {action.split()[0] for each in seen for action in each.acts}
    assert {"look", "inventory", "examine"} <= verbs
    assert any(NOTHING in each.obs for each in seen)


def test_no_noise_and_the_same_seed(demonstrated):
    shown, problem = demonstrated
    assert noisy_episode(shown, problem, 0.0, Random(1)).acts == shown.acts
    first, second = (noisy_episode(shown, problem, 0.6, Random(7)) for _ in range(2))
    assert first == second


def test_an_episode_of_another_game_is_refused(demonstrated):
    shown, _ = demonstrated
    other = generate_game(99).game()
    with pytest.raises(DataError, match="do not solve"):
        noisy_episode(shown, parse_problem(other.problem, other.task), 0.0, Random(1))
