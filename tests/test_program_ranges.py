"""Values that may be expected where others were shown."""

from __future__ import annotations

from collections import Counter

import pytest
from macla.procedures.episodes.tokens import quantity
from macla.procedures.programs.ranges import hull_of, is_open, quantities_of, range_of
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


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4.4 kg", ("# kg", 4.4)),
        ("4.4kg", ("#kg", 4.4)),
        ("512Mi", ("#Mi", 512.0)),
        ("€1,204.50", ("€#", 1204.5)),
        ("$4", ("$#", 4.0)),
        ("4,40 €", ("# €", 4.4)),
        ("EUR 4.40", ("EUR #", 4.4)),
        ("P1234", None),
        ("Room 12", None),
        ("LH 442", None),
        ("12", None),
        ("12-A", None),
        ("4 of 9", None),
        ("kg", None),
    ],
)
def test_a_number_with_a_unit_is_a_quantity(text: str, size: tuple[str, float] | None) -> None:
    assert quantity(text) == size


@pytest.mark.parametrize(
    ("values", "within", "beyond"),
    [
        (["4.4 kg", "1.2 kg", "9 kg"], "5 kg", ["44 kg", "5 lb", "5", "P5"]),
        (["€4.40", "€9", "€5.10"], "€7.25", ["€1,500", "$7", "€1"]),
        (["3 kg", "5 kg", "9 oz"], "4 kg", ["9 kg", "4 oz"]),
    ],
    ids=["a unit behind", "a sign before", "two units"],
)
def test_quantities_have_limits(values: list[str], within: str, beyond: list[str]) -> None:
    span = range_of(("record", "size"), values, opened=False)
    assert span.holds(within)
    assert not any(map(span.holds, beyond))


def test_identifiers_that_begin_with_a_number_are_no_quantities() -> None:
    assert quantities_of(["12a", "7f", "3c"]) == {}
    assert range_of(("record", "key"), ["12a", "7f", "3c"], opened=True).holds("90b")


def test_marks_with_letters_of_their_own_are_no_quantities() -> None:
    marks = ["XZ 193.1", "QL 265.8", "DT 440.0", "SW 152.9", "QL 11.5"]
    assert quantities_of(marks) == {}
    assert range_of(("book", "mark"), marks, opened=True).holds("EG 415.3")
    assert quantities_of(["EUR 4.40", "EUR 12.50", "USD 3.10"])
