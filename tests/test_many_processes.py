"""Several processes and one library: PostgreSQL as ledger and a Chroma server as index."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

import forking
import pytest
from command_line import run
from filelock import FileLock
from macla.adapters.embeddings import DEFAULT_EMBEDDING
from macla.adapters.langchain.logs import episodes_from_chat_log
from macla.adapters.langchain.store import AgentMemory
from macla.adapters.session import LibrarySession
from macla.evals.soak.world import DOMAIN, write_demonstrations, write_log
from macla.procedures.evidence import ledger_sql
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library import library_commit as commits
from macla.procedures.library.library import Library, validate_library
from macla.procedures.tooling.buffer import EpisodeBuffer
from servers import chroma_server, postgres_schema

PROCESSES = 8
LOGS = 2
KINDS = 6
"""Tools that the logs call; each is asked for in one way."""

LEARNER = """
import json, sys
from pathlib import Path
from macla.adapters.langchain.logs import episodes_from_chat_log
from macla.adapters.langchain.store import AgentMemory
from macla.adapters.session import LibrarySession
from macla.evals.soak.world import write_log
from macla.procedures.evidence.ledger import OutcomeKind

folder, ledger, number, logs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
told = []
with AgentMemory.open(LibrarySession.open(folder / "lib", ledger=ledger)) as memory:
    for turn in range(logs):
        file = folder / f"log{number}-{turn}.jsonl"
        write_log(file, logs * number + turn)
        episodes = list(episodes_from_chat_log(file))
        memory.learn(episodes)
        memory.refresh()
        told += [each.task for each in episodes]
        for each in episodes:
            program = memory.programs.reading(each.task)[0].file
            memory.record(each.id, program, OutcomeKind.SUCCESS, {})
        assert memory.search(episodes[0].task, 3), episodes[0].task
print(json.dumps(told))
"""
LEARN = "import sys; from macla.cli.main import main; main()"


def started(code: str, *arguments: object, **more: str) -> Any:
    return forking.popen(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **more},
    )


def test_eight_processes_learn_into_one_library(tmp_path: Path, socket_enabled: None) -> None:
    Library.create(tmp_path / "lib", domain="tools", embedding=DEFAULT_EMBEDDING)
    with chroma_server(tmp_path) as index, postgres_schema() as ledger:
        arguments = [(tmp_path, ledger, number, LOGS) for number in range(PROCESSES)]
        learners = [started(LEARNER, *each, MACLA_CHROMA_URL=index) for each in arguments]
        looks = 0
        while any(each.poll() is None for each in learners):  # readers see whole states
            assert all(p.id == name for name, p in Library.open(tmp_path / "lib").programs.items())
            with Ledger.open(ledger, read_only=looks > 0) as evidence:
                assert evidence.revision() >= 0
            looks += 1
        ends = [each.communicate() for each in learners]
        assert [each.returncode for each in learners] == [0] * PROCESSES, [e[1] for e in ends]
        asked = [question for out, _ in ends for question in json.loads(out)]
        assert len(asked) == PROCESSES * LOGS * 3
        kept = (tmp_path / "lib" / ".macla" / "tool-episodes.jsonl").read_text().splitlines()
        assert Counter(json.loads(line)["task"] for line in kept) == Counter(asked)
        with Ledger.open(ledger) as evidence:
            rows = list(evidence.rows("program"))
            assert evidence.verify() == evidence.total()
        assert len({row.run for row in rows}) == len(rows) == len(asked)
        assert {f.severity for f in validate_library(tmp_path / "lib")} <= {"warning"}
        programs = Library.open(tmp_path / "lib").programs.values()
        assert len({file.goal for file in programs}) == len(programs) == KINDS  # none is twice
        assert all(file.runs >= 3 for file in programs)
        assert looks > 0


def test_readers_wait_for_nobody(
    tmp_path: Path, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_demonstrations(tmp_path / "shown.jsonl", 0, 3)
    call = (
        "learn",
        tmp_path / "shown.jsonl",
        "--library",
        tmp_path / "lib",
        "--world",
        f"domain={DOMAIN}",
    )
    assert run(*call).exit_code == 0
    with chroma_server(tmp_path) as index, postgres_schema() as url:
        monkeypatch.setenv("MACLA_CHROMA_URL", index)
        with AgentMemory.open(LibrarySession.open(tmp_path / "lib", ledger=url)) as memory:
            memory.search("Bring up the lamp.", 1)
            local = tmp_path / "lib" / ".macla"
            engine = ledger_sql.make_engine(ledger_sql.url_of(url), read_only=False)
            with (
                commits.locked(tmp_path / "lib", 1.0),
                FileLock(local / "chroma" / "lock").acquire(1.0),
                ledger_sql.writing(engine),
            ):
                # Whoever waited for one of these would wait for this block to end.
                assert Library.open(tmp_path / "lib").settings.domain == DOMAIN
                with Ledger.open(url, read_only=True) as ledger:
                    assert ledger.counts() == {}
                memory.refresh()
                memory.search("Bring up the lamp.", 1)
            engine.dispose()


def test_two_learners_take_turns(tmp_path: Path) -> None:
    names = []
    for number in range(2):
        names += write_demonstrations(tmp_path / f"shown{number}.jsonl", 4 * number, 4)
    calls = [
        (
            "learn",
            tmp_path / f"shown{n}.jsonl",
            "--library",
            tmp_path / "lib",
            "--world",
            f"domain={DOMAIN}",
        )
        for n in range(2)
    ]
    learners = [started(LEARN, *call) for call in calls]
    told = [each.communicate()[1] for each in learners]
    assert [each.returncode for each in learners] == [0, 0], told
    kept = (tmp_path / "lib" / ".macla" / "demonstrations.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["id"] for line in kept) == sorted(names)


def test_a_learner_of_tool_runs_waits_for_its_turn(tmp_path: Path) -> None:
    """Who learned of fewer runs must not write last."""
    write_log(tmp_path / "log.jsonl", 0)
    episodes = list(episodes_from_chat_log(tmp_path / "log.jsonl"))
    with AgentMemory.open(tmp_path / "lib") as memory:
        with EpisodeBuffer(tmp_path / "lib", 100).turn():
            learner = Thread(target=memory.learn, args=(episodes,))
            learner.start()
            learner.join(0.5)
            assert learner.is_alive()
            assert not Library.open(tmp_path / "lib").programs
        learner.join(60)
        assert Library.open(tmp_path / "lib").programs


def test_half_a_line_of_a_killed_learner_is_cut_off_by_one_at_work(tmp_path: Path) -> None:
    for number in range(2):
        write_log(tmp_path / f"log{number}.jsonl", number)
    first, then = (list(episodes_from_chat_log(tmp_path / f"log{n}.jsonl")) for n in range(2))
    kept = tmp_path / "lib" / ".macla" / "tool-episodes.jsonl"
    with AgentMemory.open(tmp_path / "lib") as memory:
        memory.learn(first)
        with kept.open("ab") as stream:
            stream.write(b'{"id": "ha')
        memory.learn(then)
    found = [json.loads(line)["task"] for line in kept.read_text().splitlines()]
    assert found == [each.task for each in (*first, *then)]
