"""Two clones and a bare origin: accepting, merging, taking back and rejecting as a team does."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import review_library
from command_line import run
from macla.adapters.git.stores import open_store
from macla.procedures.library.library import Library, validate_library
from macla.procedures.proposals.policy import submit
from macla.procedures.proposals.proposal import Proposal, make_proposal
from macla.procedures.proposals.proposal_store import find
from macla.procedures.sharing.exchange import open_evidence, write_lock
from review_library import FETCH, git, make_library, refined, refinement

nobodys_settings = review_library.nobodys_settings


@pytest.fixture
def team(tmp_path: Path, nobodys_settings: None) -> tuple[Path, Path]:
    """The clones of Ada and Ben of one repository with a library."""
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "origin.git")
    clones = []
    for name in ("ada", "ben"):
        git(tmp_path, "clone", "-q", "origin.git", name)
        top = tmp_path / name
        git(top, "config", "user.name", name.title())
        git(top, "config", "user.email", f"{name}@example.org")
        if name == "ada":
            git(top, "checkout", "-q", "-b", "main")
            library = make_library(top / "lib")
            with open_evidence(library.path) as ledger:
                write_lock(library, ledger)
            git(top, "add", "lib")
            git(top, "commit", "-qm", "Start")
            git(top, "push", "-qu", "origin", "main")
        clones.append(top)
    return clones[0], clones[1]


def added(library: Library, **facts: Any) -> Proposal:
    """A procedure that each of them sees by other episodes."""
    new = {**FETCH, "id": "carry", "goal": "carry {x} from {y}"}
    new["provenance"] = {"learned_from": f"{facts['counts']['successes']} episodes played"}
    return make_proposal("new", "It was seen.", target="carry", new=[new], **facts)


def accept(top: Path, proposal: Proposal, *, policy: str = "auto") -> str:
    library = Library.open(top / "lib")
    with open_evidence(library.path) as ledger:
        placed = submit(library, ledger, proposal, policy, open_store(library.path))  # type: ignore[arg-type]
    return placed.note


def pull(top: Path, *words: str) -> None:
    git(top, "pull", "-q", *(words or ("--no-rebase", "--no-edit")))
    assert git(top, "status", "--porcelain") == ""
    assert validate_library(top / "lib") == []


@pytest.mark.parametrize("words", [("--no-rebase", "--no-edit"), ("--rebase",)])
def test_both_accept_the_same_from_other_episodes(
    team: tuple[Path, Path], words: tuple[str, ...]
) -> None:
    ada, ben = team
    for top, seen in ((ada, 3), (ben, 5)):
        proposal = added(Library.open(top / "lib"), counts={"successes": seen, "failures": 0})
        assert accept(top, proposal) == "accepted"
    git(ada, "push", "-q")
    pull(ben, *words)
    assert git(ben, "ls-files", "lib/proposals") == ""
    told = git(ben, "log", "--format=%(trailers:key=Evidence,valueonly)").split("\n")
    assert {"worked 3 times, failed 0 times", "worked 5 times, failed 0 times"} <= set(told)


def test_what_was_accepted_elsewhere_waits_no_more(team: tuple[Path, Path]) -> None:
    ada, ben = team
    for top in team:
        assert accept(top, refinement(Library.open(top / "lib")), policy="review") == "made"
    library = Library.open(ada / "lib")
    with open_evidence(library.path) as ledger:
        store = open_store(library.path)
        store.accept(library, ledger, store.pending()[0], "")
    git(ada, "push", "-q")
    assert len(open_store(ben / "lib").pending()) == 1
    pull(ben)
    assert open_store(ben / "lib").pending() == []


def share_proposals(giver: Path, taker: Path) -> None:
    git(giver, "push", "-q", "origin", "refs/heads/macla/*")
    git(taker, "fetch", "-q", "origin")


@pytest.mark.parametrize("decision", ["accept", "reject"])
def test_one_change_that_two_clones_propose_is_decided_once(
    team: tuple[Path, Path], decision: str
) -> None:
    ada, ben = team
    for top, seen in ((ada, 3), (ben, 5)):
        proposal = refinement(Library.open(top / "lib"), counts={"successes": seen, "failures": 1})
        assert accept(top, proposal, policy="review") == "made"
    share_proposals(ben, ada)
    store = open_store(ada / "lib")
    (waiting,) = store.pending()
    assert store.where(waiting) == "macla/refine/fetch-v2"
    why = ("--why", "too rare") if decision == "reject" else ()
    assert run("proposals", decision, ada / "lib", "fetch", *why).exit_code == 0
    assert open_store(ada / "lib").pending() == []


def test_two_changes_of_one_name_are_told_apart_by_their_branches(team: tuple[Path, Path]) -> None:
    ada, ben = team
    assert accept(ada, refinement(Library.open(ada / "lib")), policy="review") == "made"
    other = refined(steps=[*refined()["steps"], {"do": "close {y}"}])
    assert accept(ben, refinement(Library.open(ben / "lib"), other), policy="review") == "made"
    share_proposals(ben, ada)
    told = run("proposals", "list", ada / "lib").output
    for branch in ("macla/refine/fetch-v2", "origin/macla/refine/fetch-v2"):
        assert f"Refine fetch to version 2 ({branch})" in told


@pytest.mark.parametrize("how", ["squash", "cherry-pick"])
def test_a_squash_and_a_cherry_pick_are_decisions_too(team: tuple[Path, Path], how: str) -> None:
    ada, ben = team
    for top in team:
        assert accept(top, refinement(Library.open(top / "lib")), policy="review") == "made"
    git(ada, "checkout", "-q", "-b", "work")
    library = Library.open(ada / "lib")
    with open_evidence(library.path) as ledger:
        store = open_store(library.path)
        store.accept(library, ledger, store.pending()[0], "")
    git(ada, "checkout", "-q", "main")
    if how == "squash":
        git(ada, "merge", "-q", "--squash", "work")
        git(ada, "commit", "-q", "--no-edit")
    else:
        git(ada, "cherry-pick", "work")
    git(ada, "push", "-q", "origin", "main")
    pull(ben)
    assert open_store(ben / "lib").pending() == []
    assert Library.open(ben / "lib").procedures["fetch"].version == 2


def test_what_was_reverted_waits_again(team: tuple[Path, Path]) -> None:
    ada, _ = team
    assert accept(ada, refinement(Library.open(ada / "lib"))) == "accepted"
    git(ada, "revert", "--no-edit", "HEAD")
    assert accept(ada, refinement(Library.open(ada / "lib")), policy="review") == "made"
    (waiting,) = open_store(ada / "lib").pending()
    library = Library.open(ada / "lib")
    with open_evidence(library.path) as ledger:
        store = open_store(library.path)
        done = store.accept(library, ledger, find(store.pending(), waiting.id), "")
    assert done.status == "accepted"
    assert Library.open(ada / "lib").procedures["fetch"].version == 2


def test_every_clone_remembers_a_rejection(team: tuple[Path, Path]) -> None:
    ada, ben = team
    assert accept(ada, refinement(Library.open(ada / "lib")), policy="review") == "made"
    library = Library.open(ada / "lib")
    with open_evidence(library.path) as ledger:
        store = open_store(library.path)
        store.reject(library, ledger, store.pending()[0], "Too rare.", "")
    assert git(ada, "branch", "--list", "macla/*") == ""
    assert git(ada, "ls-files", "lib/proposals") == ""
    git(ada, "push", "-q")
    pull(ben)
    assert accept(ben, refinement(Library.open(ben / "lib")), policy="review") == "rejected"
    library = Library.open(ben / "lib")
    with open_evidence(library.path) as ledger:
        store = open_store(library.path)
        (known,) = store.decided()
        assert (known.status, known.why) == ("rejected", "Too rare.")
        store.reopen(library, ledger, known)
    assert [p.id for p in open_store(ben / "lib").pending()] == [known.id]


def test_every_line_of_the_docs_on_remotes_runs(team: tuple[Path, Path]) -> None:
    ada, ben = team
    page = (Path(__file__).parent.parent / "docs" / "review.md").read_text(encoding="utf-8")
    block = page.partition("## Remotes")[2].partition("```bash\n")[2].partition("```")[0]
    lines = [line.partition("#")[0].strip() for line in block.splitlines()]
    assert len(lines) >= 5
    assert accept(ben, added(Library.open(ben / "lib"), counts={"successes": 5})) == "accepted"
    git(ben, "push", "-q", "origin", "main")
    git(ada, "branch", "macla/refine/take-from-v2")
    pull(ada)
    assert accept(ada, refinement(Library.open(ada / "lib")), policy="review") == "made"
    for line in lines:
        git(ada, *shlex.split(line)[1:])
    assert validate_library(ada / "lib") == []
    git(ben, "fetch", "-q")
    (seen,) = open_store(ben / "lib").pending()
    assert seen.target.id == "fetch"
