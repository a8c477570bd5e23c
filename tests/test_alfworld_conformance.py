"""The native engine against the official one, where that is installed."""

import json
from dataclasses import replace
from functools import lru_cache

import pytest
from macla.evals.alfworld import conformance, lockstep, official
from macla.evals.alfworld.environment import AlfworldEnvironment, make_native_engine
from macla.evals.alfworld.games import data_root, load_game
from macla.evals.alfworld.generator import generate_game, write_games
from macla.procedures.common.errors import DataError, MissingExtraError

INSTALLED = official.official_engine_installed()
needs_engine = pytest.mark.skipif(
    not INSTALLED, reason="the official engine is not installed; pip install 'macla[alfworld]'"
)
needs_data = pytest.mark.skipif(
    not (data_root() / "alfworld" / "json_2.1.1").is_dir(),
    reason=f"no ALFWorld games below {data_root()}; set MACLA_DATA",
)


_SAME_TEXTS = 2_000
"""How many texts of one game a parser is given, at most."""
_SAME_PROBLEMS = 2
"""What one game is made of: its problem, as it is and made small for the planner."""


@pytest.fixture
def texts_parsed_once(monkeypatch):
    """Let the official engine parse a text once: it does so at every command, for most of its time.

    What its parsers return depends on the text alone, and nothing changes it. A test without this
    plays the engine as it is.
    """
    from textworld import logic
    from textworld.envs import pddl
    from textworld.envs.pddl import textgen

    for parser in (logic._PARSER, textgen._PARSER):
        monkeypatch.setattr(parser, "parse", lru_cache(_SAME_TEXTS)(parser.parse))
    downward = pddl.logic.fast_downward
    monkeypatch.setattr(downward, "pddl2sas", lru_cache(_SAME_PROBLEMS)(downward.pddl2sas))


class Stubborn:
    """An engine that gives a wrong answer in one respect."""

    def __init__(self, engine, *, text=None, won=None, extra=()):
        self._engine = engine
        self._text = text
        self._won = won
        self._extra = list(extra)

    def reset(self):
        return self._engine.reset()

    def step(self, command):
        text, won = self._engine.step(command)
        return (self._text or text), (won if self._won is None else self._won)

    def admissible(self):
        return self._engine.admissible() + self._extra


def compare(**faults):
    game = generate_game(0).game()
    honest = make_native_engine(game)
    return lockstep.compare_engines(game, Stubborn(make_native_engine(game), **faults), honest)


def test_equal_engines_agree():
    report = compare()
    assert report.differences == ()
    assert report.steps == 60
    assert report.wins >= 1


@pytest.mark.parametrize(
    ("faults", "what"),
    [({"text": "Eh?"}, "text"), ({"won": True}, "won"), ({"extra": ["zap"]}, "admissible")],
)
def test_every_kind_of_difference_is_noticed(faults, what):
    report = compare(**faults)
    assert {each.what for each in report.differences} == {what}


def test_order_and_doubles_of_admissible_commands_count():
    report = compare(extra=["look"])
    assert {each.what for each in report.differences} == {"admissible"}


def test_walkthrough_is_played_in_the_dialect():
    game = generate_game(0).game()
    engines = [make_native_engine(game, "2.1.1") for _ in range(2)]
    report = lockstep.compare_engines(game, *engines, dialect="2.1.1")
    assert report.differences == ()
    assert report.wins >= 1


def test_bad_split_exits_with_2(capsys, tmp_path):
    assert conformance.main(["--split", str(tmp_path)]) == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--jobs", "-1"], ["--dialect", "x"]])
def test_bad_usage_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        conformance.main(arguments)
    assert caught.value.code == 2


def test_help_has_an_example(capsys):
    with pytest.raises(SystemExit):
        conformance.main(["--help"])
    assert "example:" in capsys.readouterr().out


@pytest.mark.skipif(INSTALLED, reason="the official engine is installed")
def test_without_the_extra_the_error_names_it(tmp_path):
    (path,) = write_games(tmp_path, 1)
    with pytest.raises(MissingExtraError, match=r"macla\[alfworld\]"):
        AlfworldEnvironment("textworld").reset(path)


@needs_engine
@pytest.mark.usefixtures("texts_parsed_once")
@pytest.mark.parametrize("dialect", ["2.1.3", "2.1.1"])
def test_generated_games_play_alike_on_both_engines(tmp_path, dialect):
    write_games(tmp_path, 6, seed=4)
    files = conformance.sample_games(None, split=str(tmp_path))
    report = conformance.compare_files(files, steps=30, dialect=dialect)
    assert report.differences == ()
    assert report.games == 6
    assert report.wins >= 6


@needs_engine
def test_several_processes_report_what_one_does(tmp_path):
    files = write_games(tmp_path, 2)
    one, several = (conformance.compare_files(files, steps=5, jobs=jobs) for jobs in (1, 2))
    assert replace(one, seconds=0.0) == replace(several, seconds=0.0)


@needs_engine
def test_report_as_json(tmp_path, capsys):
    write_games(tmp_path, 1)
    assert conformance.main(["--split", str(tmp_path), "--steps", "10", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["games"], document["differences"]) == (1, [])


@needs_engine
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("You close the {r.name}.", "{__import__('os').system('touch OWNED')}"),
        ("Your task is to: ", "Your task is to: {__import__('os').system('touch OWNED')} "),
    ],
)
def test_code_in_a_grammar_is_never_run(tmp_path, monkeypatch, old, new):
    monkeypatch.chdir(tmp_path)
    (path,) = write_games(tmp_path, 1)
    document = json.loads(path.read_text("utf-8"))
    assert old in document["grammar"]
    document["grammar"] = document["grammar"].replace(old, new)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError, match="execute"):
        AlfworldEnvironment("textworld").reset(path)
    assert not (tmp_path / "OWNED").exists()


@needs_engine
@needs_data
@pytest.mark.live
@pytest.mark.usefixtures("texts_parsed_once")
def test_thirty_official_games_play_alike_on_both_engines():
    files = conformance.sample_games(30, seed=0)
    report = conformance.compare_files(files, steps=30)
    assert report.differences == ()
    assert report.games == 30
    assert report.wins >= 30


@needs_engine
@needs_data
@pytest.mark.live
def test_official_environment_looks_like_the_native_one():
    (path,) = conformance.sample_games(1, seed=3)
    game = load_game(path)
    native, other = AlfworldEnvironment("native"), AlfworldEnvironment("textworld")
    assert native.reset(game) == other.reset(game)
    for command in [*game.walkthrough, "look", "dance"]:
        assert native.step(command) == other.step(command)
