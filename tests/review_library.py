"""A small library to review changes of, and a repository around it; fixtures that modules share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import MetaProcedure, Procedure
from macla.procedures.proposals.proposal import Proposal, make_proposal

FETCH: dict[str, Any] = {
    "kind": "procedure",
    "id": "fetch",
    "version": 1,
    "goal": "fetch {x} from {y}",
    "parameters": {
        "x": {"source": "search", "via": "y", "kinds": ["zib", "mokka"]},
        "y": {"source": "place", "kinds": ["vand", "dorn"]},
    },
    "steps": [
        {"do": "go to {y}", "unless": "done"},
        {"do": "fetch {x} from {y}", "expect": ["You fetch the {x}."]},
    ],
    "postconditions": ['observed("You fetch the {x}.")'],
}
LODGE: dict[str, Any] = {
    "kind": "procedure",
    "id": "lodge",
    "version": 1,
    "goal": "lodge {x} in {y}",
    "parameters": {"x": {"source": "given"}, "y": {"source": "choice", "kinds": ["vand"]}},
    "steps": [{"do": "go to {y}", "unless": "done"}, {"do": "lodge {x} in {y}"}],
}
PLAN: dict[str, Any] = {
    "kind": "meta",
    "id": "tidy",
    "version": 1,
    "goal": "tidy {a}",
    "parameters": {"a": {"source": "task"}},
    "plan": [
        {"run": "fetch", "with": {"x": "a"}, "continue": "post"},
        {"run": "lodge", "with": {"x": "a"}, "continue": "post"},
    ],
}
OPENING = {"do": "open {y}", "when": 'observed("The {y} is shut.")'}


def make_library(path: Path, **settings: Any) -> Library:
    library = Library.create(path, domain="burrows", embedding="static", settings=settings)
    library.write_all(
        [Procedure.from_document(FETCH), Procedure.from_document(LODGE)],
        [MetaProcedure.from_document(PLAN)],
    )
    return library


def open_ledger(library: Library) -> Ledger:
    return Ledger.open(library.path / ".macla" / "evidence.db")


def refined(version: int = 2, **more: Any) -> dict[str, Any]:
    """``fetch`` with a step that opens."""
    steps = [FETCH["steps"][0], OPENING, FETCH["steps"][1]]
    return {**FETCH, "version": version, "steps": steps, **more}


def refinement(library: Library, new: dict[str, Any] | None = None, **more: Any) -> Proposal:
    """A proposal to refine what the library has now."""
    new = new or refined()
    old = library.get(new["id"]).to_document()
    why = more.pop("why", "It failed where the place was shut.")
    more.setdefault("counts", {"successes": 3, "failures": 4})
    return make_proposal("refine", why, target=new["id"], old=[old], new=[new], **more)


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, env=quiet()
    )
    return done.stdout.rstrip("\n")


def quiet() -> dict[str, str]:
    """An environment in which git knows nobody's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def make_git(path: Path, *committed: str) -> Path:
    """Make a repository, with some files in its first commit."""
    path.mkdir(parents=True, exist_ok=True)
    git(path, "init", "-q", "-b", "main")
    git(path, "config", "user.name", "Ada")
    git(path, "config", "user.email", "ada@example.org")
    if committed:
        git(path, "add", *committed)
        git(path, "commit", "-qm", "start")
    return path


def make_repository(path: Path, inside: str = "lib", **settings: Any) -> Library:
    """A repository with a committed library in a folder of it."""
    make_git(path)
    library = make_library(path / inside, **settings)
    git(path, "add", "-A")
    git(path, "commit", "-q", "-m", "A library")
    return library


# A test module takes these over by name: ``library = review_library.library``.


@pytest.fixture(autouse=True)
def nobodys_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git know nobody's own settings in all tests of a module."""
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, quiet()[name])


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library in a repository."""
    return make_repository(tmp_path / "repo")


@pytest.fixture
def ledger(library: Library) -> Iterator[Ledger]:
    """Its evidence."""
    with open_ledger(library) as opened:
        yield opened
