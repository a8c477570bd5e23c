"""Practice in git that is killed: its half of a commit is finished, a person's change is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import forking
import pytest
from command_line import run
from review_library import make_git

TESTS = Path(__file__).parent
EPISODES = 5

KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv.pop(1))
import macla.adapters.git.proposal_branches as proposals
import macla.adapters.git.stores as stores
import macla.adapters.git.committing as committing
from macla.cli.main import cli

POINTS = {
    "library written": (proposals, "keep_accepted", 1, True),
    "record written": (proposals, "commit_here", 2, True),
    "branch moved": (committing, "record", 2, False),
    "library made": (stores, "commit_library", 1, True),
}
owner, name, number, before = POINTS[sys.argv.pop(1)]
real, calls = getattr(owner, name), []


def stand_in(*arguments, **named):
    calls.append(name)
    if before and len(calls) == number:
        os.kill(os.getpid(), signal.SIGKILL)
    answer = real(*arguments, **named)
    if len(calls) == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer


setattr(owner, name, stand_in)
cli.main(args=sys.argv[1:])
"""


def git(folder, *words):
    done = subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
    return done.stdout.decode()


@pytest.fixture
def call(tmp_path):
    make_git(tmp_path)
    games = tmp_path / ".git" / "tasks.txt"
    games.write_text("\n".join(f"now{i}" for i in range(24)))
    return [
        *("practice", "mill_practice:CrankedMill", "--library", str(tmp_path / "lib")),
        *("--split", str(games), "--episodes", str(EPISODES), "--world", "max-steps=20"),
        *("--policy", "auto"),
    ]


def killed(call, point):
    done = forking.run(
        [sys.executable, "-W", "ignore", "-c", KILLED, str(TESTS), point, *call],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == -9, done.stderr[-3_000:]


def subjects(folder):
    return git(folder, "log", "--reverse", "--format=%s").splitlines()


pytestmark = [
    pytest.mark.fault,
    pytest.mark.skipif(os.name == "nt", reason="needs kill"),
]


@pytest.mark.parametrize("point", ["library written", "record written", "branch moved"])
def test_a_commit_that_was_cut_off_is_finished(tmp_path, call, point):
    killed(call, point)
    before = subjects(tmp_path)
    assert git(tmp_path, "status", "--porcelain")
    result = run(*call)
    assert result.exit_code == 0, result.stderr
    assert "not committed" not in result.stderr
    assert git(tmp_path, "status", "--porcelain") == ""
    told = subjects(tmp_path)
    assert told[: len(before)] == before
    assert len(told) > len(before)
    # The commit is the record: each decision stands in one, and leaves no file.
    assert git(tmp_path, "ls-files", "lib/proposals") == ""
    named = git(tmp_path, "log", "--format=%(trailers:key=Proposal,valueonly)").split()
    assert len(set(named)) == len(named)


def test_what_a_person_left_uncommitted_stays_so(tmp_path, call):
    killed(call, "record written")
    (mine,) = (tmp_path / "lib" / "procedures").glob("*.yaml")
    written = mine.read_text()
    theirs = written.replace("    unless: done\n", "", 1)
    assert theirs != written
    mine.write_text(theirs)
    notes = tmp_path / "lib" / "notes.txt"
    notes.write_text("later")
    assert run(*call).exit_code == 0
    assert mine.read_text() == theirs
    left = git(tmp_path, "status", "--porcelain", "-uall")
    assert f"procedures/{mine.name}" in left
    assert "lib/notes.txt" in left


def test_a_library_that_was_made_and_not_committed_is_committed(tmp_path, call):
    killed(call, "library made")
    assert (tmp_path / "lib" / "library.yaml").exists()
    assert run(*call).exit_code == 0
    assert subjects(tmp_path)[0] == "Start the library lib, empty"
    assert len(subjects(tmp_path)) > 1
    assert git(tmp_path, "status", "--porcelain") == ""
