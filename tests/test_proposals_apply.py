"""Proposals outside git: accepted, rejected, remembered; locks, evidence, plans that follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from macla.procedures.common.errors import ConflictError, ProposalError, SchemaError
from macla.procedures.evidence.ledger import Ledger, Outcome
from macla.procedures.evidence.ledger_rows import INHERITED
from macla.procedures.library.library import Library, validate_library
from macla.procedures.model.procedure import Procedure
from macla.procedures.proposals.apply import accept, prepare
from macla.procedures.proposals.locks import lock_violations
from macla.procedures.proposals.policy import submit
from macla.procedures.proposals.proposal import Contrast, Proposal, Replay, make_proposal
from macla.procedures.proposals.proposal_store import (
    FileStore,
    find,
    rebase_in,
    refuse_before_needed,
)
from review_library import FETCH, LODGE, PLAN, make_library, open_ledger, refined, refinement


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return make_library(tmp_path / "lib")


def used(run: str, subject: str, version: int, good: float, bad: float) -> Outcome:
    kind = "meta" if subject == "tidy" else "procedure"
    return Outcome.of_sums(run, (kind, subject, version, ""), (good, bad), "2026-01-01")


def test_a_proposal_is_its_document() -> None:
    proposal = make_proposal(
        "refine",
        "Because.",
        target="fetch",
        old=[FETCH],
        new=[refined()],
        contrast=Contrast(("r1",), ("r2", "r3")),
        counts={"successes": 2.0},
        replay=Replay(3, 1, 4, (-0.1, 0.5)),
        requires=("new-x-v1-abcdef",),
    )
    assert Proposal.from_document(proposal.to_document()) == proposal
    assert proposal.target.version == 1
    assert proposal.name == "refine/fetch-v2"
    assert proposal.id.startswith("refine-fetch-v2-")


def test_ids_say_change_and_evidence(library: Library) -> None:
    one = refinement(library)
    assert refinement(library).id == one.id
    assert refinement(library, counts={"successes": 4}).id != one.id
    assert refinement(library, refined(goal="fetch {x} out of {y}")).id != one.id


def test_a_plan_that_lacks_several_waiting_procedures_names_one_after_the_other(
    library: Library,
) -> None:
    names = ("ferry", "stow")
    news = [{**FETCH, "id": name} for name in names]
    plan = {**PLAN, "id": "moving", "plan": [{**PLAN["plan"][0], "run": name} for name in names]}
    waiting = [make_proposal("new", "", target=each["id"], new=[each]) for each in news]
    moving = make_proposal("meta", "", target="moving", new=[plan])
    with pytest.raises(ConflictError, match=f"needs {waiting[0].id}: accept that first"):
        refuse_before_needed(library, moving, [moving, *waiting])
    library.write_procedure(Procedure.from_document(news[0]))
    with pytest.raises(ConflictError, match=f"needs {waiting[1].id}: accept that first"):
        refuse_before_needed(library, moving, [moving, *waiting])
    with pytest.raises(ProposalError, match="no proposal that waits changes that"):
        refuse_before_needed(library, moving, [moving, waiting[0]])
    library.write_procedure(Procedure.from_document(news[1]))
    refuse_before_needed(library, moving, [moving])


def test_review_waits_and_accept_writes(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        placed = submit(library, ledger, refinement(library), "review", store)
        assert placed.note == "made"
        assert library.procedures["fetch"].version == 1
        assert submit(library, ledger, refinement(library), "review", store).note == "waiting"
        (waiting,) = store.pending()
        done = store.accept(library, ledger, waiting, "Ada")
    stored = library.procedures["fetch"]
    assert stored.version == 2
    assert len(stored.steps) == 3
    assert stored.provenance["parent"] == "fetch@1"
    # Why, and with which evidence, is no part of what is done.
    assert "evidence" not in stored.to_document()
    assert set(stored.provenance) == {"parent"}
    assert store.pending() == []
    (kept,) = store.decided()
    assert (kept.id, kept.status, kept.by) == (done.id, "accepted", "Ada")
    assert validate_library(library.path) == []


def test_a_plan_stays_as_it_is_when_what_it_runs_changes(library: Library) -> None:
    with open_ledger(library) as ledger:
        accept(library, ledger, refinement(library))
    plan = library.metas["tidy"]
    assert (plan.version, library.procedures["fetch"].version) == (1, 2)


@pytest.mark.parametrize(
    ("seen", "inherited"), [((9.0, 3.0), (4.5, 1.5)), ((60.0, 20.0), (15.0, 5.0))]
)
def test_half_of_the_evidence_at_most_twenty_trials(
    library: Library, seen: tuple[float, float], inherited: tuple[float, float]
) -> None:
    with open_ledger(library) as ledger:
        ledger.record([used("r1", "fetch", 1, *seen), used("r1", "tidy", 1, 60.0, 20.0)])
        proposal = refinement(library, counts={})
        accept(library, ledger, proposal)
        counts = ledger.counts()
        assert counts["procedure", "fetch", 2, ""] == inherited
        assert counts["meta", "tidy", 1, ""] == (60.0, 20.0)
        assert counts["procedure", "fetch", 1, ""] == seen
        total = ledger.total()
        accept(library, ledger, proposal)  # once more is no more
        assert ledger.total() == total
        assert {row.run for row in ledger.rows(subject="fetch")} == {
            "r1",
            f"{INHERITED}{proposal.id}",
        }


def test_how_much_is_inherited_can_be_set(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib", inheritance={"share": 1, "trials": 6})
    with open_ledger(library) as ledger:
        ledger.record([used("r1", "fetch", 1, 9.0, 3.0)])
        accept(library, ledger, refinement(library, counts={}))
        assert ledger.counts()["procedure", "fetch", 2, ""] == (4.5, 1.5)


def test_people_edit_meanwhile(library: Library) -> None:
    proposal = refinement(library)
    file = library.path / "procedures" / "fetch.yaml"
    text = file.read_text()
    text = text.replace("version: 1", "version: 1  # by hand")
    text = text.replace("- zib\n", "- zib\n      - trell\n")
    file.write_text(f"# Ada: careful\n{text}")
    with open_ledger(library) as ledger:
        accept(library, ledger, proposal)
    written = file.read_text()
    assert written.startswith("# Ada: careful\n")
    assert "# by hand" in written
    stored = library.procedures["fetch"]
    assert stored.version == 2
    assert len(stored.steps) == 3
    assert stored.parameters["x"].kinds == ("mokka", "trell", "zib")


def test_a_collision_is_handed_back_and_can_be_rebased(library: Library) -> None:
    store = FileStore(library.path)
    new = refined()
    new["steps"] = [{**FETCH["steps"][0], "unless": 'ever("here")'}, *new["steps"][1:]]
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library, new), "review", store)
        mine = {**FETCH, "version": 2}
        mine["steps"] = [{**FETCH["steps"][0], "unless": 'ever("there")'}, FETCH["steps"][1]]
        library.write_all([Procedure.from_document(mine)], [_following(library, 2)])
        (waiting,) = store.pending()
        before = library.content_hash
        with pytest.raises(ConflictError, match=r"steps\.0\.unless"):
            store.accept(library, ledger, waiting, "")
        with pytest.raises(ConflictError, match=r"steps\.0\.unless"):
            rebase_in(store, library, waiting)
        assert library.content_hash == before
        assert [p.id for p in store.pending()] == [waiting.id]
        other = refinement(library, refined(version=3, goal="fetch {x} out of {y}"))
        submit(library, ledger, other, "review", store)


def _following(library: Library, version: int) -> Any:
    from macla.procedures.model.procedure import MetaProcedure

    plan = [{**PLAN["plan"][0], "run": f"fetch@{version}"}, PLAN["plan"][1]]
    meta = library.metas["tidy"]
    return MetaProcedure.from_document({**PLAN, "version": meta.version + 1, "plan": plan})


def test_rebase_makes_it_a_change_of_what_stands(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library), "review", store)
        mine = Procedure.from_document({**FETCH, "version": 2, "goal": "bring {x} from {y}"})
        library.write_all([mine], [_following(library, 2)])
        (waiting,) = store.pending()
        rebase_in(store, library, waiting)
        (after,) = store.pending()
        assert after.old[0]["version"] == 2
        assert after.new[0]["version"] == 3
        assert after.new[0]["goal"] == "bring {x} from {y}"
        store.accept(library, ledger, after, "")
    assert library.procedures["fetch"].version == 3


def test_rejected_is_not_made_again_on_the_same_evidence(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library), "review", store)
        store.reject(library, ledger, store.pending()[0], "no", "Ada")
        for policy in ("review", "auto"):
            placed = submit(library, ledger, refinement(library), policy, store)  # type: ignore[arg-type]
            assert placed.note == "rejected"
            assert placed.proposal.why == "no"
        assert library.procedures["fetch"].version == 1
        (rejected,) = store.decided()
        trials = sum(rejected.counts[key] for key in ("successes", "failures"))
        some = refinement(library, counts={"successes": 2 * trials - 1, "failures": 0})
        assert submit(library, ledger, some, "review", store).note == "rejected"
        more = refinement(library, counts={"successes": 2 * trials, "failures": 0})
        placed = submit(library, ledger, more, "review", store)
        assert placed.note == "made"
        assert "(no)" in placed.proposal.rationale


def test_what_was_rejected_waits_again_when_it_is_reopened(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library), "review", store)
        (waiting,) = store.pending()
        rejected = store.reject(library, ledger, waiting, "no", "Ada")
        store.reopen(library, ledger, rejected)
        assert store.pending() == [waiting]
        with pytest.raises(ProposalError, match="only what was rejected"):
            store.reopen(library, ledger, store.accept(library, ledger, waiting, ""))


def test_auto_writes_at_once(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        assert submit(library, ledger, refinement(library), "auto", store).note == "accepted"
    assert library.procedures["fetch"].version == 2
    assert [p.status for p in store.decided()] == ["accepted"]


def test_a_newer_proposal_takes_the_place(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library), "review", store)
        newer = refinement(library, counts={"successes": 9})
        assert submit(library, ledger, newer, "review", store).note == "replaced"
    assert [p.id for p in store.pending()] == [newer.id]


def test_death_between_library_and_record(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        ledger.record([used("r1", "fetch", 1, 9.0, 3.0)])
        submit(library, ledger, refinement(library, counts={}), "review", store)
        (waiting,) = store.pending()
        from macla.procedures.proposals import apply

        apply._write(library, prepare(library, waiting))
        assert [p.status for p in store.settle(library, ledger)] == ["accepted"]
        assert ledger.counts()["procedure", "fetch", 2, ""] == (4.5, 1.5)
    assert store.pending() == []


def test_what_is_saved_at_the_same_moment_is_not_overwritten(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    from macla.procedures.library import library as module

    file = library.path / "procedures" / "fetch.yaml"
    real, left = module.hold_to_schema, [1]

    def saves(item: Any, document: Any) -> None:
        if left and getattr(item, "id", "") == "fetch":
            left.pop()
            file.write_text(file.read_text().replace("- zib\n", "- zib\n      - trell\n"))
        real(item, document)

    monkeypatch.setattr(module, "hold_to_schema", saves)
    with open_ledger(library) as ledger:
        accept(library, ledger, refinement(library))
    assert left == []
    stored = library.procedures["fetch"]
    assert len(stored.steps) == 3
    assert stored.parameters["x"].kinds == ("mokka", "trell", "zib")


# -- locks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locked", "touched"),
    [
        (False, []),
        (True, ["all of it"]),
        (["goal"], []),
        (["steps"], ["steps"]),
        (["goal", "steps", "parameters.x"], ["steps"]),
        (["nothing-like-it"], []),
    ],
)
def test_locks(locked: Any, touched: list[str]) -> None:
    old = {**FETCH, "locked": locked}
    assert lock_violations(old, {**refined(), "locked": locked}) == touched


def test_locks_inside_and_of_themselves() -> None:
    old = {**FETCH, "locked": ["parameters.x.kinds"]}
    new = {**old, "parameters": {**FETCH["parameters"], "x": {"source": "given"}}}
    assert lock_violations(old, new) == ["parameters.x.kinds"]
    assert lock_violations(old, {**old, "locked": []}) == ["locked"]
    assert lock_violations(old, None) == ["all of it"]
    whole = {**FETCH, "locked": True}
    assert lock_violations(whole, {**whole, "status": "retired"}) == ["all of it"]


@pytest.mark.parametrize("locked", [True, ["steps"]])
def test_no_refinement_touches_what_is_locked(tmp_path: Path, locked: Any) -> None:
    library = make_library(tmp_path / "lib")
    library.write_procedure(Procedure.from_document({**FETCH, "locked": locked}))
    before = (library.path / "procedures" / "fetch.yaml").read_bytes()
    with open_ledger(library) as ledger:
        for policy in ("auto", "review"):
            with pytest.raises(ProposalError, match="locked"):
                submit(
                    library,
                    ledger,
                    refinement(library, refined(locked=locked)),
                    policy,  # type: ignore[arg-type]
                    FileStore(library.path),
                )
    assert (library.path / "procedures" / "fetch.yaml").read_bytes() == before
    assert FileStore(library.path).pending() == []


def test_a_locked_plan_holds_what_it_runs(library: Library) -> None:
    from macla.procedures.model.procedure import MetaProcedure

    library.write_all(metas=[MetaProcedure.from_document({**PLAN, "locked": True})])
    with open_ledger(library) as ledger, pytest.raises(ProposalError, match="tidy"):
        accept(library, ledger, refinement(library))
    assert library.procedures["fetch"].version == 1


# -- what cannot be -----------------------------------------------------------------------


def test_the_target_is_gone(library: Library) -> None:
    proposal = refinement(library)
    library.delete("tidy", "fetch")
    with open_ledger(library) as ledger, pytest.raises(ConflictError, match="no longer"):
        accept(library, ledger, proposal)


def test_a_new_id_is_taken(library: Library) -> None:
    other = {**LODGE, "goal": "put {x} into {y}"}
    proposal = make_proposal("new", "Seen.", target="lodge", new=[other])
    with open_ledger(library) as ledger, pytest.raises(ConflictError, match="already"):
        accept(library, ledger, proposal)


def test_what_is_needed_is_named(library: Library) -> None:
    plan = {**PLAN, "id": "sweep", "plan": [{"run": "sweep-up", "with": {"x": "a"}}]}
    proposal = make_proposal("meta", "Seen.", target="sweep", new=[plan], requires=("new-s-v1-a",))
    with open_ledger(library) as ledger, pytest.raises(ProposalError, match="new-s-v1-a"):
        accept(library, ledger, proposal)
    assert "sweep" not in library.metas


def test_a_document_that_fits_nothing(library: Library) -> None:
    proposal = refinement(library, {**refined(), "stesp": []})
    with open_ledger(library) as ledger, pytest.raises(SchemaError, match="stesp"):
        submit(library, ledger, proposal, "review", FileStore(library.path))


def test_merge_and_retire(library: Library) -> None:
    both = {**LODGE, "version": 2, "goal": "put {x} in {y}"}
    gone = {**FETCH, "status": "retired"}
    proposal = make_proposal(
        "merge", "The same.", target="lodge", old=[LODGE, FETCH], new=[both, gone]
    )
    with open_ledger(library) as ledger:
        accept(library, ledger, proposal)
    assert library.procedures["lodge"].version == 2
    assert library.procedures["fetch"].status == "retired"
    assert library.procedures["fetch"].version == 1


def test_broken_files_are_told_and_the_others_work(library: Library) -> None:
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library), "review", store)
    folder = library.path / "proposals"
    (folder / "broken.yaml").write_text("kind: proposal\nid: [")
    (folder / "wrong.yaml").write_text("kind: proposal\nid: wrong\n")
    (folder / "out.yaml").symlink_to("/etc/hostname")
    (folder / "notes ü.txt").write_text("mine")
    assert len(store.pending()) == 1
    assert len(store.faults) == 3
    assert "broken.yaml" in store.faults[0]


def test_names_find_proposals(library: Library) -> None:
    one = refinement(library)
    other = make_proposal("new", "Seen.", target="look", new=[{**LODGE, "id": "look"}])
    for name in (one.id, "refine", "fetch", "macla/refine/fetch-v2", "refine/fetch-v2"):
        assert find([one, other], name) is one
    with pytest.raises(ProposalError, match="no proposal"):
        find([one, other], "nothing")
    with pytest.raises(ProposalError, match="any of 2"):
        find([one, other], "")


def test_of_two_decisions_on_one_proposal_the_later_counts(library: Library) -> None:
    first = replace(refinement(library), status="accepted", decided="2026-11-20T09:00:00+00:00")
    second = replace(first, status="rejected", decided="2026-11-21T09:00:00+00:00")
    assert find([second, first], first.id) is second


def test_two_ledgers_agree(library: Library, tmp_path: Path) -> None:
    """What another machine accepts gives it the same evidence."""
    with open_ledger(library) as ledger, Ledger.open(tmp_path / "other.db") as other:
        proposal = refinement(library, run="learn:elsewhere", counts={"successes": 7})
        accept(library, other, proposal)
        run = library.settings.settings["evidence_from"]
        assert other.counts(superseded=("learn:", str(run)))["procedure", "fetch", 2, ""][0] == 7.0
        assert ledger.total() == 0
