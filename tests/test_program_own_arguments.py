"""Arguments that rows of a call's other arguments give, and what several rows tell together."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import LibraryError
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.binding import bound, looks_at
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import order_text, term_text
from macla.procedures.programs.notation_reading import read_order, read_term
from macla.procedures.programs.program_conditions import Arithmetic, Field, Literal, Own, Row, Total
from macla.procedures.programs.sources import Computed, Order, TaskSlot, foremost
from macla.procedures.programs.value_notation import Writing
from program_play import replayed

_Scene = tuple[str, str, list[str], list[str]]
"""Task, what is told first, actions, and what each tells."""


def _levels(draw: random.Random) -> _Scene:
    """Each free item of a list is raised by one level."""
    items = [
        (f"B-{draw.randint(100, 999)}{n}", draw.randint(0, 9), draw.choice(("free", "held")))
        for n in range(draw.randint(3, 5))
    ]
    items.append((f"B-{draw.randint(100, 999)}9", draw.randint(0, 9), "free"))
    draw.shuffle(items)
    listed = "\n".join(f"{name} | level {level} | {state}" for name, level, state in items)
    raised = [(name, level) for name, level, state in items if state == "free"]
    acts = [f"raise {name} to {level + 1}" for name, level in raised]
    told = [f"{name} raised." for name, _ in raised]
    desk = draw.choice(("north", "south", "east", "west"))
    return f"Raise what desk {desk} may.", "Ready.", ["list", *acts, "end"], [listed, *told, "Bye."]


def _latest(draw: random.Random) -> _Scene:
    """All entries but the latest go."""
    days = draw.sample(range(10, 29), draw.randint(2, 4))
    items = [(f"K{draw.randint(100, 999)}{n}", f"2024-05-{day}") for n, day in enumerate(days)]
    listed = "\n".join(f"{name} of {day}" for name, day in items)
    last = max(items, key=lambda item: item[1])
    gone = [name for name, _ in items if name != last[0]]
    acts = [f"drop {name}" for name in gone]
    told = [f"{name} is gone." for name in gone]
    owner = draw.choice(("Ada", "Bo", "Cem", "Dana"))
    return f"Clean up for {owner}.", "Ready.", ["list", *acts, "end"], [listed, *told, "Bye."]


def _short(draw: random.Random) -> _Scene:
    """What is below its least is filled up to its most."""
    items = []
    for n in range(draw.randint(3, 5)):
        least = draw.randint(5, 12)
        have = draw.randint(0, 20)
        items.append((f"Q-{draw.randint(100, 999)}{n}", have, least, least + draw.randint(9, 30)))
    listed = "\n".join(f"{name}: {have} of at least {low}, {top}" for name, have, low, top in items)
    wanted = [(name, top - have) for name, have, low, top in items if have < low]
    acts = [f"order {number} of {name}" for name, number in wanted]
    told = [f"{name} ordered." for name, _ in wanted]
    store = draw.choice(("north", "south", "east", "west"))
    return f"Fill up store {store}.", "Ready.", ["list", *acts, "end"], [listed, *told, "Bye."]


def _release(draw: random.Random) -> _Scene:
    """The last part of a version is one more; if something is new, the one before it."""
    major, minor, patch = (draw.randint(0, 19) for _ in range(3))
    changes = [draw.choice(("fix", "docs", "test")) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.5:
        changes[draw.randrange(len(changes))] = "feat"
    new = "feat" in changes
    tag = f"v{major}.{minor + 1}.0" if new else f"v{major}.{minor}.{patch + 1}"
    listed = "\n".join(f"{change}: note {draw.randint(100, 999)}" for change in changes)
    name = draw.choice(("pump", "belt", "gear", "coil"))
    return (
        f"Release {name}.",
        "Ready.",
        ["version", "changes", f"tag {tag}", f"push {tag}"],
        [f"It is v{major}.{minor}.{patch}", listed, "Tagged.", "Pushed."],
    )


def _demonstration(scene: Callable[[random.Random], _Scene], seed: int) -> Trajectory:
    task, first, acts, told = scene(random.Random(seed))
    return Trajectory(task, (first, *told), tuple(acts), True, id=str(seed))


@cache
def _learned(scene: Callable[[random.Random], _Scene]) -> ProgramFile:
    (proposal,) = propose_programs([_demonstration(scene, seed) for seed in range(40)])
    assert proposal.trusted
    return proposal.file


@pytest.mark.parametrize("scene", [_levels, _latest, _short, _release])
def test_what_rows_tell_together_is_learned(scene: Callable[[random.Random], _Scene]) -> None:
    file = _learned(scene)
    tests = [_demonstration(scene, seed) for seed in range(1000, 1012)]
    assert [replayed(file, test) for test in tests] == [list(test.acts) for test in tests]


@pytest.mark.parametrize(
    "text",
    [
        'row("{1} | {2}", {1} = argument(1), {2}) + value("1")',
        'count("{1} | {2}", {2} = "free", {1} = argument(2))',
        'sum("{1} | {2}", {2})',
    ],
)
def test_terms_are_read_as_they_are_written(text: str) -> None:
    assert term_text(read_term(text)) == text


@pytest.mark.parametrize("text", ["behind greatest {3}", "behind second least {price}"])
def test_orders_are_read_as_they_are_written(text: str) -> None:
    assert order_text(read_order(text)) == text


@given(st.lists(st.integers(0, 20)), st.integers(1, 3), st.booleans())
def test_behind_a_place_are_all_that_come_later(sizes: list[int], rank: int, most: bool) -> None:
    order = Order(Field("1"), greatest=most, rank=rank, behind=True)
    kept = foremost([order], [[float(size) for size in sizes]])
    places = sorted(set(sizes), reverse=most)
    assert kept == [n for n, size in enumerate(sizes) if places.index(size) >= rank]


def test_a_source_is_bound_to_the_arguments_of_its_call() -> None:
    row = Row("item", "1", Own(0), "2")
    source = Computed((Arithmetic(row, "*", TaskSlot("1")),))
    assert looks_at(source) == {0}
    given_row = Row("item", "1", Literal("pen"), "2")
    assert bound(source, ("pen", "")) == Computed((Arithmetic(given_row, "*", TaskSlot("1")),))
    assert not looks_at(Computed((Total("item"),)))


@given(st.integers(0, 10**6), st.sampled_from((1, -1)))
def test_a_number_is_written_one_further(number: int, by: int) -> None:
    written = Writing(add=by).write(str(number))
    assert written == (str(number + by) if number + by >= 0 else None)


@pytest.mark.parametrize("number", ["0", "2", "9"])
def test_an_argument_of_itself_or_of_none_is_an_error(number: str) -> None:
    document = _learned(_levels).to_document()
    told = document["parameters"]["number"]["of"]
    document["parameters"]["number"]["of"] = told.replace("argument(1)", f"argument({number})")
    with pytest.raises(LibraryError, match=r"from 1"):
        ProgramFile.from_document(document)
