"""The native engine on the official games: replays of the expert, and walkthroughs."""

import json
import time
from random import Random

import pytest
from macla.evals.alfworld.environment import make_environment
from macla.evals.alfworld.games import data_root, find_games, load_game

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        not (data_root() / "alfworld" / "json_2.1.1").is_dir(),
        reason=f"no ALFWorld games below {data_root()}; set MACLA_DATA",
    ),
]


def episodes(count):
    """Draw expert episodes; the parsed lines, as they stand in the file."""
    lines = (data_root() / "alfworld" / "expert.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in Random(0).sample(lines, count)]


def test_expert_episodes_replay_to_the_letter():
    environment = make_environment(show_admissible=True)
    for episode in episodes(300):
        game = load_game(data_root() / "alfworld" / "json_2.1.1" / episode["id"])
        assert game.id == episode["id"]
        task, observation = environment.reset(game)
        assert (task, observation) == (episode["task"], episode["obs"][0])
        won = False
        for action, expected in zip(episode["acts"], episode["obs"][1:], strict=True):
            assert action in environment.admissible()
            observation, _, won, _ = environment.step(action)
            assert observation == expected, (episode["id"], action)
        assert won is episode["success"] is True


def test_walkthroughs_win_with_their_last_command():
    environment = make_environment()
    for path in find_games("valid_seen"):
        game = load_game(path)
        environment.reset(game)
        done = [environment.step(command)[2] for command in game.walkthrough]
        assert done == [False] * (len(done) - 1) + [True], game.id


def test_sizes_of_the_splits():
    assert len(find_games("valid_seen")) == 140
    assert len(find_games("train")) == 3553


@pytest.mark.speed
def test_fast_enough():
    """Generous limits, ten times what was measured: they catch a lapse, not a busy machine."""
    environment = make_environment()
    paths = find_games("valid_seen")[:40]
    steps, loading, stepping = 0, 0.0, 0.0
    for path in paths:
        start = time.perf_counter()
        game = load_game(path)
        environment.reset(game)
        loading += time.perf_counter() - start
        start = time.perf_counter()
        for command in game.walkthrough:
            environment.step(command)
        stepping += time.perf_counter() - start
        steps += len(game.walkthrough)
    assert loading / len(paths) < 0.02
    assert stepping / steps < 0.001
