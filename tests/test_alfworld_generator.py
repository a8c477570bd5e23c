"""Generated household games and the demonstrator that plays them."""

from collections import Counter

import pytest
from macla.evals.alfworld.engine import NOTHING, NativeEngine
from macla.evals.alfworld.environment import make_environment
from macla.evals.alfworld.expert import demonstrate, demonstrations, read_task
from macla.evals.alfworld.games import find_games, load_game
from macla.evals.alfworld.generator import generate_game, generate_games, write_games
from macla.evals.alfworld.household import FITS, ROOMS, TOGGLEABLE
from macla.evals.alfworld.problem import parse_problem
from macla.evals.alfworld.tasks import TASK_TYPES
from macla.procedures.common.errors import DataError

GAMES = list(generate_games(60, seed=11))


def test_deterministic_and_different():
    assert list(generate_games(6, seed=11)) == GAMES[:6]
    assert generate_game(3, seed=11) == GAMES[3]
    assert len({game.problem for game in GAMES}) == len(GAMES)
    assert generate_game(3, seed=12).problem != GAMES[3].problem


def test_all_task_types_in_equal_parts():
    assert Counter(game.task_type for game in GAMES) == dict.fromkeys(TASK_TYPES, 10)


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_task_type_on_demand(task_type):
    game = generate_game(1, task_type=task_type)
    assert game.task_type == task_type
    assert read_task(game.task).task_type == task_type


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_never_won_at_the_start_and_won_by_the_last_step_of_the_plan(game):
    engine = NativeEngine(parse_problem(game.problem, game.task))
    assert not engine.won
    answers = [engine.step(command) for command in game.walkthrough]
    assert NOTHING not in [text for text, _ in answers]
    assert [won for _, won in answers] == [False] * (len(answers) - 1) + [True]


def test_rooms_differ():
    layouts = {NativeEngine(parse_problem(game.problem, "")).reset() for game in GAMES}
    assert len(layouts) > 40


def test_written_games_are_a_split(tmp_path):
    files = write_games(tmp_path / "games", 6, seed=2)
    assert sorted(files) == find_games(tmp_path / "games")
    for file, generated in zip(files, generate_games(6, seed=2), strict=True):
        game = load_game(file)
        assert (game.task, game.problem) == (generated.task, generated.problem)
        assert game.walkthrough == generated.walkthrough
        assert make_environment().reset(file) == make_environment().reset(generated.game())


def test_unknown_task_type():
    with pytest.raises(DataError, match="pick_two_obj_and_place"):
        generate_game(0, task_type="juggle")


def test_household_tables_agree():
    for room in ROOMS.values():
        for thing, places in room.things.items():
            for place in places:
                assert place in room.receptacles
                assert thing in FITS[place] or thing in TOGGLEABLE
        assert set(room.receptacles) <= set(FITS)


def test_demonstrations_succeed_and_can_be_replayed():
    episodes = list(demonstrations(GAMES, seed=5))
    assert all(episode.success for episode in episodes)
    for game, episode in zip(GAMES, episodes, strict=True):
        environment = make_environment()
        task, first = environment.reset(game.game())
        assert (episode.task, episode.obs[0]) == (task, first)
        assert list(episode.obs[1:]) == [environment.step(act)[0] for act in episode.acts]
        assert not any(NOTHING in text for text in episode.obs)


def test_demonstrations_search():
    episodes = list(demonstrations(GAMES))
    plans = sum(len(game.walkthrough) for game in GAMES)
    assert sum(len(episode.acts) for episode in episodes) > 1.3 * plans
    verbs = Counter(act.split()[0] for episode in episodes for act in episode.acts)
    assert {"go", "take", "move", "open", "close", "clean", "heat", "cool", "use"} <= set(verbs)


def test_demonstrations_depend_on_the_seed_only():
    game = GAMES[5].game()
    assert demonstrate(game, seed=1) == demonstrate(game, seed=1)
    assert len({demonstrate(game, seed=seed).acts for seed in range(8)}) > 1


@pytest.mark.parametrize("sentence", ["", "fly to the moon.", "put a mug on ../etc."])
def test_tasks_that_are_not_understood(sentence):
    with pytest.raises(DataError, match="does not understand"):
        read_task(sentence)
