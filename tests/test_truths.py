"""Truths of relations at many places are those of each place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.programs.learning.truths import Column, mask_of, truth_of
from macla.procedures.programs.program_conditions import Comparison, Field

VALUES = (None, "", "1", "10", "3.5", "-3", "1,000", "nan", "2024-01-02", "10:30", "b", "a, b")
RELATIONS = ("=", "≠", "<", "<=", ">", ">=", "has", "lacks")


@given(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), max_size=9))
def test_a_relation_of_columns_is_that_of_their_values(pairs: list[tuple[str, str]]) -> None:
    left, right = (Column(pair[side] for pair in pairs) for side in (0, 1))
    for relation in RELATIONS:
        condition = Comparison(Field("one"), relation, Field("other"))
        each = [condition.relates(one, other) for one, other in pairs]
        assert truth_of(condition, left, right) == mask_of(each)


def test_the_first_flag_is_the_lowest_bit() -> None:
    assert [mask_of(flags) for flags in ((), (True, False), (False, True, True))] == [0, 1, 6]
