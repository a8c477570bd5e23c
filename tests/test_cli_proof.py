"""``macla check --proof``, and what ``learn``, ``list`` and ``check`` say of a proof."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import as_json, run
from library_copies import copy_library
from macla.adapters.langchain.store import AgentMemory
from macla.adapters.proving import proving
from macla.adapters.proving.proving import prove_library
from macla.adapters.teaching import lesson
from macla.evals.foreign_worlds import demonstrations
from macla.evals.foreign_worlds.house import HouseByName
from macla.procedures.episodes.trajectories import Trajectory, write_trajectories
from macla.procedures.library.library import Library
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode
from macla.schemas import fits

LAMP = Trajectory(
    task="light the lamp",
    obs=(
        "You see a box 1 and a lamp 1.",
        "You open the box 1. In it is a switch 1.",
        "The lamp 1 glows.",
    ),
    acts=("open box 1", "press switch 1"),
    success=True,
)
FAILED = Trajectory("light the lamp", ("You see a box 1.", "It is stuck."), ("kick box 1",), False)


def run_of(name: str, number: int, *, ask: bool = False) -> ToolEpisode:
    """Return a run that closes an account."""
    if ask:
        return ToolEpisode(f"Close the account of {name}.", (), "Which one?", id=f"ask-{name}")
    calls = (
        ToolCall("find_customer", {"name": name}, json.dumps({"account_id": number}), turn=0),
        ToolCall("close_account", {"account_id": number}, json.dumps({"closed": number}), turn=1),
    )
    answer = f"The account {number} of {name} is closed."
    return ToolEpisode(f"Close the account of {name}.", calls, answer, id=name)


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("lamps") / "lamps.jsonl"
    write_trajectories(file, [LAMP] * 8)
    return file


@pytest.fixture(scope="module")
def learned(lamps: Path) -> Path:
    """A library of procedures alone: a program would do without them."""
    folder = lamps.parent / "lib"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lesson, "propose_for_kinds", lambda *_: [])
        assert run("learn", lamps, "--library", folder).exit_code == 0
    return folder


@pytest.fixture
def library(learned: Path, tmp_path: Path) -> Path:
    """A library of its own for each test."""
    return copy_library(learned, tmp_path / "lib")


def chats(file: Path, runs: list[ToolEpisode]) -> Path:
    lines = []
    for each in runs:
        messages: list[dict[str, Any]] = [{"role": "user", "content": each.task}]
        for n, call in enumerate(each.calls):
            function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
            asked = {"id": f"{each.id}-{n}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [asked]})
            told = {"role": "tool", "tool_call_id": f"{each.id}-{n}", "content": call.result}
            messages.append(told)
        messages.append({"role": "assistant", "content": each.answer})
        lines.append(json.dumps(messages))
    file.write_text("\n".join(lines))
    return file


NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")


@pytest.fixture(scope="module")
def clerk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clerk")
    runs = [run_of(name, 100 + number) for number, name in enumerate(NAMES)]
    log = chats(folder / "chats.jsonl", runs)
    result = run("observe", log, "--library", folder / "agent")
    assert result.exit_code == 0, result.stderr
    assert "reproduced       6 of 6 demonstrations" in result.stdout
    return folder / "agent"


@pytest.fixture
def agent(clerk: Path, tmp_path: Path) -> Path:
    """A library of tools of its own for each test."""
    return copy_library(clerk, tmp_path / "agent")


def edited(library: Path, name: str, old: str, new: str) -> None:
    file = library / "procedures" / f"{name}.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def evidence(library: Path) -> bytes:
    return (library / ".macla" / "evidence.db").read_bytes()


# ------------------------------------------------------------------------------------ text
def test_a_small_world_is_reproduced(library: Path) -> None:
    before = evidence(library)
    result = run("check", library, "--proof")
    assert result.exit_code == 0, result.output
    assert "8 of 8 reproduced (100.0 %, 67.6 to 100.0), 0.08 bits an action" in result.stdout
    assert "8 of 8 reproduced held out in 5 folds" in result.stdout
    assert "8 of 8 by the nearest demonstration re-bound, held out  [the floor]" in result.stdout
    assert "divergences" not in result.stdout
    assert evidence(library) == before


def test_the_document_fits_its_schema_and_is_the_same_each_time(library: Path) -> None:
    one, two = (as_json("check", library, "--proof", "--limit", 4, "--folds", 4) for _ in range(2))
    assert fits("proof", one)
    assert one.pop("seconds") >= 0
    two.pop("seconds")
    assert one == two
    assert (one["demonstrations"], one["here"]["of"], one["held_out"]["of"]) == (8, 4, 4)
    assert (one["folds"], one["floor"]["reproduced"], one["demonstrates"]) == (4, 4, "text")
    alone = as_json("check", library, "--proof", "--no-folds")
    assert (alone["folds"], alone["held_out"], alone["floor"]) == (0, None, None)


def test_what_was_edited_wrongly_is_named(library: Path) -> None:
    edited(library, "press-switch-1", "do: press switch 1", "do: kick switch 1")
    result = run("check", library, "--proof", "--no-folds")
    assert "0 of 8 reproduced" in result.stdout
    assert (
        '    8  step 2: shown "press switch 1", would do "kick switch 1": step 1 of press-switch-1 '
        'comes next; e.g. task "light the lamp"'
    ) in result.stdout
    document = as_json("check", library, "--proof", "--no-folds")
    (kind,) = document["here"]["kinds"]
    assert kind["by"] == ["press-switch-1", "light-the-lamp"]
    assert document["here"]["shares"]["open-box-1"] == {"reproduced": 8, "of": 8}


def test_a_guard_that_leaves_a_step_out_says_why(library: Path) -> None:
    edited(library, "press-switch-1", "steps:\n", "steps:\n  - do: open box 1\n    when: done\n")
    edited(library, "press-switch-1", "when: done", 'when: observed("It rains.")')
    extra = Trajectory(
        LAMP.task,
        (*LAMP.obs[:2], "You open the box 1.", LAMP.obs[2]),
        (LAMP.acts[0], "open box 1", LAMP.acts[1]),
        success=True,
    )
    proof = prove_library(library, [extra], folds=0)
    (kind,) = proof.here.kinds
    assert "'open box 1' is left out" in kind.example.step.prediction.because
    assert proof.here.episodes[0].steps[2].rank == 1


def test_where_nothing_is_trusted_that_is_said(tmp_path: Path) -> None:
    Library.create(tmp_path / "empty", domain="t", embedding="static")
    proof = prove_library(tmp_path / "empty", [LAMP, LAMP], folds=0)
    assert proof.here.episodes[0].steps[1].diverges
    (kind,) = proof.here.kinds
    assert kind.example.step.prediction.action is None
    assert kind.example.step.prediction.because.startswith("no procedure is trusted")


def test_files_are_proved_and_leave_the_summary_alone(library: Path, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    write_trajectories(file, [LAMP, LAMP, FAILED])
    kept = (library / ".macla" / "proof.json").read_bytes()
    result = run("check", library, "--proof", file)
    assert "1 episodes that failed are no demonstrations" in result.stdout
    assert "2 of 2 reproduced" in result.stdout
    assert "held out in 2 folds" in result.stdout
    assert (library / ".macla" / "proof.json").read_bytes() == kept


def test_one_demonstration_is_not_held_out(library: Path) -> None:
    proof = prove_library(library, [LAMP])
    assert (proof.here.reproduced, proof.held_out, proof.floor, proof.folds) == (1, None, None, 0)


# ----------------------------------------------------------------------------------- tools
def test_runs_of_tools_are_reproduced(agent: Path) -> None:
    document = as_json("check", agent, "--proof")
    assert fits("proof", document)
    assert document["demonstrates"] == "tools"
    assert document["here"]["reproduced"] == document["held_out"]["reproduced"] == 6
    assert document["floor"]["reproduced"] == 0  # what a result told was of another customer


def test_a_call_that_was_edited_is_named(agent: Path) -> None:
    library = Library.open(agent)
    (file,) = library.programs.values()
    document = file.to_document()
    step = next(each for each in document["steps"] if each.get("tool") == "close_account")
    step["tool"] = "freeze_account"
    library.write_all(programs=[ProgramFile.from_document(document)])
    (kind,) = prove_library(agent, [run_of("Gus", 7), run_of("Hal", 8)], folds=0).here.kinds
    assert kind.count == 2
    assert kind.example.number == 2
    assert kind.example.step.shown.shape == "close_account"
    assert kind.example.step.prediction.shape == "freeze_account"


def test_a_draft_says_where_it_departs(agent: Path) -> None:
    library = Library.open(agent)
    (file,) = library.programs.values()
    document = {**file.to_document(), "status": "draft"}
    library.write_all(programs=[ProgramFile.from_document(document)])

    def why() -> str | None:
        (kind,) = prove_library(agent, [run_of("Gus", 7)], folds=0).here.kinds
        return kind.example.step.prediction.because

    assert why() == f"{file.id}, which would do the same, is a draft"
    step = next(each for each in document["steps"] if each.get("tool") == "close_account")
    step["tool"] = "freeze_account"
    Library.open(agent).write_all(programs=[ProgramFile.from_document(document)])
    assert why() == f"{file.id} is a draft: at call 2 it would do {step['id']}"


def test_a_run_in_which_the_model_asked_back_is_one_too(agent: Path) -> None:
    proof = prove_library(agent, [run_of("Gus", 7), run_of("Ida", 0, ask=True)], folds=0)
    (kind,) = proof.here.kinds
    assert kind.example.step.shown.text == "answer 'Which one?'"
    assert kind.example.step.prediction.shape == "find_customer"
    other = ToolEpisode("Sing.", (), "I cannot.", id="sing")
    assert prove_library(agent, [run_of("Gus", 7), other], folds=0).here.reproduced == 2


def test_calls_made_together_have_no_order(tmp_path: Path) -> None:
    def weather(one: str, two: str, *, exchanged: bool = False) -> ToolEpisode:
        calls = [ToolCall("weather", {"of": each}, "sunny") for each in (one, two)]
        calls = calls[::-1] if exchanged else calls
        return ToolEpisode(f"Compare {one} with {two}.", tuple(calls), "Alike.", id=one + two)

    shown = [weather("Oslo", "Rome"), weather("Bern", "Kyiv"), weather("Lima", "Baku")]
    folder = tmp_path / "lib"
    with AgentMemory.open(folder) as memory:
        memory.learn(shown)
    other = weather("Riga", "Graz", exchanged=True)
    proof = prove_library(folder, [weather("Riga", "Graz"), other], folds=0)
    assert proof.here.reproduced == 2


# ---------------------------------------------------------------------- what cannot be proved
def test_no_library(tmp_path: Path) -> None:
    for folder in (tmp_path / "none", tmp_path):
        result = run("check", folder, "--proof")
        assert result.exit_code == 2
        assert "no library" in result.stderr or "no folder" in result.stderr


def test_no_demonstrations(tmp_path: Path, library: Path) -> None:
    Library.create(tmp_path / "empty", domain="t", embedding="static")
    result = run("check", tmp_path / "empty", "--proof")
    assert result.exit_code == 2
    assert "keeps no demonstrations on this machine" in result.stderr
    assert f"macla check {tmp_path}/empty --proof FILE" in result.stderr
    failed = tmp_path / "failed.jsonl"
    write_trajectories(failed, [FAILED])
    result = run("check", library, "--proof", failed)
    assert result.exit_code == 2
    assert "none of 1 episodes succeeded" in result.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no such file"),
        ("no json", "is not JSON"),
        ('{"a": 1}', "holds neither episodes"),
        ('{"task": "t", "obs": [], "acts": [], "success": true}', "one observation more"),
        ('[{"role": "user", "content": "hello"}]', "no run of an agent"),
    ],
)
def test_bad_files(library: Path, tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "bad.jsonl"
    if text:
        file.write_text(text)
    result = run("check", library, "--proof", file)
    assert result.exit_code == 2, result.output
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_options_that_contradict_each_other(library: Path) -> None:
    assert run("check", library, "--proof", "--no-folds", "--folds", 3).exit_code == 2
    assert run("check", library, "--proof", "--folds", 1).exit_code == 2
    assert run("check", library, "--proof", "--limit", 0).exit_code == 2


def test_interrupted(library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (library / ".macla" / "proof.json").unlink()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(proving, "_on_the_floor", stopped)
    result = run("check", library, "--proof")
    assert result.exit_code == 130
    assert "stopped; nothing is half done" in result.stderr
    assert not (library / ".macla" / "proof.json").exists()
    assert list(temporary.iterdir()) == []


# --------------------------------------------------------------------- list, check and learn
def test_learn_ends_with_what_is_reproduced(lamps: Path, tmp_path: Path) -> None:
    result = run("learn", lamps, "--library", tmp_path / "lib")
    assert "  reproduced       8 of 8 demonstrations\n" in result.stdout
    proof = as_json("learn", lamps, "--library", tmp_path / "lib")["proof"]
    assert (proof["reproduced"], proof["of"], proof["divergences"]) == (8, 8, [])


def test_a_sample_is_said_to_be_one(
    lamps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "_SAMPLED_ACTIONS", 6)  # two each
    result = run("learn", lamps, "--library", tmp_path / "lib")
    assert "reproduced       3 of 3 (a sample of 8)" in result.stdout


def test_learning_stands_whatever_becomes_of_the_proof(
    lamps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(proving, "prove_lesson", broken)
    result = run("learn", lamps, "--library", tmp_path / "lib")
    assert result.exit_code == 0
    assert "what was learned was not proved: out of ink" in result.stderr
    assert "\n  reproduced" not in result.stdout
    assert as_json("learn", lamps, "--library", tmp_path / "lib")["proof"] is None


def test_proposals_are_not_proved(lamps: Path, library: Path) -> None:
    (library / ".macla" / "proof.json").unlink()
    document = as_json("learn", lamps, "--library", library, "--policy", "review")
    assert "proof" not in document
    assert not (library / ".macla" / "proof.json").exists()


def test_list_shows_the_share_until_the_library_changes(library: Path) -> None:
    shares = {item["id"]: item["shown"] for item in as_json("list", library)["items"]}
    assert shares["open-box-1"] == {"reproduced": 8, "of": 8}
    assert "8/8" in run("list", library).stdout
    edited(library, "press-switch-1", "do: press switch 1", "do: kick switch 1")
    assert as_json("list", library)["proof"] is None
    assert "8/8" not in run("list", library).stdout
    assert run("check", library, "--proof", "--no-folds").exit_code == 0
    assert "0/8" in run("list", library).stdout


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a program that plans."""
    folder = tmp_path_factory.mktemp("houses")
    write_trajectories(folder / "shown.jsonl", demonstrations(HouseByName, 20))
    assert run("learn", folder / "shown.jsonl", "--library", folder / "lib").exit_code == 0
    return folder / "lib"


def test_a_program_is_proved_in_a_library_as_it_is_alone(houses: Path) -> None:
    lacking = len(as_json("show", houses, "--unexplained")["unexplained"])
    here = as_json("check", houses, "--proof", "--no-folds")["here"]
    assert here["reproduced"] == 20 - lacking
    assert here["reproduced"] > 15
    (share,) = here["shares"].values()  # of the program
    assert (share["reproduced"], share["of"]) == (20 - lacking, 20)


def test_a_program_that_plans_says_so(houses: Path) -> None:
    (item,) = as_json("list", houses)["items"]
    assert item["id"].startswith("plan-")
    assert "plans for " in run("list", houses).stdout
    assert "plans for " in run("show", houses, item["id"]).stdout
    file = Library.open(houses).programs[item["id"]]
    task = demonstrations(HouseByName, 1)[0]
    history = file.begin(task.task, task.obs[0])
    assert file.program.planner is not None
    account = file.program.planner.account(history)
    assert account["goal"] in {each.text for each in file.wordings}
    assert account["plan"]
    assert account["things"] == {}
    assert file.program.planner.account(file.begin("Sing.", task.obs[0])) == {}


def test_check_warns_of_what_is_not_reproduced(library: Path) -> None:
    assert run("check", library, "--strict").exit_code == 0
    edited(library, "press-switch-1", "do: press switch 1", "do: kick switch 1")
    edited(library, "press-switch-1", "version: 1", "version: 2")
    (finding,) = as_json("check", library)["findings"]  # nothing is known of this content
    assert (finding["rule"], finding["severity"]) == ("proof", "warning")
    assert "the proof is out of date: 8 of 8 demonstrations" in finding["message"]
    as_json("check", library, "--proof", "--no-folds")
    (finding,) = as_json("check", library)["findings"]
    assert (finding["rule"], finding["severity"]) == ("proof", "warning")
    assert "only 0 of 8 demonstrations are reproduced, less than 80 %" in finding["message"]
    assert 'shown "press switch 1"' in finding["message"]
    assert "--proof" in finding["message"]


@pytest.mark.parametrize("text", ["", "[]", '{"library_hash": 1}', "\x00", "null", "9" * 5000])
def test_a_summary_that_cannot_be_read_is_none(library: Path, text: str) -> None:
    (library / ".macla" / "proof.json").write_text(text)
    assert as_json("list", library)["proof"] is None
    assert run("check", library).exit_code == 0
