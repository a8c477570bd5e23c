"""Reading ALFWorld game files and finding the games of a split."""

import json
import logging

import pytest
from macla.evals.alfworld.environment import (
    AlfworldEnvironment,
    OpenAlfworldEnvironment,
    make_environment,
)
from macla.evals.alfworld.games import Game, data_root, find_games, load_game
from macla.evals.alfworld.generator import generate_game
from macla.graph.protocols import AdmissibleEnvironment, Environment
from macla.procedures.common.errors import DataError, EnvironmentFailure

DOCUMENT = generate_game(0).document()


def write(folder, **changes):
    """Write a game, with some keys changed, or left out if the change is None."""
    document = {k: v for k, v in {**DOCUMENT, **changes}.items() if v is not None}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "game.tw-pddl"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def grammar(task):
    return f'grammar :: """ {{ "task": [ {{ "rhs": {json.dumps(task)} }} ] }} """;'


def test_load_from_file_or_folder(tmp_path):
    file = write(tmp_path / "task" / "trial")
    game = load_game(file.parent)
    assert game == load_game(file) == load_game(str(file))
    assert game.id == "task/trial"
    assert game.task == generate_game(0).task
    assert game.problem == DOCUMENT["pddl_problem"]
    assert "(define" not in repr(game)  # neither problem nor plan shows in logs
    assert load_game(file, name="mine").id == "mine"


def test_id_starts_below_the_official_folder(tmp_path):
    file = write(tmp_path / "json_2.1.1" / "dev" / "task" / "trial")
    assert load_game(file).id == "dev/task/trial"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b'{"pddl_domain": "(define', "cut short"),
        (b"\xff\xfe\x00\x01", "binary"),
        (b"[1, 2]", "list"),
        (b"[" * 200_000, "nested too deeply"),
        (b"{}", "pddl_domain"),
        (b"1" * 5000, "JSON"),
        (b" " * 8_000_001, "larger than"),
    ],
    ids=["empty", "truncated", "binary", "list", "deep", "no keys", "big number", "huge"],
)
def test_files_that_are_not_games(tmp_path, content, words):
    file = tmp_path / "game.tw-pddl"
    file.write_bytes(content)
    with pytest.raises(DataError, match=words) as caught:
        load_game(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"grammar": None}, "'grammar' is missing"),
        ({"pddl_problem": 3}, "not text"),
        ({"solvable": None}, "'solvable' is missing"),
        ({"walkthrough": "go"}, "walkthrough"),
        ({"walkthrough": [1]}, "walkthrough"),
        ({"solvable": False}, "unsolvable"),
        ({"grammar": "nothing"}, "no readable 'task' rule"),
        ({"grammar": grammar("Your task is to: ")}, "no readable 'task' rule"),
        ({"grammar": grammar("put a \x1b[31mmug in shelf.")}, "no readable 'task' rule"),
        ({"grammar": grammar("put a \ud800 in shelf.")}, "no readable 'task' rule"),
        ({"grammar": grammar("put " * 1000)}, "no readable 'task' rule"),
        ({"grammar": '"task": [ { "rhs": "\\q" } ]'}, "no readable 'task' rule"),
    ],
)
def test_games_with_damage(tmp_path, changes, words):
    with pytest.raises(DataError, match=words):
        load_game(write(tmp_path, **changes))


def test_a_problem_without_goal_is_refused_at_reset(tmp_path):
    text = DOCUMENT["pddl_problem"].partition("(:goal")[0] + ")"
    with pytest.raises(DataError, match="goal"):
        AlfworldEnvironment().reset(write(tmp_path, pddl_problem=text))


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        load_game(tmp_path / "none")


def test_task_text_is_never_a_template(tmp_path):
    hostile = "put {0.__class__} %s ${HOME} #task# in ../../etc."
    file = write(tmp_path, grammar=grammar(f"Your task is to: {hostile}"))
    assert AlfworldEnvironment().reset(file)[0] == hostile


def test_data_root(monkeypatch, tmp_path):
    monkeypatch.setenv("MACLA_DATA", str(tmp_path))
    assert data_root() == tmp_path
    assert data_root(tmp_path / "x") == tmp_path / "x"
    monkeypatch.delenv("MACLA_DATA")
    assert data_root().parts[-2:] == ("macla", "bench")


@pytest.fixture
def bench(tmp_path):
    """A data root with the splits ``dev`` (three games) and ``mine`` (one game)."""
    base = tmp_path / "bench"
    for name in ("b/t2", "a/t1", "b/t1"):
        write(base / "alfworld" / "json_2.1.1" / "dev" / name)
    write(base / "mine" / "a" / "t")
    return base


def ids(files):
    return [load_game(file).id for file in files]


def test_splits_by_name_and_path(bench):
    assert ids(find_games("dev", bench)) == ["dev/a/t1", "dev/b/t1", "dev/b/t2"]
    assert ids(find_games("mine", bench)) == ["a/t"]
    folder = bench / "alfworld" / "json_2.1.1" / "dev" / "b"
    assert ids(find_games(folder, bench)) == ["dev/b/t1", "dev/b/t2"]
    assert ids(find_games(folder / "t1" / "game.tw-pddl", bench)) == ["dev/b/t1"]


def test_split_from_a_list(bench, tmp_path):
    write(tmp_path / "own" / "game")
    entries = [
        "# chosen by hand",
        "",
        "dev/b/t2",
        "  dev/a/t1/game.tw-pddl",
        "mine/a/t",
        "own/game",
        str(bench / "mine" / "a" / "t"),
    ]
    chosen = tmp_path / "chosen.txt"
    chosen.write_text("\n".join(entries), encoding="utf-8")
    assert ids(find_games(chosen, bench)) == ["dev/b/t2", "dev/a/t1", "a/t", "own/game", "a/t"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("dev/a/t1\nnowhere\n", ":2: no game"),
        ("# nothing\n\n", "lists no game"),
        ("x" * 5000, ":1: no game"),
        ("dev/\x00a", "control characters"),
    ],
)
def test_lists_with_mistakes(bench, tmp_path, content, words):
    chosen = tmp_path / "chosen.txt"
    chosen.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        find_games(chosen, bench)


def test_binary_list(bench, tmp_path):
    chosen = tmp_path / "chosen.txt"
    chosen.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="binary"):
        find_games(chosen, bench)


def test_unknown_split_names_the_available_ones(bench):
    with pytest.raises(DataError, match=r"'valid_unseen'.*available: dev"):
        find_games("valid_unseen", bench)


@pytest.mark.parametrize("name", ["x" * 5000, "~nobody-at-all", "a\x00b", ""])
def test_odd_names_of_splits_and_games(tmp_path, name):
    with pytest.raises(DataError):
        find_games(name, tmp_path)
    with pytest.raises(DataError):
        load_game(tmp_path / name)


def test_no_data_at_all(tmp_path):
    with pytest.raises(DataError, match="MACLA_DATA"):
        find_games("valid_seen", tmp_path)


def test_folder_without_games(tmp_path):
    with pytest.raises(DataError, match=r"no game\.tw-pddl"):
        find_games(tmp_path, tmp_path)


def test_games_that_cannot_be_won_are_left_out(bench, caplog):
    dev = bench / "alfworld" / "json_2.1.1" / "dev"
    write(dev / "a" / "t9", solvable=False)
    write(dev / "look_at-AppleSliced-None" / "t")
    with caplog.at_level(logging.WARNING):
        assert len(find_games("dev", bench)) == 3
    assert "left out 2 games" in caplog.text
    write(bench / "hard" / "x", solvable=False)
    with pytest.raises(DataError, match="none of its 1 games"):
        find_games("hard", bench)


def test_environment_fits_the_protocols():
    hidden, shown = make_environment(), make_environment(show_admissible=True)
    assert isinstance(hidden, Environment)
    assert not isinstance(hidden, AdmissibleEnvironment)
    assert isinstance(shown, AdmissibleEnvironment)


def test_environment_plays_a_game():
    generated = generate_game(0)
    environment = OpenAlfworldEnvironment()
    task, observation = environment.reset(generated.game())
    assert task == generated.task
    assert "Your task is to" not in observation
    for command in generated.walkthrough[:-1]:
        assert command in environment.admissible()
        assert environment.step(command)[1:] == (0.0, False, {"won": False})
    assert environment.step(generated.walkthrough[-1])[1:] == (1.0, True, {"won": True})
    assert environment.reset(generated.game()) == (task, observation)


def test_environment_wants_a_reset_first():
    with pytest.raises(EnvironmentFailure, match="reset"):
        AlfworldEnvironment().step("look")


def test_unknown_engine_and_dialect():
    with pytest.raises(DataError, match="native or textworld"):
        AlfworldEnvironment("unity")
    with pytest.raises(DataError, match="dialect"):
        AlfworldEnvironment("native", "9")


def test_game_is_immutable():
    game = Game("x", data_root(), "task", "problem", ())
    with pytest.raises(AttributeError):
        game.task = "other"
