"""What was told first, what stands for nothing, what a table begins with, and tasks' wordings."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import get_args

import pytest
from macla.procedures.episodes.facts import Fact, Reader
from macla.procedures.episodes.history import Done, History, Telling, beginning
from macla.procedures.episodes.table_headings import with_headings
from macla.procedures.episodes.templates import Line, Template
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.box import Box
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.box_learning import learn_box
from macla.procedures.programs.learning.boxing import with_boxes
from macla.procedures.programs.learning.markers import marker_of
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import term_text
from macla.procedures.programs.notation_reading import read_term
from macla.procedures.programs.program import Guard, Program, ProgramStep
from macla.procedures.programs.program_conditions import OneOf, Shown, ToldField, value_of
from program_play import played

_Scene = tuple[str, list[str], list[str]]
"""Task, actions, and what each tells."""
_NAMES = ("Ada", "Bo", "Cem", "Dana", "Emre", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")


def _code(draw: random.Random) -> str:
    return f"{draw.choice('KLMN')}-{draw.randint(1000, 9999)}"


def _leaver(draw: random.Random) -> _Scene:
    """The manager is looked up, too; the device that is called back is the leaver's, if any."""
    leaver, manager = draw.sample(_NAMES, 2)
    acts, told = [f"look up {leaver}"], []
    devices = [draw.choice(("none", _code(draw))) for _ in range(2)]
    logins = [f"{name.lower()}{draw.randint(10, 99)}" for name in (leaver, manager)]
    told.append(f"login: {logins[0]}\nmanager: {manager}\ndevice: {devices[0]}")
    acts.append(f"look up {manager}")
    told.append(f"login: {logins[1]}\nmanager: {draw.choice(_NAMES)}\ndevice: {devices[1]}")
    if devices[0] != "none":
        acts.append(f"call back {devices[0]}")
        told.append("Done.")
    acts += [f"forward {logins[0]} to {logins[1]}", f"close {logins[0]}"]
    return f"{leaver} leaves us.", acts, [*told, "Done.", "Closed."]


def _rights(draw: random.Random) -> _Scene:
    """Rows are worked off in their order: what is owned is passed on, and each right is taken."""
    login, boss = draw.choice(_NAMES).lower() + str(draw.randint(10, 99)), draw.choice(_NAMES)
    rights = [(f"db{n}", draw.random() < 0.4) for n in draw.sample(range(100, 999), 4)]
    acts = [f"rights of {login}"]
    told = ["\n".join(f"- {name} ({'owner' if own else 'user'})" for name, own in rights)]
    for name, own in rights:
        if own:
            acts.append(f"pass {name} on to {boss}")
            told.append("Done.")
        acts.append(f"take {name} from {login}")
        told.append("Done.")
    return f"Take all rights of {login}; {boss} follows.", [*acts, "finish"], [*told, "Finished."]


def _exam(draw: random.Random) -> _Scene:
    """The points of all papers, of which there are three of four, make the result."""
    code, papers = _code(draw), draw.sample(("reading", "writing", "speaking", "listening"), 3)
    points = [draw.randint(10, 99) for _ in papers]
    rows = [f"{paper},{number}" for paper, number in zip(papers, points, strict=True)]
    acts = [f"sheet {code}", f"record {code} with {sum(points)}"]
    return f"Result of {code}, please.", acts, ["\n".join(("paper,points", *rows)), "Recorded."]


def _claim(draw: random.Random) -> _Scene:
    """A claim that is late is refused; that it is, was by chance never asked for in one way."""
    code, late = _code(draw), draw.random() < 0.15
    ways = ("Please check the claim {}.", "What about the claim {}?", "Claim {} waits.")
    way = draw.choice(ways[:2] if late else ways)
    told = ["late: yes" if late else "late: no", "Done."]
    return way.format(code), [f"open {code}", f"{'refuse' if late else 'pay'} {code}"], told


def _late_claim_in_the_other_wording(draw: random.Random) -> _Scene:
    code = _code(draw)
    return f"Claim {code} waits.", [f"open {code}", f"refuse {code}"], ["late: yes", "Done."]


def _restock(draw: random.Random) -> _Scene:
    """Whatever is below its least is filled up to its most, from the cheapest that is in time."""
    shop, days = _code(draw), draw.randint(3, 9)
    goods = draw.sample(("hammer", "frying pan", "mat", "bread knife", "lamp", "garden hose"), 4)
    shelf, acts, told = [], [f"shelf {shop}"], []
    for name in goods:
        number, least = draw.randint(0, 30), draw.randint(8, 20)
        most = least + draw.randint(1, 30)
        code = _code(draw)
        row = f"{code} {name:<14} on hand {number:>3}  min {least:>3}  max {most:>3}"
        shelf.append((row, code, most - number if number < least else 0))
    told.append("\n".join(row for row, _, _ in shelf))
    for _, code, lacking in shelf:
        if lacking:
            times = (days, *(draw.randint(1, 14) for _ in range(3)))
            cities = draw.sample(("Faro", "Graz", "Leeds", "Porto", "Turin"), 4)
            offers = [(draw.randint(500, 9900) / 100, each, days) for each in cities]
            offers = [(a, b, n) for (a, b, _), n in zip(offers, times, strict=True)]
            told += ["\n".join(f"{b}: EUR {a:.2f} each, {n} days" for a, b, n in offers), "Done."]
            best = min((a, b) for a, b, n in offers if n <= days)[1]
            acts += [f"offers for {code}", f"order {lacking} of {code} from {best}"]
    return f"Fill {shop} up within {days} days.", [*acts, f"sign {shop}"], [*told, "Signed."]


def _shipping(draw: random.Random) -> _Scene:
    """All rows are worked off, in the order that the task asks for."""
    way, shop = draw.choice(("cheap", "dear")), _code(draw)
    prices = draw.sample(range(10, 99), draw.randint(2, 4))
    rows = [(_code(draw), price) for price in prices]
    acts = [f"list {shop}"]
    for code, _ in sorted(rows, key=lambda row: row[1], reverse=way == "dear"):
        acts.append(f"ship {code}")
    told = ["\n".join(f"{code}: EUR {price}" for code, price in rows), *("Done." for _ in rows)]
    return f"Work off {shop}, {way} ones first.", [*acts, "close"], [*told, "Closed."]


def _demonstration(scene: _Scene) -> Trajectory:
    task, acts, told = scene
    return Trajectory(task=task, obs=("The desk.", *told), acts=tuple(acts), success=True)


@cache
def _learned(scene: Callable[[random.Random], _Scene], number: int = 40) -> ProgramFile:
    shown = [_demonstration(scene(random.Random(f"train {n}"))) for n in range(number)]
    (proposal,) = propose_programs(shown)
    assert proposal.trusted, proposal.proof
    return proposal.file


def _played(file: ProgramFile, scene: _Scene) -> list[str]:
    """Return what a program does; what it was not shown tells what any action does."""
    task, acts, told = scene
    answers = dict(zip(acts, told, strict=True))
    return played(file, task, "The desk.", lambda act: answers.get(act, "Done."), 2 * len(acts))


@pytest.mark.parametrize(
    ("shown", "asked"),
    [
        (_leaver, _leaver),
        (_rights, _rights),
        (_exam, _exam),
        (_claim, _late_claim_in_the_other_wording),
        (_restock, _restock),
    ],
    ids=["leaver", "rights", "exam", "claim", "restock"],
)
def test_new_episodes_are_done_as_the_rule_says(
    shown: Callable[[random.Random], _Scene], asked: Callable[[random.Random], _Scene]
) -> None:
    file = _learned(shown)
    wrong = []
    for number in range(20):
        scene = asked(random.Random(f"test {number}"))
        done = _played(file, scene)
        if sorted(done) != sorted(scene[1]) or done[-1:] != scene[1][-1:]:
            wrong.append((scene, done))
    assert wrong == []


def test_all_are_taken_in_the_order_that_the_task_asks_for() -> None:
    file = _learned(_shipping)
    scenes = [_shipping(random.Random(f"test {number}")) for number in range(20)]
    assert [_played(file, scene) for scene in scenes] == [acts for _, acts, _ in scenes]


def test_what_is_called_back_is_read_where_it_was_told_first() -> None:
    document = _learned(_leaver).to_document()
    assert document["parameters"]["device"]["at_first"] is True
    (step,) = (each for each in document["steps"] if each["do"].startswith("call back"))
    assert step["when"] == ['first("device: {1}", 1) != "none"']
    assert ProgramFile.from_document(document).to_document() == document


@pytest.mark.parametrize("at", get_args(Telling))
def test_each_telling_is_read_as_it_is_written(at: Telling) -> None:
    term = ToldField("login: {1}", "1", at)
    assert read_term(term_text(term)) == term


def test_of_three_results_each_telling_gives_another_value() -> None:
    history = beginning(Reader(()), Reader(()), "", "")
    for value in ("a", "b", "c"):
        history.add(Done(None, "look", ()), (Fact("k", {"1": value}),))
    assert [value_of(ToldField("k", "1", at), history) for at in get_args(Telling)] == [
        "c",
        "b",
        "a",
    ]
    assert value_of(ToldField("other", "1", "first"), history) is None


def test_a_copy_keeps_what_was_told_first() -> None:
    history = History("", Fact("task", {}), (Fact("k", {"1": "a"}),))
    copy = history.copy()
    copy.add(Done(None, "look", ()), (Fact("k", {"1": "b"}),))
    assert [fact.fields["1"] for fact in copy.told("k", "first")] == ["a"]
    assert [fact.fields["1"] for fact in history.told("k")] == ["a"]


@pytest.mark.parametrize(
    ("values", "marker"),
    [
        (["none"] * 5 + list("abcdefghij"), "none"),
        (["none"] * 3 + list("abcdefghij"), None),
        (["none"] * 5 + ["b"] * 2 + list("cdefghij"), None),
        (["none"] * 15, None),
        (["0"] * 5 + ["12", "17", "25", "31", "44"], None),
        ([], None),
    ],
)
def test_a_value_stands_for_nothing_if_it_recurs_among_names(
    values: list[str], marker: str | None
) -> None:
    assert marker_of({value} for value in values) == marker


def test_each_of_several_is_told_by_what_was_left() -> None:
    document = _learned(_restock).to_document()
    (choice,) = (
        each
        for each in document["parameters"].values()
        if any("unused" in condition for condition in each.get("where", ()))
    )
    assert choice["where"] == ["{3} < {4}", 'unused({1}, "offers for {}")']
    assert choice["settled"] is False


def _tables(*texts: str) -> list[Line]:
    return [Line(line, n, 0) for n, text in enumerate(texts) for line in text.split()]


@pytest.mark.parametrize(
    ("texts", "heading"),
    [
        (
            (
                "name,points a,1 b,2",
                "name,points c,3",
                "name,points d,4 e,5",
                "name,points f,6 g,7",
            ),
            1,
        ),
        (("name,points a,1 b,2", "name,points c,3 d,4"), 0),
        (("a,x b,2", "c,x d,4", "e,x f,6"), 0),
        (("a,x b,2 a,x", "a,x d,4", "a,x f,6 g,1"), 0),
        (("a,1 b,2", "a,1 d,4", "a,1 f,6"), 0),
    ],
    ids=["heading", "two tables", "rows differ", "comes again", "a figure"],
)
def test_a_table_has_a_heading_if_all_begin_alike(texts: tuple[str, ...], heading: int) -> None:
    row = Template("{1},{2}")
    assert len(with_headings([row], _tables(*texts))) == 1 + heading


def test_a_row_of_which_something_was_used_is_no_heading() -> None:
    """A list may always begin with the same row."""
    rows = _tables(*(f"Arrow,express Bolt{n},economy" for n in "abcd"))
    row = Template("{1},{2}")
    assert with_headings([row], rows, {"Arrow"}) == [row]


@pytest.mark.parametrize(("at", "told"), [("first", False), ("newest", True)])
def test_what_was_told_first_each_time_is_asked_for_beside_the_ranges(
    at: Telling, *, told: bool
) -> None:
    """Ranges tell of the newest facts only."""
    always = OneOf(ToldField("k", "1", at), ("a",))
    end = ProgramStep("end", "finish", (), commit=True, box=Box(provided=(always,)))
    first = History("", Fact("task", {}), (Fact("k", {"1": "a"}),))
    look = ("look", (), (Fact("k", {"1": "a"}),))
    runs = [(first.copy(), (look, ("finish", (), (Fact("done", {}),)))) for _ in range(6)]
    step = with_boxes(Program((ProgramStep("look", "look", ()), end)), runs).steps[1]
    other = History("", Fact("task", {}), (Fact("k", {"1": "z"}),))
    other.add(Done("look", "look", ()), (Fact("k", {"1": "a"}),))
    assert (step.box.strange(other) is None) == told


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ({"a": 5, "b": 1}, {"a", "b"}),
        ({"a": 5, "b": 5}, {"a"}),
        ({"a": 9, "": 1}, {"a"}),
    ],
    ids=["seldom", "never of many", "unread"],
)
def test_tasks_are_worded_as_they_were_but_for_chance(
    asked: dict[str, int], known: set[str]
) -> None:
    shown = [History("", Fact("task", {}), (), "a") for _ in range(5)]
    assert learn_box(5, shown, (), (), wordings=asked).wordings == known


@pytest.mark.parametrize(("noted", "doubted"), [(2, True), (0, False)])
def test_what_ends_a_run_before_a_step_that_was_shown_first_is_doubted(
    noted: int, *, doubted: bool
) -> None:
    """To finish at once leaves the note out for good: that is no other order."""
    never = Guard((Shown("never told"),))
    program = Program(
        (ProgramStep("note", "note", (), (never,)), ProgramStep("end", "finish", (), commit=True))
    )
    first = History("", Fact("task", {}), (Fact("k", {}),))
    note, end = ("note", (), (Fact("k", {}),)), ("finish", (), (Fact("done", {}),))
    runs = [(first.copy(), (note, end) if n < noted else (end,)) for n in range(6)]
    step = with_boxes(program, runs).steps[1]
    assert bool(step.box.doubted) == doubted


@pytest.mark.parametrize(("size", "known"), [("3", True), ("9", False)])
def test_what_held_behind_a_call_that_is_never_made_was_not_shown(
    size: str, *, known: bool
) -> None:
    """A rental of many kilometres was closed as others are, but something was charged before."""
    program = Program(
        (ProgramStep("look", "look", ()), ProgramStep("end", "finish", (), commit=True))
    )
    first = History("", Fact("task", {}), (Fact("begin", {}),))
    end = ("finish", (), (Fact("done", {}),))
    looks = [("look", (), (Fact("k", {"1": each}),)) for each in "12349"]
    runs = [(first.copy(), (look, end)) for look in looks[:-1]]
    runs.append((first.copy(), (looks[-1], ("charge", (), (Fact("k", {"1": "9"}),)), end)))
    step = with_boxes(program, runs).steps[1]
    now = first.copy()
    now.add(Done("look", "look", ()), (Fact("k", {"1": size}),))
    assert (step.box.strange(now) is None) == known
