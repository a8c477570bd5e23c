"""Numbers that are computed: exact, written as they were shown, and learned."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import ConditionError, LibraryError
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import (
    ProgramFile,
    program_document,
    program_from_document,
)
from macla.procedures.programs.exact_numbers import decimals_of, number_of, written_number
from macla.procedures.programs.field_uses import decisive
from macla.procedures.programs.learning.choices import learn_cases
from macla.procedures.programs.learning.computing import computed
from macla.procedures.programs.learning.explaining import explain
from macla.procedures.programs.learning.margins import Margins
from macla.procedures.programs.learning.occurrences import Occurrence, Setting, Use
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import condition_text, term_text
from macla.procedures.programs.notation_reading import read_term
from macla.procedures.programs.program_checks import check_programs
from macla.procedures.programs.program_conditions import (
    Arithmetic,
    Comparison,
    Computation,
    Field,
    Literal,
    Period,
    Rounded,
    TaskSlot,
    Term,
    Times,
    ToldField,
    Total,
    quantity_in,
    value_of,
)
from macla.procedures.programs.quantities import OPERATIONS, PERIODS, ROUNDINGS
from macla.procedures.programs.sources import Computed, Order, candidates
from macla.schemas import first_misfit
from program_play import replayed

_SENDERS = ("Ada", "Bo", "Cem", "Dana")


def _history(*prices: str, task: str = "10") -> History:
    rows = [Fact("row", {"1": price, "2": "ab"[n % 2]}) for n, price in enumerate(prices)]
    return History("", Fact(TASK, {"1": task, "2": "a"}), [*rows, Fact("due", {"1": "2.50"})])


def _calls(histories: Sequence[History], values: Sequence[str]) -> list[Occurrence]:
    pairs = zip(histories, values, strict=True)
    return [Occurrence(number, history, (value,)) for number, (history, value) in enumerate(pairs)]


def _number(computation: Computation, history: History) -> Decimal | None:
    if isinstance(computation, Total):
        return computation.number(history)
    quantity = quantity_in(computation, history)
    return quantity.size if quantity else None


# ---------------------------------------------------------------------------- figures
_AS = (Comparison(Field("2"), "=", TaskSlot("2")),)


@pytest.mark.parametrize(
    ("computation", "number"),
    [
        (Total("row"), "3"),
        (Total("row", None, _AS), "2"),
        (Total("row", "1"), "1250.40"),
        (Total("row", "1", _AS), "0.40"),
        (Total("row", "2"), None),
        (Total("other"), None),
        (Arithmetic(TaskSlot("1"), "-", ToldField("due", "1")), "7.50"),
        (Arithmetic(TaskSlot("1"), "+", ToldField("due", "1")), "12.50"),
        (Arithmetic(TaskSlot("1"), "*", ToldField("due", "1")), "25.00"),
        (Arithmetic(TaskSlot("2"), "+", ToldField("due", "1")), None),
        (Arithmetic(TaskSlot("1"), "+", ToldField("row", "1")), None),
    ],
)
def test_numbers_are_computed_exactly(computation: Computation, number: str | None) -> None:
    wanted = None if number is None else Decimal(number)
    assert _number(computation, _history("0.10", "1,250", "0.30")) == wanted


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [
        ("3.50", None, "3.5"),
        ("3.5", 2, "3.50"),
        ("3.55", 1, None),
        ("1E+3", None, "1000"),
        ("-0.0", None, "0"),
        ("-2", 0, "-2"),
    ],
)
def test_numbers_are_written_with_some_decimals(
    number: str, decimals: int | None, text: str | None
) -> None:
    assert written_number(Decimal(number), decimals) == text


@pytest.mark.parametrize("text", ["", "1,250", "3,5", "05", "+3", "5%", "12:30", "a", "9" * 30])
def test_what_is_written_otherwise_is_no_match(text: str) -> None:
    assert decimals_of(text) is None


@given(st.decimals(-(10**9), 10**9, places=3), st.integers(3, 6))
def test_a_written_number_is_read_as_the_same(number: Decimal, decimals: int) -> None:
    text = written_number(number, decimals)
    assert text is not None
    assert decimals_of(text) == decimals
    assert number_of(text) == number


_FIGURES = st.from_regex(r"-?[1-9][0-9]{0,21}", fullmatch=True)


@given(st.lists(_FIGURES, max_size=5), _FIGURES)
def test_nothing_is_rounded(prices: list[str], other: str) -> None:
    history = _history("0", *prices, task=other)
    assert Total("row", "1").number(history) == sum(map(int, prices))
    assert Total("row").number(history) == len(prices) + 1
    square = _number(Arithmetic(TaskSlot("1"), "*", TaskSlot("1")), history)
    assert square is not None
    assert int(square) == int(other) ** 2


def test_computations_that_differ_are_all_candidates() -> None:
    source = Computed((Total("row"), Total("row", None, _AS)))
    assert candidates(source, _history("1", "2", "3")) == ["3", "2"]
    assert candidates(source, _history("1")) == ["1"]


# ---------------------------------------------------------------------------- learned programs
def _inbox(draw: random.Random) -> tuple[str, list[str], str]:
    wanted = draw.choice(_SENDERS)
    senders = [wanted, *(draw.choice(_SENDERS) for _ in range(draw.randint(2, 14)))]
    draw.shuffle(senders)
    subjects = ("the roof", "a late train", "lunch", "the new key")
    mails = [f"mail from {sender} about {draw.choice(subjects)}" for sender in senders]
    return f"Report how many mails {wanted} has sent.", mails, str(senders.count(wanted))


def _list(draw: random.Random) -> tuple[str, list[str], str]:
    task, lines, value = _inbox(draw)
    return task, [f"{number}. {line}" for number, line in enumerate(lines, 1)], value


def _bill(draw: random.Random) -> tuple[str, list[str], str]:
    guest = draw.choice(_SENDERS)
    rows = [(guest, draw.randint(100, 900)) for _ in range(draw.randint(2, 4))]
    rows += [(draw.choice(_SENDERS), draw.randint(100, 900)) for _ in range(draw.randint(1, 5))]
    draw.shuffle(rows)
    lines = [
        f"{draw.choice(('soup', 'tea', 'pie'))} for {who}: {cents / 100:.2f} euros"
        for who, cents in rows
    ]
    total = sum(cents for who, cents in rows if who == guest)
    return f"Write the bill of {guest}.", lines, f"{total / 100:.2f}"


def _change(draw: random.Random) -> tuple[str, list[str], str]:
    price, given_ = draw.randint(100, 900), draw.randint(1000, 2000)
    lines = [f"price to pay: {price} cents", f"code of the till: {draw.randint(3000, 9000)}"]
    return f"A guest gives {given_} cents.", lines, str(given_ - price)


_KINDS = {"inbox": _inbox, "list": _list, "bill": _bill, "change": _change}


def _demonstration(kind: str, seed: int) -> Trajectory:
    task, lines, value = _KINDS[kind](random.Random(f"{kind} {seed}"))
    obs = ("A desk.", "\n".join(lines), f"The field says {value}.", "Sent.")
    acts = ("open the list", f"type {value} into the field", "press send")
    return Trajectory(task=task, obs=obs, acts=acts, success=True)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("inbox", {"count", "where"}),
        ("list", {"count", "where"}),
        ("bill", {"sum", "where"}),
        ("change", {"of"}),
    ],
)
def test_a_program_computes_what_is_said_nowhere(kind: str, keys: set[str]) -> None:
    (proposal,) = propose_programs([_demonstration(kind, seed) for seed in range(30)])
    assert proposal.trusted, proposal.proof
    file = ProgramFile.from_document(proposal.file.to_document())
    assert file == proposal.file
    parameters = file.to_document()["parameters"].values()
    assert keys <= next(each for each in parameters if each["source"] == "computed").keys()
    tests = [_demonstration(kind, seed) for seed in range(100, 130)]
    assert [replayed(file, test) for test in tests] == [list(test.acts) for test in tests]


@pytest.mark.parametrize("other", ["77", "{}.0", "0{}"])
def test_a_number_that_nothing_explains_each_time_is_not_computed(other: str) -> None:
    lesson = [_demonstration("change", seed) for seed in range(30)]
    last = lesson.pop()
    value = last.acts[1].split()[1]
    acts = (last.acts[0], last.acts[1].replace(value, other.format(value)), last.acts[2])
    lesson.append(Trajectory(task=last.task, obs=last.obs, acts=acts, success=True))
    for proposal in propose_programs(lesson):
        parameters = proposal.file.to_document().get("parameters", {}).values()
        assert all(each["source"] != "computed" for each in parameters)


def test_what_is_computed_with_is_decided_by() -> None:
    document = _document({"sum": "a {1} {2}", "field": "{1}", "where": ["{2} = task(1)"]})
    program = ProgramFile.from_document(document).program
    assert decisive(program) == {("a {1} {2}", "1"), ("a {1} {2}", "2"), (TASK, "1")}
    document = _document({"of": 'task(1) + told("a {1}", 1)'})
    program = ProgramFile.from_document(document).program
    assert decisive(program) == {("a {1}", "1"), (TASK, "1")}


# ---------------------------------------------------------------------------- people's faults
def _document(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": "program",
        "id": "pay",
        "version": 1,
        "goal": "Pay {1}.",
        "lines": ["a {1}"],
        "parameters": {"sum": {"source": "computed", **parameter}},
        "steps": [{"id": "pay", "do": "pay {sum}"}],
    }


@pytest.mark.parametrize(
    ("parameter", "problem"),
    [
        ({}, "parameters.sum: 'of' is missing"),
        ({"sum": "a {1}"}, "parameters.sum: 'field' is missing"),
        ({"of": "task(1)"}, "parameters.sum.of: two values"),
        ({"of": "task(1) % task(1)"}, "parameters.sum.of: expected the end"),
        ({"of": "(task(1) - task(1)"}, "parameters.sum.of: expected '\\)'"),
        ({"of": "task(1) +"}, "parameters.sum.of: expected"),
        ({"of": "task(1) + {1}"}, "parameters.sum.of: .*no candidate"),
    ],
)
def test_a_fault_in_a_computed_parameter_says_where(
    parameter: dict[str, Any], problem: str
) -> None:
    with pytest.raises(LibraryError, match=problem):
        ProgramFile.from_document(_document(parameter))
    assert first_misfit("program", _document(parameter)) or "of" in parameter


@pytest.mark.parametrize(
    ("parameter", "fits"),
    [
        ({"count": "a {1}", "where": ["said({1})"]}, True),
        ({"sum": "a {1}", "field": "{1}", "decimals": 2}, True),
        ({"of": "task(1) - task(1)"}, True),
        ({"computations": [{"count": "a {1}"}, {"count": "b"}]}, True),
        ({"computations": [{"count": "a {1}"}]}, False),
        ({"count": "a {1}", "field": "{1}"}, False),
        ({"count": "a {1}", "sum": "a {1}", "field": "{1}"}, False),
        ({"of": "task(1) + task(1)", "where": ["said({1})"]}, False),
        ({"of": ["task(1)", "task(1)"]}, False),
        ({"source": "task", "slot": 1, "decimals": 2}, False),
    ],
)
def test_the_schema_knows_what_belongs_to_a_computation(
    parameter: dict[str, Any], fits: bool
) -> None:
    assert (first_misfit("program", _document(parameter)) is None) == fits


def test_a_line_that_nothing_reads_is_named() -> None:
    computed = {"count": "b {1}"}
    file = ProgramFile.from_document(_document(computed))
    (issue,) = check_programs({"pay": file}, ())
    assert issue.path == ("parameters", "sum")
    assert "no line reads" in issue.message


class _Elsewhere:
    """Remembers nothing: what was told is not told here."""

    moves = ()
    present = None

    def note(
        self, call: Done | None, facts: Sequence[Fact]
    ) -> tuple[Sequence[Fact], Sequence[str]]:
        return facts, ("row",)

    def copy(self) -> _Elsewhere:
        return self


def test_what_was_told_elsewhere_is_not_counted() -> None:
    occurrences = []
    for number in range(4):
        history = History("", Fact(TASK, {}), [Fact("row", {"1": "a"})], memory=_Elsewhere())
        history.add(Done(None, "go", ()), ())
        occurrences.append(Occurrence(number, history, (str(number),)))
    assert list(computed(0, occurrences, Setting("pay {}"))) == []


# ---------------------------------------------------------------------------- choices by figures
def test_two_figures_together_order_candidates_where_none_does_alone() -> None:
    draw = random.Random(4)
    uses = []
    for episode in range(24):
        rows = []
        for n in range(5):
            free, taken = draw.randint(1, 40), draw.randint(0, 60)
            fields = {"id": f"s{episode}-{n}", "all": str(free + taken), "taken": str(taken)}
            rows.append(Fact("row", fields))
        free_places = [int(row.fields["all"]) - int(row.fields["taken"]) for row in rows]
        right = rows[free_places.index(max(free_places))]
        if free_places.count(max(free_places)) == 1:
            history = History("", Fact(TASK, {}), rows)
            uses.append(Use(episode, history, right.fields["id"], tuple(rows)))
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    assert case.settled
    assert case.rule.order == (Order(Arithmetic(Field("all"), "-", Field("taken")), True),)


# ---------------------------------------------------------------------------- expressions
_A, _B, _C = (TaskSlot(slot) for slot in "abc")
_TERMS = st.recursive(
    st.sampled_from((_A, _B, ToldField("due", "1"), Literal("12"))),
    lambda inner: st.one_of(
        st.builds(Arithmetic, inner, st.sampled_from(OPERATIONS), inner),
        st.builds(Rounded, inner, st.sampled_from(sorted(ROUNDINGS)), st.integers(0, 3)),
        st.builds(Period, inner, st.sampled_from(sorted(PERIODS))),
        st.builds(Times, st.sampled_from(("run", "look again"))),
    ),
    max_leaves=6,
)


@given(_TERMS)
def test_what_is_computed_is_read_as_it_is_written(term: Term) -> None:
    assert read_term(term_text(term)) == term


def test_deep_parentheses_are_an_error() -> None:
    with pytest.raises(ConditionError, match="parentheses"):
        read_term("(" * 5000 + "task(1)" + ")" * 5000)


def _asked(**slots: str) -> History:
    return History("", Fact(TASK, slots), [])


def _rolls(wall: int, doors: int, roll: int) -> str:
    """Return how many rolls of paper a wall takes, less its doors."""
    return str(-(-(wall - doors) // roll))


def _share(bill: int, guests: int, _: int) -> str:
    return str((Decimal(bill) / guests).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _discounted(price: int, percent: int, _: int) -> str:
    """Return a price less so many per cent, in whole euros."""
    return str((Decimal(price * (100 - percent)) / 100).quantize(Decimal(1), ROUND_HALF_UP))


@pytest.mark.parametrize(
    ("wanted", "first", "second", "third", "computed_as"),
    [
        (_rolls, (200, 400), (10, 90), (5, 40), "up((task(a) - task(b)) / task(c))"),
        (_share, (100, 999), (3, 9), (1, 99), "nearest(task(a) / task(b), 2)"),
        (
            lambda days, price, _: str(days * price + 15),
            *((10, 99), (2, 30), (1, 99), '(task(a) * task(b)) + value("15")'),
        ),
        (
            lambda all_, away, price: str((all_ - away) * price),
            *((100, 200), (1, 90), (2, 9), "(task(a) - task(b)) * task(c)"),
        ),
        (
            lambda price, *_: f"{Decimal(price) * Decimal('0.2'):.1f}",
            *((100, 999), (1, 9), (1, 9), 'task(a) * value("0.2")'),
        ),
        (
            _discounted,
            *((100, 999), (1, 60), (1, 9)),
            'nearest((task(a) * (value("100") - task(b))) / value("100"))',
        ),
    ],
)
def test_figures_that_nobody_says_are_computed(
    wanted: Callable[[int, int, int], str],
    first: tuple[int, int],
    second: tuple[int, int],
    third: tuple[int, int],
    computed_as: str,
) -> None:
    draw = random.Random(5)
    numbers = [
        (draw.randint(*first), draw.randint(*second), draw.randint(*third)) for _ in range(20)
    ]
    histories = [_asked(a=str(a), b=str(b), c=str(c)) for a, b, c in numbers]
    terms = {t: [value_of(t, history) or "" for history in histories] for t in (_A, _B, _C)}
    found = explain(0, _calls(histories, [wanted(*each) for each in numbers]), terms)
    assert found is not None
    shortest = found.computations[0]
    assert not isinstance(shortest, Total)
    assert term_text(shortest) == computed_as


@pytest.mark.parametrize(
    ("notation", "shown"), [("HH:MM", "01:20"), ("HH:MM:SS", "01:20:00"), ("", "80")]
)
def test_a_length_of_time_is_written_as_it_was_shown(notation: str, shown: str) -> None:
    draw = random.Random(1)
    days = [(draw.randint(0, 600), draw.randint(1, 400)) for _ in range(12)] + [(30, 80)]
    histories = [_asked(a=_clock(a), b=_clock(a + length)) for a, length in days]
    values = [
        _clock(length) + ":00" * (notation.count(":") - 1) if notation else str(length)
        for _, length in days
    ]
    terms = {t: [value_of(t, history) or "" for history in histories] for t in (_A, _B)}
    found = explain(0, _calls(histories, values), terms)
    length = Arithmetic(_B, "-", _A)
    assert found == Computed((length,), None if notation else 0, notation, positive=True)
    assert candidates(found, histories[-1]) == [shown]
    assert candidates(found, _asked(a="10:30", b="10:30")) == []


@pytest.mark.parametrize(
    ("sign", "unit", "start", "number", "day"),
    [
        ("+", "months", "2026-11-30", "3", "2027-02-28"),
        ("+", "months", "31.12.2023", "2", "29.02.2024"),
        ("-", "months", "2026-01-15", "1", "2025-12-15"),
        ("+", "years", "2024-02-29", "1", "2025-02-28"),
        ("-", "years", "2026-07-09", "2026", None),
        ("+", "months", "2026-07-09", "1.5", None),
        ("+", "months", "seven", "1", None),
    ],
)
def test_a_period_later_is_the_same_day_or_the_months_last(
    sign: str, unit: str, start: str, number: str, day: str | None
) -> None:
    history = _asked(a=start, b=number)
    assert value_of(Arithmetic(_A, sign, Period(_B, unit)), history) == day


@pytest.mark.parametrize(
    ("unit", "number", "computed_as"),
    [
        ("months", "b", "task(a) + months(task(b))"),
        ("years", "b", "task(a) + years(task(b))"),
        ("months", "18", 'task(a) + months(value("18"))'),
    ],
)
def test_days_of_another_month_are_computed(unit: str, number: str, computed_as: str) -> None:
    draw = random.Random(2)
    days = [date(2024, 1, 1) + timedelta(draw.randint(0, 900)) for _ in range(12)]
    histories = [_asked(a=str(day), b=str(draw.randint(1, 30))) for day in days]
    told_number = TaskSlot("b") if number == "b" else Literal(number)
    wanted = Arithmetic(_A, "+", Period(told_number, unit))
    values = [value_of(wanted, history) or "" for history in histories]
    terms = {t: [value_of(t, history) or "" for history in histories] for t in (_A, _B)}
    computation = explain(0, _calls(histories, values), terms)
    assert computation is not None
    (term,) = computation.computations
    assert not isinstance(term, Total)
    assert term_text(term) == computed_as


def test_a_bill_is_shared_by_rows() -> None:
    """Those that are exempt bear nothing, and no share of the sum is theirs."""

    def demonstration(seed: int) -> Trajectory:
        draw = random.Random(seed)
        heads = [draw.randint(2, 20) for _ in range(3)]
        states = [draw.choice(("pays", "exempt")), "pays", "pays"]
        each = draw.randint(10, 99)
        paying = [number for number, state in zip(heads, states, strict=True) if state == "pays"]
        rows = [
            f"D{n}: {number} heads, {state}"
            for n, (number, state) in enumerate(zip(heads, states, strict=True))
        ]
        shares = {
            f"D{n}": str(number * each)
            for n, (number, state) in enumerate(zip(heads, states, strict=True))
            if state == "pays"
        }
        acts = [f"charge {name} with {share}" for name, share in shares.items()]
        first = "\n".join((f"Heating: {each * sum(paying)} euros", *rows))
        obs = ("quiet", first, *["done"] * len(acts), "closed")
        made = (f"read bill B{seed:03}", *acts, "close")
        return Trajectory(f"Share bill B{seed:03}.", obs, made, success=True)

    (proposal,) = propose_programs([demonstration(seed) for seed in range(30)])
    assert proposal.trusted, proposal.proof
    tests = [demonstration(seed) for seed in range(100, 120)]
    assert [replayed(proposal.file, test) for test in tests] == [list(test.acts) for test in tests]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def test_few_values_are_explained_by_nothing_far_fetched() -> None:
    draw = random.Random(3)
    for _ in range(20):
        rows = [{slot: str(draw.randint(1, 99)) for slot in "abc"} for _ in range(4)]
        histories = [_asked(**row) for row in rows]
        terms = {t: [value_of(t, history) or "" for history in histories] for t in (_A, _B, _C)}
        drawn = [str(draw.randint(1, 9)) for _ in rows]
        found = explain(0, _calls(histories, drawn), terms)
        assert found is None or all(isinstance(each, Arithmetic) for each in found.computations)


def test_a_limit_that_is_computed_of_two_others() -> None:
    draw = random.Random(7)
    moments, fits = [], 0
    for n in range(40):
        length, width, height, bay = (
            draw.randint(2, 9),
            draw.randint(2, 9),
            draw.randint(1, 40),
            draw.randint(20, 90),
        )
        history = _asked(a=str(length), b=str(width), c=str(height), d=str(bay))
        fits |= (length * width + height <= bay) << n
        moments.append(history)
    terms = [TaskSlot(slot) for slot in "abcd"]
    margins = Margins(terms, lambda term: [value_of(term, each) for each in moments], len(moments))
    everything = (1 << len(moments)) - 1
    conditions = [
        condition_text(c) for c, truth in margins.parting(fits, everything & ~fits) if truth == fits
    ]
    assert "(task(a) * task(b)) + task(c) <= task(d)" in conditions
    few = (1 << 5) - 1
    assert not list(margins.parting(fits & few, few & ~fits))


def _purse(seed: int) -> Trajectory:
    rng = random.Random(f"purse {seed}")
    names = [f"P{n}" for n in rng.sample(range(100, 999), rng.choice((2, 3, 4, 5)))]
    euros = [rng.randint(8, 220) for _ in names]
    pages = [
        f"{n} euros. The next one is {after}." for n, after in zip(euros, names[1:], strict=False)
    ]
    pages.append(f"{euros[-1]} euros. That was the last one.")
    acts = [*(f"count {name}" for name in names), f"bank {sum(euros)} euros"]
    return Trajectory(f"Start with {names[0]}.", ("Hall", *pages, "ok"), tuple(acts), True)


def test_what_several_results_told_is_added_up() -> None:
    (proposal,) = propose_programs([_purse(seed) for seed in range(30)])
    assert proposal.trusted
    file = program_from_document(program_document(proposal.file))
    for seed in range(100, 130):
        assert replayed(file, _purse(seed)) == list(_purse(seed).acts)


def test_equal_pages_count_each_and_a_page_that_is_read_again_once() -> None:
    history = History("", Fact(TASK, {}), ())
    for name in ("a", "b", "a"):
        history.add(Done(None, "count {}", (name,)), [Fact("row", {"1": "5"})])
    assert Total("row", "1", ever=True).number(history) == 10
    assert Total("row", ever=True).number(history) == 1
