"""Every command that takes a library, on a clone with half a change that its author planted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from command_line import run
from macla.cli.main import VERBS, cli

from .test_hostile_clone import PLANTED, everything, git, hostile, plant, upstream

__all__ = ["upstream"]

WITHOUT = {"demo", "git merge-driver"}
"""Commands that take no library, or none that is there already."""
EPISODE = {"task": "fetch a", "obs": ["You are here.", "Got a."], "acts": ["get a"]}
WORLD = "macla.evals.soak.world:Cellar"
READ_FILES_ALONE = {"diff", "proposals comment"}
"""They read what stands in the files, or what git has, and nothing else."""
HALF = "half a change from elsewhere"
LIB = "LIB"
COMMANDS: dict[str, tuple[str, ...]] = {
    "learn": ("learn", "shown.jsonl", "--library", LIB),
    "observe": ("observe", "log.jsonl", "--library", LIB),
    "practice": ("practice", WORLD, "--library", LIB, "--split", "tasks.txt", "--episodes", "2"),
    "eval": ("eval", WORLD, "--library", LIB, "--split", "tasks.txt"),
    "trace": ("trace", WORLD, "--library", LIB, "--split", "tasks.txt"),
    "trace --task": ("trace", "--task", "fetch a", "--library", LIB),
    "check": ("check", LIB),
    "check --files": ("check", LIB, "--files"),
    "check --proof": ("check", LIB, "--proof"),
    "accept": ("accept", LIB, "--all"),
    "migrate": ("migrate", LIB),
    "migrate --adopt": ("migrate", LIB, "--adopt"),
    "list": ("list", LIB),
    "show": ("show", LIB, "fetch"),
    "ask": ("ask", LIB),
    "show --versions": ("show", LIB, "fetch", "--versions"),
    "undo": ("undo", LIB),
    "undo ID": ("undo", LIB, "fetch", "--to", "1"),
    "serve": ("serve", LIB),
    "diff": ("diff", LIB, "other"),
    "evidence export": ("evidence", "export", "out.jsonl", "--library", LIB),
    "evidence import": ("evidence", "import", "rows.jsonl", "--library", LIB),
    "skills export": ("skills", "export", "skills", "--library", LIB),
    "skills import": ("skills", "import", "skills", "--library", LIB),
    "proposals list": ("proposals", "list", LIB),
    "proposals accept": ("proposals", "accept", LIB, "--all"),
    "proposals reject": ("proposals", "reject", LIB, "--all", "--why", "no"),
    "proposals show": ("proposals", "show", LIB, "new"),
    "proposals comment": ("proposals", "comment", LIB, "HEAD"),
    "proposals edit": ("proposals", "edit", LIB, "new", "--file", "new.yaml"),
    "proposals rebase": ("proposals", "rebase", LIB, "--all"),
    "proposals reopen": ("proposals", "reopen", LIB, "new"),
    "proposals suggest": ("proposals", "suggest", LIB),
    "proposals replay": ("proposals", "replay", LIB, "--all"),
    "proposals html": ("proposals", "html", LIB, "-o", "page.html"),
    "proposals serve": ("proposals", "serve", LIB),
    "evidence fit": ("evidence", "fit", LIB, "--write"),
    "evidence merge": ("evidence", "merge", LIB, "rows.jsonl"),
    "evidence verify": ("evidence", "verify", LIB),
    "git install": ("git", "install", LIB),
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


def test_there_is_a_call_of_each_command() -> None:
    assert {*verbs()} == {
        name for name in COMMANDS if "--" not in name and "ID" not in name
    } | WITHOUT


def tracked(upstream: Path, clone: Path) -> str:
    """The author committed half a change."""
    hostile(upstream)
    git(clone.parent, "clone", "-q", str(upstream), str(clone))
    return "is tracked by git"


def archived(upstream: Path, clone: Path) -> str:
    """The author packed half a change into an archive, without git."""
    shutil.copytree(upstream, clone, ignore=shutil.ignore_patterns(".git"))
    plant(clone / "lib" / ".macla", "fetch.yaml", PLANTED.format("fetch", "steal"))
    return "not made by this machine for this library"


def linked(upstream: Path, clone: Path) -> str:
    """The author committed a link to a folder of the user, in which half a change lies."""
    mine = clone.parent / "mine"
    plant(mine, "fetch.yaml", PLANTED.format("fetch", "steal"))
    (upstream / "lib" / ".macla").symlink_to("../../mine")
    git(upstream, "add", "-f", ".")
    git(upstream, "commit", "-qm", "more")
    git(clone.parent, "clone", "-q", str(upstream), str(clone))
    return "is a link"


@pytest.mark.parametrize("attack", [tracked, archived, linked])
@pytest.mark.parametrize("name", COMMANDS)
def test_half_a_change_is_not_finished_whatever_the_command(
    name: str,
    attack: Callable[[Path, Path], str],
    upstream: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = attack(upstream, tmp_path / "clone")
    monkeypatch.chdir(tmp_path)
    library = tmp_path / "clone" / "lib"
    (tmp_path / "shown.jsonl").write_text(json.dumps({**EPISODE, "success": True}) + "\n")
    (tmp_path / "tasks.txt").write_text("now1\n")
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    (tmp_path / "log.jsonl").write_text(json.dumps({"messages": turns}) + "\n")
    (tmp_path / "rows.jsonl").write_text("")
    (tmp_path / "new.yaml").write_text(PLANTED.format("new", "look"))
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "SKILL.md").write_text("---\nname: a\ndescription: b\n---\n")
    shutil.copytree(library, tmp_path / "other", symlinks=True)
    before = [everything(each) for each in targets(tmp_path)]
    done = run(*(str(library) if word == LIB else word for word in COMMANDS[name]))
    if name not in READ_FILES_ALONE:
        assert done.exit_code in (1, 2), done.output
        assert told in done.output or (name == "migrate --adopt" and HALF in done.output), (
            done.output
        )
    assert [everything(each) for each in targets(tmp_path)] == before
    assert not os.path.lexists(library / "library.lock")


def targets(folder: Path) -> list[Path]:
    """Return what must stay as it is: the library, and what it may lead to."""
    return [each for each in (folder / "clone" / "lib", folder / "mine") if each.exists()]
