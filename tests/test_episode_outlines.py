"""Lines under headings, records of several lines, and look-ups in a second table."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from macla.procedures.episodes.facts import Reader, learn_reader
from macla.procedures.episodes.lines import lines_of
from macla.procedures.episodes.outlines import learn_outline
from macla.procedures.episodes.templates import Line, Template
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.learning.proposing import propose_programs

_NAMES = ("Ada", "Bo", "Cem", "Dana", "Eli", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")


def test_a_heading_gives_its_fields_to_the_lines_below_it() -> None:
    reader = Reader([Template("[{1}]", over=frozenset({"{1} = {2}"})), Template("{1} = {2}")])
    facts = reader.read("[web]\nport = 80\nhost = ada\n[mail]\nport = 25")
    ports = [f.fields for f in facts if f.fields["1"] == "port"]
    assert [each["1 of [{1}]"] for each in ports] == ["web", "mail"]


def test_a_heading_has_the_fields_of_a_line_that_stands_under_it_once() -> None:
    heading = Template("Name: {1}", over=frozenset({"Price: {1}", "Tag: {1}"}))
    reader = Reader([heading, Template("Price: {1}"), Template("Tag: {1}")])
    first, *_ = reader.read("Name: lamp\nPrice: 12\nTag: old\nTag: red\nName: desk\nPrice: 40")
    assert first.fields == {"1": "lamp", "1 of Price: {1}": "12"}


def test_what_stands_behind_the_last_group_is_not_under_it() -> None:
    reader = Reader([Template("[{1}]", over=frozenset({"{1} = {2}"})), Template("{1} = {2}")])
    *_, late = reader.read("[web]\nport = 80\nthe end\nsize = 9")
    assert late.fields == {"1": "size", "2": "9"}


@pytest.mark.parametrize(
    ("results", "outline"),
    [
        ([["h {1}", "a", "a", "h {1}", "a"]] * 3, {"h {1}": {"a"}}),
        ([["r {1}"] * 5] * 3, {}),  # rows of a table
        ([["a", "h {1}", "a", "h {1}", "a"]] * 3, {}),  # not the first of its kind
        ([["h {1}", "a"]] * 3, {}),  # never repeated
        ([], {}),
    ],
)
def test_headings_repeat_and_come_first(
    results: list[list[str]], outline: dict[str, set[str]]
) -> None:
    assert learn_outline(results) == outline


def test_records_of_several_lines_have_a_template_for_each_key() -> None:
    draw = random.Random(0)
    texts = [
        "\n".join(f"Name: {name}\nPrice: {draw.randint(10, 99)}" for name in draw.sample(_NAMES, 4))
        for _ in range(12)
    ]
    lines = [Line(line, n, 0) for n, text in enumerate(texts) for line in lines_of(text)]
    reader = learn_reader(lines)
    first, *_ = reader.read("Name: Zoe\nPrice: 31\nName: Yan\nPrice: 12")
    assert first.fields == {"1": "Zoe", "1 of Price: {1}": "31"}


def _setting(draw: random.Random) -> Trajectory:
    sections = draw.sample(["web", "mail", "cache", "queue", "proxy"], 4)
    ports = {section: draw.randint(1, 9999) for section in sections}
    text = "\n".join(f"[{s}]\nport = {ports[s]}\nlimit = {draw.randint(1, 9999)}" for s in sections)
    section = draw.choice(sections)
    return _shown(
        f"Tell me the port of {section}.", ("cat app.ini", text), (f"reply {ports[section]}", "ok")
    )


def _order(draw: random.Random) -> Trajectory:
    names, numbers = draw.sample(_NAMES, 4), draw.sample(range(100, 999), 4)
    customers = "\n".join(f"{i} | {n} | here" for i, n in zip(numbers, names, strict=True))
    orders = draw.sample(range(1000, 9999), 4)
    owners = draw.sample(numbers, 4)
    listed = "\n".join(f"order {o} is of {w}" for o, w in zip(orders, owners, strict=True))
    name = draw.choice(names)
    mine = orders[owners.index(numbers[names.index(name)])]
    return _shown(
        f"Cancel what {name} ordered.",
        ("list customers", customers),
        ("list orders", listed),
        (f"cancel {mine}", "ok"),
    )


def _shown(task: str, *pairs: tuple[str, str]) -> Trajectory:
    acts, told = zip(*pairs, strict=True)
    return Trajectory(task=task, obs=("A desk.", *told), acts=acts, success=True)


@pytest.mark.parametrize("world", [_setting, _order])
def test_sections_and_second_tables_are_understood(
    world: Callable[[random.Random], Trajectory],
) -> None:
    shown = [world(random.Random(seed)) for seed in range(30)]
    (proposal,) = propose_programs(shown)
    assert proposal.trusted, proposal.proof
    assert proposal.proof.reproduced >= 29
