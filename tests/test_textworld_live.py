"""Making and playing real TextWorld games; skipped where TextWorld is not installed."""

from __future__ import annotations

import importlib.util
import json

import pytest
from macla.evals.textworld import TextWorldEnvironment, list_games, load_demonstrations
from macla.evals.textworld.games import recipe_of
from macla.evals.textworld.make import make_game
from macla.graph.protocols import AdmissibleEnvironment
from macla.procedures.common.errors import DataError, EnvironmentFailure

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        importlib.util.find_spec("textworld") is None,
        reason="needs TextWorld: pip install 'macla[textworld]'",
    ),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def cooking(root):
    return list_games("cooking", "train", 2, root, jobs=2)[1]


@pytest.fixture(scope="module")
def treasure(root):
    return list_games("treasure", "train", 2, root, jobs=2)[1]


@pytest.fixture
def environment():
    environment = TextWorldEnvironment("cooking")
    yield environment
    environment.close()


def test_a_cooking_game_is_text_only_and_can_be_won(environment, cooking):
    assert isinstance(environment, AdmissibleEnvironment)
    task, scene = environment.reset(cooking)
    assert task.startswith("You are hungry!")
    assert task.endswith("enjoy your meal!")
    assert scene.startswith("-= ")
    assert "$$" not in scene
    assert "hungry" not in scene
    total, actions = 0.0, environment.walkthrough()
    assert actions[:2] == ["inventory", "examine cookbook"]
    for action in actions[:-1]:
        observation, reward, done, info = environment.step(action)
        total += reward
        assert not done
        assert not info["won"]
        assert observation
        assert not observation.endswith("/1")
        assert environment.admissible() == sorted(environment.admissible()) != []
    observation, reward, done, info = environment.step(actions[-1])
    assert done
    assert info["won"]
    assert not info["lost"]
    assert total + reward == info["score"] == info["max_score"]
    assert "RESTART" not in observation
    assert environment.admissible() == []
    with pytest.raises(EnvironmentFailure, match="over"):
        environment.step("look")


def test_a_lost_game_ends_the_episode(environment, cooking):
    environment.reset(cooking)
    ingredient = next(a for a in environment.walkthrough() if a.startswith(("slice", "dice")))
    for action in environment.walkthrough():
        if action == ingredient:
            break
        environment.step(action)
    wrong = ingredient.replace("slice", "chop").replace("dice", "chop")
    _, _, done, info = environment.step(wrong)
    assert done
    assert info["lost"]
    assert not info["won"]


def test_the_same_actions_give_the_same_texts(environment, cooking):
    def run():
        texts = list(environment.reset(str(cooking)))
        texts += [environment.step(action)[0] for action in ("look", "inventory", "open fridge")]
        return texts, environment.admissible()

    assert run() == run()


def test_commands_past_the_game_change_nothing(environment, cooking):
    _, scene = environment.reset(cooking)
    for action in ("tw-print state", "undo", "restart", "save", "quit", "x" * 5000, ""):
        observation, reward, done, _ = environment.step(action)
        assert (observation, reward, done) == ("That's not a verb I recognise.", 0.0, False)
    assert environment.step("gibberish")[0] == "That's not a verb I recognise."
    assert environment.step("look\n\n")[0] == scene
    for action in ('take "knife"', "take [x] {0} %s", "prendre l'œuf", "\x00\x07look", "漢字"):
        observation, _, done, _ = environment.step(action)
        assert isinstance(observation, str)
        assert not done
    assert environment.step("look")[0] == scene


def test_what_cannot_be_played_is_said(environment, cooking, tmp_path):
    with pytest.raises(EnvironmentFailure, match="call reset"):
        environment.step("look")
    with pytest.raises(DataError, match="path of a game"):
        environment.reset(5)
    with pytest.raises(DataError, match="no such"):
        environment.reset(tmp_path / "none.z8")
    with pytest.raises(DataError, match="one game is needed"):
        environment.reset(cooking.parent.parent)
    for content in (b"not a game", b""):
        (tmp_path / "bad.z8").write_bytes(cooking.read_bytes())
        (tmp_path / "bad.json").write_bytes(content)
        with pytest.raises(DataError, match="cannot start"):
            environment.reset(tmp_path / "bad.z8")
    assert environment.admissible() == []
    with pytest.raises(DataError, match="no walkthrough"):
        environment.walkthrough()


def test_demonstrations_win_and_are_kept(root, cooking, monkeypatch):
    first = load_demonstrations("cooking", "train", 2, root)
    assert [d.id for d in first] == ["cooking-train-0000", "cooking-train-0001"]
    assert all(d.success and len(d.obs) == len(d.acts) + 1 for d in first)
    assert "examine cookbook" in first[1].acts
    kept = cooking.parent / "demo-cooking.jsonl"
    assert json.loads(kept.read_text())["acts"] == list(first[1].acts)
    monkeypatch.setattr(TextWorldEnvironment, "reset", None)  # a second time nothing is played
    assert load_demonstrations("cooking", cooking.parent.parent, None, root) == first


def test_hunt_is_treasure_without_the_route(root, treasure):
    (_, plain), (_, short) = (
        load_demonstrations(g, "train", 2, root) for g in ("treasure", "hunt")
    )
    assert plain.acts == short.acts
    assert plain.obs == short.obs
    assert short.task in plain.task
    assert len(short.task) < len(plain.task)
    assert plain.acts[-1].split()[1] in short.task
    assert short.success


def test_a_game_is_the_same_every_time(tmp_path, treasure):
    again = make_game(recipe_of("treasure", "train", 1), tmp_path)
    assert again.with_suffix(".json").read_bytes() == treasure.with_suffix(".json").read_bytes()
