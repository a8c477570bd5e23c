"""Practice that is killed, cut-off files, two practices at once: nothing is lost or counted twice.

The games are ALFWorld's, made by the generator, and an invented mill's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import forking
import pytest
from command_line import run
from library_copies import copy_library
from macla.adapters.teaching import teaching
from macla.adapters.teaching.reviewed_learning import teach_by_review
from macla.adapters.teaching.teaching import teach
from macla.evals.alfworld.generator import write_games
from macla.evals.practice.practice_loop import PracticeLog, read_played
from macla.procedures.common.errors import LibraryError, LockError
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library.library import Library, validate_library
from mill_world import mill_demonstration

TESTS = Path(__file__).parent
MILL = "mill_practice:CrankedMill"
EPISODES = 4

KILLED = """
import json, os, signal, sys
sys.path.insert(0, sys.argv[1])

# Imported once: the kills are to hit the work, not the start of Python.
import macla.cli.practising, macla.evals.alfworld.suite, macla.adapters.teaching.teaching
from macla.cli.main import cli
from macla.evals.practice.practice_loop import PracticeLog
from macla.procedures.library import library_commit
from macla.procedures.learning import online
from macla.procedures.evidence.ledger import Ledger


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def kill_at(owner, name, number, before):
    real, calls = getattr(owner, name), []

    def stand_in(*arguments, **named):
        calls.append(name)
        if before and len(calls) == number:
            die()
        answer = real(*arguments, **named)
        if len(calls) == number:
            die()
        return answer

    setattr(owner, name, stand_in)


def tear(number):
    real, calls = PracticeLog.append, []

    def stand_in(self, played):
        calls.append(played)
        if len(calls) == number:
            with self.file.open("ab") as file:
                file.write(b'{"id": "half')
            die()
        real(self, played)

    PracticeLog.append = stand_in


POINTS = {
    "within an episode": lambda: kill_at(Ledger, "record", 30, False),
    "the episode kept": lambda: kill_at(online, "append", 3, False),
    "a new library staged": lambda: kill_at(library_commit, "_stage", 1, False),
    "a change begun": lambda: kill_at(library_commit, "note_before", 2, False),
    "the library learned": lambda: kill_at(PracticeLog, "append", 3, True),
    "half a line": lambda: tear(3),
}
for point, arguments in json.loads(sys.argv[2]):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if point:
            POINTS[point]()
        try:
            cli.main(args=arguments)
        except SystemExit as end:
            os._exit(end.code or 0)
        os._exit(3)
    _, status = os.waitpid(child, 0)
    print(json.dumps([point, os.waitstatus_to_exitcode(status)]))
"""
POINTS = (
    *("a new library staged", "within an episode", "the episode kept"),
    *("a change begun", "the library learned", "half a line"),
)


def practice(library, games, episodes=EPISODES, source=MILL):
    return [
        *("practice", source, "--library", str(library), "--split", str(games)),
        *("--episodes", str(episodes), "--world", "max-steps=20"),
    ]


def at_once(calls):
    """Run calls of the command, some of which are killed; return their exit codes."""
    done = forking.run(
        [sys.executable, "-W", "ignore", "-c", KILLED, str(TESTS), json.dumps(calls)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def facts(library):
    """All that a practice leaves, but for times."""
    local = library / ".macla"
    with Ledger.open(local / "evidence.db", read_only=True) as ledger:
        assert ledger.verify() == ledger.total()
        rows = sorted(
            (
                o.run,
                o.step,
                o.subject_kind,
                o.subject,
                o.version,
                o.binding,
                o.successes,
                o.failures,
            )
            for o in ledger.rows()
        )
    return {
        "curve": [
            (
                each.id,
                each.won,
                each.steps,
                each.fallback,
                each.experiments,
                each.refined,
                each.mean,
            )
            for each in read_played(local / "practice.jsonl")
        ],
        "episodes": [
            json.loads(line)["id"]
            for line in (local / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
        ],
        "evidence": rows,
        "knowledge": Library.open(library).content_hash,
    }


@pytest.fixture
def games(tmp_path):
    file = tmp_path / "tasks.txt"
    file.write_text("\n".join(f"now{i}" for i in range(24)))
    return file


@pytest.fixture(scope="module")
def practised(tmp_path_factory):
    """A library that was practised with, and its tasks; to be copied."""
    folder = tmp_path_factory.mktemp("practised")
    file = folder / "tasks.txt"
    file.write_text("\n".join(f"now{i}" for i in range(24)))
    result = run(*practice(folder / "lib", file))
    assert result.exit_code == 0, result.stderr
    return folder


@pytest.fixture
def copy(practised, tmp_path):
    copy_library(practised / "lib", tmp_path / "lib")
    return tmp_path / "lib"


@pytest.mark.fault
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_practice_goes_on_as_if_it_had_not_been(tmp_path, practised, point):
    call = practice(tmp_path / "lib", practised / "tasks.txt")
    assert at_once([(point, call), ("", call)]) == [[point, -9], ["", 0]]
    assert validate_library(tmp_path / "lib") == []
    assert facts(tmp_path / "lib") == facts(practised / "lib")


@pytest.mark.fault
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_alfworld_killed_twice_counts_each_game_once(tmp_path):
    write_games(tmp_path / "games", 8, seed=5)

    def call(name):
        return practice(tmp_path / name, tmp_path / "games", 5, "alfworld")

    points = ("within an episode", "half a line")
    calls = [("", call("whole")), *((point, call("lib")) for point in points), ("", call("lib"))]
    assert [code for _, code in at_once(calls)] == [0, -9, -9, 0]
    assert validate_library(tmp_path / "lib") == []
    found = facts(tmp_path / "lib")
    assert found == facts(tmp_path / "whole")
    played = [each[0] for each in found["curve"]]
    assert len(played) == len({*played}) == 5


def test_it_can_be_stopped_before_a_game_is_played_again(tmp_path, games, monkeypatch):
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    assert run(*practice(whole, games)).exit_code == 0
    append = PracticeLog.append

    def interrupted(log, played):
        append(log, played)
        raise KeyboardInterrupt

    monkeypatch.setattr(PracticeLog, "append", interrupted)
    for _ in range(EPISODES):
        assert run(*practice(pieces, games)).exit_code == 130
    found = facts(whole)
    assert any("#again" in each[0] for each in found["curve"])
    assert facts(pieces) == found


def refused(library, games, named, says):
    """Practise on with a damaged library; return what it says."""
    files = [p for p in library.rglob("*") if p.is_file() and not p.match("evidence.db-*")]
    before = {each: each.read_bytes() for each in files}
    result = run(*practice(library, games, EPISODES + 2))
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert str(library / named) in result.stderr
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert {each: each.read_bytes() for each in files} == before
    return result.stderr


def cut(file, length):
    data = file.read_bytes()
    file.write_bytes(data[:length])
    return data


def test_cut_off_evidence_is_refused_and_nothing_is_lost(copy, practised):
    found = facts(copy)
    file = copy / ".macla" / "evidence.db"
    data = cut(file, file.stat().st_size // 2)
    refused(copy, practised / "tasks.txt", ".macla/evidence.db", "is damaged")
    file.write_bytes(b"")
    result = run(*practice(copy, practised / "tasks.txt", EPISODES + 2))
    assert result.exit_code == 2
    assert f"{file} holds no evidence, although {EPISODES} episodes were practised" in (
        result.stderr
    )
    file.write_bytes(data)
    assert facts(copy) == found


@pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
def test_a_curve_that_is_cut_off_is_drawn_again(copy, practised, share):
    found = facts(copy)
    file = copy / ".macla" / "practice.jsonl"
    cut(file, int(share * file.stat().st_size))
    assert run(*practice(copy, practised / "tasks.txt")).exit_code == 0
    again = facts(copy)
    # What was known after an episode long ago is not known any more: its mean.
    assert [each[:-1] for each in again.pop("curve")] == [each[:-1] for each in found.pop("curve")]
    assert again == found


def test_a_broken_line_within_the_curve_is_refused(copy, practised):
    file = copy / ".macla" / "practice.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], lines[2][:20] + b"\n", *lines[3:]]))
    refused(copy, practised / "tasks.txt", ".macla/practice.jsonl", "line 3 is not an episode")


@pytest.mark.parametrize("lines", [0, 3])
def test_cut_off_episodes_are_refused(copy, practised, lines):
    file = copy / ".macla" / "episodes.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:lines]))
    refused(copy, practised / "tasks.txt", ".macla/episodes.jsonl", "was cut off")


@pytest.mark.parametrize("named", ["ontology.yaml", "procedures/grind-in.yaml"])
def test_a_cut_off_file_of_knowledge_is_refused(copy, practised, named):
    whole = facts(copy)
    data = cut(copy / named, 0)
    refused(copy, practised / "tasks.txt", named, "is empty")
    (copy / named).write_bytes(data[:40])
    refused(copy, practised / "tasks.txt", named, "")
    (copy / named).write_bytes(data)
    assert facts(copy) == whole


@pytest.mark.parametrize("named", ["ontology.yaml", "procedures/grind-in.yaml"])
def test_wherever_it_is_cut_off_it_is_named_or_still_a_file(copy, named):
    data = (copy / named).read_bytes()
    refusals = []
    for length in range(0, len(data), 7):
        (copy / named).write_bytes(data[:length])
        try:
            Library.open(copy)
        except LibraryError as error:
            refusals.append(error.file)
    assert len(refusals) > 20
    assert {*refusals} == {copy / named}


def test_of_two_practices_in_one_library_one_is_refused(copy, practised, monkeypatch):
    monkeypatch.setattr(teaching, "_WRITING", 0.1)
    before = facts(copy)
    with PracticeLog(copy).opened():
        refused(copy, practised / "tasks.txt", ".macla/practice.jsonl", "another practice is under")
        with pytest.raises(LockError), PracticeLog(copy).opened():
            pass
        for learn in (teach, teach_by_review):  # what it learns would be lost at the next lesson
            with pytest.raises(LockError, match="another practice"):
                learn(copy, [mill_demonstration(1)], domain=Library.open(copy).settings.domain)
    assert facts(copy) == before
    assert run(*practice(copy, practised / "tasks.txt", EPISODES + 1)).exit_code == 0
    assert len(facts(copy)["curve"]) == EPISODES + 1


def test_two_processes_that_practise_at_once(copy, practised):
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\nfrom macla.cli.main import main; main()"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, str(TESTS)]
    both = [
        forking.popen(
            [*command, *practice(copy, practised / "tasks.txt", EPISODES + 3)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    told = [each.communicate(timeout=120)[1] for each in both]
    codes = sorted(each.returncode for each in both)
    assert codes in ([0, 2], [0, 0]), told  # one after the other, if one was slow to start
    if codes == [0, 2]:
        assert any("another practice is under way" in each for each in told)
    found = facts(copy)
    played = [each[0] for each in found["curve"]]
    assert len(played) == len({*played}) == EPISODES + 3
    assert len(found["episodes"]) == len({*found["episodes"]}) == EPISODES + 3
    assert validate_library(copy) == []
