"""Values that may be expected where others were shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

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


@pytest.mark.parametrize(
    ("size", "near"), [("41", True), ("9", True), ("40.6", True), ("60", False), ("-1", False)]
)
def test_many_sizes_reach_a_little_further(size: str, near: bool) -> None:
    shown = [str(each) for each in range(10, 41, 3)]
    assert range_of(("record", "price"), shown, opened=False).holds(size) is near
    # Of few sizes nobody knows how far they reach.
    assert not range_of(("record", "price"), shown[::2], opened=False).holds(size)


def test_sizes_reach_as_far_as_a_quarter_of_new_greatest_ones() -> None:
    # Of those that lie beyond, a quarter lies further: (1 + x) ** (1 - 11) = 1 / 4.
    span = range_of(("record", "price"), [str(each) for each in range(0, 101, 10)], opened=False)
    furthest = 100 * 4 ** (1 / 10)
    assert span.holds(f"{furthest - 0.01:.2f}")
    assert not span.holds(f"{furthest + 0.01:.2f}")


@pytest.mark.parametrize(
    ("beyond", "counts", "limited"),
    [
        ([41] * 9, False, True),
        ([*range(12, 38, 2), 41], False, False),  # among so many others one lies beyond by chance
        ([*range(12, 38, 2), 41], True, True),  # what nothing else bounds ends there
        ([*range(12, 32, 2), 41], False, False),  # as likely as not
    ],
)
def test_sizes_do_not_reach_where_other_steps_have_theirs(
    beyond: list[int], counts: bool, limited: bool
) -> None:
    place, shown = ("record", "price"), [str(each) for each in range(10, 41, 3)]
    ranges = {place: range_of(place, shown, opened=False)}
    varying = {place} if counts else set()
    limits = limits_of({place: shown}, {place: [*map(str, beyond)]}, ranges, varying)
    assert is_beyond(limits.get(place), "41") is limited
    assert not is_beyond(limits.get(place), "39")


@pytest.mark.parametrize(
    "shown",
    [
        [*"abcdef", "10", "20"],
        ["10", "10.0", "10.00", "20", "20.0", "20.00", "20.000", "10.000"],
        ["10", "20", *(f"2026-01-{day}" for day in range(11, 18))],
    ],
)
def test_sizes_of_one_type_are_counted(shown: list[str]) -> None:
    assert not range_of(("record", "price"), shown, opened=False).holds("21")


def test_ranges_of_older_files_reach_no_further() -> None:
    span = range_of(("record", "price"), [str(each) for each in range(10, 41, 3)], opened=False)
    assert span.holds("41")
    assert not replace(span, different_sizes=0).holds("41")
