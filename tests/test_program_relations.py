"""A step is done only where fields are related as they were each time."""

from __future__ import annotations

import pytest
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.programs.box import learn_box

SHOWN = (("2", ["4", "9", "3"]), ("5", ["5", "8"]), ("3", ["3", "11", "7"]), ("4", ["9", "4"]))


def moment(people: str, seats: list[str]) -> History:
    task = Fact(TASK, {"1": people})
    history = History(f"a table for {people}", task, ())
    rows = [Fact("free[]", {"seats": each, "table": f"T{i}"}) for i, each in enumerate(seats)]
    history.add(Done("look", "free", ()), rows)
    return history


def strange(shown: list[History], now: History) -> str | None:
    return learn_box(len(shown), shown, (), [("free[]", "table")]).strange(now)


@pytest.mark.parametrize(
    ("people", "seats", "known"),
    [
        ("4", ["4", "6"], True),
        ("4", ["6", "3", "4"], False),  # not all are large enough: which one counts was not shown
        ("3", ["9", "3"], True),
    ],
)
def test_an_order_that_held_for_all_rows(people: str, seats: list[str], known: bool) -> None:
    shown = [moment(*each) for each in SHOWN]
    assert (strange(shown, moment(people, seats)) is None) == known


def test_no_order_where_one_was_shown_otherwise() -> None:
    shown = [moment(*each) for each in (*SHOWN, ("5", ["3", "6", "5"]))]
    assert strange(shown, moment("4", ["6", "3", "4"])) is None


def insured(insurer: str, accepted: list[str]) -> History:
    history = History("a visit", Fact(TASK, {}), ())
    history.add(Done("one", "patient", ()), [Fact("patient", {"insurer": insurer})])
    rows = [Fact("doctor.insurers[]", {"": each}) for each in accepted]
    history.add(Done("two", "doctor", ()), rows)
    return history


@pytest.mark.parametrize(("insurer", "known"), [("Etna", True), ("Alba", False), ("Gaia", False)])
def test_a_value_that_was_in_a_list_each_time(insurer: str, known: bool) -> None:
    shown = [
        insured("Alba", ["Etna", "Alba"]),
        insured("Etna", ["Alba", "Etna", "Gaia"]),
        insured("Gaia", ["Gaia", "Borea"]),
    ]
    assert (strange(shown, insured(insurer, ["Etna", "Borea"])) is None) == known


def trip(abroad: str, passport: str) -> History:
    history = History("a trip", Fact(TASK, {}), ())
    history.add(Done("one", "pupil", ()), [Fact("pupil", {"passport": passport})])
    history.add(Done("two", "trip", ()), [Fact("trip", {"abroad": abroad})])
    return history


def test_two_flags_that_were_never_shown_together() -> None:
    shown = [trip("false", "true"), trip("true", "true"), trip("false", "false")]
    assert strange(shown, trip("true", "true")) is None
    assert "never told together" in (strange(shown, trip("true", "false")) or "")
