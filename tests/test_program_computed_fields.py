"""A step is done only where what can be computed lies as it lay each time."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from macla.procedures.common.errors import ConditionError, SchemaError
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.programs.box import Box
from macla.procedures.programs.documents.boxes import box_document, read_box
from macla.procedures.programs.field_uses import Uses
from macla.procedures.programs.learning.box_learning import learn_box, open_fields
from macla.procedures.programs.relations import Place


def told(*facts: Fact, **slots: str) -> History:
    history = History("do it", Fact(TASK, slots), ())
    history.add(Done("one", "look", ()), facts)
    return history


def is_known(shown: list[History], now: History, passed: Collection[Place] = ()) -> bool:
    """Whether a moment lies in the box of others; its file says the same."""
    box = learn_box(len(shown), shown, (), open_fields(shown), uses=Uses(frozenset(passed)))
    assert [each for each in shown if box.strange(each)] == []
    again = read_box(box_document(box, ()), Box(), ())
    assert (again.strange(now) is None) == (box.strange(now) is None)
    return box.strange(now) is None


# ---------------------------------------------------------------------------- rows of a class
def visits(free: int, *states: str) -> History:
    rows = [Fact("home.visits[]", {"state": each}) for each in states]
    return told(Fact("home", {"free": str(free)}), *rows)


@pytest.mark.parametrize(
    ("now", "known"),
    [
        (visits(3, "done", "done", "open"), True),
        (visits(2, "done", "done", "open"), False),
        (visits(3, "done", "open", "void", "void"), True),
    ],
)
def test_the_rows_of_a_class_are_fewer_than_a_number(now: History, known: bool) -> None:
    shown = [
        visits(2, "open", "void"),
        visits(3, "open", "done", "void", "void"),
        visits(2, "done", "open"),
        visits(3, "done", "done", "open"),
        visits(2, "open"),
    ]
    assert is_known(shown, now) == known


def pupil(school: str, zone: str, last: int, *siblings: tuple[str, int]) -> History:
    rows = [
        Fact("pupil.siblings[]", {"school": school if s == "same" else s, "grade": str(g)})
        for s, g in siblings
    ]
    zones = [Fact("school.zones[]", {"": each}) for each in ("hill", "mill")]
    facts = (Fact("pupil", {"zone": zone}), *rows, Fact("school", {"last": str(last)}), *zones)
    return told(*facts, school=school)


@pytest.mark.parametrize(
    ("now", "known"),
    [
        (pupil("S90", "hill", 4, ("S7", 1), ("S8", 3)), True),
        (pupil("S90", "park", 4, ("same", 2)), True),
        (pupil("S90", "park", 4, ("S7", 2)), False),
        (pupil("S90", "park", 4, ("same", 4)), False),
    ],
)
def test_one_of_two_reasons_holds(now: History, known: bool) -> None:
    shown = [
        pupil("S11", "hill", 4, ("S7", 1), ("S8", 3)),
        pupil("S22", "mill", 6, ("same", 6)),
        pupil("S33", "park", 4, ("same", 2), ("S9", 4)),
        pupil("S44", "hill", 6, ("same", 1)),
        pupil("S55", "park", 4, ("same", 3), ("same", 4)),
        pupil("S66", "mill", 4, ("same", 4), ("S3", 2)),
        pupil("S77", "park", 6, ("same", 1)),
    ]
    assert is_known(shown, now) == known


def booked(*amounts: str) -> History:
    return told(*(Fact("order.paid[]", {"amount": each}) for each in amounts))


@pytest.mark.parametrize(
    ("now", "known"),
    [
        (booked("33.00", "0"), True),
        (booked("33.00", "33.00"), False),
        (booked("33.00", "-9.00"), False),
        (booked("0"), False),
    ],
)
def test_nothing_and_something_are_classes_of_rows(now: History, known: bool) -> None:
    shown = [booked("20.00", "0"), booked("35.50"), booked("0", "31.00"), booked("40.00", "0")]
    assert is_known(shown, now) == known


# ---------------------------------------------------------------------------- how long ago
def alarm(at: str, *deploys: str) -> History:
    return told(Fact("alarm", {"at": at}), *(Fact("deploys[]", {"at": each}) for each in deploys))


ALARMS = (
    alarm("2026-03-02T10:15:00Z", "2026-03-02T07:15:00Z", "2026-02-27T09:00:00Z"),
    alarm("2026-03-07T12:00:00Z"),  # nothing was deployed
    alarm("2026-03-09T23:30:00Z", "2026-03-09T20:10:00Z"),
    alarm("2026-03-15T08:00:00Z", "2026-03-12T08:20:00Z", "2026-03-11T18:00:00Z"),
)


@pytest.mark.parametrize(
    ("now", "known"),
    [
        (alarm("2026-03-20T05:00:00Z", "2026-03-19T05:00:00Z"), True),
        (alarm("2026-03-20T05:00:00Z"), True),
        (alarm("2026-03-20T05:00:00Z", "2026-03-20T04:40:00Z"), False),
        (alarm("2026-03-20T05:00:00Z", "2026-03-20T04:40:00Z", "2026-03-17T05:00:00Z"), False),
        (alarm("2026-03-20T05:00:00Z", "2026-03-20T05:10:00Z", "2026-03-17T05:00:00Z"), False),
    ],
)
def test_a_row_nearer_in_time_than_any_shown_one(now: History, known: bool) -> None:
    assert is_known(list(ALARMS), now) == known


@pytest.mark.parametrize(("shuts", "known"), [("10:00", True), ("09:10", False)])
def test_a_time_of_day_nearer_to_another_than_any_shown_one(shuts: str, known: bool) -> None:
    def seen(at: str, shuts: str) -> History:
        return told(Fact("guest", {"at": at}), Fact("desk", {"shuts": shuts}))

    shown = [seen("08:00", "09:10"), seen("09:00", "11:00"), seen("07:45", "08:15")]
    assert is_known(shown, seen("08:50", shuts)) == known


# ---------------------------------------------------------------------------- the foremost row
def entered(*words: str) -> History:
    rows = [Fact("voter.entries[]", {"no": str(n), "what": w}) for n, w in enumerate(words, 1)]
    return told(*rows[::-1])


@pytest.mark.parametrize(
    ("now", "known"),
    [
        (entered("enrolled", "applied", "withdrew", "applied"), True),
        (entered("enrolled", "applied", "applied", "withdrew"), False),
    ],
)
def test_the_newest_row_says_what_it_said_each_time(now: History, known: bool) -> None:
    shown = [
        entered("enrolled", "applied"),
        entered("enrolled", "applied", "withdrew", "applied"),
        entered("enrolled", "withdrew", "applied"),
    ]
    assert is_known(shown, now) == known


# ---------------------------------------------------------------------------- figures
def moored(depth: str, draught: str) -> History:
    return told(Fact("ship", {"draught": draught}), Fact("berth", {"depth": depth}))


@pytest.mark.parametrize(("depth", "known"), [("11.2", True), ("10.3", False), ("10.9", False)])
def test_a_figure_comes_no_nearer_to_its_limit(depth: str, known: bool) -> None:
    shown = [moored(*each) for each in (("6.0", "5.4"), ("12.1", "11"), ("9.9", "8.7"))]
    assert is_known(shown, moored(depth, "10"), [("ship", "draught")]) == known
    assert is_known(shown, moored(depth, "10"))  # where the program passes none of them on


# ---------------------------------------------------------------------------- words
def revised(translator: str, reviser: str) -> History:
    return told(Fact("job", {"reviser": reviser}), name=translator)


@pytest.mark.parametrize(
    ("now", "known"),
    [
        (revised("Ada Holm", "Ben Holm"), True),
        (revised("Ada Holm", "Ada Holm"), False),
        (revised("Ada Holm", "Holm, Ada"), False),
    ],
)
def test_a_name_is_the_same_in_another_order(now: History, known: bool) -> None:
    shown = [
        revised("Ada Lind", "Ben Holm"),
        revised("Cleo Holm", "Lind, Dan"),
        revised("Ben Roos", "Holm, Finn"),
        revised("Dan Holm", "Ada Roos"),
    ]
    assert is_known(shown, now) == known


# ---------------------------------------------------------------------------- edited by hand
@pytest.mark.parametrize("figure", ["garbage(", "", 'told("home", free)', "task(1)", "3"])
def test_a_figure_that_cannot_be_computed_is_refused(figure: str) -> None:
    shown = [visits(2, "open", "void"), visits(3, "open", "done"), visits(2, "done", "open")]
    document = box_document(learn_box(len(shown), shown, (), open_fields(shown)), ())
    assert document["computed"]
    with pytest.raises((SchemaError, ConditionError)):
        read_box({**document, "computed": {figure: ["1"]}}, Box(), ())


# ---------------------------------------------------------------------------- equal constants
def case(*approvals: str) -> History:
    people = [Fact("case.approvals[]", {"": each}) for each in approvals]
    return told(Fact("case", {}), Fact("case.parties[]", {"account": "AC1"}), *people)


@pytest.mark.parametrize(
    ("approvals", "known"), [(("U7",), True), ((), False), (("U7",) * 6, False)]
)
def test_of_two_numbers_that_never_varied_both_are_held(
    approvals: tuple[str, ...], known: bool
) -> None:
    assert is_known([case(f"U{n}") for n in range(9)], case(*approvals)) == known
