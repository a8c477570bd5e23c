"""Numbers that are computed: exact, written as they were shown, and learned."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.errors import LibraryError
from macla.procedures.programs.checking import check_programs
from macla.procedures.programs.computing import Computation, Total
from macla.procedures.programs.conditions import (
    Arithmetic,
    Comparison,
    Field,
    TaskSlot,
    ToldField,
)
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.figures import decimals_of, number_of, written_number
from macla.procedures.programs.learning.choices import learn_cases
from macla.procedures.programs.learning.computing import computed
from macla.procedures.programs.learning.occurrences import Occurrence, Use
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.repeated import decisive
from macla.procedures.programs.sources import Computed, Order, candidates
from macla.procedures.trajectories import Trajectory
from macla.schemas import first_misfit

_SENDERS = ("Ada", "Bo", "Cem", "Dana")


def _history(*prices: str, task: str = "10") -> History:
    rows = [Fact("row", {"1": price, "2": "ab"[n % 2]}) for n, price in enumerate(prices)]
    return History("", Fact(TASK, {"1": task, "2": "a"}), [*rows, Fact("due", {"1": "2.50"})])


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
    assert computation.number(_history("0.10", "1,250", "0.30")) == wanted


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
    square = Arithmetic(TaskSlot("1"), "*", TaskSlot("1")).number(history)
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
    results, _ = file.readers()
    for seed in range(100, 130):
        new = _demonstration(kind, seed)
        history = file.begin(new.task, new.obs[0])
        for action, observation in zip(new.acts, new.obs[1:], strict=True):
            decision = decide(file.program, history)
            assert isinstance(decision, Act), decision
            assert decision.step.operator.format(*decision.arguments) == action
            call = Done(decision.step.id, decision.step.operator, decision.arguments)
            history.add(call, results.read(observation))


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
        ({"of": "task(1) / task(1)"}, "parameters.sum.of: expected the end"),
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
    assert list(computed(0, occurrences, {})) == []


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
            uses.append(Use(History("", Fact(TASK, {}), rows), right.fields["id"], tuple(rows)))
    (case,) = learn_cases(uses, "id", "take {}", {})
    assert case.settled
    assert case.rule.order == (Order(Arithmetic(Field("all"), "-", Field("taken")), True),)
