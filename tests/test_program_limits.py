"""What sizes decide: of candidates, of days and sums, of what would be taken, of differences."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.facts import Fact, Reader
from macla.procedures.episodes.history import TASK, History, beginning
from macla.procedures.episodes.tokens import tokens
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.features import Features
from macla.procedures.programs.learning.moments import Moment
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import term_text
from macla.procedures.programs.notation_reading import read_term
from macla.procedures.programs.program_conditions import (
    Arithmetic,
    Field,
    Literal,
    OneOf,
    Size,
    quantity_in,
)
from macla.procedures.programs.sources import Case, Choice, Offered, Rule
from program_play import replayed

_Scene = tuple[str, list[str], list[str]]
"""Task, actions, and what each tells."""
_NAMES = ("Ada", "Bo", "Cem", "Dana", "Emre", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")


def _code(draw: random.Random) -> str:
    return f"{draw.choice('KLMN')}-{draw.randint(1000, 9999)}"


def _room(draw: random.Random) -> _Scene:
    """The smallest room that has as many seats as a group has heads."""
    heads = draw.randint(4, 30)
    seats = draw.sample([n for n in range(2, 60) if n != heads], 4)
    seats.append(draw.randint(heads, 70))
    rooms = [(_code(draw), n) for n in dict.fromkeys(seats)]
    draw.shuffle(rooms)
    room = min((each for each in rooms if each[1] >= heads), key=lambda each: each[1])[0]
    group = draw.choice(_NAMES)
    told = [f"{heads} heads", "\n".join(f"{name} seats {n}" for name, n in rooms), "Booked."]
    return f"A room for the group of {group}.", ["heads", "rooms", f"book {room}"], told


def _parcel(draw: random.Random) -> _Scene:
    """The smallest box that carries so many pieces of such a weight."""
    code, pieces, each = _code(draw), draw.randint(2, 9), draw.randint(2, 9)
    sizes = draw.sample([n for n in range(3, 99) if n != pieces * each], 3)
    sizes.append(draw.randint(pieces * each, 99))
    boxes = [(_code(draw), n) for n in dict.fromkeys(sizes)]
    draw.shuffle(boxes)
    box = min((b for b in boxes if b[1] >= pieces * each), key=lambda b: b[1])[0]
    told = [
        f"{code}: {pieces} pieces of {each} kg",
        "\n".join(f"{b} up to {n} kg" for b, n in boxes),
    ]
    return f"Pack {code}.", [f"order {code}", "boxes", f"take {box}"], [*told, "Done."]


def _refill(draw: random.Random) -> _Scene:
    """What was handed out lasts so many days; before they are over it is too early."""
    code, lasts = _code(draw), draw.randint(10, 60)
    today = date(2025, 3, 1) + timedelta(draw.randint(0, 250))
    early = draw.random() < 0.5
    gone = draw.randint(1, lasts - 1) if early else lasts + draw.randint(0, 30)
    told = [
        f"today {today}",
        f"handed out on {today - timedelta(gone)}\nlasts {lasts} days\nin stock: "
        f"{draw.randint(1, 90)}",
        "Done.",
    ]
    act = f"refuse {code}" if early else f"hand out {code}"
    return f"Somebody asks for {code}.", ["calendar", f"open {code}", act], told


def _course(draw: random.Random) -> _Scene:
    """The course of a language with the most places; where it has none there is a waiting list."""
    name, language = draw.choice(_NAMES), draw.choice(("Danish", "Greek", "Welsh"))
    full = draw.random() < 0.4
    courses = [(_code(draw), each, draw.randint(0, 30)) for each in ("Danish", "Greek", "Welsh")]
    places = [] if full else draw.sample(range(1, 20), 2)
    courses = [each for each in courses if each[1] != language]
    own = [(_code(draw), language, n) for n in (*places, *[0] * draw.randint(1, 3))]
    listed = [*courses, *own]
    draw.shuffle(listed)
    best = max(own, key=lambda each: each[2])[0]
    act = f"wait {name}" if full else f"enrol {name} in {best}"
    told = ["\n".join(f"{a}: {b}, {n} places" for a, b, n in listed), "Done."]
    return f"{name} wants to learn {language}.", ["courses", act], told


def _lorry(draw: random.Random) -> _Scene:
    """The heaviest piece for which there is room, of which what is taken stands first."""
    code, taken, most = _code(draw), draw.randint(2, 40), draw.randint(50, 90)
    sizes = draw.sample([n for n in range(3, 90) if n != most - taken], 4)
    sizes.append(draw.randint(3, most - taken))
    pieces = [(_code(draw), n) for n in dict.fromkeys(sizes)]
    draw.shuffle(pieces)
    piece = max((p for p in pieces if p[1] <= most - taken), key=lambda p: p[1])[0]
    told = [f"{code}: {taken} of {most} kg", "\n".join(f"{p} weighs {n} kg" for p, n in pieces)]
    return f"Fill {code}.", [f"lorry {code}", "pieces", f"load {piece}"], [*told, "Done."]


def _scores(draw: random.Random) -> _Scene:
    """Marks add up to a limit or not; who has not marked is reminded."""
    code, limit = _code(draw), draw.randint(20, 30)
    marks = [str(draw.randint(3, 15)) for _ in range(3)]
    judges = draw.sample(_NAMES, 3)
    missing = draw.randrange(3) if draw.random() < 0.3 else None
    if missing is not None:
        marks[missing] = "pending"
    lines = [f"entry {code}", f"passes from {limit}"]
    lines += [f"mark by {judge}: {mark}" for judge, mark in zip(judges, marks, strict=True)]
    if missing is not None:
        acts = [f"remind {judges[missing]}", f"keep {code}"]
    else:
        acts = [f"{'pass' if sum(map(int, marks)) >= limit else 'fail'} {code}"]
    return f"Settle {code}.", [f"show {code}", *acts], ["\n".join(lines), *["Done." for _ in acts]]


def _guest(draw: random.Random) -> _Scene:
    """Who is on the list is let in; whoever is not is sent away."""
    name, *others = draw.sample(_NAMES, 6)
    guests = others[: draw.randint(1, 4)]
    listed = draw.random() < 0.5
    if listed:
        guests.insert(draw.randrange(len(guests) + 1), name)
    gate = draw.choice(("north", "south", "east", "west"))
    told = [f"It is {name}.", "Guests:\n" + "\n".join(f"- {each}" for each in guests), "Done."]
    act = f"admit {name}" if listed else f"send {name} away"
    return f"Somebody is at the {gate} gate.", ["ask", "guests", act], told


def _count(draw: random.Random) -> _Scene:
    """A difference is noted; where it is greater than is tolerated, it is counted again."""
    code, limit, booked = _code(draw), draw.randint(2, 6), draw.randint(20, 90)
    gap = draw.choice([n for n in range(-12, 13) if n])
    again = [f"recount {code}"] if abs(gap) > limit else []
    acts = [f"show {code}", f"note {gap} for {code}", *again, f"close {code}"]
    first = f"tolerance {limit}\nbooked {booked}\ncounted {booked + gap}"
    return f"Check {code}.", acts, [first, *["Done." for _ in acts[1:]]]


def _deliveries(draw: random.Random) -> _Scene:
    """Rows with one of some codes are sent again; a row with another code says how it ends."""
    code, failed, gone = _code(draw), draw.randint(0, 2), draw.random() < 0.5
    codes = [draw.choice((500, 502, 503, 504)) for _ in range(failed)] + [410] * gone
    codes += [draw.choice((200, 200, 202, 204)) for _ in range(draw.randint(2, 3))]
    rows = [(_code(draw), each) for each in codes]
    draw.shuffle(rows)
    bad = [name for name, each in rows if each >= 500]
    acts = [f"log {code}", *(f"send {name}" for name in bad)]
    acts.append(f"{'pause' if gone else 'keep'} {code}")
    listed = "\n".join(f'{{"id": "{name}", "code": {each}}}' for name, each in rows)
    told = [listed, *('{"queued": true}' for _ in bad), "Done."]
    return f"See to {code}.", acts, told


def _recall(draw: random.Random) -> _Scene:
    """What was taken from the shelf is added up."""
    code, *makers = _code(draw), *draw.sample(_NAMES, 3)
    rows = [(_code(draw), draw.choice(makers), draw.randint(2, 60)) for _ in range(6)]
    mine = [(name, n) for name, maker, n in rows if maker == makers[0]]
    listed = "\n".join(f"{name} of {maker}, {n} pieces" for name, maker, n in rows)
    acts = [f"read {code}", "stock", *(f"pull {name}" for name, _ in mine)]
    acts.append(f"report {sum(n for _, n in mine)} for {code}")
    told = [f"Take back all of {makers[0]}", listed, *("Pulled." for _ in mine), "Noted."]
    return f"Carry out {code}.", acts, told


def _refund(draw: random.Random) -> _Scene:
    """The last payment is given back if it is not too long ago."""
    code, days, late = _code(draw), draw.choice((10, 14, 21, 30)), draw.random() < 0.5
    gone = days + draw.randint(1, 25) if late else draw.randint(1, days - 1)
    today = date(2025, 3, 1) + timedelta(draw.randint(0, 250))
    paid = [(_code(draw), today - timedelta(gone + 30 * n)) for n in range(draw.randint(2, 4))]
    last = paid[0][0]
    draw.shuffle(paid)
    told = [
        f"today {today}\nrefunds up to {days} days after",
        "\n".join(f"{name} | {day}" for name, day in paid),
        "Done.",
    ]
    act = f"end {code}" if late else f"refund {last}"
    return f"{code} wants the money back.", ["terms", f"payments {code}", act], told


def _unit(draw: random.Random) -> _Scene:
    """A line of one word holds a name that is an argument elsewhere."""
    parts = ("pump", "belt", "coil", "gear", "hose", "lever", "valve", "rotor")
    unit = f"{draw.choice(parts)}-{draw.choice(('api', 'sync', 'jobs'))}{draw.randint(10, 99)}"
    runs = draw.random() < 0.5
    told = [f"{unit}.service\nState: {'running' if runs else 'failed'}", "Done."]
    return f"Look at {unit}.", [f"status {unit}", f"{'leave' if runs else 'restart'} {unit}"], told


def _renewal(draw: random.Random) -> _Scene:
    """A section of a file, of two that names call, has the limit."""
    code, issuer = _code(draw), draw.choice(("public", "inner"))
    limits = {"public": draw.randint(20, 35), "inner": draw.randint(45, 70)}
    due = draw.random() < 0.5
    left = draw.randint(2, limits[issuer] - 1) if due else limits[issuer] + draw.randint(1, 60)
    today = date(2025, 3, 1) + timedelta(draw.randint(0, 250))
    sections = "\n".join(f"[{name}]\ndays = {n}\nkey = rsa" for name, n in limits.items())
    told = [
        f"today {today}",
        f"name={code}\nissuer={issuer}\nends={today + timedelta(left)}",
        sections,
        "Done.",
    ]
    act = f"renew {code}" if due else f"leave {code}"
    return f"Look after {code}.", ["calendar", f"show {code}", "policy", act], told


def _backups(draw: random.Random) -> _Scene:
    """A backup is started where the last one is older than its class allows."""
    today = date(2026, 1, 1) + timedelta(draw.randint(0, 300))
    allowed = {"gold": draw.randint(1, 3), "silver": draw.randint(4, 8)}
    hosts = [(_code(draw), draw.choice(("gold", "silver")), draw.randint(0, 12)) for _ in range(3)]
    hosts.append((_code(draw), "gold", draw.randint(4, 9)))
    rows = [f"{host} {rank} last {today - timedelta(days)}" for host, rank, days in hosts]
    due = [host for host, rank, days in hosts if days > allowed[rank]]
    town = draw.choice(_NAMES)
    first = [f"today {today}", *(f"{rank}: at most {days} d" for rank, days in allowed.items())]
    acts = ["rules", f"list {town}", *(f"start {host}" for host in due), f"close {town}"]
    told = ["\n".join(first), "\n".join(rows), *["started"] * len(due), "closed"]
    return f"Check the backups of {town}.", acts, told


def _bins(draw: random.Random) -> _Scene:
    """What a bin lacks is taken from the next one; other bins were listed before."""
    order, acts, told = _code(draw), [], []
    for item in draw.sample(("belt", "hose", "lamp", "valve"), 2):
        ordered = draw.randint(5, 20)
        stock = draw.sample([n for n in range(2, 30) if n != ordered], 2)
        stock[1] = max(stock[1], ordered - stock[0])
        bins = [_code(draw) for _ in stock]
        acts.append(f"look for {item} of {order}")
        rows = [f"bin {name} has {number}" for name, number in zip(bins, stock, strict=True)]
        told.append("\n".join((f"{item} ordered: {ordered}", *rows)))
        first = min(ordered, stock[0])
        acts.append(f"pick {first} from {bins[0]}")
        told.append("picked")
        if first < ordered:
            acts.append(f"pick {ordered - first} from {bins[1]}")
            told.append("picked")
    items = [act.split()[2] for act in acts if act.startswith("look")]
    task = f"Pick {items[0]} and {items[1]} of {order}."
    return task, [*acts, f"ship {order}"], [*told, "shipped"]


def _retries(draw: random.Random) -> _Scene:
    """A job runs again as often as its card allows; then somebody is paged."""
    job, tries, fails = _code(draw), draw.randint(2, 9), draw.randint(0, 9)
    runs = min(tries, fails + 1)
    answers = ["timeout"] * min(fails, runs) + ["done"] * (fails < tries)
    last = f"report {job}" if fails < tries else f"page {job}"
    acts = [f"card {job}", *[f"run {job}"] * runs, last]
    return f"Run {job}.", acts, [f"tries: {tries}", *answers, "noted"]


def _shown(scene: Callable[[random.Random], _Scene], seed: int) -> Trajectory:
    task, acts, told = scene(random.Random(seed))
    return Trajectory(task, ("Ready.", *told), tuple(acts), True, id=str(seed))


@pytest.mark.parametrize(
    "scene",
    [
        *(_room, _parcel, _refill, _course, _scores, _guest, _count),
        *(_deliveries, _recall, _refund, _unit, _renewal, _lorry),
        *(_backups, _bins, _retries),
    ],
)
def test_what_sizes_and_lists_decide_is_learned(scene: Callable[[random.Random], _Scene]) -> None:
    (proposal,) = propose_programs([_shown(scene, seed) for seed in range(40)])
    assert proposal.trusted
    read = ProgramFile.from_document(proposal.file.to_document())
    tests = [_shown(scene, seed) for seed in range(1000, 1020)]
    assert [replayed(read, test) for test in tests] == [list(test.acts) for test in tests]


@pytest.mark.parametrize("dated", [False, True])
def test_of_several_candidates_one_is_offered_if_a_limit_holds_of_it(*, dated: bool) -> None:
    """That two were told at moments of one step parts them from no moment of another.

    A day is no number that a limit could be written as.
    """
    first = date(2026, 1, 1)
    usual = Rule((OneOf(Field("3"), ("x",)),))
    choice = Choice("row", "1", "newest", (Case((), usual),))
    moments = []
    for number in range(30):
        rows = [("a", 10 if number % 2 else 200, "x"), ("b", 500, "y")]
        if number % 4 == 0:
            rows += [("c", 12, "x")]
        facts = [
            Fact(
                "row", {"1": f"{n}{number}", "2": f"{first + timedelta(s) if dated else s}", "3": c}
            )
            for n, s, c in rows
        ]
        step = "one" if number % 2 else "other"
        history = History("", Fact(TASK, {}), facts)
        moments.append(Moment(history, step, frozenset({"one", "other"})))
    sides = [sum(1 << i for i, m in enumerate(moments) if m.step == s) for s in ("one", "other")]
    offered = [
        (condition, truth)
        for _, condition, truth in Features(moments, {}, [choice]).candidates(*sides)
        if isinstance(condition, Offered) and condition.where
    ]
    assert bool(offered) != dated
    for condition, truth in offered:
        assert truth == sum(1 << i for i, m in enumerate(moments) if condition.holds(m.history))


def test_no_class_is_made_of_sizes() -> None:
    """Ten groups of few sizes do not say that rooms of one size are never taken."""
    (proposal,) = propose_programs([_shown(_room, seed) for seed in range(10)])
    assert "!=" not in str(proposal.file.to_document()["parameters"])


def test_a_size_is_read_as_it_is_written() -> None:
    text = 'size(told("counted {1}", 1) - told("booked {1}", 1))'
    assert term_text(read_term(text)) == text


@pytest.mark.parametrize("text", ['ever count("row", {2} = "410")', 'ever sum("row", {3})'])
def test_rows_of_all_results_are_read_as_they_are_written(text: str) -> None:
    assert term_text(read_term(text)) == text


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_a_size_has_no_sign(one: int, other: int) -> None:
    term = Size(Arithmetic(Literal(str(one)), "-", Literal(str(other))))
    quantity = quantity_in(term, beginning(Reader(()), Reader(()), "", ""))
    assert quantity is not None
    assert quantity.size == abs(one - other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("D3 := -5", ("D3", ":", "=", "-5")),
        ("(-3.5)", ("(", "-3.5", ")")),
        ("2025-03-04", ("2025-03-04",)),
        ("a -b", ("a", "-", "b")),
        ("5 - 3", ("5", "-", "3")),
        ("T-5", ("T-5",)),
    ],
)
def test_a_number_below_nothing_has_its_sign(text: str, words: tuple[str, ...]) -> None:
    assert tokens(text) == words
