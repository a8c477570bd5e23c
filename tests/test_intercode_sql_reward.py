"""The reward of InterCode-SQL, against a second writing of its rules with SciPy's own τ."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.intercode_sql.reward import graded, overlap, rank_correlation
from scipy.stats import kendalltau

_VALUES = st.one_of(st.integers(0, 3), st.sampled_from(["a", "b", "é"]), st.none())
_ROWS = st.lists(st.tuples(_VALUES, _VALUES), max_size=8)
_FEW = st.lists(st.tuples(st.integers(0, 4)), max_size=10)


def as_published(answer, gold):
    """The rules, step by step, as the benchmark's page has them."""
    one, other = [str(row) for row in answer], [str(row) for row in gold]
    both = Counter(one) & Counter(other)
    union = Counter(one) | Counter(other)
    if not union:
        return 1.0
    reward = sum(both.values()) / sum(union.values())
    if both:
        kept = []
        for rows in (one, other):
            left, mine = Counter(both), []
            for row in rows:
                if left[row] > 0:
                    left[row] -= 1
                    mine.append(row)
            kept.append(mine)
        order = sorted(both)
        tau = math.nan
        if len(kept[0]) > 1:
            tau = kendalltau(*([order.index(row) for row in rows] for rows in kept)).statistic
        if not math.isnan(tau):
            reward = round(tau * reward, 2)
    return reward


@given(_ROWS | _FEW, _ROWS | _FEW)
def test_it_is_what_the_rules_say(answer, gold):
    assert graded(answer, gold) == as_published(answer, gold)


@given(_ROWS | _FEW)
def test_the_right_answer_earns_one(gold):
    assert graded(gold, gold) == 1.0


@given(_ROWS, _ROWS)
def test_it_is_bounded_by_the_overlap(answer, gold):
    share = overlap(answer, gold)
    assert 0.0 <= share <= 1.0
    assert abs(graded(answer, gold)) <= share + 0.005


@given(_FEW)
def test_order_counts_even_where_the_question_asks_for_none(gold):
    ordered = sorted(set(gold))
    if len(ordered) > 1:
        assert graded(ordered[::-1], ordered) == -1.0


@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=9), st.randoms())
def test_rank_correlation_is_scipys(texts, random):
    other = list(texts)
    random.shuffle(other)
    tau = kendalltau([ord(each) for each in texts], [ord(each) for each in other]).statistic
    found = rank_correlation(texts, other)
    assert (found is None) == math.isnan(tau)
    assert found is None or found == pytest.approx(tau)


@pytest.mark.parametrize(
    ("answer", "gold", "reward"),
    [
        (None, [], 0.0),  # no list of rows
        ([], [], 1.0),
        ([(1,)], [], 0.0),
        ([(1,), (1,)], [(1,)], 0.5),  # one row of two: nothing to order, nothing rounded
        ([(1,), (2,), (4,)], [(1,), (2,), (3,)], 0.5),
        ([(2,), (1,), (4,)], [(1,), (2,), (3,)], -0.5),
        ([(1, "a")], [("a", 1)], 0.0),
        ([(1,)], [(1.0,)], 0.0),  # rows are compared as they are written
        ([(1,)] * 2 + [(2,)], [(1,)] * 3, 0.5),
    ],
)
def test_examples(answer, gold, reward):
    assert graded(answer, gold) == reward
