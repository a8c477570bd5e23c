"""Episodes as JSON Lines: what is read, what is refused, and how fast."""

from __future__ import annotations

import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.common.errors import TrajectoryError
from macla.procedures.episodes.trajectories import (
    Trajectory,
    find_problem,
    read_trajectories,
    write_trajectories,
)
from macla.schemas import validator

GOOD: dict[str, Any] = {"task": "t", "obs": ["a", "b"], "acts": ["go"], "success": True}


def line(**changes: Any) -> bytes:
    return json.dumps({**GOOD, **changes}).encode() + b"\n"


@pytest.mark.parametrize(
    ("content", "message", "number"),
    [
        (b"", "holds no episode", None),
        (b"\n \n", "holds no episode", None),
        (line()[:-10], "cut off", 1),
        (line() + line()[:30], "cut off", 2),
        (line() + b"\n" + b"\xff\xfe\x00", "UTF-8", 3),
        (bytes(range(256)), "not JSON", 1),
        (bytes(range(128, 256)), "UTF-8", 1),
        (b"\x00\x01\x02\n", "not JSON", 1),
        (b"[" * 100_000, "nests too deep", 1),
        (b"[]\n", "not a JSON object", 1),
        (b"5\n", "not a JSON object", 1),
        (b'{"task": "t"}\n', "'obs' is missing", 1),
        (line(more=1), "unknown key 'more'", 1),
        (line(obs=["a"]), "one observation more", 1),
        (line(obs=[], acts=[]), "one observation more", 1),
        (line(acts=["a", "b"]), "one observation more", 1),
        (line(obs="ab"), "lists of texts", 1),
        (line(obs=["a", 5]), "'obs.1' must be a text, not int", 1),
        (line(acts=[None]), "'acts.0' must be a text, not NoneType", 1),
        (line(acts=[""]), "'acts.0' is empty", 1),
        (line(task=""), "'task' is empty", 1),
        (line(task=5), "'task' must be a text", 1),
        (line(success=1), "true or false", 1),
        (line(success="true"), "true or false", 1),
        (line(info=[]), "must be an object", 1),
        (line(id=5), "'id' must be a text", 1),
        (line(source=""), "'source' is empty", 1),
        (line(obs=["a", "b\x00"]), "control character U+0000", 1),
        (line(obs=["a", "b\r"]), "control character U+000D", 1),
        (line(acts=["b\r\n"]), "control character U+000D", 1),
        (line(obs=["a", "\x1b[31m"]), "control character U+001B", 1),
        (line(acts=["\x7f"]), "control character U+007F", 1),
        (json.dumps({**GOOD, "task": "\x85"}, ensure_ascii=False).encode(), "U+0085", 1),
        (json.dumps({**GOOD, "task": "\x7f"}, ensure_ascii=False).encode(), "U+007F", 1),
        (line(task="\ud800"), "U+D800", 1),
        (line(obs=["a", "b" * 1_048_577]), "1048577 characters", 1),
        (b'{"task": "a\x01", "obs": ["b"], "acts": [], "success": true}', "not JSON", 1),
        (line()[:-2] + b', "info": {"a": NaN}}', "NaN is not allowed", 1),
        (line()[:-2] + b', "info": {"a": -Infinity}}', "-Infinity is not allowed", 1),
        (line()[:-2] + b', "info": {"a": ' + b"1" * 5_000 + b"}}", "not JSON", 1),
    ],
)
def test_bad_input(tmp_path: Path, content: bytes, message: str, number: int | None) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(content)
    with pytest.raises(TrajectoryError) as caught:
        list(read_trajectories(file))
    assert message in str(caught.value)
    assert str(file) + (f":{number}: " if number else ": ") in str(caught.value)
    assert len(str(caught.value)) < 600


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(TrajectoryError, match="cannot be read"):
            list(read_trajectories(path))


def test_reading_is_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + line() + b"\n" + line(task="\u00e9\n\t") + b"{")
    stream = read_trajectories(file)
    assert next(stream) == Trajectory("t", ("a", "b"), ("go",), True)
    assert next(stream).task == "\u00e9\n\t"
    with pytest.raises(TrajectoryError, match=":4: "):
        next(stream)


TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"))
TRAJECTORIES = st.builds(
    lambda task, pairs, success, name: Trajectory(
        task, ("first", *(o for o, _ in pairs)), tuple(a for _, a in pairs), success, name
    ),
    TEXT.filter(str.strip),
    st.lists(st.tuples(TEXT, TEXT.filter(bool)), max_size=4),
    st.booleans(),
    TEXT,
)


@given(st.lists(TRAJECTORIES, min_size=1, max_size=4))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, items: list[Trajectory]) -> None:
    file = tmp_path_factory.mktemp("t") / "a.jsonl"
    assert write_trajectories(file, items) == len(items)
    assert list(read_trajectories(file)) == items
    assert all(validator("trajectory").is_valid(item.to_document()) for item in items)


def test_extras_survive_and_are_immutable(tmp_path: Path) -> None:
    item = Trajectory("t", ("a",), (), False, "n", "s", {"deep": {"list": [1, {"a": None}]}})
    write_trajectories(tmp_path / "a.jsonl", [item])
    (again,) = read_trajectories(tmp_path / "a.jsonl")
    assert again.to_document() == item.to_document()
    with pytest.raises(TypeError):
        again.info["deep"]["new"] = 1  # type: ignore[index]


@pytest.mark.parametrize(
    "bad",
    [
        Trajectory("t", ("a",), ("b",), True),
        Trajectory("t", ("a\x00",), (), True),
        Trajectory("t", ("a",), (), True, info={"a": float("nan")}),
        Trajectory("t", ("a",), (), True, info={"a": {1, 2}}),
        Trajectory("\ud800", ("a",), (), True),
    ],
)
def test_a_bad_episode_leaves_the_file_as_it_was(tmp_path: Path, bad: Trajectory) -> None:
    file = tmp_path / "a.jsonl"
    write_trajectories(file, [Trajectory("t", ("a",), (), True)])
    before = file.read_bytes()
    with pytest.raises(TrajectoryError, match="episode 2 cannot be written"):
        write_trajectories(file, [Trajectory("t", ("a",), (), True), bad])
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    with pytest.raises(TrajectoryError, match="cannot be written"):
        write_trajectories(tmp_path / "no" / "a.jsonl", [])


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(st.characters(), max_size=4),
    st.lists(st.one_of(st.text(st.characters(), max_size=3), st.integers()), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
KEYS = st.sampled_from(["task", "obs", "acts", "success", "id", "source", "info", "more"])


@settings(max_examples=400)
@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sets(KEYS, max_size=1))
def test_the_check_by_hand_agrees_with_the_schema(changes: dict[str, Any], gone: set[str]) -> None:
    document = {**copy.deepcopy(GOOD), "id": "i", "source": "s", "info": {}, **changes}
    document = {key: value for key, value in document.items() if key not in gone}
    problem = find_problem(document)
    if problem is not None and "one observation more" in problem:
        return  # what a schema cannot say
    assert (problem is None) == validator("trajectory").is_valid(document), problem


@given(st.text(st.characters(), max_size=6), st.booleans())
def test_reading_agrees_with_the_schema_on_texts(
    tmp_path_factory: pytest.TempPathFactory, text: str, ascii_only: bool
) -> None:
    """The quick look for control characters at the line misses none."""
    document = {**GOOD, "obs": ["a", text]}
    try:
        content = json.dumps(document, ensure_ascii=ascii_only).encode()
    except UnicodeEncodeError:
        return
    file = tmp_path_factory.mktemp("t") / "a.jsonl"
    file.write_bytes(content)
    try:
        (read,) = read_trajectories(file)
        assert read.obs[1] == text.replace("\r\n", "\n")
        accepted = True
    except TrajectoryError:
        accepted = False
    assert accepted == validator("trajectory").is_valid(document)


def test_line_ends_of_windows_are_line_feeds(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(line(obs=["a\r\nb", "c\r\n"]))
    (read,) = read_trajectories(file)
    assert read.obs == ("a\nb", "c\n")


@pytest.mark.speed
def test_speed(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    text = "You arrive at cabinet 3. On the cabinet 3, you see a mug 1, and a plate 2."
    item = Trajectory("put a mug in the cabinet", (text,) * 30, ("go to cabinet 3",) * 29, True)
    write_trajectories(file, [item] * 2_851)
    begin = time.perf_counter()
    assert sum(1 for _ in read_trajectories(file)) == 2_851
    assert time.perf_counter() - begin < 2.5  # 0.1 s here; the limit allows for a busy machine


@pytest.mark.parametrize(
    ("reward", "fits"),
    [(0, True), (0.5, True), (1.0, True), (-0.1, False), (1.1, False), (True, False), ("1", False)],
)
def test_a_reward_is_a_grade(reward, fits):
    document = {"task": "t", "obs": ["a", "b"], "acts": ["x"], "success": False, "reward": reward}
    assert (find_problem(document) is None) is fits
    assert validator("trajectory").is_valid(document) is fits
    if fits:
        trajectory = Trajectory.from_document(document)
        assert trajectory.reward == reward
        assert trajectory.to_document() == document
