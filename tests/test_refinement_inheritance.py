"""What a refined version starts from, and what its proposal says that it is worth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from macla.adapters.session import LibrarySession
from macla.procedures.common.clock import now
from macla.procedures.evidence.ledger import Outcome
from macla.procedures.evidence.ledger_rows import INHERITED
from macla.procedures.evidence.priors import fit_prior
from macla.procedures.library.library import Library
from macla.procedures.method.utility import Candidate, expected_utility
from macla.procedures.proposals.inheritance import live_counts
from macla.procedures.proposals.policy import submit
from macla.procedures.refinement.refinery import Refinery
from macla.procedures.refinement.view import ContextView
from test_refinement_contrast import LEXICON, contrasted, execution, many, procedure


@pytest.fixture
def session(tmp_path):
    """A library of one procedure."""
    library = Library.create(tmp_path / "library", domain="x", embedding="static")
    library.write_all([procedure()], [])
    with LibrarySession.open(library.path) as opened:
        yield opened


def recorded(session, executions):
    """Write what was executed into the ledger."""
    session.ledger.record(
        [
            Outcome.of_sums(
                each.run,
                ("procedure", "sear-in", 3, ""),
                (float(each.worked), float(not each.worked)),
                "2026-11-21T00:00:00+00:00",
            )
            for each in executions
        ]
    )
    return executions


def refinery_of(session):
    def put_forward(proposal):
        return submit(session.library, session.ledger, proposal, "auto")

    return Refinery.of(session.library, session.ledger, put_forward)


def test_a_variant_for_a_worse_kind_starts_as_that_kind_fares(session):
    """Urns worked 40 times of 42, vats 22 of 36: what is for vats has 20 trials at that rate."""
    executions = recorded(
        session,
        [
            *many(40, worked=True, name="a"),
            *many(2, worked=False, name="b"),
            *many(22, worked=True, y="vat 1", name="c"),
            *many(14, worked=False, y="vat 1", name="d"),
        ],
    )
    (found,) = contrasted(executions).suggestions
    refinery, base = refinery_of(session), session.library.procedures["sear-in"]
    proposal = refinery.proposal(base, found)
    assert refinery.submit(proposal) == "accepted"
    good, bad = live_counts(session.library, session.ledger)["procedure", "sear-in-vat", 1, ""]
    assert (good, bad) == pytest.approx((20 * 22 / 36, 20 * 14 / 36))


def test_a_variant_for_a_worse_kind_is_run_for_it(session):
    """It is credibly worse than what works with other kinds, and does the same."""
    executions = recorded(
        session,
        [
            *many(90, worked=True, name="a"),
            *many(22, worked=True, y="vat 1", name="c"),
            *many(14, worked=False, y="vat 1", name="d"),
        ],
    )
    (found,) = contrasted(executions).suggestions
    refinery, base = refinery_of(session), session.library.procedures["sear-in"]
    assert refinery.submit(refinery.proposal(base, found)) == "accepted"
    knowledge = session.knowledge()
    for thing, chosen in (("vat 1", "sear-in-vat"), ("urn 1", None)):
        seen = ContextView(execution("r", worked=True, y=thing), LEXICON, 1)
        special = knowledge.variant(base, {"x": "pod 1", "y": thing}, seen)
        assert (special and special.id) == chosen


def test_a_postcondition_changes_nothing_of_how_often_it_works(session):
    """The new version starts at the rate of its parent, which worked 10 times of 15."""
    item = procedure(
        steps=[{"do": "seek {y}"}, {"do": "sear {x} in {y}"}],
        postconditions=['observed("The {x} sings.")'],
    )
    session.library.delete("sear-in")
    session.library.write_all([item], [])
    executions = recorded(
        session,
        [*many(10, worked=True, name="a"), *many(5, worked=False, name="b")],
    )
    (found,) = contrasted(executions, item=item).suggestions
    assert found.kind == "postcondition"
    refinery = refinery_of(session)
    proposal = refinery.proposal(session.library.procedures["sear-in"], found)
    assert not proposal.counts
    assert proposal.eu_after == refinery._utility(10, 5)
    assert refinery.submit(proposal) == "accepted"
    counts = live_counts(session.library, session.ledger)
    assert counts["procedure", "sear-in", 4, ""] == pytest.approx((5.0, 2.5))


def test_what_is_expected_before_is_what_the_old_version_is_worth(session):
    """It works 9 times of 18, and never after a tap; not as if it were tapped every time."""
    leaks = {"seen": "The urn 1 leaks.", "before": ["tap urn 1"]}
    executions = recorded(
        session,
        [*many(9, worked=True, name="a"), *many(9, worked=False, name="b", **leaks)],
    )
    (found,) = contrasted(executions).suggestions
    assert found.kind == "precondition"
    proposal = refinery_of(session).proposal(session.library.procedures["sear-in"], found)
    old = Candidate("", 1.0, 10.0, 10.0, 0.5)
    new = Candidate("", 1.0, 10.0, 1.0, 0.0)
    assert proposal.eu_before == pytest.approx(expected_utility(old).expected, abs=1e-4)
    assert proposal.eu_after == pytest.approx(expected_utility(new).expected, abs=1e-4)


def test_a_fitted_prior_counts_each_trial_once(session):
    """Of a procedure that was refined, all versions are one subject, and what they inherit none."""
    settings = replace(session.library.settings, settings={"prior": "empirical"})
    session.library.write_all(settings=settings)
    rates = [(18.0, 2.0), (9.0, 11.0), (14.0, 6.0), (5.0, 15.0), (19.0, 1.0)]

    def row(run, name, version, good, bad):
        return Outcome.of_sums(run, ("procedure", name, version, ""), (good, bad), now())

    session.ledger.record([row("r", f"p{i}", 1, good, bad) for i, (good, bad) in enumerate(rates)])
    fit = fit_prior(rates)
    assert session.knowledge().prior == (fit.alpha, fit.beta)
    for version in range(2, 8):
        session.ledger.record(
            [
                row(f"{INHERITED}{version}", "p0", version, 9.0, 1.0),
                row(f"s{version}", "p0", version, 2.0, 1.0),
            ]
        )
    fit = fit_prior([(30.0, 8.0), *rates[1:]])
    assert session.knowledge().prior == (fit.alpha, fit.beta)
    assert session.knowledge(without="never").prior == (fit.alpha, fit.beta)
    assert refinery_of(session)._prior() == (fit.alpha, fit.beta)
