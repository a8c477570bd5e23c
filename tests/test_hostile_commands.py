"""Every command that takes a library, on a clone with half a change that its author planted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command_line import run
from macla.cli.main import VERBS, cli

from .test_hostile_clone import everything, git, hostile, upstream

__all__ = ["upstream"]

WITHOUT = {"demo", "measure", "report", "git", "proposals undo"}
"""Commands that take no library, or none that is there already."""
EPISODE = {"task": "fetch a", "obs": ["You are here.", "Got a."], "acts": ["get a"]}
WORLD = "macla.evals.soak.world:Cellar"
LIB = "LIB"
COMMANDS: dict[str, tuple[str, ...]] = {
    "learn": ("learn", "shown.jsonl", "--library", LIB),
    "observe": ("observe", "log.jsonl", "--library", LIB),
    "practice": ("practice", WORLD, "--library", LIB, "--split", "tasks.txt", "--episodes", "2"),
    "eval": ("eval", WORLD, "--library", LIB, "--split", "tasks.txt"),
    "trace": ("trace", WORLD, "--library", LIB, "--split", "tasks.txt"),
    "explain": ("explain", "fetch a", "--library", LIB),
    "validate": ("validate", LIB),
    "prove": ("prove", LIB),
    "check": ("check", LIB),
    "tune": ("tune", LIB, "--write"),
    "accept": ("accept", LIB, "--all"),
    "adopt": ("adopt", LIB),
    "migrate": ("migrate", LIB),
    "index": ("index", LIB),
    "list": ("list", LIB),
    "show": ("show", LIB, "fetch"),
    "ask": ("ask", LIB),
    "log": ("log", LIB, "fetch"),
    "blame": ("blame", LIB, "fetch"),
    "revert": ("revert", LIB, "fetch", "--to", "1"),
    "undo": ("undo", LIB),
    "serve": ("serve", LIB),
    "diff": ("diff", LIB, "other"),
    "evidence export": ("evidence", "export", "out.jsonl", "--library", LIB),
    "evidence import": ("evidence", "import", "rows.jsonl", "--library", LIB),
    "skills export": ("skills", "export", "skills", "--library", LIB),
    "skills import": ("skills", "import", "skills", "--library", LIB),
    "proposals list": ("proposals", "list", LIB),
    "proposals accept": ("proposals", "accept", LIB, "--all"),
}


def verbs() -> Iterator[str]:
    """Yield each command, those of a group with its name before."""
    context = click.Context(cli)
    for verb in VERBS:
        command = cli.get_command(context, verb)
        if isinstance(command, click.Group):
            yield from (f"{verb} {name}" for name in command.list_commands(context))
        else:
            yield verb


def test_there_is_a_call_of_each_command_or_of_its_group() -> None:
    groups = {each.partition(" ")[0] for each in COMMANDS}
    missing = [e for e in verbs() if e not in COMMANDS and e.partition(" ")[0] not in groups]
    assert {each.partition(" ")[0] for each in missing} <= WITHOUT


@pytest.mark.parametrize("name", COMMANDS)
def test_half_a_change_is_not_finished_whatever_the_command(
    name: str, upstream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile(upstream)
    git(tmp_path, "clone", "-q", "upstream", "clone")
    monkeypatch.chdir(tmp_path)
    library = tmp_path / "clone" / "lib"
    (tmp_path / "shown.jsonl").write_text(json.dumps({**EPISODE, "success": True}) + "\n")
    (tmp_path / "tasks.txt").write_text("now1\n")
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    (tmp_path / "log.jsonl").write_text(json.dumps({"messages": turns}) + "\n")
    (tmp_path / "rows.jsonl").write_text("")
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "SKILL.md").write_text("---\nname: a\ndescription: b\n---\n")
    shutil.copytree(library, tmp_path / "other")
    before = everything(library)
    done = run(*(str(library) if word == LIB else word for word in COMMANDS[name]))
    if name != "diff":  # it reads what stands in the files, and nothing else
        assert done.exit_code in (1, 2), done.output
        assert "is tracked by git" in done.output, done.output
    assert everything(library) == before
    assert not os.path.lexists(library / "library.lock")
