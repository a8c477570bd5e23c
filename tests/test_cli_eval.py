"""Playing from the command line: eval, trace, demo."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import forking
import pytest
from command_line import as_json, run
from library_copies import copy_library
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.games import load_game
from macla.evals.alfworld.generator import write_games
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.library.library import Library
from macla.schemas import validator


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with demonstrations, games never seen, and a library."""
    folder = tmp_path_factory.mktemp("home")
    learned = write_games(folder / "learn", 8, seed=5)
    write_games(folder / "play", 8, seed=5, start=18)
    shown = [demonstrate(load_game(file)) for file in learned]
    write_trajectories(folder / "alfworld.jsonl", shown)
    result = run("learn", folder / "alfworld.jsonl", "--library", folder / "lib")
    assert result.exit_code == 0, result.output
    return folder


def evaluated(home: Path, *more: object) -> Any:
    split = ("--split", home / "play") if "--split" not in more else ()
    return as_json("eval", "alfworld", "--library", home / "lib", *split, *more)


@pytest.fixture(scope="module")
def plain(home: Path) -> Any:
    """What the games come to; nothing is recorded, so that each evaluation finds the same."""
    return evaluated(home)


def untimed(document: Any) -> Any:
    document = copy.deepcopy(document)
    document["wall_seconds"] = 0
    for episode in document["episodes"]:
        episode["seconds"] = 0
    for measured in ("decision_ms", "peak_memory_bytes"):
        document["metrics"][measured] = 0
    return document


def test_the_document_fits_its_schema(home: Path, plain: Any) -> None:
    document = plain
    assert list(validator("eval_result").iter_errors(document)) == []
    assert document["n"] == len(document["episodes"]) == 8
    wins = sum(episode["success"] for episode in document["episodes"])
    assert document["success_rate"] == wins / 8 > 0.7
    assert document["ci95"][0] < document["success_rate"] <= document["ci95"][1]
    steps = sum(episode["steps"] for episode in document["episodes"])
    assert document["mean_steps"] == pytest.approx(steps / 8)
    fallback = sum(episode["fallback_steps"] for episode in document["episodes"])
    assert document["reuse_rate"] == pytest.approx(1 - fallback / steps)
    assert document["library_hash"] == Library.open(home / "lib").content_hash
    assert document["llm_calls_per_episode"] == 0
    assert document["admissible"] is False
    assert set(document["versions"]) >= {"macla", "python", "langgraph"}


def test_evaluating_changes_nothing(home: Path) -> None:
    def state() -> dict[str, bytes]:
        return {
            str(path.relative_to(home)): path.read_bytes()
            for path in sorted((home / "lib").rglob("*"))
            if path.is_file()
            and not {"chroma"} & set(path.parts)
            and not path.name.startswith("evidence.db-")
        }

    as_json("trace", "--task", "a task", "--library", home / "lib")  # makes the index
    before = state()
    evaluated(home)
    assert state() == before


def test_a_lost_ontology_is_told_of(home: Path, tmp_path: Path) -> None:

    library = copy_library(home / "lib", tmp_path / "lib")
    (library / "ontology.yaml").unlink()
    where = ("alfworld", "--library", library, "--split", home / "play")
    findings = str(run("check", library, "--files").stdout)
    told = findings.partition("is missing")[2].partition("\n")[0]
    assert told
    for verb in (("eval", *where, "--limit", 1), ("trace", *where)):
        played = run(*verb, "--world", "max-steps=3")
        assert played.exit_code == 0, played.output
        assert f"macla: warning: {library}/ontology.yaml is missing{told}" in played.stderr


def test_practice_warns_of_another_dialect(home: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    library = Library.open(copy_library(home / "lib", tmp_path / "lib"))
    learned = {"from": "alfworld", "agent_logs": True}
    settings = {**library.settings.settings, "learned": learned}
    library.write_all(settings=replace(library.settings, settings=settings))
    call = ("practice", "alfworld", "--library", library.path, "--split", home / "play")
    played = run(*call, "--episodes", 1, "--world", "max-steps=3")
    assert played.exit_code == 0, played.output
    assert "was learned in the dialect 2.1.1, whose verbs differ" in played.stderr


def test_the_number_of_processes_changes_nothing(home: Path, plain: Any) -> None:
    assert untimed(plain) == untimed(evaluated(home, "--jobs", 2))


def test_the_order_of_a_split_changes_no_episode(home: Path, plain: Any, tmp_path: Path) -> None:
    games = sorted(str(path) for path in (home / "play").rglob("game.tw-pddl"))
    (tmp_path / "back.txt").write_text("# all\n\n" + "\n".join(reversed(games)) + "\n")
    there = untimed(plain)["episodes"]
    back = untimed(evaluated(home, "--split", tmp_path / "back.txt"))["episodes"]
    assert there == sorted(back, key=lambda each: [e["id"] for e in there].index(each["id"]))


def test_a_limit_is_a_seeded_sample(home: Path, plain: Any) -> None:
    def chosen(*more: object) -> list[str]:
        return [episode["id"] for episode in evaluated(home, "--limit", 3, *more)["episodes"]]

    everything = [episode["id"] for episode in plain["episodes"]]
    few = chosen()
    assert few == chosen()
    assert few == [each for each in everything if each in few]
    assert len({tuple(chosen("--seed", seed)) for seed in range(5)}) > 1


def test_recording_counts_an_episode_once(home: Path, tmp_path: Path) -> None:

    library = tmp_path / "lib"
    copy_library(home / "lib", library)
    call = ("eval", "alfworld", "--library", library, "--split", home / "play", "--record")

    def trials() -> float:
        items = as_json("list", library)["items"]
        return sum(item["successes"] + item["failures"] for item in items)

    before = trials()
    as_json(*call)
    once = trials()
    assert once > before
    as_json(*call, "--jobs", 2)
    # What was recorded changes the evidence, so another run may decide otherwise; what it does
    # alike counts once.
    assert trials() <= 2 * once - before


def test_the_arms(home: Path) -> None:
    nearest = evaluated(home, "--arm", "nearest", "--demos", home / "alfworld.jsonl")
    assert nearest["extra"]["arm"] == "nearest"
    assert nearest["reuse_rate"] == nearest["meta_hit_rate"] == 0
    call = (
        "eval",
        "alfworld",
        "--split",
        home / "play",
        "--arm",
        "random",
        "--world",
        "admissible",
    )
    chance = as_json(*call, "--world", "max-steps=5")
    assert chance["library_hash"] == "none"
    assert chance["mean_steps"] <= 5
    result = run(
        "eval", "alfworld", "--split", home / "play", "--arm", "random", "--world", "admissible"
    )
    assert "8 episodes" in result.stdout
    lacking = run(
        "eval", "alfworld", "--library", home / "lib", "--split", home / "play", "--arm", "nearest"
    )
    assert lacking.exit_code in (0, 2)


def test_words_that_do_not_match_are_warned_of(home: Path, plain: Any, tmp_path: Path) -> None:
    call = ("eval", "alfworld", "--library", home / "lib", "--split", home / "play")
    result = run(*call, "--world", "scramble=3", "--limit", 1, "--world", "max-steps=3")
    assert result.exit_code == 0
    assert "plain words" in result.stderr
    library = tmp_path / "lib"
    as_json("learn", home / "alfworld.jsonl", "--library", library, "--world", "scramble=3")
    call = (
        "eval",
        "alfworld",
        "--library",
        library,
        "--split",
        home / "play",
        "--world",
        "scramble=3",
    )
    played = run(*call, "--limit", 1)
    assert played.exit_code == 0
    assert played.stderr == ""
    assert "scrambled (3)" in played.stdout
    scrambled = as_json(*call)
    assert abs(plain["success_rate"] - scrambled["success_rate"]) <= 0.25


def test_bad_splits_and_games_end_with_2(home: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    broken = tmp_path / "broken" / "task" / "trial"
    broken.mkdir(parents=True)
    (broken / "game.tw-pddl").write_text('{"pddl_domain": "x"')
    listed = tmp_path / "list.txt"
    listed.write_text("no/such/game\n")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00\x01")
    for split in ("nonsense", tmp_path / "empty", tmp_path / "broken", listed, binary):
        call = ("eval", "alfworld", "--library", home / "lib", "--split", split)
        result = run(*call, "--world", f"data={tmp_path}")
        assert result.exit_code == 2, (split, result.output)
        assert result.stdout == ""
        assert "macla: error:" in result.stderr
        assert "Traceback" not in result.stderr


def test_human_goals_need_their_file(home: Path, tmp_path: Path) -> None:
    call = ("eval", "alfworld", "--library", home / "lib", "--split", home / "play")
    result = run(*call, "--world", "goals=human", "--world", f"data={tmp_path}")
    assert result.exit_code == 2
    assert "human_goals.json" in result.stderr


def test_trace_shows_every_action(home: Path) -> None:
    call = ("trace", "alfworld", "--library", home / "lib", "--split", home / "play", "--index", 2)
    document = as_json(*call)
    actions = [event["action"] for event in document["events"] if event.get("action")]
    assert len(actions) == document["steps"] > 0
    assert document["won"] is True
    assert document["events"][-1]["node"] == "conclude"
    for change in document["evidence"]:
        gained = change["after"]["alpha"] + change["after"]["beta"]
        assert gained > change["before"]["alpha"] + change["before"]["beta"]
    plain = run(*call).stdout
    for number, action in enumerate(actions, 1):
        assert f"{number:>4}  > {action}" in plain
    assert "EU " in plain
    assert "Beta(" in plain
    path = next((home / "play").rglob("game.tw-pddl"))
    named = run("trace", "alfworld", "--library", home / "lib", "--game-path", path)
    assert named.exit_code == 0
    several = run("trace", "alfworld", "--library", home / "lib", "--game-path", home / "play")
    assert several.exit_code == 2
    beyond = run(*call[:-1], 99)
    assert beyond.exit_code == 2
    assert "8 tasks" in beyond.stderr


# -- an environment of one's own -------------------------------------------------------

ENVIRONMENT = '''
class Boxes:
    """A thing lies in one of two boxes."""

    def reset(self, task):
        self.box, self.open = task["box"], None
        return "take the ball", "You see a red box and a blue box."

    def step(self, action):
        if action == "take the ball" and self.open == self.box:
            return "You take the ball.", 1.0, True, {}
        if action.startswith("open the "):
            self.open = action.removeprefix("open the ")
            seen = "a ball" if self.open == self.box else "nothing"
            return f"You open the {self.open}. You see {seen}.", 0.0, False, {}
        return "Nothing happens.", 0.0, False, {}

    def admissible(self):
        return ["open the blue box", "open the red box", "take the ball"]


class Silent(Boxes):
    admissible = None


class Sometimes(Boxes):
    def reset(self, task):
        if task.get("broken"):
            raise RuntimeError("out of order")
        return super().reset(task)


class Never(Boxes):
    def step(self, action):
        raise RuntimeError("boom")


class Hangs(Boxes):
    def step(self, action):
        import time

        time.sleep(30)


class Endless(Boxes):
    def step(self, action):
        import pathlib, time

        pathlib.Path("playing").touch()
        time.sleep(0.5)
        return "Nothing happens.", 0.0, False, {}
'''


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "macla_test_boxes", raising=False)
    (tmp_path / "macla_test_boxes.py").write_text(ENVIRONMENT)
    tasks = [{"id": f"t{i}", "box": "red box" if i % 2 else "blue box"} for i in range(4)]
    lines = "".join(json.dumps(task) + "\n" for task in [*tasks, {"box": "x", "broken": True}])
    (tmp_path / "tasks.jsonl").write_text(lines)
    found, empty = "You see a ball.", "You see nothing."
    start = "You see a red box and a blue box."
    with (tmp_path / "boxes.jsonl").open("w") as file:
        for box in ("red box", "blue box") * 4:
            acts = ["open the red box", "take the ball"]
            obs = [start, f"You open the red box. {found}", "You take the ball."]
            if box == "blue box":
                acts = ["open the red box", "open the blue box", "take the ball"]
                obs = [
                    start,
                    f"You open the red box. {empty}",
                    f"You open the blue box. {found}",
                    "You take the ball.",
                ]
            line = {"task": "take the ball", "obs": obs, "acts": acts, "success": True}
            file.write(json.dumps(line) + "\n")
    assert run("learn", "boxes.jsonl", "--library", "lib").exit_code == 0
    return tmp_path


def test_an_environment_of_ones_own(boxes: Path) -> None:
    call = ("--library", "lib", "--split", "tasks.jsonl", "--world", "max-steps=20")
    document = as_json("eval", "macla_test_boxes:Sometimes", *call)
    assert list(validator("eval_result").iter_errors(document)) == []
    assert [episode["id"] for episode in document["episodes"]] == ["t0", "t1", "t2", "t3", "task-5"]
    errors = [episode.get("error") for episode in document["episodes"]]
    assert errors[:4] == [None] * 4
    assert "out of order" in errors[4]
    assert document["extra"]["errors"] == 1
    assert document["n"] == 5
    several = as_json("eval", "macla_test_boxes:Sometimes", *call, "--jobs", 2)
    assert untimed(several) == untimed(document)
    warned = run("eval", "macla_test_boxes:Sometimes", *call)
    assert "1 of 5 episodes ended by an error" in warned.stderr


@pytest.mark.parametrize(
    ("environment", "more", "expected"),
    [
        ("macla_test_boxes:Never", (), "boom"),
        ("macla_test_boxes:Hangs", ("--world", "timeout=0.2", "--limit", "1"), "did not return"),
        ("macla_test_boxes:Silent", ("--world", "admissible"), "admissible"),
        ("macla_test_boxes:Nothing", (), "Nothing"),
        ("no_such_module:Boxes", (), "no_such_module"),
        ("macla_test_boxes:Boxes", ("--split", "none.txt"), "none.txt"),
        ("macla_test_boxes:Boxes", ("--split", "bad.jsonl"), "bad.jsonl:1"),
        ("macla_test_boxes:Boxes", ("--world", "engine=native"), "engine"),
    ],
)
def test_environments_that_do_not_work(
    environment: str, more: tuple[str, ...], expected: str, boxes: Path
) -> None:
    (boxes / "bad.jsonl").write_text("{not json}\n")
    call = ("eval", environment, "--library", "lib", "--split", "tasks.jsonl", *more)
    result = run(*call)
    assert result.exit_code == 2, result.output
    assert expected in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_the_demo_needs_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from macla.cli.main import main; main()"),
            *("demo", "--keep", str(kept)),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
        env={**os.environ, "MACLA_DATA": str(tmp_path / "none")},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    for part in ("kind: procedure", "kind: meta", "95 % interval", "> go to", "EU ", "Try next"):
        assert part in done.stdout
    assert Library.open(kept / "library").procedures
    assert len(list((kept / "games" / "play").rglob("game.tw-pddl"))) == 12
    again = run("demo", "--keep", kept)
    assert again.exit_code == 2
    assert "not empty" in again.stderr


@pytest.mark.fault
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_while_playing(boxes: Path, jobs: str) -> None:
    tasks = "".join(json.dumps({"id": f"t{n}", "box": "blue box"}) + "\n" for n in range(9))
    (boxes / "many.jsonl").write_text(tasks)
    running = forking.popen(
        [
            *(sys.executable, *forking.COMMAND),
            *("eval", "macla_test_boxes:Endless", "--library", "lib", "--jobs", jobs),
            *("--split", "many.jsonl", "--json", "--world", "timeout=90"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(boxes), *sys.path])},
    )
    until = time.monotonic() + 60
    while not (boxes / "playing").exists() and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: the workers get it, too
    out, errors = running.communicate(timeout=60)
    assert (boxes / "playing").exists()
    assert running.returncode == 130, errors
    assert out == b""
    assert b"stopped" in errors
    assert b"Traceback" not in errors
    assert run("check", "lib", "--files").exit_code == 0
