"""git's own merge of library files, by keys and steps; installing and removing the drivers."""

from __future__ import annotations

import contextlib
import json
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import review_library
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from macla.adapters.git.install import install, uninstall
from macla.adapters.git.merging import combined, document_of, merge_files
from macla.cli.main import cli
from macla.procedures.common.errors import GitError, SchemaError
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.documents.yaml_update import updated
from macla.procedures.library.library import Library, validate_library
from macla.procedures.local.safe_git import Git
from review_library import FETCH, OPENING, git, make_library, make_repository, quiet, refined

LABELS = ("ours", "base", "theirs")
BASE = dump_yaml(FETCH)


nobodys_settings = review_library.nobodys_settings


@pytest.fixture
def merge_git(tmp_path: Path) -> Git:
    return Git(tmp_path)


def merged(tool: Git, base: str, ours: str, theirs: str) -> tuple[str, list[str]]:
    text, problems = merge_files(tool, base.encode(), ours.encode(), theirs.encode(), LABELS)
    return text.decode(), problems


def test_comments_of_both_sides_stay(merge_git: Git) -> None:
    ours = BASE.replace("goal:", "# Ada: short\ngoal:").replace("- zib\n", "- trell\n      - zib\n")
    theirs = dump_yaml(refined()).replace("steps:", "# Ben: doors\nsteps:")
    text, problems = merged(merge_git, BASE, ours, theirs)
    assert problems == []
    assert "# Ada: short" in text
    assert "# Ben: doors" in text
    document = document_of(text.encode())
    assert [step["do"] for step in document["steps"]][1] == "open {y}"
    assert document["parameters"]["x"]["kinds"] == ["mokka", "trell", "zib"]


def test_comments_at_one_place_stand_one_after_the_other(merge_git: Git) -> None:
    ours, theirs = (BASE.replace("steps:", f"# {who}\nsteps:") for who in ("Ada", "Ben"))
    text, problems = merged(merge_git, BASE, ours, theirs)
    assert problems == []
    assert "# Ada\n# Ben\nsteps:" in text


def test_a_conflict_has_gits_markers(merge_git: Git) -> None:
    ours, theirs = (BASE.replace("fetch {x} from {y}\npar", f"{w} {{x}}\npar") for w in "ab")
    text, problems = merged(merge_git, BASE, ours, theirs)
    assert problems == ["goal: both sides changed it"]
    assert "<<<<<<< ours" in text
    assert ">>>>>>> theirs" in text


def test_sides_that_make_no_sense_together(merge_git: Git) -> None:
    ours = dump_yaml({**refined(), "steps": [*refined()["steps"], {"do": "leave {z}"}],
                      "parameters": {**FETCH["parameters"], "z": {"source": "given"}}})  # fmt: skip
    base = ours
    gone = dump_yaml({**refined(version=3)})
    uses = ours.replace("version: 2", "version: 3").replace("goal: fetch", "goal: fetch {z}")
    _, problems = merged(merge_git, base, uses, gone)
    assert any("unknown parameter {z}" in problem for problem in problems)


def test_broken_yaml_is_merged_as_text(merge_git: Git) -> None:
    text, problems = merged(merge_git, "a: [\n", "a: [\nb\n", "a: [\n")
    assert (text, problems) == ("a: [\nb\n", [])
    text, problems = merged(merge_git, "a: [\n", "b: [\n", "c: [\n")
    assert "<<<<<<<" in text
    assert "plain text" in problems[0]


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 2**32))
@example(seed=303726)
def test_no_comment_is_lost(merge_git: Git, seed: int) -> None:
    rng = random.Random(seed)

    def commented(text: str, who: str) -> tuple[str, list[str]]:
        lines = text.splitlines()
        marks = [f"# {who} {n}" for n in range(rng.randint(1, 3))]
        for mark in marks:
            lines.insert(rng.randint(0, len(lines)), mark)
        return "\n".join(lines) + "\n", marks

    mine = {**FETCH, "version": 2, "goal": "fetch {x} out of {y}"}
    ours, one = commented(dump_yaml(mine), "Ada")
    theirs, other = commented(dump_yaml(refined()), "Ben")
    text, problems = merged(merge_git, BASE, ours, theirs)
    assert problems == []
    for mark in (*one, *other):
        assert mark in text
    document = document_of(text.encode())
    assert document["goal"] == "fetch {x} out of {y}"
    assert OPENING["do"] in [step["do"] for step in document["steps"]]


def in_layout(document: dict[str, Any], rng: random.Random) -> str:
    """A document as people and programs may write it."""
    layouts: list[Callable[[], str]] = [
        lambda: dump_yaml(document),
        lambda: json.dumps(document, indent=2) + "\n",
        lambda: json.dumps(document),
        lambda: yaml.safe_dump(document, sort_keys=rng.random() < 0.5, width=rng.choice([12, 80])),
        lambda: re.sub(r"(?m)^goal: ", f"goal: {rng.choice('|>')}-\n  ", dump_yaml(document)),
        lambda: yaml.safe_dump(document, default_flow_style=True, width=20),
    ]
    return rng.choice(layouts)()


def with_comments(text: str, document: dict[str, Any], marks: list[str], rng: random.Random) -> str:
    """The text with comments on lines and behind lines, wherever they are no part of a text."""
    for mark in marks:
        while True:
            lines = text.split("\n")
            at = rng.randrange(len(lines))
            if rng.random() < 0.5:
                lines[at] += f" {mark}"
            else:
                lines.insert(at, f"{' ' * rng.randrange(4)}{mark}")
            more = "\n".join(lines)
            with contextlib.suppress(SchemaError):
                if load_yaml(more.encode()) == document:
                    text = more
                    break
    return text


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 2**32))
def test_comments_are_merged_in_any_layout(merge_git: Git, seed: int) -> None:
    rng = random.Random(seed)
    marks = [f"# old {n}" for n in range(3)]
    base = with_comments(in_layout(FETCH, rng), FETCH, marks, rng)
    kept: list[set[str]] = []

    def side(document: dict[str, Any], who: str) -> str:
        if rng.random() < 0.5:
            text, old = updated(base.encode(), document).decode(), marks
        else:
            text, old = in_layout(document, rng), rng.sample(marks, rng.randint(0, 3))
            text = with_comments(text, document, old, rng)
        new = [f"# {who} {n}" for n in range(rng.randint(1, 3))]
        kept.append({*old, *new})
        return with_comments(text, document, new, rng)

    mine = {**FETCH, "version": 2, "goal": "fetch {x} out of {y}"}
    ours, theirs = side(mine, "Ada"), side(refined(), "Ben")
    text, problems = merged(merge_git, base, ours, theirs)
    assert problems == []
    comments = set(re.findall("# (?:old|Ada|Ben) [0-9]", text))
    assert (kept[0] & kept[1]) | ((kept[0] | kept[1]) - set(marks)) <= comments
    assert comments <= kept[0] | kept[1]
    document = document_of(text.encode())
    assert document["goal"] == "fetch {x} out of {y}"
    assert OPENING["do"] in [step["do"] for step in document["steps"]]


def test_a_comment_that_one_side_changed_beside_a_new_one(merge_git: Git) -> None:
    base = BASE.replace("steps:", "# slow\nsteps:").replace("goal:", "# short\ngoal:")
    ours = base.replace("# slow", "# slow\n# Ada")
    theirs = base.replace("# slow", "# fast").replace("version: 1", "version: 1  # Ben")
    text, problems = merged(merge_git, base, ours, theirs)
    assert problems == []
    assert text == BASE.replace("goal:", "# short\ngoal:").replace(
        "steps:", "# Ada\n# fast\nsteps:"
    ).replace("version: 1", "# Ben\nversion: 1")


def test_comments_of_two_files_without_an_ancestor(merge_git: Git) -> None:
    ours = BASE.replace("goal:", "# both\n# Ada\ngoal:").removesuffix("\n")
    theirs = BASE.replace("goal:", "# both\n# Ben\ngoal:") + "# end\n"
    text = combined(merge_git, None, ours.encode(), theirs.encode(), document_of(BASE.encode()))
    assert text.decode() == "# end\n" + ours.replace("# Ada\n", "# Ada\n# Ben\n")


# -- the drivers as git runs them ------------------------------------------------------


def test_git_merges_by_steps(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "repo")
    top = library.path.parent
    install(library.path)
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "Drivers")
    file = library.path / "procedures" / "lodge.yaml"
    text = file.read_text()
    git(top, "checkout", "-q", "-b", "one")
    file.write_text(text.replace("- do: lodge", "- do: open {y}\n  - do: lodge"))
    git(top, "commit", "-q", "-am", "one")
    git(top, "checkout", "-q", "main")
    file.write_text(text.replace("unless: done", 'unless: ever("You are at {y}.")'))
    git(top, "commit", "-q", "-am", "two")
    git(top, "merge", "-q", "-m", "both", "one")
    assert [s.do for s in Library.open(library.path).procedures["lodge"].steps] == [
        "go to {y}",
        "open {y}",
        "lodge {x} in {y}",
    ]
    assert validate_library(library.path) == []
    git(top, "checkout", "-q", "-b", "three", "HEAD~1")
    file.write_text(file.read_text().replace("goal: lodge {x}", "goal: put {x}"))
    git(top, "commit", "-q", "-am", "three")
    git(top, "checkout", "-q", "-b", "four", "HEAD~1")
    file.write_text(file.read_text().replace("goal: lodge {x}", "goal: leave {x}"))
    git(top, "commit", "-q", "-am", "four")
    done = subprocess.run(
        ["git", "merge", "three"], cwd=top, capture_output=True, text=True, env=quiet()
    )
    assert done.returncode == 1
    assert "goal: both sides changed it" in done.stderr
    assert "<<<<<<<" in file.read_text()


def test_install_twice_and_uninstall(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "repo")
    attributes = library.path / ".gitattributes"
    attributes.write_text("*.png binary")
    assert install(library.path)
    assert install(library.path) == []
    assert attributes.read_text().startswith("*.png binary\n# macla: begin\n")
    assert "git merge-driver -- %O %A %B %P" in git(library.path, "config", "merge.macla.driver")
    assert git(library.path, "config", "diff.macla.command").endswith("macla diff --git-driver --")
    assert uninstall(library.path)
    assert uninstall(library.path) == []
    assert attributes.read_text() == "*.png binary\n"
    assert "macla" not in git(library.path, "config", "--list", "--local")


def test_the_command_line(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "repo")
    run = CliRunner().invoke(cli, ["git", "install", str(library.path)])
    assert run.exit_code == 0, run.output
    assert ".gitattributes" in run.output
    run = CliRunner().invoke(cli, ["git", "install", str(library.path)])
    assert run.output == "nothing to change\n"
    run = CliRunner().invoke(cli, ["git", "install", str(library.path), "--uninstall"])
    assert not (library.path / ".gitattributes").exists()


def test_outside_git(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    with pytest.raises(GitError, match="git init"):
        install(library.path)


def test_a_file_that_both_sides_added_is_merged(merge_git: Git) -> None:
    ours = BASE.replace("- zib\n", "- trell\n      - zib\n")
    theirs = BASE.replace("- zib\n", "- quon\n      - zib\n").replace("goal:", "# Ben: new\ngoal:")
    text, problems = merged(merge_git, "", ours, theirs)
    assert problems == []
    assert "# Ben: new" in text
    document = document_of(text.encode())
    assert document["version"] == FETCH["version"]
    assert document["parameters"]["x"]["kinds"] == ["mokka", "quon", "trell", "zib"]


def test_a_file_that_both_sides_added_to_do_other_things_is_a_conflict(merge_git: Git) -> None:
    theirs = BASE.replace("fetch {x}", "grab {x}")
    _, problems = merged(merge_git, "", BASE, theirs)
    assert problems


# -- programs that a repository names --------------------------------------------------------


def test_git_runs_no_program_that_a_repository_names(tmp_path: Path) -> None:
    """Whatever is asked of git: these settings hold for every command."""
    git(tmp_path, "init", "-q")
    ran = tmp_path / "ran"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    for hook in ("post-commit", "reference-transaction"):
        (tmp_path / ".git" / "hooks" / hook).write_text(program.read_text())
        (tmp_path / ".git" / "hooks" / hook).chmod(0o755)
    (tmp_path / "a.txt").write_text("a\n")
    git(tmp_path, "add", "a.txt")
    ran.unlink(missing_ok=True)
    for key in ("diff.external", "core.fsmonitor", "core.pager"):
        git(tmp_path, "config", key, str(program))
    git(tmp_path, "config", "protocol.ext.allow", "always")
    (tmp_path / "a.txt").write_text("b\n")
    tool = Git(tmp_path)
    tool.attempt("diff")
    tool.attempt("status")
    tool.attempt("log")
    tool.attempt("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "a")
    tool.attempt("ls-remote", f"ext::{program}")
    assert not ran.exists()
