"""Rules of choices: limits that never change, places in a list, other records, earlier calls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.learning.choices import learn_cases
from macla.procedures.programs.learning.features import Features
from macla.procedures.programs.learning.guarding import learn_guards
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.moments import Moment
from macla.procedures.programs.learning.occurrences import Setting, Use
from macla.procedures.programs.learning.program_learner import learn_program
from macla.procedures.programs.program import Program, ProgramStep
from macla.procedures.programs.program_conditions import (
    Comparison,
    Field,
    Literal,
    OneOf,
    Row,
    ToldField,
)
from macla.procedures.programs.program_proof import held_out_proof
from macla.procedures.programs.replaying import divergence_of
from macla.procedures.programs.sources import Case, Order, Rule, chosen_values
from macla.procedures.programs.sources import Choice as Chosen

PLACES = ((0, 3, 1), (2, 0, 4), (0, 0, 5), (0, 7, 0), (1, 2, 3), (0, 4, 9), (0, 0, 2), (6, 0, 1))


def history(*results: Sequence[Fact]) -> History:
    first, *others = results
    out = History("Go on.", Fact(TASK, {}), first)
    for number, result in enumerate(others):
        out.add(Done("look", "look at {}", (f"x{number}",)), result)
    return out


def sessions(number: int, places: Sequence[int]) -> tuple[Fact, ...]:
    names = [f"S{(7 * number + 5 * i) % 31:02}" for i in range(len(places))]
    return tuple(
        Fact("session", {"id": name, "places": str(free)})
        for name, free in zip(names, places, strict=True)
    )


def first_with_room(least: int = 1) -> Case:
    uses = []
    for number, places in enumerate(2 * PLACES):
        rows = sessions(number, [free * least for free in places])
        right = next(row for row in rows if int(row.fields["places"]) >= least)
        uses.append(Use(number, history(rows), right.fields["id"], rows))
    (case,) = learn_cases(uses, "id", Setting("take {}", {"session": frozenset({"places"})}))
    return case


def test_the_first_of_a_list_above_a_fixed_limit_is_taken() -> None:
    case = first_with_room()
    assert case.settled
    assert case.rule == Rule(
        (Comparison(Field("places"), ">", Literal("0")),),
        (Order(Field("id"), greatest=False, listed=True),),
    )


def test_sizes_between_the_limit_and_what_was_chosen_are_a_doubt() -> None:
    case = first_with_room(least=10)
    choice = Chosen("session", "id", "newest", (case,))

    def chosen(*places: int) -> set[str]:
        now = history(sessions(1, places))
        return {v for rule in (case.rule, *case.others) for v in chosen_values(rule, choice, now)}

    assert len(chosen(0, 12, 20)) == 1
    assert len(chosen(0, 5, 20)) == 2


def test_a_class_of_the_same_record_in_the_result_before_counts() -> None:
    hours = ("09:00", "10:00", "11:00", "12:00")
    calendars = [
        ("ffxf", "fxxx"), ("xxff", "xfxf"), ("fxfx", "xxfx"), ("xfxf", "ffxx"),
        ("ffxx", "fxxf"), ("fxxf", "xxxf"), ("fxfx", "xfff"), ("xfff", "xfxx"),
    ]  # fmt: skip
    uses = []
    for number, (one, other) in enumerate(calendars):
        first, second = (
            tuple(
                Fact("hour", {"at": at, "is": "free" if sign == "f" else "busy"})
                for at, sign in zip(hours, signs, strict=True)
            )
            for signs in (one, other)
        )
        both = [at for at, *signs in zip(hours, one, other, strict=True) if signs == ["f", "f"]]
        uses.append(Use(number, history(first, second), both[0], second))
    (case,) = learn_cases(uses, "at", Setting("book {}", {"hour": frozenset({"at", "is"})}))
    assert case.settled
    assert set(case.rule.where) == {
        OneOf(Row("hour", "at", Field("at"), "is", before=True), ("free",)),
        OneOf(Field("is"), ("free",)),
    }


def test_facts_tell_what_their_call_asked_for() -> None:
    now = history((), [Fact("price", {"1": "5"})], [Fact("price", {"1": "7"})])
    assert [fact.fields for fact in now.with_asked("price", "asked 1")] == [
        {"1": "5", "asked 1": "x0"},
        {"1": "7", "asked 1": "x1"},
    ]
    assert now.with_asked("price", "asked 2") == now.with_asked("other", "asked 1") == []
    now.add(Done("look", "look at {}", ("x0",)), [Fact("price", {"1": "9"})])
    assert [fact.fields["1"] for fact in now.with_asked("price", "asked 1")] == ["7", "9"]
    now.add(Done("list", "list {}", ("x2",)), [Fact("price", {"1": "1"}), Fact("price", {})])
    assert now.with_asked("price", "asked 1") == []


def test_a_single_fact_of_another_operator_is_no_new_table() -> None:
    table = [Fact("limit", {"1": "a", "2": "5"}), Fact("limit", {"1": "b", "2": "7"})]
    now = history(table)
    now.add(Done("show", "show {}", ("x",)), [Fact("limit", {"1": "size", "2": "6"})])
    assert list(now.table("limit")) == table
    assert list(now.keyed("limit", "1")) == ["a", "b"]
    now.add(Done("list", "list {}", ("y",)), list(reversed(table)))
    now.add(Done("list", "list {}", ("z",)), table[:1])
    now.add(Done("show", "show {}", ("x",)), [Fact("limit", {"1": "size", "2": "8"})])
    assert list(now.table("limit")) == table[:1]


SHOPS = ("Alba", "Brun", "Cruz", "Dorn", "Ekko", "Falk")


def purchase(number: int) -> Trajectory:
    """Ask three shops for a price, and buy in the cheapest; prices do not name their shop."""
    shops = [SHOPS[(number * step + step) % 6] for step in (1, 2, 3)]
    shops = list(dict.fromkeys([*shops, *SHOPS]))[:3]
    prices = [(number * 37 + i * 53 + i * i * number) % 90 + 10 for i in range(3)]
    best = shops[prices.index(min(prices))]
    item = f"K-{4000 + 17 * number}"
    listing = "\n".join(f"shop {shop}" for shop in shops)
    acts = (*(f"ask {shop} for {item}" for shop in shops), f"buy {item} from {best}")
    obs = (listing, *(f"price: {price} euros" for price in prices), "bought")
    return Trajectory(f"Get {item}.", obs, acts, True)


def test_what_earlier_calls_asked_for_is_chosen_by_what_they_told() -> None:
    _, lessons = read_lesson([purchase(number) for number in range(40)])
    program = learn_program(lessons[:30])
    assert [divergence_of(program, lesson) for lesson in lessons[30:]] == [None] * 10
    buy = next(step for step in program.steps if step.operator.startswith("buy"))
    (choice,) = (source for source in buy.sources if isinstance(source, Chosen))
    assert (choice.field, choice.at) == ("asked 1", "ever")


def test_each_reason_of_a_step_has_a_limit_of_its_own() -> None:
    letters = [("ill", 30), ("ill", 50), ("ill", 25), ("ill", 44), ("well", 71), ("well", 80)]
    letters += [("well", 77), ("well", 92), *(("well", 20 + 7 * n) for n in range(7))]
    moments = [
        Moment(
            history([Fact("letter", {"says": says, "age": str(age)})]),
            "excuse" if says == "ill" or age > 70 else "seat",
            frozenset({"excuse", "seat"}),
        )
        for says, age in letters
    ]
    features = Features(moments, {"letter": frozenset({"says"})})
    guarding = learn_guards(features, 0xFF, features.all & ~0xFF, seldom=True)
    assert guarding is not None
    assert {guard.when for guard in guarding.guards} == {
        (OneOf(ToldField("letter", "says"), ("ill",)),),
        (Comparison(ToldField("letter", "age"), ">=", Literal("70")),),
    }


@pytest.mark.parametrize("known", [False, True])
def test_an_order_that_only_all_demonstrations_show_is_free_in_each_fold(known: bool) -> None:
    rooms = ("the hall", "the attic")
    shown = [
        Trajectory("Go round.", ("rooms wait", "done", "done", "bye"), acts, True)
        for acts in [
            *[("clean the hall", "clean the attic", "leave")] * 9,
            ("clean the attic", "clean the hall", "leave"),
        ]
    ]
    _, lessons = read_lesson(shown)
    steps = [ProgramStep(f"s{n}", f"clean {room}", ()) for n, room in enumerate(rooms)]
    program = Program((*steps, ProgramStep("end", "leave", (), commit=True)))
    groups = (("s0", "s1"),) if known else ()
    proof = held_out_proof(lessons, learn=lambda _: program, any_order=groups)
    assert len(proof.divergences) == (0 if known else 1)


def test_steps_that_explain_hardly_a_demonstration_are_no_program() -> None:
    def search(number: int) -> Trajectory:
        digs = [f"dig at {(number * 7919 + i * i * 4729) ** 2 % 9973}" for i in range(6)]
        task, obs = f"Find it, case {number}.", ("a hall", *["sand"] * 6, "closed")
        return Trajectory(task, obs, (*digs, f"close {number}"), True)

    _, lessons = read_lesson([search(number) for number in range(12)])
    assert learn_program(lessons, explained=0.2).steps == ()


def test_what_all_chosen_rows_say_is_their_class() -> None:
    """Names stand in the same column, so that it has no few values."""
    uses = []
    for number in range(8):
        words = ["free" if (number + i) % 5 == 0 else f"Name{number}{i}" for i in range(5)]
        rows = tuple(Fact("desk", {"id": f"D{number}{i}", "of": w}) for i, w in enumerate(words))
        right = next(row for row in rows if row.fields["of"] == "free")
        uses.append(Use(number, history(rows), right.fields["id"], rows))
    (case,) = learn_cases(uses, "id", Setting("take {}"))
    assert case.settled
    assert case.rule.where == (OneOf(Field("of"), ("free",)),)
