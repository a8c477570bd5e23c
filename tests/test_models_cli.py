"""``--model`` of learn and eval, against a server that speaks Ollama's API."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import as_json, run
from fake_ollama import (
    Fault,
    cuts_and_abstracts,
    misreads_tasks,
    never_usable,
    reads_people,
    reads_tasks,
    suggests_a_step,
)
from gap_world import episodes
from library_copies import copy_library
from macla.evals.alfworld.dataset import human_goals
from macla.evals.alfworld.games import data_root
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.library.library import Library
from macla.schemas import validator
from mill_world import mill_demonstration

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.usefixtures("plans_only")]

SHELF = """
from gap_world import Shelf as World


class Shelf(World):
    def reset(self, task):
        words = task.replace("swap the ", "").split()
        return super().reset((words[0], words[3]))
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with episodes, an environment, and tasks that symbols have no plan for."""
    folder = tmp_path_factory.mktemp("shelf")
    write_trajectories(folder / "shelf.jsonl", episodes())
    (folder / "swapping_world.py").write_text(SHELF)
    tasks = [f"swap the {a} for the {b}" for a, b in (("jar", "pan"), ("pot", "cup"))]
    (folder / "tasks.txt").write_text("\n".join(tasks) + "\n")
    assert run("learn", folder / "shelf.jsonl", "--library", folder / "plain").exit_code == 0
    return folder


@pytest.fixture
def module(shelf, monkeypatch) -> str:
    monkeypatch.syspath_prepend(str(shelf))
    return "swapping_world:Shelf"


def test_learn_with_a_model_and_play(serve, shelf, module, tmp_path):
    server = serve(cuts_and_abstracts)
    library = tmp_path / "library"
    told = as_json(
        "learn", shelf / "shelf.jsonl", "--library", library, "--model", "hybrid:llama2:7b"
    )
    assert told["model"]["plans"] == 1
    assert told["model"]["calls"] == len(server.requests)
    plain = Library.open(shelf / "plain")
    both = Library.open(library)
    assert both.procedures == plain.procedures
    assert plain.metas.items() <= both.metas.items()
    assert run("check", library, "--files").exit_code == 0
    played = as_json("eval", module, "--library", library, "--split", shelf / "tasks.txt")
    assert played["success_rate"] == 1.0
    assert played["llm_calls_per_episode"] == 0


def test_what_a_model_adds_can_wait_for_review(serve, shelf, tmp_path):
    server = serve(cuts_and_abstracts)
    library = tmp_path / "library"
    copy_library(shelf / "plain", library)
    told = as_json(
        *("learn", shelf / "shelf.jsonl", "--library", library, "--policy", "review"),
        *("--model", "hybrid:llama2:7b"),
    )
    assert told["model"]["plans"] == 1
    assert told["model"]["calls"] == len(server.requests) > 0
    plain = Library.open(shelf / "plain")
    assert Library.open(library).metas == plain.metas
    assert as_json("proposals", "accept", library, "--all")["left"] == {}
    assert len(Library.open(library).metas) == len(plain.metas) + 1
    assert run("check", library, "--files").exit_code == 0


def test_learn_says_what_a_model_did(serve, shelf, tmp_path):
    serve(never_usable)
    result = run(
        *("learn", shelf / "shelf.jsonl", "--library", tmp_path / "l"),
        *("--model", "ollama:llama2:7b"),
    )
    assert result.exit_code == 0, result.stderr
    assert "asked about 2 and added 0 plans, 0 procedures" in result.stdout
    assert "not taken" in result.stdout
    assert Library.open(tmp_path / "l").metas == Library.open(shelf / "plain").metas


@pytest.mark.parametrize("policy", ["auto", "review"])
def test_in_practice_a_model_is_asked_where_symbols_find_no_reason(serve, tmp_path, policy):
    server = serve(suggests_a_step)
    library, tasks = tmp_path / "lib", tmp_path / "tasks.txt"
    write_trajectories(tmp_path / "mill.jsonl", [mill_demonstration(n) for n in range(30)])
    tasks.write_text("".join(f"now{n}\n" for n in range(24)))
    learned = run("learn", tmp_path / "mill.jsonl", "--library", library, "--world", "domain=mill")
    assert learned.exit_code == 0, learned.stderr
    told = as_json(
        *("practice", "mill_practice:JammedMill", "--library", library),
        *("--world", "domain=mill", "--episodes", 24, "--split", tasks),
        *("--world", "max-steps=20", "--method", "experiments=0"),
        *("--model", "hybrid:llama2:7b", "--model", "calls=60", "--policy", policy),
    )
    assert 0 < len(server.requests) <= 60 * told["episodes"]
    if policy == "review":
        assert Library.open(library).procedures["grind-in"].version == 1
        assert as_json("proposals", "accept", library, "--all")["left"] == {}
    procedure = Library.open(library).procedures["grind-in"]
    walk, crank, *others, grind = procedure.steps
    assert (walk.do, crank.do, grind.do) == ("walk to {y}", "crank {y}", "grind {x} in {y}")
    # What the model does besides where nothing is trusted may be taken for a part of it.
    assert all(step.when is not None for step in others)
    assert grind.expect
    decided = [file.read_text() for file in (library / "proposals").glob("refine-grind-in-*.yaml")]
    if policy == "review":  # with auto, what the model did meanwhile gives symbols a reason first
        assert any("A jammed mill has to be cranked." in text for text in decided)
    assert run("check", library, "--files").exit_code == 0


def test_eval_counts_what_a_model_was_asked(serve, shelf, module):
    server = serve(reads_tasks)
    document = as_json(
        *("eval", module, "--library", shelf / "plain", "--split", shelf / "tasks.txt"),
        *("--model", "ollama:llama2:7b", "--world", "max-steps=12"),
    )
    validator("eval_result").validate(document)
    calls = [episode["llm_calls"] for episode in document["episodes"]]
    assert sum(calls) == len(server.requests) > 0
    assert max(calls) <= 8
    assert document["llm_calls_per_episode"] == sum(calls) / 2
    assert document["llm_tokens_per_episode"] > 0
    assert document["extra"]["reasoner"] == "ollama:llama2:7b"


def test_eval_shows_calls_tokens_and_failures(serve, shelf, module):
    serve(lambda messages, body: Fault(status=500, error="x"))
    result = run(
        *("eval", module, "--library", shelf / "plain", "--split", shelf / "tasks.txt"),
        *("--model", "hybrid:llama2:7b", "--world", "max-steps=6"),
    )
    assert result.exit_code == 0, result.stderr
    for row in ("model calls an episode", "model tokens an episode", "without an answer"):
        assert row in result.stdout


@pytest.mark.parametrize(
    ("reasoner", "says"),
    [
        ("ollama:mistral", "no model 'mistral'; get it with: ollama pull mistral"),
        ("hybrid:mistral", "ollama pull mistral"),
        ("llama2", "no reasoner 'llama2'; write symbolic, ollama:MODEL"),
        ("hybrid:", "no reasoner"),
        ("openai:gpt-4o", "openai"),
    ],
)
@pytest.mark.parametrize("verb", ["learn", "eval"])
def test_what_cannot_work_is_said_before_anything_is_done(
    serve, shelf, module, tmp_path, verb, reasoner, says
):
    server = serve(reads_tasks)
    library = tmp_path / "new" if verb == "learn" else shelf / "plain"
    source = ("learn", shelf / "shelf.jsonl") if verb == "learn" else ("eval", module)
    split = () if verb == "learn" else ("--split", shelf / "tasks.txt")
    result = run(*source, "--library", library, *split, "--model", reasoner)
    assert result.exit_code == 2
    assert says in result.stderr
    assert server.requests == []
    assert not (tmp_path / "new").exists()


def test_no_server(monkeypatch, socket_enabled, shelf, module):
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    result = run(
        *("eval", module, "--library", shelf / "plain", "--split", shelf / "tasks.txt"),
        *("--model", "hybrid:llama2:7b"),
    )
    assert result.exit_code == 2
    assert "Ollama at 127.0.0.1:9: the server cannot be reached" in result.stderr


def test_a_reasoner_is_for_the_library(shelf, module):
    result = run(
        *(
            "eval",
            module,
            "--arm",
            "random",
            "--world",
            "admissible",
            "--split",
            shelf / "tasks.txt",
        ),
        *("--model", "hybrid:llama2:7b"),
    )
    assert result.exit_code == 2
    assert "--model reasoner is for arms that play the library" in result.stderr


@pytest.mark.parametrize("answer", [reads_tasks, misreads_tasks, never_usable])
@pytest.mark.parametrize("mode", ["ollama", "hybrid"])
def test_known_games_take_two_calls_at_most(serve, alfworld_games, mode, answer):
    """With a model that helps, one that is sure and wrong, and one that cannot keep to JSON."""
    server = serve(answer)
    document = as_json(
        *("eval", "alfworld", "--library", alfworld_games, "--split", "valid_seen"),
        *("--limit", 20, "--model", f"{mode}:llama2:7b"),
    )
    assert document["success_rate"] == 1.0
    assert max(episode["llm_calls"] for episode in document["episodes"]) <= 2
    assert (len(server.requests) == 0) == (mode == "hybrid")


@pytest.fixture(scope="module")
def alfworld_games(alfworld_data, tmp_path_factory) -> Path:
    assert data_root() == alfworld_data.parent
    library = tmp_path_factory.mktemp("alfworld") / "library"
    result = run("learn", "alfworld", "--library", library, "--episodes", 300, "--seed", 0)
    assert result.exit_code == 0, result.stderr
    return library


def test_the_budget_of_an_episode_is_chosen(serve, shelf, module, tmp_path):
    server = serve(never_usable)
    document = as_json(
        *("eval", module, "--library", shelf / "plain", "--split", shelf / "tasks.txt"),
        *("--model", "ollama:llama2:7b", "--model", "calls=1", "--model", "tokens=3000"),
        *("--model", "timeout=9"),
    )
    assert [episode["llm_calls"] for episode in document["episodes"]] == [1, 1]
    assert document["extra"]["budget"] == {"calls": 1, "tokens": 3000, "timeout": 9.0}
    assert len(server.requests) == 2
    told = as_json(
        *("learn", shelf / "shelf.jsonl", "--library", tmp_path / "l"),
        *("--model", "ollama:llama2:7b", "--model", "calls=0"),
    )
    assert told["model"]["calls"] == 0


@pytest.mark.parametrize("option", ["calls", "tokens", "timeout"])
def test_a_budget_needs_a_model(shelf, module, tmp_path, option):
    for command in (
        ("learn", shelf / "shelf.jsonl", "--library", tmp_path / "l"),
        ("eval", module, "--library", shelf / "plain", "--split", shelf / "tasks.txt"),
    ):
        result = run(*command, "--model", f"{option}=3")
        assert result.exit_code == 2
        assert f"--model {option} needs a model" in result.stderr


def test_the_scripted_model_reads_what_people_said(alfworld_data):
    questions = [each.strip() for texts in human_goals(None).values() for each in texts]
    asked = "Known goals:\n1. put a {a} in {b}.\n2. look at {a} under the {b}."
    system = {"content": "which of several known goals"}
    answer = reads_people()
    told = [
        answer([system, {"content": f"{asked}\n<data>\n{each}\n</data>"}], {}) for each in questions
    ]
    assert any('"fillers"' in each for each in told)
