"""The gate of proposals: what makes a library reproduce fewer demonstrations is not offered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from invented_worlds import burrow_demonstration
from macla.adapters.git.stores import open_store
from macla.adapters.session import LibrarySession
from macla.adapters.teaching import proof_gate
from macla.adapters.teaching.practice_changes import Changes
from macla.adapters.teaching.proof_gate import ProofGate
from macla.adapters.teaching.teaching import teach
from macla.adapters.trial_copies import trial_copy
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.learner import Learned
from macla.procedures.library.library import Library
from macla.procedures.proposals.proposal import Proposal, make_proposal
from macla.procedures.sharing.exchange import open_evidence
from review_library import make_git

pytestmark = pytest.mark.usefixtures("plans_only")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[LibrarySession]:
    """A library of plans, taught from demonstrations that it keeps."""
    path = tmp_path / "library"
    teach(path, [burrow_demonstration(seed) for seed in range(20)], domain="burrow")
    with LibrarySession.open(path) as opened:
        yield opened


def changed(library: Library, **keys: Any) -> Proposal:
    """Return a change of the procedure that the first plan runs last."""
    plan = next(each for each in library.metas.values() if each.plan)
    old = library.procedures[plan.plan[-1].run or ""].to_document()
    new = {**old, **keys, "version": old["version"] + 1}
    return make_proposal("refine", "Why.", target=old["id"], old=[old], new=[new])


IDLE = [{"do": "hum"}]


def test_what_else_lies_beside_a_library_is_not_copied(session: LibrarySession) -> None:
    (session.library.path / "notes").mkdir()
    (session.library.path / "library.lock").write_text("")
    with trial_copy(session.library) as copy:
        names = {each.name for each in copy.path.iterdir()}
        assert copy.content_hash == session.library.content_hash
    assert {"notes", "library.lock", ".macla"}.isdisjoint(names)
    assert not copy.path.exists()


def test_a_change_that_does_something_else_than_was_shown_does_not_pass(
    session: LibrarySession,
) -> None:
    gate = ProofGate(session.library, session.ledger, list)
    assert gate(changed(session.library, steps=IDLE))
    assert not gate(changed(session.library, postconditions=[]))


def test_both_libraries_are_proved_with_the_evidence(session: LibrarySession) -> None:
    seen: list[int] = []

    def counted(path: Path, *_: object) -> int:
        with open_evidence(path) as ledger:
            seen.append(len(ledger.counts()))
        return 1

    gate = ProofGate(session.library, session.ledger, list)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof_gate, "_reproduced", counted)
        gate(changed(session.library, postconditions=[]))
    with_change, without = seen
    assert without
    assert with_change >= without


def test_a_change_is_judged_with_what_it_needs(session: LibrarySession) -> None:
    bad = changed(session.library, steps=IDLE)
    words = session.library.ontology.to_document()
    needy = make_proposal(
        "ontology", "Why.", target="ontology", old=[words], new=[words], requires=(bad.id,)
    )
    assert ProofGate(session.library, session.ledger, lambda: [bad])(needy)
    assert not ProofGate(session.library, session.ledger, list)(needy)


def test_without_demonstrations_nothing_is_held_back(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="burrow", embedding="static")
    with Ledger.memory() as ledger:
        document = {"kind": "procedure", "id": "hum", "version": 1, "goal": "hum", "steps": IDLE}
        proposal = make_proposal("new", "Why.", target="hum", new=[document])
        assert not ProofGate(library, ledger, list)(proposal)


@pytest.mark.parametrize(("keys", "offered"), [({"steps": IDLE}, 0), ({"postconditions": []}, 1)])
def test_practice_offers_no_lesson_that_lowers_the_proof(
    session: LibrarySession, keys: dict[str, Any], offered: int
) -> None:
    make_git(session.library.path.parent, session.library.path.name)
    lesson = Learned(
        procedures={
            each.target.id: dict(each.new[0]) for each in [changed(session.library, **keys)]
        },
        metas={},
        ontology=session.library.ontology.to_document(),
        episodes=20,
    )
    changes = Changes(session, "review")
    changes.adopt(lesson, [])
    assert changes.refused == []
    assert len(open_store(session.library.path).pending()) == offered
