"""Every command works in a clone that macla has not seen: it has no machine-local files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import run
from macla.evals.foreign_worlds import Bomb, Yard, demonstrations
from macla.procedures.episodes.trajectories import write_trajectories

MORE = "{more}"
FEW = 4
"""Demonstrations of a world: that commands run is looked at, and not what is learned."""


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a learned library, and the episodes beside it."""
    top = tmp_path_factory.mktemp("upstream")
    write_trajectories(top / "more.jsonl", demonstrations(Yard, FEW))
    write_trajectories(top / "first.jsonl", demonstrations(Bomb, FEW))
    assert run("learn", top / "first.jsonl", "--library", top / "lib").exit_code == 0
    git(top, "init", "-q", "-b", "main")
    git(top, "add", ".")
    git(top, "commit", "-qm", "a library")
    return top


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["learn", MORE, "--library", "{lib}", "--policy", "auto"], 0),
        (["learn", MORE, "--library", "{lib}", "--policy", "review"], 0),
        (["learn", MORE, "--library", "{lib}", "--replace"], 0),
        (["check", "{lib}", "--proof", MORE], 0),
        (["check", "{lib}"], 0),
        (["check", "{lib}", "--files"], 0),
        (["migrate", "{lib}"], 0),
        (["trace", "--task", "fetch a", "--library", "{lib}"], 0),
        (["list", "{lib}"], 0),
        (["ask", "{lib}"], 0),
        (["proposals", "list", "{lib}"], 0),
        (["evidence", "export", "--library", "{lib}", "{top}/out.jsonl"], 0),
        (["undo", "{lib}"], 2),
        (["evidence", "fit", "{lib}"], 0),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_a_command_runs_in_a_clone_without_machine_local_files(
    upstream: Path, tmp_path: Path, arguments: Sequence[str], code: int
) -> None:
    git(tmp_path, "clone", "-q", str(upstream), "clone")
    top = tmp_path / "clone"
    names = {"{more}": str(top / "more.jsonl"), "{lib}": str(top / "lib"), "{top}": str(top)}
    words = [names.get(word, word.replace("{top}", str(top))) for word in arguments]
    done = run(*words)
    assert done.exit_code == code, done.stdout + done.stderr
    assert run("check", top / "lib", "--files").exit_code == 0
    if arguments[0] == "learn":
        again = run(*words)
        assert again.exit_code == 0, again.stdout + again.stderr
