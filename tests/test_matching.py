"""Fitting a task to goal templates."""

from __future__ import annotations

import math

import pytest
from bounds import within
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.tasks.goal_matching import (
    GoalVocabulary,
    RoleKinds,
    fit_goal,
    goal_tokens,
    nothing_cost,
    reading_posterior,
)

GOALS = ["lodge a {a} into some {b}", "lodge a rinsed {a} into some {b}", "find two {a}"]
VOCABULARY = GoalVocabulary(GOALS)


def fit(goal, task, **more):
    return fit_goal(goal, task.split(), VOCABULARY, **more)


def test_goal_tokens():
    assert goal_tokens("Lodge {a}, then {slot8}!") == ("Lodge", "{a}", "then", "{slot8}")


@pytest.mark.parametrize("goal", GOALS)
def test_its_own_words_cost_nothing(goal):
    task = goal.replace("{a}", "zib").replace("{b}", "glurp")
    found = fit(goal, task)
    assert found.cost == 0
    assert found.fillers == {"a": "zib", **({"b": "glurp"} if "{b}" in goal else {})}


def test_the_goal_that_is_meant_is_cheapest():
    task = "lodge a rinsed zib into some glurp"
    costs = [fit(goal, task).cost for goal in GOALS]
    assert min(costs) == costs[1]
    assert costs[0] == pytest.approx(VOCABULARY.weight("rinsed"))


def test_other_words_in_between():
    found = fit(GOALS[1], "please lodge a freshly rinsed zib into some glurp")
    assert found.fillers == {"a": "zib", "b": "glurp"}


def test_words_that_mean_the_same():
    def similar(first, second):
        return 0.9 if {first, second} == {"lodge", "stow"} else 0.0

    plain = fit(GOALS[0], "stow a zib into some glurp").cost
    assert fit(GOALS[0], "stow a zib into some glurp", similarity=similar).cost < 0.2 * plain


def test_what_a_role_was_used_on_tells_readings_apart():
    usual = RoleKinds({"zib": 9.0}, {"zib": 10.0, "glurp": 10.0}, 20.0)
    task = "lodge a zib into some glurp"
    with_role = fit(GOALS[0], task, roles={"a": usual}).cost
    other = RoleKinds({"glurp": 9.0}, {"zib": 10.0, "glurp": 10.0}, 20.0)
    assert with_role < fit(GOALS[0], task, roles={"a": other}).cost
    assert usual.cost("zib") < 0 < usual.cost("glurp")
    assert usual.cost("never met") == 1.0


def test_empty_task_and_empty_goal():
    assert fit_goal("", [], VOCABULARY).cost == 0
    assert fit(GOALS[0], "").fillers == {}
    assert fit(GOALS[0], "").cost > 5
    assert fit_goal("*", ["zib"], VOCABULARY).cost == VOCABULARY.weight("zib")
    assert nothing_cost([], VOCABULARY) == 0


def test_rare_words_weigh_more():
    assert VOCABULARY.weight("rinsed") > VOCABULARY.weight("lodge") > 0
    assert VOCABULARY.weight("unheard") > VOCABULARY.weight("rinsed")
    assert GoalVocabulary([]).weight("x") > 0


COSTS = st.dictionaries(st.text(max_size=3), st.floats(-20, 200), max_size=6)


@given(COSTS, st.floats(-20, 200), st.dictionaries(st.text(max_size=3), st.integers(0, 40)))
def test_posterior_is_a_distribution(costs, nothing, refuted):
    posterior = reading_posterior(costs, refuted, nothing)
    assert posterior.keys() == costs.keys()
    assert all(0 <= chance <= 1 for chance in posterior.values())
    assert math.fsum(posterior.values()) <= 1 + 1e-9


@given(COSTS.filter(bool), st.floats(-20, 200), st.integers(1, 9))
def test_ways_to_one_goal_are_no_alternatives(costs, nothing, ways):
    alone = reading_posterior(costs, {}, nothing)
    doubled = {(each, way): cost for each, cost in costs.items() for way in range(ways)}
    goals = {reading: reading[0] for reading in doubled}
    together = reading_posterior(doubled, {}, nothing, goals)
    assert all(together[reading] == pytest.approx(alone[goals[reading]]) for reading in doubled)
    failed = reading_posterior(doubled, {min(doubled): 3}, nothing, goals)
    rest = [each for each in doubled if each != min(doubled)]
    assert all(failed[each] >= together[each] - 1e-12 for each in rest)


@given(COSTS.filter(bool), st.floats(0, 50), st.data())
def test_a_refuted_reading_gives_way(costs, nothing, data):
    reading = data.draw(st.sampled_from(sorted(costs)))
    before = reading_posterior(costs, {}, nothing)[reading]
    after = reading_posterior(costs, {reading: 1}, nothing)[reading]
    assert after <= before
    assert reading_posterior(costs, {reading: 60}, nothing)[reading] < 1e-3 or nothing > 40


WORDS = st.lists(st.sampled_from(["lodge", "a", "zib", "glurp", "into", "wug"]), max_size=8)


@given(WORDS, st.sampled_from(GOALS))
def test_a_fit_never_costs_more_than_leaving_everything_unexplained(task, goal):
    found = fit_goal(goal, task, VOCABULARY)
    dropped = sum(3.0 if t.startswith("{") else VOCABULARY.weight(t) for t in goal_tokens(goal))
    assert 0 <= found.cost <= dropped + nothing_cost(task, VOCABULARY) + 1e-9
    assert set(found.fillers.values()) <= set(task)


def test_a_long_task_takes_a_moment():
    task = ["wug"] * 2_000
    with within(2):
        found = fit_goal(GOALS[0], task, VOCABULARY)
    assert found.fillers == {"a": "wug", "b": "wug"}
    unsaid = sum(VOCABULARY.weight(each) for each in ("lodge", "a", "into", "some"))
    assert found.cost == pytest.approx(nothing_cost(task[2:], VOCABULARY) + unsaid / 2)


def test_a_word_for_what_the_plan_does_not_do_costs_like_a_filler_that_it_does_not_use():
    plain = fit("find two {a}", "find two zib rinsed")
    assert fit("find two {a}", "find two zib rinsed", other_names={"rinsed"}).cost == plain.cost + 3
