"""Learning from real episodes and playing real games; skipped where there are no data."""

from __future__ import annotations

from random import Random

import pytest
from macla.adapters.scramble import Scrambler, scramble_environment
from macla.evals.alfworld.environment import make_environment
from macla.evals.alfworld.games import find_games, load_game
from macla.procedures.episodes.trajectories import read_trajectories

pytestmark = pytest.mark.live
EPISODES = 300
GAMES = 10


@pytest.fixture(scope="module")
def episodes(alfworld_data):
    every = list(read_trajectories(alfworld_data / "expert.jsonl"))
    return Random(0).sample(every, EPISODES)


@pytest.fixture(scope="module")
def games(alfworld_data):
    return [load_game(path) for path in Random(1).sample(find_games("valid_seen"), GAMES)]


def play_all(small, games, environment):
    return [small.play(environment, game, run=str(i)) for i, game in enumerate(games)]


def test_games_not_learned_from_are_won(learn_small, episodes, games):
    states = play_all(learn_small(episodes), games, make_environment())
    assert [state["won"] for state in states] == [True] * GAMES
    assert sum(len(state["history"]) for state in states) / GAMES < 12


def test_in_words_nobody_knows_too(learn_small, episodes, games):
    scrambler = Scrambler(7)
    small = learn_small([scrambler.trajectory(episode) for episode in episodes])
    states = play_all(small, games, scramble_environment(make_environment(), scrambler))
    assert sum(state["won"] for state in states) >= GAMES - 1
