"""Every way in takes secrets out, and what is random or for one use reaches no reviewed file."""

from __future__ import annotations

import base64
import json
import os
import random
import stat
from pathlib import Path

import pytest
from command_line import run
from macla.adapters.langchain.store import AgentMemory
from macla.evals.redaction import ORDINARY, SECRETS, WEAK, missed, of_macla, taken
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.online import OnlineLearner
from macla.procedures.library.library import Library
from macla.procedures.local import machine_folder
from macla.procedures.redaction.redactor import Redactor
from macla.procedures.redaction.single_use import single_use
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
PASSWORD = "hunter2xyz"


def episode(number: int, secret: str = PASSWORD) -> Trajectory:
    return Trajectory(
        f"log in as user {number}",
        (f"The password is {secret}.", f"You are in. Token {TOKEN}.", "Bye."),
        (f"enter {secret}", f"leave {number}"),
        success=True,
        info={"password": secret},
    )


def held(folder: Path) -> str:
    """Everything that stands below a folder, as text."""
    return "".join(p.read_bytes().decode("latin-1") for p in folder.rglob("*") if p.is_file())


def test_a_file_of_episodes(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    lines = [json.dumps(episode(number).to_document()) for number in range(6)]
    file.write_text("\n".join(lines))
    assert run("learn", file, "--library", tmp_path / "lib").exit_code == 0
    assert PASSWORD not in held(tmp_path / "lib")
    assert TOKEN not in held(tmp_path / "lib")
    kept = run("learn", file, "--library", tmp_path / "kept", "--keep-secrets")
    assert kept.exit_code == 0
    assert PASSWORD in held(tmp_path / "kept")


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_nobody_else_may_enter_what_the_machine_keeps(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        library = Library.create(tmp_path / "lib", domain="d", embedding="static")
        local = library.path / ".macla"
        assert stat.S_IMODE(local.stat().st_mode) == 0o700
        local.chmod(0o755)  # as it was made before
        machine_folder._stamps_by_folder.clear()  # as another process begins
        assert run("list", library.path).exit_code == 0
        assert stat.S_IMODE(local.stat().st_mode) == 0o700
    finally:
        os.umask(before)


@pytest.mark.parametrize(
    ("told", "secret"),
    [
        ("das Passwort lautet hunter2xyz", "hunter2xyz"),
        ("sshpass -p hunter2xyz ssh ada@host", "hunter2xyz"),
        ("password\uff1ahunter2xyz", "hunter2xyz"),
        ("SSN 123456789", "123456789"),
        ("key 9f:3a:01:c7:5e:88:2b:d4:6a:0f:e1:93:7c:b5:48:d0", "5e:88:2b:d4"),
        (
            "abandon ability able about above absent absorb abstract absurd abuse access zoo",
            "abuse",
        ),
    ],
)
def test_what_is_the_same_in_all_runs(told: str, secret: str, tmp_path: Path) -> None:
    """Neither reviewed files nor what the machine keeps, online and through an agent's memory."""
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    with Ledger.open(library.path / ".macla" / "evidence.db") as ledger:
        learner = OnlineLearner(library, ledger, redact=Redactor.of_machine().trajectory)
        for n in range(4):
            shown = Trajectory(f"do {n}", (told, told, "Ok."), (told, f"end {n}"), success=True)
            learner.add(shown)
    assert secret not in held(library.path)
    runs = [
        ToolEpisode(
            f"Do n{n}",
            (ToolCall("find", {"name": f"n{n}"}, told), ToolCall("run", {"c": told, "n": f"n{n}"})),
            told,
            id=f"r{n}",
        )
        for n in range(4)
    ]
    with AgentMemory.open(tmp_path / "agent") as memory:
        memory.learn(runs)
        assert memory.programs.files
    assert secret not in held(tmp_path / "agent")


def test_the_same_file_learned_again_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    file.write_text("\n".join(json.dumps(episode(n).to_document()) for n in range(6)))
    for _ in range(2):
        assert run("learn", file, "--library", tmp_path / "lib").exit_code == 0
    lines = (tmp_path / "lib" / ".macla" / "demonstrations.jsonl").read_text().splitlines()
    assert len(lines) == 6


def test_learning_online(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    with Ledger.open(library.path / ".macla" / "evidence.db") as ledger:
        learner = OnlineLearner(library, ledger, redact=Redactor.of_machine().trajectory)
        for number in range(4):
            learner.add(episode(number))
    assert PASSWORD not in held(library.path)
    assert TOKEN not in held(library.path)


def test_an_episode_without_secrets_is_the_same_value() -> None:
    plain = Trajectory("take mug 1", ("You see a mug 1.", "Done."), ("take mug 1",), success=True)
    assert Redactor(b"k").trajectory(plain) is plain


def run_of(
    number: int, code: str, told: str = '{{"id": "a-{n}", "once": "{code}"}}'
) -> ToolEpisode:
    result = told.format(n=number, code=code)
    calls = (
        ToolCall("find", {"name": f"n{number}"}, result),
        ToolCall("use", {"id": f"a-{number}"}),
    )
    return ToolEpisode(f"Use n{number}", calls, "Done.", id=f"r{number}")


CODES = ["k7Gh2pQ9", "x1Yb8wT4", "m3Rd6vZ0", "q5Lc9jF2"]


@pytest.mark.parametrize(
    "told", ['{{"id": "a-{n}", "once": "{code}"}}', "Found a-{n}. Use {code} now."]
)
def test_a_value_for_one_use_is_taken_out(told: str) -> None:
    episodes = [run_of(n, code, told) for n, code in enumerate(CODES)]
    assert single_use(episodes) == frozenset(CODES)
    assert not any(code in repr(Redactor(b"k").episodes(episodes)) for code in CODES)
    assert "a-2" in repr(Redactor(b"k").episodes(episodes)[2])


def test_what_is_used_or_says_the_same_again_stays() -> None:
    again = [run_of(n, CODES[0]) for n in range(4)]
    assert not single_use(again)
    used = [run_of(n, code) for n, code in enumerate(CODES)]
    last = ToolCall("send", {"code": CODES[-1]})
    used[-1] = ToolEpisode(used[-1].task, (*used[-1].calls, last), "Done.", id="r")
    assert not single_use(used)
    assert not single_use([run_of(n, code) for n, code in enumerate(CODES[:2])])


def test_random_values_reach_no_reviewed_file(tmp_path: Path) -> None:
    r = random.Random(0)
    makes = [
        lambda: base64.b64encode(r.randbytes(16)).decode(),
        lambda: r.randbytes(16).hex(),
        lambda: r.randbytes(32).hex(),
        lambda: "".join(r.choices("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=10)),
    ]
    found = 0
    for number, make in enumerate(makes):
        codes = [make() for _ in range(8)]
        log = tmp_path / f"{number}.jsonl"
        chats = []
        for n, code in enumerate(codes):
            call = {"name": "find", "arguments": json.dumps({"name": f"n{n}"})}
            calls = [{"id": "c", "type": "function", "function": call}]
            chats.append(
                [
                    {"role": "user", "content": f"Find n{n}"},
                    {"role": "assistant", "content": None, "tool_calls": calls},
                    {"role": "tool", "tool_call_id": "c", "content": json.dumps({"x": code})},
                    {"role": "assistant", "content": "It is there."},
                ]
            )
        log.write_text("\n".join(map(json.dumps, chats)))
        library = tmp_path / f"lib{number}"
        assert run("observe", log, "--library", library).exit_code == 0
        text = "".join(p.read_text() for p in library.rglob("*.yaml"))
        assert text
        found += sum(code in text for code in codes)
    assert found == 0


def test_the_measured_rates_hold() -> None:
    """A tenth of ``python -m macla.evals.redaction``, with room for chance."""
    assert len(SECRETS) >= 60
    context = missed(of_macla, 10, context=True)
    alone = missed(of_macla, 10, context=False)
    assert sum(context.values()) <= 7
    assert sum(n for kind, n in alone.items() if kind not in WEAK) <= 12
    assert sum(taken(of_macla, 10).values()) <= len(ORDINARY) // 12
