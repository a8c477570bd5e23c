"""What memory may call by itself: nothing that changes something, until a person accepted it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from command_line import run
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from macla.adapters.git.merging import merge_files
from macla.adapters.git.stores import open_store
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.cli.accepting import command
from macla.procedures.common.errors import DanglingReferenceError, LibraryError, MaclaError
from macla.procedures.library.library import Library
from macla.procedures.local.safe_git import Git
from macla.procedures.sharing import lock_file
from review_library import git, make_git
from tool_planner import TAUGHT, Bank, Planner, ask


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def made(library: Path) -> Iterator[Callable[..., MaclaMiddleware]]:
    every: list[MaclaMiddleware] = []

    def make(path: Path = library, **options: Any) -> MaclaMiddleware:
        every.append(MaclaMiddleware(path, **{"audit": 0, **options}))
        return every[-1]

    yield make
    for each in every:
        each.memory.close()


# ------------------------------------------------------------------------- acceptance
def test_before_acceptance_memory_looks_up_and_the_model_decides(made: Any) -> None:
    macla, bank = made(), Bank()
    assert ask(macla, bank.tools, *TAUGHT, "Dan", "Eva") == [3, 3, 3, 1, 1]
    assert len(macla.accept()) == 1
    assert ask(macla, bank.tools, "Finn", "Gil") == [0, 0]
    assert len(bank.closed) == 7


@pytest.mark.parametrize("in_git", [False, True])
def test_an_acceptance_can_be_taken_back(made: Any, library: Path, in_git: bool) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    if in_git:
        make_git(library.parent, ".")
    before = {file: file.read_bytes() for file in library.glob("programs/*.yaml")}
    macla.accept()
    assert ask(macla, bank.tools, "Dan") == [0]
    assert "taken back: accepting all that waited" in run("undo", library).stdout
    assert {file: file.read_bytes() for file in before} == before
    assert ask(macla, bank.tools, "Eva") == [1]


@pytest.mark.parametrize("in_git", [False, True])
def test_an_acceptance_is_taken_back_after_more_was_learned(
    made: Any, library: Path, in_git: bool
) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    if in_git:
        make_git(library.parent, ".")
    (before,) = macla.accept()
    ask(macla, bank.tools, "Dan O'Neil-Smith", "Eva 2", "Jo", "Zo", "A")
    (file,) = macla.memory.programs.files.values()
    if in_git:
        git(library, "commit", "-qam", "Learned on")
    assert "was changed since" in run("undo", library).stderr
    assert "would take back" in run("undo", library, file.id, "--look").stdout
    said = run("undo", library, file.id).stdout
    assert said == f"taken back: accepting {file.ref}; what it learned stays\n"
    (left,) = Library.open(library).programs.values()
    assert file.ref != before
    assert left.ref == file.ref
    assert (left.accepted, left.program) == ((), file.program)
    assert ask(macla, bank.tools, "Kim") == [1]
    if in_git:
        assert git(library, "log", "-1", "--format=%s") == f"Undo: accepting {file.ref}"
        assert git(library, "status", "--porcelain", "programs") == ""
    assert "taken back: taking back the acceptance" in run("undo", library).stdout
    assert ask(macla, bank.tools, "Lou") == [0]


def test_what_a_stranger_writes_into_the_lock_file_lets_no_tool_be_called(
    made: Any, library: Path
) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    (file,) = macla.memory.programs.files.values()
    macla.memory.close()
    lines = [
        lock_file._line(["shown:x", kind, name, file.version, {"": [1_000_000.0, 0.0]}])
        for kind in ("program", "binding", "reading", "acceptance", "accept")
        for name in (file.id, file.ref, "find", "close")
    ]
    (library / "library.lock").write_text("".join(lines))
    shutil.rmtree(library / ".macla")  # as in a clone
    assert ask(made(), bank.tools, "Dan", "Eva") == [1, 1]


def test_a_tool_that_says_nothing_may_change_something(made: Any) -> None:
    macla, bank = made(), Bank(marked=False)
    assert ask(macla, bank.tools, *TAUGHT, "Dan") == [3, 3, 3, 2]
    named = made(read_only=["find"])
    assert ask(named, bank.tools, "Eva") == [1]


def test_the_model_may_do_otherwise_until_it_is_accepted(made: Any) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    shy = lambda word, told: "I would rather not." if told else Bank.plan(word, told)  # noqa: E731
    assert ask(macla, bank.tools, "Dan", plan=shy) == [1]
    assert len(bank.closed) == 3


def test_acceptance_stands_in_the_file_and_survives_a_clone(
    made: Any, library: Path, tmp_path: Path
) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()
    shutil.copytree(library, tmp_path / "clone", ignore=shutil.ignore_patterns(".macla"))
    assert ask(made(tmp_path / "clone"), bank.tools, "Dan") == [0]


def test_what_is_shown_later_needs_no_new_acceptance(made: Any) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    (before,) = macla.accept()
    ask(macla, bank.tools, "Dan O'Neil-Smith", "Eva 2", "Jo", "Zo", "A")
    (file,) = macla.memory.programs.files.values()
    assert file.unaccepted() == [], (before, file.ref)


def test_another_way_of_doing_it_needs_a_new_acceptance(made: Any) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()

    @tool
    def close(number: str, reason: str) -> str:
        """Close an account, with a reason."""
        return json.dumps({"done": True})

    def plan(word: str, told: list[str]) -> Any:
        wanted = Bank.plan(word, told)
        return ("close", {**wanted[1], "reason": "asked"}) if len(told) == 1 else wanted

    tools = [bank.tools[0], close]
    assert ask(macla, tools, "Dan", "Eva", "Finn", "Gil", plan=plan) == [3, 3, 3, 1]
    macla.accept()
    assert ask(macla, tools, "Hal", plan=plan) == [0]


def test_an_edited_file_is_accepted_anew(made: Any, library: Path) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()
    (path,) = (library / "programs").glob("*.yaml")
    text = path.read_text()
    assert 'take: "{number}"' in text
    path.write_text(
        text.replace('take: "{number}"', 'take: "{name}"').replace("version: 1", "version: 9")
    )
    (file,) = Library.open(library).programs.values()
    assert len(file.accepted) == 2
    assert len(file.unaccepted()) == 1


def test_limits_that_a_hand_moved_are_accepted_anew(made: Any, library: Path) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()
    (path,) = (library / "programs").glob("*.yaml")
    text = path.read_text()
    path.write_text(text.replace("like: [A9]", "like: [A9, a]"))
    assert ask(made(), bank.tools, "Dan") == [1]
    waiting = run("accept", library).stdout
    assert "its limits were changed by hand since it was accepted" in waiting
    assert "close(number={number})" in waiting
    made().accept()
    assert ask(made(), bank.tools, "Finn") == [0]


def telling_more(bank: Bank) -> list[Any]:
    """Return the bank's tools, of which the first tells one field more."""

    @tool
    def find(name: str) -> str:
        """Find a customer."""
        return json.dumps({"number": f"K{sum(map(ord, name))}", "name": name, "level": "gold"})

    find.metadata = bank.tools[0].metadata
    return [find, bank.tools[1]]


def noting_more(bank: Bank) -> list[Any]:
    """Return the bank's tools, of which the last tells one field more."""

    @tool(description="Close an account.")
    def close(number: str) -> str:
        return json.dumps({"done": True, "by": "phone"})

    return [bank.tools[0], close]


def test_limits_that_runs_moved_are_those_that_were_accepted(
    made: Any, library: Path, tmp_path: Path
) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()

    golden = telling_more(bank)
    (path,) = (library / "programs").glob("*.yaml")
    before = path.read_text()
    assert ask(macla, golden, "Dan", "Eva") == [2, 0]
    assert path.read_text() != before
    shutil.copytree(library, tmp_path / "clone", ignore=shutil.ignore_patterns(".macla"))
    assert ask(made(tmp_path / "clone"), golden, "Hal") == [0]


@pytest.mark.parametrize("by_hand", [False, True])
def test_limits_that_runs_moved_in_two_clones_are_merged(
    made: Any, library: Path, tmp_path: Path, by_hand: bool
) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()
    (path,) = (library / "programs").glob("*.yaml")
    base, sides = path.read_bytes(), []
    for name, tools in (("one", telling_more(bank)), ("other", noting_more(bank))):
        clone = tmp_path / name
        shutil.copytree(library, clone)
        assert run("migrate", clone, "--adopt").exit_code == 0
        ask(made(clone), tools, "Dan")
        sides.append((clone / "programs" / path.name).read_bytes())
    if by_hand:
        sides[0] = sides[0].replace(b"like: [A9]", b"like: [A9, a]")
    merged, problems = merge_files(Git(tmp_path), base, *sides, ("ours", "base", "theirs"))
    if by_hand:
        assert problems == ["accepted_limits: both sides changed it"]
        return
    assert problems == []
    assert b"gold" in merged
    assert b"phone" in merged
    path.write_bytes(merged)
    (file,) = Library.open(library).programs.values()
    assert file.unaccepted() == []


@pytest.mark.parametrize("policy", ["review", "interrupt"])
def test_an_accepted_proposal_is_an_acceptance(made: Any, library: Path, policy: Any) -> None:
    macla, bank = made(policy=policy), Bank()
    if policy == "review":
        ask(macla, bank.tools, *TAUGHT)
        store = open_store(library)
        (proposal,) = store.pending()
        session = macla.memory.session
        store.accept(session.library, session.ledger, proposal, "ada")
    else:
        ask(macla, bank.tools, *TAUGHT[:2])
        model = Planner(plan=Bank.plan)
        agent = create_agent(model, bank.tools, middleware=[macla], checkpointer=InMemorySaver())
        config: Any = {"configurable": {"thread_id": "1"}}
        agent.invoke({"messages": [("user", "Close the account of Cleo.")]}, config)
        agent.invoke(Command(resume=True), config)
    assert ask(macla, bank.tools, "Dan") == [0]


def test_what_cannot_be_accepted(made: Any) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, "Ada")
    with pytest.raises(DanglingReferenceError, match="no program that calls tools"):
        macla.accept("nothing")
    with pytest.raises(DanglingReferenceError, match="did you mean 'close-the-account-of-ada'"):
        macla.accept("close-teh-account-of")
    (draft,) = macla.memory.programs.files
    with pytest.raises(LibraryError, match="one run"):
        macla.accept(draft)
    with pytest.raises(MaclaError, match="unknown trust"):
        made(trust="blind")


def test_on_the_command_line(made: Any, library: Path) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    shown = CliRunner().invoke(command, [str(library)])
    assert "close(number={number})" in shown.output
    assert "{number}: {number} of find, a result" in shown.output
    within = "  close(number={number})\n    as it was shown 3 times, and no further\n"
    assert within + "      find has exactly the keys name, number\n" in shown.output
    assert "      {1} of the task: anything like Abc\n" in shown.output
    assert ask(macla, bank.tools, "Dan") == [1]
    (ref,) = (file.ref for file in macla.memory.programs.files.values())
    done = CliRunner().invoke(command, [str(library), ref])
    assert done.output == f"accepted: {ref}\n"
    assert ask(macla, bank.tools, "Eva") == [0]
    assert "no program waits" in CliRunner().invoke(command, [str(library)]).output


def test_looking_at_what_waits_writes_nothing(made: Any, library: Path, tmp_path: Path) -> None:
    macla, bank = made(), Bank()
    ask(macla, bank.tools, *TAUGHT)
    clone = tmp_path / "clone"
    shutil.copytree(library, clone, ignore=shutil.ignore_patterns(".macla"))
    files = sorted(clone.rglob("*"))
    shown = CliRunner().invoke(command, [str(clone)])
    assert "close(number={number})" in shown.output
    assert sorted(clone.rglob("*")) == files


# ------------------------------------------------------------------------- demonstrations
@pytest.mark.parametrize(
    ("told", "calls"),
    [
        (lambda n: {"number": n}, 0),
        (lambda n: {"number": n, "text": f"Dear all, please be so kind and close {n} today"}, 1),
        (lambda n: f"please close {n}", 1),
        (lambda n: {"number": n, "title": "Cases, page 1 of 1"}, 0),
        (lambda n: {"number": n, "title": f"Cases of {n}, page 1 of 1"}, 1),
    ],
    ids=["a record", "a record with free text", "a text", "under a heading", "under a new heading"],
)
def test_demonstrations_vouch_for_values_of_records(made: Any, told: Any, calls: int) -> None:
    closed: list[str] = []

    @tool
    def find(name: str) -> str:
        """Find."""
        answer = told(f"K{sum(map(ord, name))}")
        return answer if isinstance(answer, str) else json.dumps(answer)

    find.metadata = {"readOnlyHint": True}

    @tool
    def close(number: str) -> str:
        """Close."""
        closed.append(number)
        return json.dumps({"done": True})

    def plan(word: str, results: list[str]) -> Any:
        if not results:
            return "find", {"name": word}
        number = f"K{sum(map(ord, word))}"
        return ("close", {"number": number}) if len(results) == 1 else f"Closed {word}."

    macla = made(trust="demonstrations")
    spent = ask(macla, [find, close], *TAUGHT, "Dan", "Eva", "Finn", "Gil", plan=plan)
    assert spent[-1] == calls


@pytest.mark.parametrize(
    ("told", "calls"),
    [(lambda key: {"key": key}, 0), (lambda key: f"Hi! Please look at {key}.", 1)],
    ids=["named by a record", "named by a text"],
)
def test_a_record_that_only_a_text_names_vouches_for_nothing(
    made: Any, told: Any, calls: int
) -> None:
    """Who writes a mail chooses which record is looked up: what that says is theirs as well."""
    closed: list[str] = []

    @tool
    def mail(name: str) -> str:
        """Read a mail."""
        answer = told(f"A{sum(map(ord, name))}")
        return answer if isinstance(answer, str) else json.dumps(answer)

    @tool
    def find(key: str) -> str:
        """Find a record."""
        return json.dumps({"number": f"K{key[1:]}"})

    @tool
    def close(number: str) -> str:
        """Close."""
        closed.append(number)
        return json.dumps({"done": True})

    mail.metadata = find.metadata = {"readOnlyHint": True}

    def plan(word: str, results: list[str]) -> Any:
        number = sum(map(ord, word))
        calls = [("mail", {"name": word}), ("find", {"key": f"A{number}"})]
        calls += [("close", {"number": f"K{number}"})]
        return (*calls, f"Closed {word}.")[len(results)]

    macla = made(trust="demonstrations")
    spent = ask(macla, [mail, find, close], *TAUGHT, "Dan", "Eva", "Finn", "Gil", plan=plan)
    assert spent[-1] == calls
    assert len(closed) == 7


def test_demonstrations_vouch_for_what_the_task_says(made: Any) -> None:
    @tool
    def close(name: str, how: str) -> str:
        """Close."""
        return "done"

    plan = lambda w, told: "Closed." if told else ("close", {"name": w, "how": "soon"})  # noqa: E731
    macla = made(trust="demonstrations")
    assert ask(macla, [close], *TAUGHT, "Dan", plan=plan) == [2, 2, 2, 0]
    assert ask(made(), [close], "Eva", plan=plan) == [1]
