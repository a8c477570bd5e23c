"""One call for a change of a library: at once, for review, or asked about."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import review_library
from macla.adapters.git.proposal_branches import GitStore
from macla.adapters.git.stores import open_store
from macla.adapters.submitting import policy_of, submitter
from macla.procedures.common.errors import GitError, ProposalError
from macla.procedures.evidence.ledger import Ledger, Outcome
from macla.procedures.library.library import Library, validate_library
from macla.procedures.local.safe_git import Git
from macla.procedures.proposals.policy import submit
from macla.procedures.proposals.proposal import Contrast, Proposal, Replay, make_proposal
from macla.procedures.proposals.rollback import propose_rollbacks
from macla.procedures.proposals.rules import Rule
from macla.schemas import first_misfit
from review_library import (
    FETCH,
    OPENING,
    git,
    make_library,
    open_ledger,
    refined,
    refinement,
)

nobodys_settings = review_library.nobodys_settings
library = review_library.library
ledger = review_library.ledger


def trials(name: str, version: int, good: float, bad: float, run: str = "play") -> Outcome:
    return Outcome.of_sums(run, ("procedure", name, version, ""), (good, bad), "2026-01-01")


def variant(library: Library) -> Proposal:
    steps = [FETCH["steps"][0], OPENING, FETCH["steps"][1]]
    new = {
        **FETCH,
        "id": "fetch-shut",
        "steps": steps,
        "preconditions": ['observed("The {y} is shut.")'],
        "provenance": {"parent": "fetch@1"},
    }
    return make_proposal(
        "variant",
        "Where the place is shut, it has to be opened.",
        target="fetch-shut",
        new=[new],
        contrast=Contrast(("run-1",), ("run-2", "run-3")),
        counts={"contrasted_successes": 1, "contrasted_failures": 2},
        eu_before=0.31,
        eu_after=0.62,
        replay=Replay(3, 1, 4, (-0.1, 0.5)),
    )


def test_the_policy_of_a_library(tmp_path: Path, library: Library) -> None:
    assert policy_of(library) == "review"
    assert policy_of(make_library(tmp_path / "plain")) == "auto"
    asked = make_library(tmp_path / "asked", proposals={"policy": "interrupt"})
    assert policy_of(asked) == "interrupt"
    file = library.path / "library.yaml"
    file.write_text(file.read_text() + "settings: {proposals: {policy: auto}}\n")
    assert policy_of(Library.open(library.path)) == "auto"


def test_a_library_in_a_work_tree_that_is_not_committed(library: Library) -> None:
    fresh = make_library(library.path.parent / "fresh")
    assert policy_of(fresh) == "auto"
    with open_ledger(fresh) as ledger:
        assert submitter(fresh, ledger)(refinement(fresh)).note == "accepted"
        with pytest.raises(GitError, match="is not committed"):
            submitter(fresh, ledger, "review")


def test_review_is_a_branch_and_auto_a_commit(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    placed = submitter(library, ledger)(refinement(library))
    assert (placed.note, placed.where) == ("made", "macla/refine/fetch-v2")
    assert library.procedures["fetch"].version == 1
    before = int(git(top, "rev-list", "--count", "HEAD"))
    auto = submitter(library, ledger, "auto")
    assert auto(variant(library)).note == "accepted"
    assert auto(variant(library)).note == "accepted"
    assert int(git(top, "rev-list", "--count", "HEAD")) == before + 1
    assert git(top, "status", "--porcelain") == ""
    assert validate_library(library.path) == []
    told = git(top, "log", "-1", "--format=%s%n%b")
    assert told.splitlines()[0] == "Add fetch-shut, a variant of fetch"
    for part in (
        "Where the place is shut, it has to be opened.",
        "Episodes: 1 in which it worked, 2 in which it failed",
        "Expected utility: 0.310 before, 0.620 after",
        "Replay of 8 stored episodes: 3 better, 1 worse, 4 alike",
        "+ 2. open {y}, when the latest observation says “The {y} is shut.”",
    ):
        assert part in told, told


def test_a_variant_inherits_a_part_of_its_parents_evidence(
    library: Library, ledger: Ledger
) -> None:
    ledger.record([trials("fetch", 1, 9.0, 3.0)])
    submit(library, ledger, variant(library), "auto")
    counts = ledger.counts("procedure", "fetch-shut")
    assert counts["procedure", "fetch-shut", 1, ""] == (4.5, 1.5)
    assert ledger.counts("procedure", "fetch")["procedure", "fetch", 1, ""] == (9.0, 3.0)
    new = Library.open(library.path).procedures["fetch-shut"]
    assert new.provenance["parent"] == "fetch@1"
    # A variant is no version of its parent, so it is never rolled back to it.
    ledger.record([trials("fetch-shut", 1, 0.0, 9.0, "later")])
    assert list(propose_rollbacks(library, ledger, lambda _: [])) == []


def test_what_a_variant_would_inherit_is_said_before(library: Library, ledger: Ledger) -> None:
    ledger.record([trials("fetch", 1, 9.0, 3.0)])
    store = open_store(library.path)
    submit(library, ledger, variant(library), "review", store)
    (waiting,) = store.pending()
    assert waiting.inherited_evidence is not None
    assert waiting.inherited_evidence.alpha == 5.5
    assert waiting.title == "Add fetch-shut, a variant of fetch"
    assert (waiting.eu_before, waiting.eu_after) == (0.31, 0.62)
    assert waiting.contrast == Contrast(("run-1",), ("run-2", "run-3"))


@pytest.mark.parametrize("answer", [True, {"accept": True, "by": "Ada"}])
def test_asked_and_accepted(tmp_path: Path, answer: object) -> None:
    library = make_library(tmp_path / "lib")
    asked: list[dict[str, Any]] = []
    with open_ledger(library) as ledger:
        one = submitter(library, ledger, "interrupt", ask=lambda q: asked.append(q) or answer)
        assert one(refinement(library)).note == "accepted"
    assert Library.open(library.path).procedures["fetch"].version == 2
    (question,) = asked
    assert question["title"] == "Refine fetch to version 2"
    assert "open {y}" in question["text"]
    assert first_misfit("proposal", question["proposal"]) is None


def test_asked_and_refused_is_remembered(library: Library, ledger: Ledger) -> None:
    def ask(question: dict[str, Any]) -> object:
        return {"accept": False, "why": "Too rare.", "by": "Ada"}

    def never(question: dict[str, Any]) -> object:
        raise AssertionError("it was answered before")

    placed = submitter(library, ledger, "interrupt", ask=ask)(refinement(library))
    assert (placed.note, placed.proposal.why) == ("rejected", "Too rare.")
    again = submitter(library, ledger, "interrupt", ask=never)(refinement(library))
    assert again.note == "rejected"
    assert library.procedures["fetch"].version == 1
    assert git(library.path.parent, "log", "-1", "--format=%s") == (
        "Reject: refine fetch to version 2"
    )


def test_an_answer_that_is_none(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    with open_ledger(library) as ledger:
        with pytest.raises(ProposalError, match="'maybe' neither accepts nor rejects"):
            submit(library, ledger, refinement(library), "interrupt", ask=lambda _: "maybe")
        with pytest.raises(ValueError, match="needs somebody to ask"):
            submit(library, ledger, refinement(library), "interrupt")
        with pytest.raises(ValueError, match="no policy 'never'"):
            submit(library, ledger, refinement(library), "never")  # type: ignore[arg-type]
    assert Library.open(library.path).procedures["fetch"].version == 1


def test_played_and_stored_replays_stand_side_by_side(library: Library, ledger: Ledger) -> None:
    stored = Replay(3, 0, 5, (0.0, 0.6))
    played = Replay(1, 4, 15, (-0.4, 0.1), "house dev, seed 0")
    both = dataclasses.replace(refinement(library), replay=stored, live=played)
    store = open_store(library.path)
    submit(library, ledger, both, "review", store)
    (waiting,) = store.pending()
    assert (waiting.replay, waiting.live) == (stored, played)
    assert first_misfit("proposal", waiting.to_document()) is None
    assert Rule("replay.gain > 0 and live.losses == 4").holds(waiting)
    assert not Rule("live.gain > 0").holds(waiting)


def test_how_many_processes_accepting_takes(
    library: Library, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(library.path)
    assert isinstance(store, GitStore)
    for number in range(3):
        new = refined(goal=f"fetch {{x}} from {{y}} {number}") if number else refined()
        submit(library, ledger, refinement(library, {**new, "version": 2}), "review", store)
    submit(library, ledger, variant(library), "review", store)
    calls: list[tuple[str, ...]] = []
    plain = Git.attempt

    def counted(self: Git, *arguments: str, **more: Any) -> tuple[int, bytes, bytes]:
        calls.append(arguments)
        return plain(self, *arguments, **more)

    monkeypatch.setattr(Git, "attempt", counted)
    waiting = store.pending()
    assert len(waiting) == 2
    assert len(calls) <= 8, calls
    calls.clear()
    store.accept(library, ledger, waiting[0], "")
    assert len(calls) <= 6, calls


def test_a_refinement_names_what_it_may_not(library: Library, ledger: Ledger) -> None:
    locked = {**library.procedures["fetch"].to_document(), "locked": True}
    library.write_all([type(library.procedures["fetch"]).from_document(locked)])
    git(library.path.parent, "commit", "-qam", "Lock")
    library.refresh()
    with pytest.raises(ProposalError, match="'fetch' is locked"):
        submitter(library, ledger, "auto")(refinement(library))


def test_what_happens_later_is_not_inherited(library: Library, ledger: Ledger) -> None:
    store = open_store(library.path)
    submit(library, ledger, refinement(library), "auto", store)
    ledger.record([trials("fetch", 1, 17.0, 1.0)])
    assert store.settle(library, ledger) == []
    submit(library, ledger, refinement(library), "auto", store)
    counts = ledger.counts("procedure", "fetch")
    assert counts.get(("procedure", "fetch", 2, ""), (0.0, 0.0)) == (0.0, 0.0)
