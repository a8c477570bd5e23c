"""Each of several: things that a task names, and rows of a table."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from macla.procedures.common.errors import DanglingReferenceError
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import (
    program_document,
    program_from_document,
)
from macla.procedures.programs.learning.program_kinds import ProgramProposal
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.program_checks import check_programs
from program_play import replayed

_GOODS = ("milk", "eggs", "bread", "butter", "rice", "oats", "salt", "sugar", "tea", "jam")
_Shown = tuple[str, list[str]]


def _and(items: Sequence[str], word: str = "and", comma: str = "") -> str:
    *most, last = items
    return f"{', '.join(most)}{comma} {word} {last}" if most else last


def _plain(goods: Sequence[str], _: random.Random) -> _Shown:
    return f"Put {_and(goods)} into the cart.", [f"add {each}" for each in goods]


def _oxford(goods: Sequence[str], _: random.Random) -> _Shown:
    return f"We need {_and(goods, comma=',')}.", [f"add {each}" for each in goods]


def _german(goods: Sequence[str], _: random.Random) -> _Shown:
    return f"Lade {_and(goods, 'und')} zum Treffen ein.", [f"{each} einladen" for each in goods]


def _counted(goods: Sequence[str], rng: random.Random) -> _Shown:
    counts = {each: rng.randint(2, 9) for each in goods}
    said = _and([f"{n} {each}" for each, n in counts.items()])
    return f"Order {said} for the kitchen.", [f"add {each} x {n}" for each, n in counts.items()]


def _numbered(goods: Sequence[str], rng: random.Random) -> _Shown:
    numbers = [str(n) for n in rng.sample(range(10, 99), len(goods))]
    who = rng.choice(("Ann", "Bob", "Cid", "Dan"))
    noun = "ticket" if len(numbers) == 1 else "tickets"
    return f"Give {noun} {_and(numbers)} to {who}.", [f"assign {n} to {who}" for n in numbers]


def _episode(form: Callable[..., _Shown], seed: int) -> Trajectory:
    rng = random.Random(f"{form.__name__} {seed}")
    task, acts = form(rng.sample(_GOODS, rng.choice((1, 2, 2, 3, 4))), rng)
    obs = ["Ready.", *("Noted." for _ in acts), "Bye."]
    return Trajectory(task, tuple(obs), (*acts, "leave"), True, id=str(seed))


@cache
def _learned(form: Callable[..., _Shown]) -> ProgramProposal:
    (proposal,) = propose_programs([_episode(form, seed) for seed in range(40)])
    return proposal


@pytest.mark.parametrize("form", [_plain, _oxford, _german, _counted, _numbered])
def test_each_thing_that_the_task_names_is_seen_to(form: Callable[..., _Shown]) -> None:
    proposal = _learned(form)
    assert proposal.trusted
    file = program_from_document(program_document(proposal.file))
    for seed in range(100, 130):
        assert replayed(file, _episode(form, seed)) == list(_episode(form, seed).acts)


def test_two_places_are_no_list() -> None:
    towns = ["Rome", "Paris", "Oslo", "Bern", "Wien", "Prag", "Kiel", "Ulm"]
    shown = []
    for seed in range(20):
        start, end = random.Random(seed).sample(towns, 2)
        acts = (f"fly {start} {end}",)
        shown.append(Trajectory(f"Fly from {start} to {end}.", ("Airport", "Landed."), acts, True))
    (proposal,) = propose_programs(shown)
    assert proposal.trusted
    assert [each.text for each in proposal.file.wordings] == ["Fly from {1} to {2}."]


def _sheet(seed: int) -> Trajectory:
    rng = random.Random(f"sheet {seed}")
    rows = [
        (place, name, rng.randint(2, 30), rng.randint(2, 30), rng.random() < 0.4)
        for place, name in enumerate(rng.sample(_GOODS, rng.randint(3, 6)), 2)
    ]
    lines = [f"| {p} | {n} | {a} | {b} | {'' if no else a * b} |" for p, n, a, b, no in rows]
    page = "\n".join(["| row | item | pieces | price | total |", *lines])
    acts = [f"write {a * b} into E{place}" for place, _, a, b, no in rows if no]
    obs = (page, *("Written." for _ in acts), "Saved.")
    return Trajectory("Complete the sheet.", obs, (*acts, "save"), True, id=str(seed))


@cache
def _learned_of_sheets() -> ProgramProposal:
    (proposal,) = propose_programs([_sheet(seed) for seed in range(30)])
    return proposal


def test_a_total_is_written_for_each_row_without_one() -> None:
    proposal = _learned_of_sheets()
    assert proposal.trusted
    file = program_from_document(program_document(proposal.file))
    for seed in range(100, 130):
        assert replayed(file, _sheet(seed)) == list(_sheet(seed).acts)


def test_of_two_names_that_are_said_the_one_that_was_meant_is_taken() -> None:
    shown = []
    kinds = ("printer", "label printer", "scanner", "phone", "screen")
    for seed in range(30):
        rng = random.Random(seed)
        things = rng.sample(kinds, 3)
        if {"printer", "label printer"} <= set(things):
            continue
        codes = [f"X{rng.randint(100, 999)}" for _ in things]
        page = "\n".join(f"{kind}: {code}" for kind, code in zip(things, codes, strict=True))
        task, acts = f"Repair the {things[1]}.", (f"open {codes[1]}", "leave")
        shown.append(Trajectory(task, (page, "Opened.", "Bye."), acts, True))
    (proposal,) = propose_programs(shown)
    program = proposal.file
    page = "printer: X111\nphone: X333\nlabel printer: X222"
    history = program.begin("Repair the label printer.", page)
    decision = decide(program.program, history)
    assert not isinstance(decision, Act) or decision.arguments == ("X222",)


def _invoice(seed: int) -> Trajectory:
    rng = random.Random(f"invoice {seed}")
    total, margin = rng.randint(100, 900), rng.randint(10, 40)
    over = rng.choice((0, rng.randint(1, margin), rng.randint(margin + 1, 90)))
    code, firm = f"R-{rng.randint(1000, 9999)}", rng.choice(("Adler", "Brandt", "Cohn", "Ditt"))
    page = f"invoice: {code}\nsupplier: {firm} Ltd\namount: {total + over}"
    order = f"Total: {total}\nTolerance: {margin}"
    last = f"dispute {code}" if over > margin else f"pay {code}"
    acts = (f"open {code}", f"compare {code}", last)
    return Trajectory(f"Settle {code}.", ("Ready.", page, order, "Filed."), acts, True)


def test_a_difference_within_what_is_told_decides() -> None:
    (proposal,) = propose_programs([_invoice(seed) for seed in range(40)])
    assert proposal.trusted
    file = program_from_document(program_document(proposal.file))
    for seed in range(100, 140):
        assert replayed(file, _invoice(seed)) == list(_invoice(seed).acts)


def test_what_is_learned_of_lists_and_rows_has_no_findings() -> None:
    for proposal in (_learned(_counted), _learned_of_sheets()):
        assert list(check_programs({proposal.file.id: proposal.file}, ())) == []


@pytest.mark.parametrize("number", [0, 1, 7])
def test_a_value_stands_beside_an_argument_that_is_chosen(number: int) -> None:
    document = program_document(_learned_of_sheets().file)
    names = [n for n, each in document["parameters"].items() if "beside" in each]
    assert names
    document["parameters"][names[0]]["beside"] = number
    with pytest.raises(DanglingReferenceError, match="beside"):
        program_from_document(document)


def _hall(seed: int) -> Trajectory:
    """A task names things; each gets a call with its room and its place, which alone recur."""
    rng = random.Random(f"hall {seed}")
    things = rng.sample(_GOODS, 6)
    rooms = rng.sample(("A1", "B2", "C3", "D4"), 3)
    places = {n: (room, str(at)) for n, (room, at) in zip(things, _grid(rooms), strict=True)}
    wanted = rng.sample(things, rng.choice((2, 3)))
    page = "\n".join(f"room {room} | place {at} | {thing}" for thing, (room, at) in places.items())
    acts = ["look", *("move {} of {}".format(*places[each][::-1]) for each in wanted), "leave"]
    obs = ("Hall", page, *("ok" for _ in wanted), "Bye.")
    return Trajectory(f"Fetch {_and(wanted)} now.", obs, tuple(acts), True, id=str(seed))


def _grid(rooms: Sequence[str]) -> list[tuple[str, int]]:
    return [(room, at) for room in rooms for at in (1, 2)]


def test_a_row_that_two_arguments_name_together() -> None:
    (proposal,) = propose_programs([_hall(seed) for seed in range(40)])
    assert proposal.trusted
    file = program_from_document(program_document(proposal.file))
    for seed in range(100, 130):
        assert replayed(file, _hall(seed)) == list(_hall(seed).acts)
