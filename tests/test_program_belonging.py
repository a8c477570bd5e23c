"""What belongs to what: parts of values, nested prints, decision tables, rows taken in turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from macla.procedures.episodes.nesting import nested_lines
from macla.procedures.episodes.tokens import has_part, occurs, tokens
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.program_kinds import ProgramProposal
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Ask, decide

_Play = tuple[str, list[str], list[str]]
_TOWNS = ("Bern", "Cork", "Lyon", "Oslo", "Riga", "Turin", "Ghent", "Split")


@cache
def _learned(world: Callable[[Random], _Play], number: int = 40) -> ProgramProposal:
    shown = [world(Random(seed)) for seed in range(number)]
    demonstrations = [
        Trajectory(task=task, obs=tuple(obs), acts=tuple(acts), success=True)
        for task, obs, acts in shown
    ]
    (proposal,) = propose_programs(demonstrations)
    again = ProgramFile.from_document(proposal.file.to_document())
    assert again.program == proposal.file.program
    return proposal


def _fails(
    proposal: ProgramProposal, world: Callable[[Random], _Play], number: int = 30
) -> list[str]:
    """Return what new episodes do otherwise, or why nothing."""
    out: list[str] = []
    for seed in range(1000, 1000 + number):
        task, obs, acts = world(Random(seed))
        said = _asked(proposal, task, obs, acts)
        if said:
            out.append(said)
    return out


def _asked(proposal: ProgramProposal, task: str, obs: list[str], acts: list[str]) -> str:
    from macla.procedures.programs.reproducing import divergence_in

    shown = Trajectory(task=task, obs=tuple(obs), acts=tuple(acts), success=True)
    found = divergence_in(proposal.file, shown)
    return "" if found is None else found.because


# ---------------------------------------------------------------------------- parts of values
def _bays(random: Random, states: tuple[str, ...] = ("free", "torn", "wet", "lost")) -> _Play:
    """Crates of one ship that are not free are taken to the yard; their marks begin with it."""
    ship, other = random.sample(("Aurora", "Hekla", "Mistral", "Dagny", "Rona"), 2)
    rows = [
        (f"{random.choice((ship, other))}/{random.randint(10, 99)}", random.choice(states))
        for _ in range(5)
    ]
    rows.append((f"{ship}/{random.randint(100, 999)}", random.choice(states[1:])))
    rows = list(dict(rows).items())
    due = [mark for mark, state in rows if mark.startswith(f"{ship}/") and state != "free"]
    table = "\n".join(f"crate {mark} is {state}" for mark, state in rows)
    acts = ["list crates", *(f"fetch {mark}" for mark in due), f"sign off {ship}"]
    task = f"Bring what is not free of {ship} to the yard."
    return task, ["Quay 4", table, *("Fetched." for _ in due), "Signed."], acts


def test_rows_are_chosen_by_how_their_names_begin_and_all_classes_but_one() -> None:
    proposal = _learned(_bays)
    text = str(proposal.file.to_document())
    assert "begins with task(1)" in text
    assert '!= "free"' in text
    assert not _fails(proposal, _bays)


def test_a_class_that_was_never_shown_is_for_the_model() -> None:
    proposal = _learned(_bays)
    file = proposal.file
    history = file.begin("Bring what is not free of Hekla to the yard.", "Quay 4")
    results, _ = file.readers()
    decision = decide(file.program, history)
    assert not isinstance(decision, Ask)
    from macla.procedures.episodes.history import Done

    told = "crate Hekla/11 is free\ncrate Hekla/12 is mouldy"
    history.add(Done(decision.step.id, decision.step.operator, ()), results.read(told))
    asked = decide(file.program, history)
    assert isinstance(asked, Ask)
    assert "mouldy" in asked.because


@pytest.mark.parametrize(
    ("text", "place", "part", "holds"),
    [
        ("web-7f9", "begins", "web", True),
        ("webui-7f9", "begins", "web", False),
        ("a.web", "ends", "web", True),
        ("a.web.b", "contains", "web", True),
        ("a.web.b", "begins", "web", False),
        ("web", "begins", "web", True),
        ("注文番号", "contains", "番号", True),
        ("", "contains", "web", False),
        ("web", "contains", "", False),
    ],
)
def test_parts_of_values(text: str, place: str, part: str, *, holds: bool) -> None:
    assert has_part(text, place, part) is holds


# ---------------------------------------------------------------------------- nested prints
def _staff(random: Random) -> _Play:
    """A team's desk in one building is set to the floor that its lead has in another."""
    teams = random.sample(("Sales", "Legal", "Press", "Audit", "Tours"), 3)
    floors = {house: [str(random.randint(1, 9)) for _ in teams] for house in ("North", "South")}
    team = random.randrange(3)
    if random.random() < 0.3:
        floors["South"][team] = floors["North"][team]
    lines = ["Staff plan"]
    for house, own in floors.items():
        lines.append(f"House {house}")
        for name, floor in zip(teams, own, strict=True):
            lines += [
                f"├── {name}",
                f"│   ├── floor {floor}",
                f"│   └── seats {random.randint(2, 30)}",
            ]
    floor = floors["North"][team]
    same = floor == floors["South"][team]
    acts = ["show plan", "leave it" if same else f"move {teams[team]} to floor {floor}"]
    return (
        f"Put {teams[team]} in South on its floor in North.",
        ["Ready.", "\n".join(lines), "Ok."],
        acts,
    )


def test_a_tree_tells_whose_a_value_is() -> None:
    proposal = _learned(_staff)
    assert not [why for why in _fails(proposal, _staff) if "never shown" not in why]


def _limits(random: Random) -> _Play:
    """Bills are paid up to a limit of their kind; details look like the table of limits."""
    kinds = random.sample(("travel", "repairs", "catering", "paper", "print", "post"), 4)
    limits = {kind: 10 * random.randint(20, 90) for kind in kinds}
    kind, bill = random.choice(kinds), f"B-{random.randint(1000, 9999)}"
    amount = limits[kind] + random.choice((-1, 1)) * random.randint(5, 150)
    table = ["Paid at once up to:", *(f"  {each}: {most} euros" for each, most in limits.items())]
    details = [f"bill: {bill}", f"of: {random.choice(_TOWNS)}", f"kind: {kind}"]
    details.append(f"amount: {amount} euros")
    end = f"pay {bill}" if amount <= limits[kind] else f"forward {bill}"
    acts = [f"open {bill}", end]
    return f"See to {bill}.", ["\n".join(table), "\n".join(details), "done"], acts


def test_lines_below_a_heading_are_apart_from_such_lines_alone() -> None:
    proposal = _learned(_limits)
    assert proposal.trusted
    assert not _fails(proposal, _limits)


def test_lines_belong_to_what_stands_less_far_in() -> None:
    text = "a:\n  b:\n    - c: 1\n      d: 2\n  e: 3\nf"
    assert [above for _, above in nested_lines(text)] == [(), (0,), (0, 1), (0, 1, 2), (0,), ()]
    tree = "top\n├── one\n│   └── two\n└── three"
    assert nested_lines(tree) == [("top", ()), ("one", (0,)), ("two", (0, 1)), ("three", (0,))]


# ---------------------------------------------------------------------------- decision tables
_CARRIERS = {
    ("glass", "near"): "K1",
    ("glass", "far"): "K2",
    ("steel", "near"): "K3",
    ("steel", "far"): "K2",
    ("seed", "near"): "K1",
    ("seed", "far"): "K4",
}


def _freight(random: Random, cases: tuple[tuple[str, str], ...] = tuple(_CARRIERS)) -> _Play:
    """What is carried, and how far, say together by what."""
    goods, way = random.choice(cases)
    number = random.randint(1000, 9999)
    sheet = f"Load: {goods}\nWay: {way}\nWeight: {random.randint(1, 30)} t"
    acts = [f"open {number}", f"send {number} by {_CARRIERS[goods, way]}", "next"]
    return f"Ship order {number}.", ["Desk", sheet, "Sent.", "Desk"], acts


def test_two_classes_decide_together() -> None:
    proposal = _learned(_freight)
    assert "'source': 'table'" in str(proposal.file.to_document())
    assert not _fails(proposal, _freight)


def test_a_pair_that_was_never_shown_is_handed_over() -> None:
    shown = tuple(case for case in _CARRIERS if case != ("seed", "far"))
    proposal = _learned(lambda random: _freight(random, shown))
    assert not _fails(proposal, lambda random: _freight(random, shown))
    others = _fails(proposal, lambda random: _freight(random, (("seed", "far"),)))
    assert len(others) == 30
    assert not any("send" in why and " by " in why for why in others)


# ---------------------------------------------------------------------------- rows in turn
def _post(random: Random) -> _Play:
    """Each parcel of a town goes by what its label begins with, in the order of the list."""
    town, *others = random.sample(_TOWNS, 3)
    ways = {"Cold": "fridge", "Frail": "cushion", "Plain": "belt"}
    rows = [
        (
            str(random.randint(100, 999)),
            random.choice((town, town, *others)),
            random.choice([*ways]),
        )
        for _ in range(6)
    ]
    rows = [row for n, row in enumerate(rows) if row[0] not in {each[0] for each in rows[:n]}]
    table = "\n".join(f"{number}, {place}, {label} goods" for number, place, label in rows)
    due = [(number, ways[label]) for number, place, label in rows if place == town]
    acts = ["list parcels", *(f"put {number} on the {way}" for number, way in due), "close"]
    return f"Sort the parcels for {town}.", ["Hall", table, *("Done." for _ in due), "Bye."], acts


def test_steps_in_any_order_take_each_of_their_rows() -> None:
    proposal = _learned(_post)
    assert not _fails(proposal, _post)


# ---------------------------------------------------------------------------- scripts
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("注文G-1338を表示", ("注", "文", "G-1338", "を", "表", "示")),
        ("カメラを3個", ("カメラ", "を", "3", "個")),
        ("ขาย 3", ("ข", "า", "ย", "3")),
        ("naïve web-2 ünïon", ("naïve", "web-2", "ünïon")),
        ("שלום web-2", ("שלום", "web-2")),
        ("طلب 12", ("طلب", "12")),
    ],
)
def test_words_of_scripts(text: str, words: tuple[str, ...]) -> None:
    assert tokens(text) == words


def test_what_stands_without_blanks_is_said() -> None:
    assert occurs("G-1338", "注文G-1338を表示")
    assert occurs("急須", "急須を出荷")
    assert not occurs("G-13", "注文G-1338を表示")
