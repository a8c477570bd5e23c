"""Names, seeds, splits and texts of TextWorld games: nothing here needs TextWorld itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from macla.evals.textworld import GAMES, SPLITS, list_games, make
from macla.evals.textworld.game_text import (
    clean_feedback,
    first_observation,
    is_meta_command,
    last_sentence,
)
from macla.evals.textworld.games import (
    check_game,
    data_root,
    find_games,
    game_id,
    recipe_of,
    split_folder,
)
from macla.procedures.common.errors import DataError, MissingExtraError

STATUS = "\n>" + " " * 120 + "-= Kitchen =-0/5"
TASK = "You are hungry! Let's cook."
BANNER = "\n\n  ________  \n  |        \\|   \\$$\n\n"


def fake_game(folder: Path, stem: str = "game") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{stem}.json").write_text("{}")
    path = folder / f"{stem}.z8"
    path.write_bytes(b"z8")
    return path


def test_feedback_loses_prompt_status_line_and_blank_lines():
    assert clean_feedback("\n\nYou go.  \n\n\n\nA door.\n\n" + STATUS) == "You go.\n\nA door."


def test_the_interpreters_question_at_the_end_is_cut():
    raw = (
        "You eat.\n\n\n   *** The End ***\n\n\nWould you like to RESTART, RESTORE, QUIT?\n> "
        + STATUS
    )
    assert clean_feedback(raw) == "You eat.\n\n\n   *** The End ***".replace("\n\n\n", "\n\n")


def test_a_recipe_keeps_its_lines():
    recipe = "Ingredients:\negg\n  leek\n\nDirections:\nfry the egg\n  prepare meal"
    assert clean_feedback("\n" + recipe + "\n\n" + STATUS) == recipe


def test_first_observation_has_neither_banner_nor_objective():
    raw = BANNER + TASK + "\n\n-= Kitchen =-\nA stove.\n" + STATUS
    assert first_observation(raw, TASK) == "-= Kitchen =-\nA stove."


def test_first_observation_without_the_objective_starts_at_the_room():
    raw = BANNER + "Something else.\n\n-= Kitchen =-\nA stove.\n" + STATUS
    assert first_observation(raw, TASK) == "-= Kitchen =-\nA stove."
    assert first_observation("No room here.", "") == "No room here."


@pytest.mark.parametrize(
    ("text", "about", "expected"),
    [
        ("Go east. Then, take the key from it. That's it!", "key", "Then, take the key from it."),
        ("Take the Key.", "key", "Take the Key."),
        ("One. Two!", "", "Two!"),
        ("One. Two!", "three", "Two!"),
        ("", "x", ""),
    ],
)  # fmt: skip
def test_last_sentence(text, about, expected):
    assert last_sentence(text, about) == expected


@pytest.mark.parametrize(
    "action",
    ["UNDO", "tw-print facts", "", "  ", "save", "x" * 200, "é" * 100, "look\0", "look. undo"],
)
def test_commands_that_reach_past_the_game(action):
    assert is_meta_command(action)


@pytest.mark.parametrize(
    "action", ["open fridge", "go north", "look", "inventory", "go east. look"]
)
def test_commands_of_the_game(action):
    assert not is_meta_command(action)


def test_recipes_are_fixed_and_differ_between_splits():
    seeds = {
        (game, split): {recipe_of(game, split, i).seed for i in range(300)}
        for game in GAMES
        for split in SPLITS
    }
    assert not seeds["cooking", "train"] & seeds["cooking", "test"]
    assert not seeds["cooking", "dev"] & seeds["cooking", "test"]
    assert recipe_of("cooking", "train", 7) == recipe_of("cooking", "train", 7)
    assert recipe_of("cooking", "train", 7).id == "cooking-train-0007"
    recipes = [recipe_of("cooking", split, i) for split in SPLITS for i in (0, 9)]
    assert len({recipe.attempt_seed(a) for recipe in recipes for a in range(40)}) == 240


def test_cooking_recipes_vary():
    arguments = [recipe_of("cooking", "train", i).arguments for i in range(45)]
    assert len(set(arguments)) == 36  # 9 sizes, and all flags (two games in five) or one left out
    for flag in ("--open", "--cook", "--cut"):
        assert sum(flag not in a for a in arguments) == 9
    assert all(a[a.index("--split") + 1] == "train" for a in arguments)
    assert "valid" in recipe_of("cooking", "dev", 0).arguments
    assert "test" in recipe_of("cooking", "test", 0).arguments


def test_treasure_goes_through_all_levels_and_hunt_shares_its_games():
    levels = {recipe_of("treasure", "train", i).arguments[-1] for i in range(30)}
    assert levels == {str(level) for level in range(1, 31)}
    assert recipe_of("hunt", "test", 3) == recipe_of("treasure", "test", 3)
    assert split_folder("hunt", "dev", "/d") == Path("/d/textworld/treasure/dev")


def test_data_root(monkeypatch):
    monkeypatch.delenv("MACLA_DATA", raising=False)
    assert data_root() == Path.home() / ".cache" / "macla" / "bench"
    monkeypatch.setenv("MACLA_DATA", "/somewhere")
    assert data_root() == Path("/somewhere")
    assert data_root("/else") == Path("/else")


def test_unknown_names():
    with pytest.raises(DataError, match="choose one of cooking, treasure, hunt"):
        check_game("chess")
    with pytest.raises(DataError, match="train, dev, test"):
        recipe_of("cooking", "valid", 0)
    with pytest.raises(DataError, match="at least 1"):
        list_games("cooking", "train", 0)


def test_find_games_in_folder_file_and_list(tmp_path):
    one = fake_game(tmp_path / "set" / "b")
    two = fake_game(tmp_path / "set" / "a")
    flat = fake_game(tmp_path / "set", "flat")
    fake_game(tmp_path / "set" / ".half-made")
    assert find_games(tmp_path / "set") == [two, one, flat]
    assert find_games(one) == find_games(one.with_suffix(".json")) == [one]
    listing = tmp_path / "games.txt"
    listing.write_text(f"# two games\n\nset/b/game.z8\n{flat}\nset/a\n")
    assert find_games(listing) == [one, flat, two]
    assert list_games("cooking", listing, 2) == [one, flat]
    assert [game_id(path) for path in (one, flat)] == ["b", "flat"]


def test_find_games_says_what_is_wrong(tmp_path):
    with pytest.raises(DataError, match="no such split, folder or list"):
        find_games(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no TextWorld game"):
        find_games(tmp_path / "empty")
    alone = tmp_path / "alone.z8"
    alone.write_bytes(b"")
    with pytest.raises(DataError, match="json is missing"):
        find_games(alone)
    listing = tmp_path / "list.txt"
    listing.write_text("")
    with pytest.raises(DataError, match="names no game"):
        find_games(listing)
    listing.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not a text file"):
        find_games(listing)
    for line in ("nowhere.z8", "a\0b", "x" * 10_000):
        listing.write_text(line)
        with pytest.raises(DataError, match="is not there"):
            find_games(listing)
    listing.write_text("list.txt")
    with pytest.raises(DataError, match="not a TextWorld game"):
        find_games(listing)


def test_missing_textworld_is_said_with_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(make.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'macla\[textworld\]'"):
        list_games("cooking", "train", 1, tmp_path)
    # Games that are there need nothing to be listed.
    path = fake_game(split_folder("cooking", "train", tmp_path) / "cooking-train-0000")
    assert list_games("cooking", "train", 1, tmp_path) == [path]


def test_a_seed_without_a_game_is_replaced_and_its_traces_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "require_textworld", lambda: None)
    seeds = []

    def tw_make(arguments, output):
        seeds.append(int(arguments[-1]))
        if len(seeds) < 3:
            return "QuestGenerationError"
        fake_game(output.parent)
        (output.parent / "game.ni").write_text("source")
        return ""

    monkeypatch.setattr(make, "_run_tw_make", tw_make)
    told = []
    paths = list_games("hunt", "test", 1, tmp_path, progress=lambda a, b: told.append((a, b)))
    assert told == [(1, 1)]
    assert len(set(seeds)) == 3
    assert sorted(p.name for p in paths[0].parent.iterdir()) == [
        "game.json",
        "game.z8",
        "made.json",
    ]
    assert [p.name for p in paths[0].parent.parent.iterdir()] == ["treasure-test-0000"]
    assert json.loads((paths[0].parent / "made.json").read_text())["seed"] == seeds[-1]


def test_a_game_that_cannot_be_made_is_an_error_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "require_textworld", lambda: None)
    monkeypatch.setattr(make, "_run_tw_make", lambda arguments, output: "no luck")
    with pytest.raises(DataError, match=r"treasure-test-0000.*no luck"):
        list_games("treasure", "test", 2, tmp_path)
    assert list((tmp_path / "textworld" / "treasure" / "test").iterdir()) == []


def test_the_faster_process_wins(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "require_textworld", lambda: None)
    folder = split_folder("cooking", "dev", tmp_path)

    def tw_make(arguments, output):
        fake_game(output.parent)
        (fake_game(folder / "cooking-dev-0000")).write_bytes(b"theirs")
        return ""

    monkeypatch.setattr(make, "_run_tw_make", tw_make)
    (path,) = list_games("cooking", "dev", 1, tmp_path)
    assert path.read_bytes() == b"theirs"
    assert [p.name for p in folder.iterdir()] == ["cooking-dev-0000"]
