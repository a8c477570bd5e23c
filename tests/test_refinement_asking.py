"""A reasoner with a model is asked where the symbols abstain, and its answer is checked."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

from macla.graph.budget import Budget, Meter
from macla.graph.reasoning import PlacePolicy, Suggestion
from macla.graph.refining import ask_about_failures
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.refinement.refinery import Abstained
from scripted_world import meta
from test_refinement_contrast import LEXICON, many, procedure


class Asked:
    """Answers as told, and remembers what it was asked."""

    model = "fake"

    def __init__(self, suggestion=None, policy=None):
        self.suggestion, self.policy = suggestion, policy
        self.shown = []

    def contrast(self, item, successes, failures, meter):
        self.shown.append((successes, failures))
        return self.suggestion

    def distil_policy(self, item, trajectories, meter):
        return self.policy


def asked(reasoner, item, good=(), bad=(), budget=None, episodes=()):
    """Return the documents that are put forward."""
    refinery = SimpleNamespace(
        abstained={item.ref: Abstained(item, tuple(good), tuple(bad), (), tuple(episodes))},
        suggested=lambda item, document, why: (document, why),
    )
    return ask_about_failures(refinery, reasoner, Meter(budget or Budget()), LEXICON)


GOOD = many(4, worked=True, seen="The urn 1 is warm.", name="g")
BAD = many(4, worked=False, seen="The urn 1 is wet.", name="b")


def test_a_suggestion_becomes_a_new_version():
    reasoner = Asked(
        Suggestion(
            preconditions=('not observed("The {y} is wet.")',),
            steps=({"do": "seek {y}"}, {"do": "prise {y}"}, {"do": "sear {x} in {y}"}),
            rationale="Shut urns are cold.",
        )
    )
    wet = [dataclasses.replace(each, latest=("The urn 1 is wet.",)) for each in BAD]
    ((document, why),) = asked(reasoner, procedure(), GOOD, wet)
    assert why == "fake says: Shut urns are cold."
    assert document["version"] == 4
    assert document["preconditions"] == ['not observed("The {y} is wet.")']
    assert [step["do"] for step in document["steps"]][1] == "prise {y}"
    (shown,) = reasoner.shown
    assert [segment.trajectory.success for segment in (*shown[0], *shown[1])] == [True] * 3 + [
        False
    ] * 3


def test_what_would_have_refused_what_worked_is_dropped():
    wrong = Suggestion(preconditions=('observed("The {y} is wet.")',))
    assert asked(Asked(wrong), procedure(), GOOD, BAD) == []


def test_what_parts_nothing_is_dropped():
    for kinds in ("urn", "vat"):
        for_kinds = Suggestion(preconditions=(f'kind({{y}}) in ["{kinds}"]',))
        assert asked(Asked(for_kinds), procedure(), GOOD, BAD) == []


def test_a_guard_is_kept_where_it_touches_what_failed():
    for state, number in (("wet", 1), ("warm", 0)):
        steps = ({"do": "prise {y}", "when": f'observed("The {{y}} is {state}.")'},)
        steps += tuple(step for step in procedure().to_document()["steps"])
        assert len(asked(Asked(Suggestion(steps=steps)), procedure(), GOOD, BAD)) == number


def test_what_is_not_seen_at_the_beginning_is_no_precondition():
    late = Suggestion(preconditions=('not observed("The {y} is wet.")',))
    assert asked(Asked(late), procedure(), GOOD, BAD) == []


def test_an_execution_in_which_nothing_was_done_is_not_shown():
    idle = [dataclasses.replace(each, steps=()) for each in GOOD]
    reasoner = Asked(Suggestion(preconditions=('not done("douse {y}")',)))
    assert asked(reasoner, procedure(), idle, BAD) == []
    assert reasoner.shown == []


def test_what_speaks_of_none_of_its_things_is_dropped():
    wrong = Suggestion(preconditions=('not observed("It is warm.")',))
    assert asked(Asked(wrong), procedure(), GOOD, BAD) == []


def test_what_is_no_procedure_is_dropped():
    wrong = Suggestion(postconditions=("observed(",))
    assert asked(Asked(wrong), procedure(), GOOD, BAD) == []


def test_who_abstains_changes_nothing():
    assert asked(Asked(), procedure(), GOOD, BAD) == []


def test_without_a_budget_or_enough_to_show_nobody_is_asked():
    reasoner = Asked(Suggestion(preconditions=('not done("douse {y}")',)))
    assert asked(reasoner, procedure(), GOOD, BAD, Budget(calls=0)) == []
    assert asked(reasoner, procedure(), GOOD[:2], BAD) == []
    assert reasoner.shown == []


def test_a_plan_gets_the_theta_that_is_suggested():
    plan = meta()
    policy = (PlacePolicy(skip='last({x1}) in ["pry {x1}"]'),)
    won = [Trajectory("open it", ("A lid.", "It opens."), ("pry lid",), True)] * 3
    lost = [dataclasses.replace(each, success=False) for each in won]
    ((document, why),) = asked(Asked(policy=policy), plan, episodes=[*won, *lost])
    assert "fake" in why
    assert document["version"] == plan.version + 1
    assert document["plan"][0]["skip"] == 'last({x1}) in ["pry {x1}"]'
    assert document["plan"][0]["continue"] == "post"
    assert asked(Asked(policy=(*policy, *policy)), plan, episodes=[*won, *lost]) == []
    assert asked(Asked(policy=policy), plan, episodes=[*won, *lost[:2]]) == []
