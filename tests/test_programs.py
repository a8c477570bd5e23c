"""Programs: what is done next, what is not, what is learned, and what proves it."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.facts import UNREAD, Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.episodes.templates import literal_text
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.box import Box
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.field_uses import decisive
from macla.procedures.programs.learning.choices import learn_cases
from macla.procedures.programs.learning.features import Features
from macla.procedures.programs.learning.guarding import learn_guards
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.moments import Moment
from macla.procedures.programs.learning.occurrences import Setting, Use
from macla.procedures.programs.learning.program_learner import learn_program
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import (
    Act,
    Ask,
    Decision,
    Guard,
    Program,
    ProgramStep,
    decide,
    ready,
)
from macla.procedures.programs.program_checks import check_programs
from macla.procedures.programs.program_conditions import (
    After,
    Argument,
    Comparison,
    Condition,
    DoneStep,
    Field,
    Known,
    Literal,
    OneOf,
    Only,
    Row,
    Said,
    Shown,
    TaskSlot,
    Together,
    ToldField,
    Unused,
    value_of,
)
from macla.procedures.programs.program_proof import ProgramProof, held_out_proof
from macla.procedures.programs.replaying import Divergence, divergence_of
from macla.procedures.programs.sources import (
    Case,
    Choice,
    Constant,
    Offered,
    Order,
    Rule,
    chosen_values,
)
from macla.procedures.programs.text_calls import action_of, steps_of_action
from macla.schemas import first_misfit


def fact(kind: str, **fields: str) -> Fact:
    return Fact(kind, fields)


def history(*results: Sequence[Fact], task: str = "", **asked: str) -> History:
    first, *others = results or ((),)
    out = History(task, Fact(TASK, asked), first)
    for result in others:
        out.add(Done("look", "look at {}", ("x",)), result)
    return out


# ---------------------------------------------------------------------------- conditions
_NOW = history(
    [fact("scale", g="5")],
    [fact("scale", g="7"), fact("list", a="1")],
    [fact("list", a="1"), fact("list", a="2")],
    [fact("old", a="1"), fact("scale", g="9"), fact("list", a="1"), fact("list", a="2")],
    [fact("new", a="Ada", size="9", items="x, y", day="2026-01-02")],
    task="Take 10 to Ada.",
    who="ada",
    size="10",
)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Said(ToldField("new", "a")), True),
        (Said(TaskSlot("who")), False),
        (Comparison(ToldField("new", "size"), "<", TaskSlot("size")), True),
        (Comparison(ToldField("new", "size"), ">=", TaskSlot("size")), False),
        (Comparison(ToldField("new", "day"), "<", TaskSlot("size")), False),
        (Comparison(ToldField("new", "day"), ">", TaskSlot("size")), False),
        (Comparison(ToldField("new", "a"), "=", TaskSlot("who")), False),
        (Comparison(ToldField("new", "a"), "≠", TaskSlot("who")), True),
        (Comparison(ToldField("new", "a"), "≈", TaskSlot("who")), True),
        (Comparison(ToldField("new", "items"), "has", Literal("y")), True),
        (Comparison(ToldField("new", "missing"), "≠", TaskSlot("who")), False),
        (Only(("old", "scale", "list", "new"), ever=True), True),
        (Only(("old", "list", "new"), ever=True), False),
        (Known(ToldField("list", "a")), False),
        (Known(ToldField("old", "a")), True),
        (Known(ToldField("old", "b"), negated=True), True),
        (OneOf(ToldField("new", "size"), ("8", "9")), True),
        (OneOf(ToldField("list", "a"), ("1", "2")), False),
        (Comparison(ToldField("scale", "g"), "=", ToldField("scale", "g", "before")), False),
        (Comparison(ToldField("scale", "g"), ">", ToldField("scale", "g", "before")), True),
        (Comparison(ToldField("scale", "g", "before"), "=", Literal("7")), True),
        (Known(ToldField("list", "a", "before")), False),
        (Known(Row("list", "a", Literal("1"), "a", before=True)), True),
        (Known(Row("list", "a", Literal("3"), "a", before=True)), False),
        (Known(Row("scale", "g", Literal("9"), "g", before=True)), False),
        (Known(ToldField("new", "a", "before")), False),
        (Unused(Literal("x"), "look at {}"), False),
        (Unused(Literal("y"), "look at {}"), True),
        (Shown("old"), False),
        (Shown("old", now=False), True),
        (Shown("new", negated=True), False),
        (Only(("new", "other")), True),
        (Only(("old",)), False),
        (DoneStep("look"), True),
        (DoneStep("take", negated=True), True),
        (DoneStep("look", times=9), False),
        (DoneStep("look", negated=True, times=9), True),
        (After("look"), True),
        (After(""), False),
        (Comparison(Argument("look at {}", 0), "=", Literal("x")), True),
        (Known(Argument("look at {}", 1)), False),
    ],
)
def test_conditions_hold_as_they_read(condition: Condition, holds: bool) -> None:
    assert condition.holds(_NOW) is holds


def test_a_field_is_the_candidates() -> None:
    row = fact("list", a="1")
    assert value_of(Field("a"), _NOW, row) == "1"
    assert value_of(Field("a"), _NOW) is None


# ---------------------------------------------------------------------------- choices
_ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("12"), st.sampled_from("34")),
    min_size=2,
    max_size=3,
    unique_by=lambda row: row[0],  # rows of one name are all right, or all wrong
)


@st.composite
def _uses(draw: st.DrawFn) -> list[Use]:
    uses = []
    for _ in range(draw(st.integers(1, 4))):
        rows = tuple(fact("row", id=i, x=x, y=y) for i, x, y in draw(_ROWS))
        asked = {"x": draw(st.sampled_from("12")), "y": draw(st.sampled_from("34"))}
        now = history(rows, task=" ".join(asked.values()), **asked)
        uses.append(Use(len(uses), now, draw(st.sampled_from(rows)).fields["id"], rows))
    return uses


def _singles_out(rule: Rule, uses: Sequence[Use]) -> bool:
    choice = Choice("row", "id", "newest", ())
    return all(chosen_values(rule, choice, use.history) == [use.value] for use in uses)


@given(_uses())
def test_the_version_space_holds_every_rule_that_fits(uses: list[Use]) -> None:
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    space = (case.rule, *case.others)
    assert case.settled == _singles_out(case.rule, uses)
    if not case.settled:
        assert not case.others
        return
    assert all(_singles_out(rule, uses) for rule in space)
    every: list[Condition] = [Said(Field(name)) for name in ("id", "x", "y")]
    every += [Comparison(Field(name), "=", TaskSlot(name)) for name in ("x", "y")]
    truths = {c: [c.holds(u.history, row) for u in uses for row in u.rows] for c in every}
    for size in range(3):
        for where in itertools.combinations(every, size):
            if not _singles_out(Rule(where), uses):
                continue
            # A rule that fits is in the space, or one that chooses the same rows, or a shorter one.
            mine = {tuple(truths[c]) for c in where}
            known = [
                {tuple(c.holds(u.history, row) for u in uses for row in u.rows) for c in r.where}
                for r in space
                if not r.order
            ]
            assert any(each <= mine for each in known), (where, space)


def test_rules_are_readable() -> None:
    uses = []
    shown = [(60, (90, 50, 40)), (80, (70, 75, 95)), (30, (20, 25, 31)), (44, (60, 10, 44))]
    for n, (limit, prices) in enumerate(4 * shown):
        rows = tuple(fact("row", id=f"r{n}{i}", price=str(p)) for i, p in enumerate(prices))
        right = max((row for row in rows if int(row.fields["price"]) <= limit), key=_price)
        uses.append(Use(len(uses), history(rows, limit=str(limit)), right.fields["id"], rows))
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    assert case.settled
    assert case.rule.order == (Order(Field("price"), greatest=True),)
    assert [(c.left, c.right) for c in case.rule.where if isinstance(c, Comparison)] == [
        (Field("price"), TaskSlot("limit"))
    ]


def _price(row: Fact) -> int:
    return int(row.fields["price"])


@pytest.mark.parametrize(
    ("loads", "limited"),
    [
        (((3, 40, 60), (1, 22, 90), (4, 25, 31)), True),
        (((3, 40, 60), (1, 22, 90), (24, 25, 31)), False),  # 24 was the least, 22 was not
    ],
)
def test_the_least_may_be_what_lies_below_a_limit(
    loads: Sequence[Sequence[int]], limited: bool
) -> None:
    uses = []
    for n, each in enumerate(loads):
        rows = tuple(fact("row", id=f"r{n}{i}", price=str(load)) for i, load in enumerate(each))
        uses.append(Use(n, history(rows), f"r{n}0", rows))
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    assert case.rule == Rule((), (Order(Field("price"), greatest=False),))
    limit = Rule((Comparison(Field("price"), "<=", Literal("4")),))
    assert case.others == ((limit,) if limited else ())


@pytest.mark.parametrize("rank", [1, 2])
def test_what_ties_is_parted_by_a_second_order(rank: int) -> None:
    draw = Random(2)
    uses = []
    for n in range(24):
        sizes = [(draw.randint(1, 3), days) for days in draw.sample(range(1, 60), 5)]
        rows = tuple(
            fact("row", id=f"r{n}{i}", price=str(price), days=str(days))
            for i, (price, days) in enumerate(sizes)
        )
        right = rows[sizes.index(sorted(sizes)[rank - 1])]
        uses.append(Use(len(uses), history(rows), right.fields["id"], rows))
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    cheapest, soonest = Order(Field("price"), False, rank=rank), Order(Field("days"), False)
    assert (case.settled, case.rule) == (True, Rule((), (cheapest, soonest)))


def test_a_rule_is_settled_only_among_all_candidates() -> None:
    uses = []
    for n in range(12):
        rows = [fact("row", id=f"r{n}-{i}", who=f"p{i}") for i in range(130)]
        rows[1] = fact("row", id=f"r{n}-1", who="p0")  # no sample holds every row
        uses.append(Use(n, history(rows, task="Take p0."), f"r{n}-0", tuple(rows)))
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    assert not case.settled
    others = [
        Use(use.episode, use.history, use.value, (use.rows[0], *use.rows[2:])) for use in uses
    ]
    (case,) = learn_cases(others, "id", Setting("take {}"))
    assert (case.settled, case.rule) == (True, Rule((Said(Field("who")),)))


# ---------------------------------------------------------------------------- guards
@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from("ab")), min_size=8, max_size=24))
def test_guards_part_what_can_be_parted(told: list[tuple[int, str]]) -> None:
    moments = [
        Moment(history([fact("line", size=str(n), sort=k)]), "take", frozenset(["take"]))
        for n, k in told
    ]
    features = Features(moments, {"line": frozenset(["sort"])})
    positives = sum(1 << i for i, (_, k) in enumerate(told) if k == "a")
    negatives = features.all & ~positives
    if not positives:
        return
    guarding = learn_guards(features, positives, negatives)
    assert guarding is None or guarding.truth & positives
    exact = learn_guards(features, positives, negatives, seldom=True)
    assert exact is not None
    assert exact.truth == positives
    for i, moment in enumerate(moments):
        said = not exact.guards or any(
            all(c.holds(moment.history) for c in guard.when) for guard in exact.guards
        )
        assert said == bool(positives >> i & 1)


@pytest.mark.parametrize(
    ("low", "high", "limit"),
    [
        ((1, 2, 3), (10, 11, 12), "10"),
        ((999_000, 999_500, 999_990), (1_000_000, 1_200_000, 3_000_000), "1000000"),
        ((1234.51, 1234.52, 1234.53), (1234.56, 1234.57, 1234.58), "1234.56"),
    ],
)
def test_limits_have_all_their_figures(
    low: Sequence[float], high: Sequence[float], limit: str
) -> None:
    moments = [
        Moment(history([fact("line", size=str(n))]), "take", frozenset(["take"]))
        for n in (*low, *high)
    ]
    features = Features(moments, {})
    guarding = learn_guards(features, 0b111000, 0b111, seldom=True)
    assert guarding is not None
    (guard,) = guarding.guards
    assert guard.when == (Comparison(ToldField("line", "size"), ">=", Literal(limit)),)
    assert [guard.when[0].holds(m.history) for m in moments] == [False] * 3 + [True] * 3


def test_what_was_told_before_parts_moments_that_tell_the_same() -> None:
    readings = [("5", "7"), ("5", "7", "7"), ("6", "5"), ("8", "8"), ("7", "6", "6"), ("9", "6")]
    told = [history(*([fact("scale", g=g)] for g in each)) for each in readings]
    features = Features([Moment(each, "note", frozenset(["note"])) for each in told], {})
    guarding = learn_guards(features, 0b011010, 0b100101, seldom=True)
    assert guarding is not None
    (guard,) = guarding.guards
    assert guard.when == (
        Comparison(ToldField("scale", "g"), "=", ToldField("scale", "g", "before")),
    )


def test_sizes_without_end_are_no_limit() -> None:
    sizes = ["9" * 400] * 3 + ["1"] * 3
    moments = [Moment(history([fact("line", size=s)]), "take", frozenset()) for s in sizes]
    assert learn_guards(Features(moments, {}), 0b111, 0b111000) is None


# ---------------------------------------------------------------------------- deciding
_CHEAP = Comparison(Field("price"), "<=", TaskSlot("limit"))
_ROOM = Choice("room", "id", "newest", (Case((), Rule((_CHEAP,)), always=(_CHEAP,)),))


def _booking(**changes: object) -> Program:
    book = ProgramStep("book", "book {}", (_ROOM,), commit=True)
    never = (Guard((Shown("never"),)),)
    steps = (ProgramStep(**{**_fields(book), **changes}), ProgramStep("look", "look", (), never))  # type: ignore[arg-type]
    return Program(steps)


def _fields(step: ProgramStep) -> dict[str, object]:
    return {name: getattr(step, name) for name in ProgramStep.__dataclass_fields__}


def test_what_fits_alone_is_done() -> None:
    now = history([fact("room", id="1", price="90"), fact("room", id="2", price="50")], limit="60")
    decision = decide(_booking(), now)
    assert isinstance(decision, Act)
    assert (decision.step.id, decision.arguments) == ("book", ("2",))
    now.add(Done("book", "book {}", ("2",)), [fact("room", id="2", price="50")])
    assert decide(_booking(), now) == Ask("no step of the program can be done here")


def test_rows_of_one_name_are_told_apart() -> None:
    rows = [fact("room", id="1", price="90"), fact("room", id="1", price="50")]
    assert isinstance(decide(_booking(), history(rows, limit="60")), Act)


@pytest.mark.parametrize(
    ("changes", "rows", "why"),
    [
        ({}, [("1", "40"), ("2", "50")], "All of them fit"),
        ({"box": Box(needs=("look",))}, [("1", "40")], "look was done before it"),
        ({"box": Box(provided=(Shown("other"),))}, [("1", "40")], "always shown"),
        ({"box": Box(sizes=("number",))}, [("attic", "40")], "'attic' is no number"),
        ({"box": Box(sizes=("date",))}, [("1", "40")], "'1' is no date"),
        (
            {"guards": (Guard((Shown("room"),), (Said(ToldField("room", "id")),)),)},
            [("1", "40")],
            "it always held that",
        ),
        ({"guards": (Guard((Shown("other"),)),)}, [("1", "40")], "no step of the program"),
        ({}, [("1", "90")], "no step of the program"),
    ],
)
def test_doubt_is_said_and_nothing_done(
    changes: dict[str, object], rows: list[tuple[str, str]], why: str
) -> None:
    now = history([fact("room", id=i, price=p) for i, p in rows], limit="60")
    decision = decide(_booking(**changes), now)
    assert isinstance(decision, Ask)
    assert why in decision.because


def test_what_was_a_size_each_time_is_one_before_what_is_final() -> None:
    episodes = [
        Trajectory(
            f"Sell {name} a cake.",
            (f"The cake costs {price} euros.", "Sold."),
            (f"charge {name} {price}",),
            True,
        )
        for name, price in zip(
            ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"), range(3, 9), strict=True
        )
    ]
    reading, lessons = read_lesson(episodes)
    program = learn_program(lessons)

    def decision(price: str) -> Decision:
        return decide(program, reading.begin("Sell Gus a cake.", f"The cake costs {price} euros."))

    sold = decision("20")
    assert isinstance(sold, Act)
    assert sold.arguments == ("Gus", "20")
    asked = decision("some")
    assert isinstance(asked, Ask)
    assert asked.because == "'some' is no number, as it was in every demonstration"


def test_rules_that_disagree_are_a_question() -> None:
    other = Rule(order=(Order(Field("price"), greatest=True),))
    room = Choice("room", "id", "newest", (Case((), Rule((_CHEAP,)), (other,)),))
    program = _booking(sources=(room,))
    rows = [fact("room", id="1", price="50"), fact("room", id="2", price="90")]
    decision = decide(program, history(rows, limit="60"))
    assert isinstance(decision, Ask)
    assert "1 or 2? Another rule fits" in decision.because
    assert isinstance(decide(program, history(rows[:1], limit="60")), Act)


def test_a_step_that_another_rule_would_do_first_is_a_question() -> None:
    cheap = Comparison(Field("price"), "<", TaskSlot("limit"))
    other = Rule((Comparison(Field("price"), "<=", TaskSlot("limit")),))
    room = Choice("room", "id", "newest", (Case((), Rule((cheap,)), (other,)),))
    look = ProgramStep("look", "look {}", (room,), (Guard((Offered(room),)),))
    program = Program((look, *_booking(sources=(Constant("7"),), id="leave").steps[:1]))
    decision = decide(program, history([fact("room", id="1", price="60")], limit="60"))
    assert decision == Ask("look? Another rule fits the demonstrations as well", program.steps[1])
    decision = decide(program, history([fact("room", id="1", price="61")], limit="60"))
    assert isinstance(decision, Act)
    assert decision.step.id == "leave"


def test_a_choice_beside_another_argument_has_no_other_rules() -> None:
    room = Choice("room", "price", "newest", (), beside=0)
    look = ProgramStep("look", "look {}", (room,), (Guard((Offered(room),)),))
    program = Program((look, *_booking(sources=(Constant("7"),), id="leave").steps[:1]))
    decision = decide(program, history([fact("room", id="1", price="60")], limit="60"))
    assert decision.step == program.steps[1]


def test_a_line_that_was_never_told_is_a_question_before_what_is_final() -> None:
    rows = [fact("room", id="1", price="50"), fact(UNREAD, **{"1": "The hotel burns."})]
    assert isinstance(decide(_booking(), history(rows, limit="60")), Ask)
    assert isinstance(decide(_booking(commit=False), history(rows, limit="60")), Act)


def test_a_value_that_was_never_told_is_a_question() -> None:
    program = Program(_booking().steps, {ToldField("room", "price"): ("40", "50")})
    asked = {"limit": "60"}
    assert isinstance(decide(program, history([fact("room", id="1", price="40")], **asked)), Act)
    decision = decide(program, history([fact("room", id="1", price="45")], **asked))
    assert isinstance(decision, Ask)
    assert "'45' was never shown" in decision.because


@pytest.mark.parametrize(
    ("changes", "asks"),
    [
        ({"guards": (Guard((OneOf(ToldField("room", "price"), ("40",)),)),)}, True),
        ({"guards": (Guard((OneOf(TaskSlot("guest"), ("Ada",)),)),)}, True),
        ({"guards": (Guard((Shown("room"),)),)}, False),
        ({"guards": (Guard((Shown("room"),)),), "commit": True}, True),
    ],
)
def test_a_pair_that_was_never_shown_stops_who_looks_at_it(
    changes: dict[str, object], asks: bool
) -> None:
    pair = Together(ToldField("room", "price"), TaskSlot("guest"), (("40", "Ben"), ("50", "Ada")))
    steps = _booking(**({"commit": False} | changes)).steps
    now = history([fact("room", id="1", price="40")], limit="60", guest="Ada")
    decision = decide(Program(steps, together=(pair,)), now)
    assert isinstance(decision, Ask) is asks
    if isinstance(decision, Ask):
        assert decision.because == "'40' and 'Ada' were never shown together"


def test_what_was_told_before_is_decided_by() -> None:
    step = ProgramStep("note", "note it", (), (Guard((Known(ToldField("scale", "g", "before")),)),))
    assert decisive(Program((step,))) == {("scale", "g")}
    row = Row("list", "a", TaskSlot("who"), "b")
    step = ProgramStep("note", "note it", (), (Guard((Known(row),)),))
    assert decisive(Program((step,))) == {("list", "a"), ("list", "b"), (TASK, "who")}


def test_what_the_world_forbids_is_passed_over() -> None:
    steps = (
        ProgramStep("a", "go {}", (Constant("north"),)),
        ProgramStep("b", "go {}", (Constant("south"),)),
    )
    decision = decide(Program(steps), history(), lambda _, arguments: arguments == ("south",))
    assert isinstance(decision, Act)
    assert decision.step.id == "b"


@pytest.mark.parametrize("number", [3, 45, 120])
def test_a_loop_reaches_its_last_item(number: int) -> None:
    items = Choice("item", "1", "ever", (Case((), Rule()),))
    step = ProgramStep("do", "do {}", (items,))
    now = history([fact("item", **{"1": str(i)}) for i in range(number)])
    while ways := ready(step, now):
        now.add(Done("do", "do {}", ways[0]), [])
    assert len(now.calls) == number


def test_what_failed_is_not_repeated_at_once() -> None:
    step = ProgramStep("wait", "wait", (), again=True)
    now = history()
    now.add(Done("wait", "wait", ()), [])
    assert ready(step, now) == [()]
    now.add(Done("wait", "wait", (), worked=False), [])
    assert ready(step, now) == []


@given(st.text(alphabet="{} a", max_size=4), st.text(alphabet="{} a", max_size=4))
def test_an_action_is_read_as_the_step_that_wrote_it(before: str, behind: str) -> None:
    step = ProgramStep("do", f"{literal_text(before)}{{}}{literal_text(behind)}", (Constant("x7"),))
    action = action_of(step.operator, ["x7"])
    assert action == f"{before}x7{behind}"
    assert steps_of_action(Program((step,)), action) == [(step, ("x7",))]


# ---------------------------------------------------------------------------- learning
def _lending(number: int, *, seen: int = 3) -> Trajectory:
    """Look up who waits, then serve by colour: three colours that always go with a side."""
    colour, side = (("red", "north"), ("blue", "south"), ("green", "west"))[number % seen]
    who = f"G{number * 7}"
    return Trajectory(
        f"Serve guest {who}.",
        ("hall", f"colour {colour} of {who}; side {side} of {who}.", "done"),
        ("look", f"pay {who}" if colour != "red" else f"send {who} away"),
        True,
    )


SHOWN = [_lending(number) for number in range(30)]


def _learned(shown: Sequence[Trajectory]) -> ProgramFile:
    reading, lessons = read_lesson(shown)
    templates = reading.results.templates, reading.tasks.templates
    return ProgramFile("serve", learn_program(lessons), *templates)


def _does(file: ProgramFile, number: int, line: str | None = None) -> str:
    shown = _lending(number)
    now = file.begin(shown.task, shown.obs[0])
    now.add(Done("look", "look", ()), file.readers()[0].read(line or shown.obs[1]))
    decision = decide(file.program, now)
    if isinstance(decision, Ask):
        return f"? {decision.because}"
    return action_of(decision.step.operator, decision.arguments)


def test_what_was_shown_is_done_with_other_values() -> None:
    file = _learned(SHOWN)
    assert [_does(file, n) for n in (60, 61, 62)] == [_lending(n).acts[1] for n in (60, 61, 62)]


def test_a_value_never_shown_is_a_question() -> None:
    line = _lending(61).obs[1].replace("blue", "black")
    assert _does(_learned(SHOWN), 61, line).startswith("?")


def test_what_two_results_tell_is_chosen() -> None:
    draw = Random(5)
    times = [f"{hour:02}:00" for hour in range(8, 18)]
    uses: list[Use] = []
    while len(uses) < 12:
        one, other = ([t for t in times if draw.random() < 0.5] for _ in range(2))
        both = [t for t in other if t in one]
        if both:
            now = history(*([fact("free", at=t) for t in each] for each in (one, other)))
            uses.append(Use(len(uses), now, both[0], tuple(now.newest("free"))))
    (case,) = learn_cases(uses, "at", Setting("book {}"))
    assert case.settled
    both_tell = Known(Row("free", "at", Field("at"), "at", before=True))
    assert case.rule == Rule((both_tell,), (Order(Field("at"), greatest=False),))


def test_a_call_with_other_values_is_no_other_step() -> None:
    def tour(*guests: str) -> Trajectory:
        calls = [(f"find {g}", f"{g} is found.") for g in guests]
        calls = [each for call in calls for each in (call, (f"greet {call[0][5:]}", "Greeted."))]
        acts = [*(act for act, _ in calls), "close the door"]
        obs = ["\n".join(f"guest {g}" for g in guests), *(told for _, told in calls), "Closed."]
        return Trajectory("Greet everybody.", tuple(obs), tuple(acts), True)

    names = [f"G{number}" for number in range(30)]
    shown = [tour(*names[n : n + 1 + n % 2]) for n in range(20)]
    ids = [step.id for step in _learned(shown).program.steps]
    assert sorted(ids) == ["close-the-door", "find", "greet"]


def test_how_one_demonstration_ended_is_no_place_for_another_end() -> None:
    shown = [*map(_lending, range(1, 25, 3)), _lending(0)]
    who = "G1001"
    line = f"colour blue of {who}; side north of {who}."
    end = f"ring the bell for {who} twice and wait"
    once = Trajectory(f"Serve guest {who}.", ("hall", line, "done"), ("look", end), True)
    assert _does(_learned([*shown, once]), 61, line.replace(who, "G427")).startswith("?")


_PROGRAM = """
import json
from test_programs import SHOWN, _learned
print(json.dumps(_learned(SHOWN).to_document()))
"""


def test_the_same_program_for_any_seed_of_hashes() -> None:
    import macla

    folders = [Path(__file__).parent, Path(macla.__file__).parents[1]]
    path = os.pathsep.join(map(str, folders))
    written = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "3")
    }
    assert len(written) == 1


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_the_order_of_demonstrations_changes_nothing_that_is_done(random: Random) -> None:
    other = list(SHOWN)
    random.shuffle(other)
    one, two = _learned(SHOWN), _learned(other)
    for number in range(60, 66):
        assert _does(one, number) == _does(two, number)


_SAID = st.one_of(
    st.sampled_from(
        ["", "red", "blue 7", "room 7 is {red}", "a, b, c", "1,000,000", "{1}", "go 7"]
    ),
    st.text(max_size=8),
)


@st.composite
def _episodes(draw: st.DrawFn) -> Trajectory:
    number = draw(st.integers(0, 4))
    acts = tuple(draw(_SAID) or "wait" for _ in range(number))
    obs = tuple("\n".join(draw(st.lists(_SAID, max_size=3))) for _ in range(number + 1))
    return Trajectory(draw(_SAID), obs, acts, True)


@settings(max_examples=60)
@given(st.lists(_episodes(), max_size=5), st.integers(1, 2))
def test_any_episodes_are_learned_and_what_is_written_is_valid(
    shown: list[Trajectory], times: int
) -> None:
    reading, lessons = read_lesson(shown * times)
    program = learn_program(lessons)
    names = [step.id for step in program.steps]
    assert len(set(names)) == len(names)
    file = ProgramFile("some", program, reading.results.templates, reading.tasks.templates)
    document = file.to_document()
    assert first_misfit("program", document) is None
    assert ProgramFile.from_document(load_yaml(dump_yaml(document).encode())) == file
    assert [i for i in check_programs({"some": file}, ()) if i.severity == "error"] == []
    for lesson in lessons:
        divergence_of(program, lesson)


# ---------------------------------------------------------------------------- proof
def test_a_proof_counts_what_is_reproduced() -> None:
    _, lessons = read_lesson(SHOWN)
    proof = held_out_proof(lessons)
    assert (proof.of, proof.reproduced, proof.wrong) == (30, 30, 0)
    strange = Trajectory(SHOWN[1].task, SHOWN[1].obs, ("look", "leave"), True)
    _, lessons = read_lesson([*SHOWN, strange])
    (divergence,) = held_out_proof(lessons).divergences
    assert (divergence.number, divergence.shown) == (2, ("leave", ()))


def test_a_proof_without_hope_says_how_many_were_not_tried() -> None:
    words = random.Random(1)
    pressed = [f"press {words.random()}" for _ in range(40)]
    shown = [
        Trajectory(f"Do {n}.", ("A room.", "Done.", "Done."), tuple(pressed[n : n + 2]), True)
        for n in range(0, 40, 2)
    ]
    _, lessons = read_lesson(shown)
    proof = held_out_proof(lessons)
    assert (proof.hopeless, proof.of + proof.untried) == (True, 20)
    assert f"0 of {proof.of} demonstrations reproduced" in proof.text
    assert f"{proof.untried} more were not tried" in proof.text


def test_of_few_a_value_that_is_made_otherwise_counts_more_than_another_action() -> None:
    other = Divergence("Add.", 1, ("add {}", ("3",)), "add {} 4", abstains=False)
    assert ProgramProof(10, (other,)).never_wrong
    assert not ProgramProof(10, (replace(other, makes_another=True),)).never_wrong


def test_one_demonstration_proves_nothing() -> None:
    _, lessons = read_lesson(SHOWN[:1])
    assert (held_out_proof(lessons).of, held_out_proof(lessons).share) == (0, 0.0)


def test_a_kind_is_proposed_with_its_proof() -> None:
    (proposal,) = propose_programs(SHOWN, other_ids=["serve-guest-program"])
    assert proposal.trusted
    assert proposal.file.id == "serve-guest-program-2"
    assert proposal.file.goal == "Serve guest {1}."
    assert "30 of 30" in proposal.file.provenance["proof"]
    assert propose_programs(SHOWN[:2]) == []


def test_after_so_many_tries_something_else_is_done() -> None:
    episodes = []
    for n in range(20):
        tries = 1 + n % 4 if n % 4 < 3 else 3
        worked = n % 4 < 3
        replies = ["it failed"] * (tries - 1) + ["it works" if worked else "it failed"]
        last = "close it" if worked else "call for help"
        acts = [f"restart unit{n}"] * tries + [last]
        obs = [f"unit{n} is down", *replies, "noted"]
        episodes.append(Trajectory(f"Mend unit{n}.", tuple(obs), tuple(acts), success=True))
    (proposal,) = propose_programs(episodes)
    assert proposal.trusted
    assert "done(restart, 3 times)" in dump_yaml(proposal.file.to_document())
