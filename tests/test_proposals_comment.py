"""The comment of a pull request: it tells of the changes, and whether held-out episodes fell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import review_library
from command_line import run
from macla.adapters.git.stores import open_store
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library.library import Library
from macla.procedures.proposals.policy import submit
from review_library import git, make_git, refinement

nobodys_settings = review_library.nobodys_settings
library = review_library.library
ledger = review_library.ledger


def test_it_has_the_table_the_words_and_the_replay(library: Library, ledger: Ledger) -> None:
    base = git(library.path.parent, "rev-parse", "HEAD")
    submit(library, ledger, refinement(library), "auto", open_store(library.path))
    told = run("proposals", "comment", str(library.path), base)
    assert told.exit_code == 0, told.stderr
    (row,) = [line for line in told.stdout.splitlines() if line.startswith("| <code>")]
    assert "worked 3 times" in row
    assert "    procedure fetch: version 1 → 2" in told.stdout
    assert "    + 2. open {y}" in told.stdout.replace("        +", "    +")
    plain = run("proposals", "comment", str(library.path), base, "--json")
    assert json.loads(plain.stdout)["comment"] == told.stdout


def test_nothing_changed(library: Library) -> None:
    told = run("proposals", "comment", str(library.path), "HEAD")
    assert told.exit_code == 0
    assert "Nothing that is done changes." in told.stdout


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "HEAD~99"])
def test_a_revision_that_is_none(library: Library, base: str) -> None:
    told = run("proposals", "comment", str(library.path), "--", base)
    assert told.exit_code == 2
    assert "names no commit" in told.stderr


def test_it_fails_where_fewer_held_out_episodes_are_reproduced(tmp_path: Path) -> None:
    def episode(thing: str) -> str:
        told = {
            "task": f"light the {thing}",
            "obs": [f"You see a {thing} 1 and a stand 1.", f"The {thing} 1 glows."],
            "acts": [f"light {thing} 1"],
            "success": True,
        }
        return json.dumps(told) + "\n"

    shown, held_out, lib = (tmp_path / each for each in ("a.jsonl", "b.jsonl", "lib"))
    shown.write_text(episode("lamp") * 3 + episode("torch"))
    held_out.write_text(episode("lamp"))
    assert run("learn", str(shown), "--library", str(lib)).exit_code == 0
    make_git(tmp_path, "lib")
    git(tmp_path, "checkout", "-q", "-b", "work")
    same = run("proposals", "comment", str(lib), "main", "--episodes", str(held_out))
    assert same.exit_code == 0
    assert "1 of 1 are reproduced, 1 of 1 before." in same.stdout
    for folder in ("meta", "programs", "procedures"):
        for file in (lib / folder).glob("*.yaml"):
            file.unlink()
    git(tmp_path, "commit", "-q", "-am", "Lose it all")
    fell = run("proposals", "comment", str(lib), "main", "--episodes", str(held_out))
    assert fell.exit_code == 1
    assert "0 of 1 are reproduced, 1 of 1 before." in fell.stdout
