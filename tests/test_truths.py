"""Truths of relations at many places are those of each place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.programs.learning.truths import Column, Sizes, mask_of, truth_of
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


@given(
    st.dictionaries(st.integers(0, 9), st.sampled_from((-2.0, 0.0, 0.5, 3.0, 7.0)), min_size=1),
    st.data(),
)
def test_sizes_are_compared_as_each_of_them(size_by_place, data) -> None:
    sizes, limit = Sizes(size_by_place), data.draw(st.sampled_from((-3.0, 0.0, 2.0, 7.0)))
    for relation in ("<", "<=", ">", ">="):
        condition = Comparison(Field("one"), relation, Field("other"))
        related = (condition.relates(f"{size_by_place.get(i, 'x')}", f"{limit}") for i in range(10))
        assert sizes.related(relation, limit) == mask_of(related)
    places = data.draw(st.sets(st.sampled_from(sorted(size_by_place)), min_size=1))
    first, last = sizes.span(sum(1 << place for place in places))
    least, greatest = sizes.values[first], sizes.values[last]
    assert [least, greatest] == [f({size_by_place[i] for i in places}) for f in (min, max)]
    for side, mask in zip(
        (lambda x: x < least, lambda x: x > greatest), sizes.beside(first, last), strict=True
    ):
        assert mask == mask_of(i in size_by_place and side(size_by_place[i]) for i in range(10))
