"""Values that may be expected where others were shown."""

from __future__ import annotations

from collections import Counter

import pytest
from macla.procedures.programs.ranges import hull_of, is_open, range_of
from macla.procedures.programs.size_limits import is_beyond, limits_of


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


@pytest.mark.parametrize("values", [["tier1", "tier2", "tier3"] * 7, ["A1", "B2"] * 3])
def test_a_small_set_with_figures_is_closed(values: list[str]) -> None:
    assert not is_open(Counter(values))
    assert is_open(Counter([f"{value}-{n}" for n, value in enumerate(values)]))


@pytest.mark.parametrize(
    ("sizes", "type_"),
    [([1.0, 2.0, 5.0, 6.0, 9.0], "date"), ([*map(float, range(100, 180, 9))], "number")],
)
def test_what_grew_each_time_grows_further(sizes: list[float], type_: str) -> None:
    assert hull_of(sizes, type_) == (sizes[0], float("inf"))


@pytest.mark.parametrize("sizes", [[20.0, 31.0, 45.0, 64.0, 90.0], [*map(float, range(20, 99))]])
def test_amounts_that_rise_by_chance_have_an_end(sizes: list[float]) -> None:
    assert hull_of(sizes) == (sizes[0], sizes[-1])


@pytest.mark.parametrize(("size", "known"), [("40", True), ("10", True), ("41", False)])
def test_sizes_reach_no_further_than_those_shown(size: str, known: bool) -> None:
    prices = [str(each) for each in range(10, 41, 3)]
    assert range_of(("record", "price"), prices, opened=False).holds(size) is known


@pytest.mark.parametrize(("beyond", "limited"), [(["41", "12"], True), (["39", "12"], False)])
def test_sizes_in_lists_have_a_limit_where_another_step_has_a_greater_one(
    beyond: list[str], limited: bool
) -> None:
    place, shown = ("record[]", "price"), [str(each) for each in range(10, 41, 3)]
    ranges = {place: range_of(place, shown, opened=False)}
    limits = limits_of({place: beyond}, ranges)
    assert is_beyond(limits.get(place), "41") is limited
    assert not is_beyond(limits.get(place), "40")
    assert not is_beyond(limits.get(place), "1")
