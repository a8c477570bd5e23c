"""Suites as files, and the arms that they compare."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from macla.evals.players.arm_kinds import ARMS, arm_kind
from macla.evals.players.arms import Setting, make_environment
from macla.evals.players.retrieval_players import TrajectoryRetrieval, WorkflowRetrieval
from macla.evals.suites.suite_files import SUITES, read_suite, suite_of
from macla.evals.suites.suites import Copied, Solved, make_suite
from macla.procedures.common.errors import DataError, MaclaError, SchemaError
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.method.ablation import PARTS
from macla.schemas import load_schema

SHELTER = '''
class Lamp:
    """A lamp with a switch; the task names it."""

    def __init__(self, word="press"):
        self.word = word

    def reset(self, task):
        self.lit = False
        return task, "A switch is here."

    def admissible(self):
        return ["wait", f"{self.word} the switch"]

    def step(self, action):
        self.lit = action == f"{self.word} the switch"
        return ("Light." if self.lit else "Dark."), float(self.lit), self.lit, {"won": self.lit}
'''
SUITE = """kind: suite
suite: my-lamp
environment: lamp_of_a_suite:Lamp
arguments: {word: push}
data: {demonstrations: demos.jsonl}
splits:
  dev: {role: dev, file: dev.txt}
protocol: {max_steps: 3, actions: shown}
arms: [macla, nearest, random, without-meta]
metrics: {primary: success}
"""
DEMONSTRATION = {
    "task": "light the blue lamp",
    "obs": ["A switch is here.", "Light."],
    "acts": ["push the switch"],
    "success": True,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lamp_suite(tmp_path / "mine")


def lamp_suite(place: Path) -> Path:
    """Write a suite with its environment, tasks and demonstration into a new folder."""
    place.mkdir()
    (place / "lamp_of_a_suite.py").write_text(SHELTER)
    (place / "suite.yaml").write_text(SUITE)
    (place / "dev.txt").write_text("light the red lamp\nlight the green lamp\n")
    (place / "demos.jsonl").write_text(json.dumps(DEMONSTRATION) + "\n")
    return place


@pytest.mark.parametrize("name", SUITES)
def test_the_suites_that_come_with_macla(name: str) -> None:
    file = suite_of(name)
    assert (file.name, file.own) == (name, False)
    assert all(arm_kind(arm) for arm in file.arms)
    suite = make_suite(name)
    assert pickle.loads(pickle.dumps(suite)) == suite
    assert (suite.max_steps, suite.guarded) == (file.max_steps, False)
    for option, values in file.options.items():
        assert getattr(suite, option) == values[0]  # the default stands first
    assert isinstance(suite, Solved) == ("oracle" in file.arms)
    facts = set(suite.facts()) if name != "webshop" else {"engine"}  # its shop is data
    assert facts <= load_schema("eval_result")["properties"].keys()
    assert isinstance(suite, Copied) == ("copy" in file.arms)


def test_a_suite_of_ones_own_needs_a_file_and_a_class(folder: Path) -> None:
    suite = make_suite(str(folder / "suite.yaml"))
    setting = Setting(suite, arm="nearest", max_steps=suite.max_steps, admissible=True)
    assert suite.tasks("dev")[0].reference == "light the red lamp"
    assert make_environment(setting).admissible() == ["wait", "push the switch"]
    assert suite.name == suite.domain == "my-lamp"
    play = ("eval", str(folder / "suite.yaml"), "--split", "dev", "--json")
    for arm in ("nearest", "rebound", "workflows", "trajectories", "random"):
        found = json.loads(run(*play, "--arm", arm).stdout)
        assert (found["suite"], found["max_steps"], found["admissible"]) == ("my-lamp", 3, True)
        assert found["success_rate"] == 1.0 or arm == "random"
    with pytest.raises(DataError, match="no split 'test' beside dev"):
        suite.tasks("test")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("kind: suite\n", "kind: sweet\n", 1, "kind"),
        ("suite: my-lamp\n", "suite: My Lamp\n", 2, "suite"),
        ("max_steps: 3", "max_step: 3", 8, "max_steps"),
        ("nearest, random", "nearest, chance", 9, "no arm 'chance'"),
        ("without-meta", "without-luck", 9, "no arm 'without-luck'"),
        ("file: dev.txt", "file: gone.txt", 7, "there is no file"),
        (", file: dev.txt", "", 7, "'file' is missing"),
        ("role: dev", "role: sealed", 7, "one of"),
        ("demos.jsonl", "gone.jsonl", 5, "there is no file"),
        ("arguments: {word: push}\n", "options: {a: [b]}\n", 4, "belongs to a suite with 'reader'"),
        ("environment:", "reader:", 4, "belongs to a suite with 'environment'"),
        ("primary: success", "primary: points", 10, "one of"),
        ("splits:\n", "splits: [\n", 7, "not readable as YAML"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_key(
    folder: Path, old: str, new: str, line: int, message: str
) -> None:
    path = folder / "suite.yaml"
    path.write_text(SUITE.replace(old, new))
    with pytest.raises(SchemaError, match=message) as caught:
        read_suite(path)
    assert f"suite.yaml:{line}" in str(caught.value) or line == 7


def test_what_is_no_suite(folder: Path) -> None:
    for name in ("nothing", "no.yaml", str(folder), "suite"):
        with pytest.raises(MaclaError):
            make_suite(name)
    reader = SUITE.replace("environment: lamp_of_a_suite:Lamp", "reader: json:JSONDecoder")
    (folder / "suite.yaml").write_text(reader.replace("arguments: {word: push}\n", ""))
    with pytest.raises(DataError, match="is no class made of FiledSuite"):
        make_suite(str(folder / "suite.yaml"))


def test_arms_by_name() -> None:
    assert all(arm_kind(f"without-{part}").without == (part,) for part in PARTS)
    suite = make_suite("alfworld")
    assert Setting(suite, arm="without-meta", library="x", without=("risk",)).ablated == {
        "meta",
        "risk",
    }
    wrong: tuple[dict[str, Any], ...] = (
        {"arm": "chance"},
        {"arm": "paper"},
        {"arm": "paper", "library": "x", "preset": "printed"},
        {"arm": "random"},
    )
    for changes in wrong:
        with pytest.raises(DataError):
            Setting(suite, **changes)
    with pytest.raises(DataError, match="no solutions"):
        Setting(make_suite("webshop"), arm="oracle")
    with pytest.raises(DataError, match="no copy"):
        Setting(make_suite("alfworld"), arm="copy")
    assert len(ARMS) == len({kind.about for kind in ARMS.values()})


def shown(task: str, *steps: tuple[str, str]) -> Trajectory:
    return Trajectory(
        task, ("A hall.", *(obs for _, obs in steps)), tuple(a for a, _ in steps), True
    )


def test_players_of_retrieved_text() -> None:
    fetch = [
        shown(
            f"fetch the {thing}",
            *([("look around", "A hall.")] if at == 0 else []),
            (f"open box {at}", f"You see a {thing} {at}."),
            (f"take {thing} {at}", "Taken."),
        )
        for at, thing in enumerate(("cup", "pen", "fan"))
    ]
    other = [shown("sing", ("sing loudly", "La."))]
    workflow = WorkflowRetrieval([*fetch, *other])
    workflow.start("fetch the hat", "A hall with box 7.")
    # What only one of them did is no part of it; names are those that are there.
    assert workflow.choose("A hall with box 7.", None) == "open box 7"
    assert workflow.choose("You see a hat 3.", None) == "take hat 3"
    assert workflow.choose("Taken.", None) is None
    workflow.start("fetch the hat", "A hall.")
    assert workflow.choose("A hall.", ["open box 5", "wait"]) == "open box 5"
    assert workflow.choose("Empty.", ["wait"]) is None
    player = TrajectoryRetrieval([*fetch, *other])
    player.start("fetch the cup", "A hall.")
    first = player.choose("A hall.", ["open box 1", "sing loudly"])
    assert first == "open box 1"
    assert player.choose("A hall.", ["open box 1"]) is None  # it changed nothing
    for kind in (WorkflowRetrieval, TrajectoryRetrieval):
        with pytest.raises(DataError):
            kind([])
