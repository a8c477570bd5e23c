"""Replay of stored episodes, rules of trust, versions worse than their parents."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from random import Random

import pytest
from brewery_world import brewery_demonstration
from hypothesis import given
from hypothesis import strategies as st
from invented_worlds import NOTHING
from macla.adapters.git.commit_history import revisions_of
from macla.procedures.common.errors import DataError
from macla.procedures.conditions.language import parse_condition
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.intervals import paired_interval, wilson_interval
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Procedure
from macla.procedures.proposals.apply import accept
from macla.procedures.proposals.proposal import make_proposal
from macla.procedures.proposals.replay import Replayer, compare
from macla.procedures.proposals.rollback import propose_rollbacks, worse_than_parents
from macla.procedures.proposals.trust import RULES, propose_status, status_by_evidence
from review_library import make_library, open_ledger, refinement

# -- intervals -----------------------------------------------------------------------------


def test_newcombes_own_example() -> None:
    """Newcombe 1998, table II, method 10: 36, 12, 2, 0 of 50 gives 0.0569 to 0.3404."""
    interval = paired_interval(36, 12, 2, 0)
    assert interval.low == pytest.approx(0.0569, abs=5e-4)
    assert interval.high == pytest.approx(0.3404, abs=5e-4)


@given(*[st.integers(0, 40)] * 4)
def test_an_interval_holds_its_estimate(a: int, b: int, c: int, d: int) -> None:
    interval = paired_interval(a, b, c, d)
    total = a + b + c + d
    assert -1.0 <= interval.low <= interval.high <= 1.0
    if total:
        assert interval.low - 1e-12 <= (b - c) / total <= interval.high + 1e-12
    mirrored = paired_interval(a, c, b, d)
    assert mirrored.low == pytest.approx(-interval.high)


def test_no_negative_counts() -> None:
    with pytest.raises(DataError, match="negative"):
        paired_interval(1, -1, 0, 0)
    assert wilson_interval(0, 4).low == 0.0


def test_compare_sums_up() -> None:
    result = compare([(True, True), (False, True), (False, True), (True, False), (False, False)])
    assert (result.wins, result.losses, result.ties) == (2, 1, 2)
    assert result.gain == pytest.approx(0.2)


# -- replay -------------------------------------------------------------------------------


@pytest.fixture
def learned(burrow) -> tuple[Library, Replayer]:  # type: ignore[no-untyped-def]
    library = Library.open(burrow.path)
    return library, Replayer(burrow.trajectories, library.ontology, library.procedures)


def guarded(library: Library) -> Procedure:
    """A learned procedure with a step that a condition guards."""
    return next(
        p for p in library.procedures.values() if any(s.when is not None for s in p.steps[:-1])
    )


def test_what_was_learned_regenerates_its_demonstrations(learned) -> None:  # type: ignore[no-untyped-def]
    library, replayer = learned
    for procedure in library.procedures.values():
        document = procedure.to_document()
        proposal = make_proposal("new", "x", target=procedure.id, new=[document])
        result = replayer.replay(proposal)
        assert result is not None
        assert result.trials > 10
        assert result.wins >= 0.9 * result.trials


def test_a_version_without_the_guarded_step_loses(learned) -> None:  # type: ignore[no-untyped-def]
    library, replayer = learned
    good = guarded(library)
    kept = tuple(s for s in good.steps[:-1] if s.when is None) + good.steps[-1:]
    bad = dataclasses.replace(good, steps=kept, version=2)
    change = make_proposal(
        "refine", "x", target=good.id, old=[good.to_document()], new=[bad.to_document()]
    )
    result = replayer.replay(change)
    assert result is not None
    assert result.losses > 0
    assert result.wins == 0
    back = make_proposal(
        "refine", "x", target=good.id, old=[bad.to_document()], new=[good.to_document()]
    )
    other = replayer.replay(back)
    assert other is not None
    assert (other.wins, other.losses) == (result.losses, result.wins)


def test_a_step_that_waits_is_replayed_as_often_as_it_was_done(learn_small) -> None:  # type: ignore[no-untyped-def]
    brewery = learn_small([brewery_demonstration(seed) for seed in range(40)])
    library = Library.open(brewery.path)
    replayer = Replayer(brewery.trajectories, library.ontology, library.procedures)
    hasty = next(p for p in library.procedures.values() if any(s.do == "linger" for s in p.steps))
    ends = parse_condition('observed("The {x} hums.")')
    steps = tuple(
        dataclasses.replace(s, unless=None, until=ends, at_most=20) if s.do == "linger" else s
        for s in hasty.steps
    )
    patient = dataclasses.replace(hasty, steps=steps)
    hasty = dataclasses.replace(hasty, version=2)
    change = make_proposal(
        "refine", "x", target=patient.id, old=[patient.to_document()], new=[hasty.to_document()]
    )
    result = replayer.replay(change)
    assert result is not None
    assert result.losses > 0.5 * result.trials
    assert result.wins == 0


def test_failures_speak_for_a_guard_that_refuses(learned, burrow) -> None:  # type: ignore[no-untyped-def]
    library, _ = learned
    good = guarded(library)
    told = next(t for t in burrow.trajectories if any(NOTHING in o for o in spoiled(t, good)))
    failed = dataclasses.replace(told, obs=spoiled(told, good), success=False)
    refusing = dataclasses.replace(
        good, preconditions=(parse_condition("false"),), version=good.version + 1
    )
    change = make_proposal(
        "refine", "x", target=good.id, old=[good.to_document()], new=[refusing.to_document()]
    )
    replayer = Replayer([failed], library.ontology, library.procedures)
    result = replayer.replay(change)
    assert result is not None
    assert (result.wins, result.losses) == (1, 0)


def spoiled(episode: Trajectory, procedure: Procedure) -> tuple[str, ...]:
    """Let the last action of a procedure fail, wherever the episode has it."""
    word = (procedure.steps[-1].do or "").split()[0]
    answers = [
        NOTHING if action.startswith(word) else observation
        for action, observation in zip(episode.acts, episode.obs[1:], strict=True)
    ]
    return (episode.obs[0], *answers)


def test_plans_are_compared_by_their_order(learned) -> None:  # type: ignore[no-untyped-def]
    library, replayer = learned
    meta = max(library.metas.values(), key=lambda m: len(m.plan))
    turned = dataclasses.replace(meta, plan=tuple(reversed(meta.plan)), version=2)
    change = make_proposal(
        "refine", "x", target=meta.id, old=[meta.to_document()], new=[turned.to_document()]
    )
    result = replayer.replay(change)
    assert result is not None
    assert result.losses > 0
    assert result.wins == 0


def test_nothing_to_replay(learned) -> None:  # type: ignore[no-untyped-def]
    library, replayer = learned
    document = library.ontology.to_document()
    words = make_proposal("ontology", "x", target="ontology", new=[document])
    assert replayer.replay(words) is None


# -- trust and rollback -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "good", "bad", "expected"),
    [
        ("draft", 0, 0, "draft"),
        ("draft", 3, 0, "provisional"),
        ("draft", 60, 2, "trusted"),
        ("provisional", 19, 0, "provisional"),
        ("provisional", 40, 1, "trusted"),
        ("provisional", 1, 20, "retired"),
        ("provisional", 6, 4, "provisional"),
        ("trusted", 5, 4, "trusted"),
        ("trusted", 8, 12, "provisional"),
        ("trusted", 0, 20, "retired"),
        ("retired", 90, 0, "retired"),
    ],
)
def test_status_by_evidence(status: str, good: float, bad: float, expected: str) -> None:
    assert status_by_evidence(status, good, bad, RULES) == expected


def used(run: str, name: str, version: int, good: float, bad: float) -> Outcome:
    return Outcome.of_sums(run, ("procedure", name, version, ""), (good, bad), "2026")


def test_only_use_promotes(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib", evidence_from="learn:x")
    with open_ledger(library) as ledger:
        ledger.record([used("learn:x", "fetch", 1, 300, 0), used("inherit:p", "fetch", 1, 90, 0)])
        assert list(propose_status(library, ledger)) == []
        ledger.record([used("r1", "fetch", 1, 40, 1)])
        (proposal,) = propose_status(library, ledger)
        assert proposal.title == "Change the status of fetch to trusted"
        accept(library, ledger, proposal)
        assert library.procedures["fetch"].status == "trusted"
        assert library.procedures["fetch"].version == 1
        assert list(propose_status(library, ledger)) == []


def test_a_plan_goes_before_what_it_runs(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    with open_ledger(library) as ledger:
        ledger.record([used("r1", "fetch", 1, 0, 20)])
        assert list(propose_status(library, ledger)) == []
        meta = Outcome("r1", 0, "meta", "tidy", 1, OutcomeKind.ABORTED, 0.0, 20.0, "2026")
        ledger.record([meta])
        (proposal,) = propose_status(library, ledger)
        assert (proposal.change, proposal.target.id) == ("retire", "tidy")
        accept(library, ledger, proposal)
        assert [p.target.id for p in propose_status(library, ledger)] == ["fetch"]


def test_a_version_as_good_as_its_parent_is_seldom_rolled_back(tmp_path: Path) -> None:
    """Both work half the time; looked at ten times, in at most one of twenty worlds."""
    from macla.procedures.proposals.proposal_store import FileStore

    library = make_library(tmp_path / "lib")
    with open_ledger(library) as ledger:
        FileStore(library.path).accept(library, ledger, refinement(library), "Ada")
    rng, back = Random(4), 0
    for _ in range(50):
        before = sum(rng.random() < 0.5 for _ in range(20))
        with Ledger.memory() as ledger:
            ledger.record([used("r1", "fetch", 1, before, 20 - before)])
            for look in range(10):
                own = [0, 0]
                for _ in range(4):
                    own[rng.random() < 0.5] += 1
                ledger.record([used(f"look {look}", "fetch", 2, own[1], own[0])])
                if worse_than_parents(library, ledger):
                    back += 1
                    break
    assert back / 50 <= 0.05


def test_a_version_worse_than_its_parent_is_rolled_back(tmp_path: Path) -> None:
    from macla.procedures.proposals.proposal_store import FileStore

    library = make_library(tmp_path / "lib")
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        ledger.record([used("r1", "fetch", 1, 18, 2)])
        store.accept(library, ledger, refinement(library), "Ada")
        ledger.record([used("r2", "fetch", 2, 4, 1)])
        assert worse_than_parents(library, ledger) == []
        ledger.record([used("r3", "fetch", 2, 1, 9)])
        (worse,) = worse_than_parents(library, ledger)
        assert (worse.version, worse.parent, worse.counts) == (2, 1, (5.0, 10.0))
        assert 0.95 < worse.probability < 1
        (proposal,) = propose_rollbacks(library, ledger, lambda n: revisions_of(library, n))
        assert proposal.title == "Roll back fetch to version 3"
        store.accept(library, ledger, proposal, "Ada")
        assert len(library.procedures["fetch"].steps) == 2
        assert library.procedures["fetch"].version == 3
        assert list(propose_rollbacks(library, ledger, lambda n: revisions_of(library, n))) == []
