"""Values that may be expected where others were shown."""

from __future__ import annotations

from collections import Counter

import pytest
from macla.procedures.programs.ranges import hull_of, is_open, range_of


@pytest.mark.parametrize(("number", "opened"), [(7, False), (8, True)])
def test_a_field_with_many_values_is_open(number: int, opened: bool) -> None:
    values = [chr(ord("a") + n) * 4 for n in range(number)] * 5
    assert is_open(Counter(values)) is opened
    span = range_of(("record", "name"), values, opened=opened)
    assert span.holds(values[0])
    assert span.holds("zeno") is opened
    assert not span.holds("zeno; drop it")


@pytest.mark.parametrize("sizes", [[3.0, 9.0, 4.0], [*map(float, range(3, 10)), 4.0] * 9])
def test_a_hull_ends_where_sizes_end_however_many(sizes: list[float]) -> None:
    assert hull_of(sizes) == (3.0, 9.0)


def test_what_grew_each_time_grows_further() -> None:
    assert hull_of([1.0, 2.0, 5.0, 6.0, 9.0]) == (1.0, float("inf"))
