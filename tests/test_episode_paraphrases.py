"""Lines that tell the same in other words."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.facts import Reader, learn_reader
from macla.procedures.episodes.lines import lines_of
from macla.procedures.episodes.paraphrases import SHARED, learn_paraphrases
from macla.procedures.episodes.templates import Line
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import program_document, program_from_document
from macla.procedures.programs.learning.proposing import propose_programs

_NAMES = ("Ada", "Bo", "Cem", "Dana", "Eli", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")
_ROOMS = ("Ash", "Beech", "Cedar", "Elm", "Fir", "Larch", "Maple", "Oak", "Pine", "Rowan")
_WAYS = (
    "{0} {1}: please bring it all to {2}",
    "{0} {1} has moved, and works in {2} from today",
    "{0} {2} is where you find {1}",
)


def _reader(texts: list[str]) -> Reader:
    lines = [Line(line, at, 0) for at, text in enumerate(texts) for line in lines_of(text)]
    plain = learn_reader(lines)
    return Reader(learn_paraphrases(plain.templates, map(plain.read, texts)))


def _board(draw: random.Random) -> list[tuple[str, str, str]]:
    times = sorted(draw.sample(range(100, 999), 5))
    rooms = draw.sample(_ROOMS, 5)
    people = draw.choices(draw.sample(_NAMES, 3), k=5)
    return [
        (f"{t // 60:02}:{t % 60:02}", p, d) for t, p, d in zip(times, people, rooms, strict=True)
    ]


def _text(
    draw: random.Random, rows: list[tuple[str, str, str]], ways: tuple[str, ...] = _WAYS
) -> str:
    return "\n".join(draw.choice(ways).format(*row) for row in rows)


def test_wordings_of_one_statement_share_a_kind_with_slots_of_the_same_names() -> None:
    draw = random.Random(1)
    boards = [_board(draw) for _ in range(30)]
    reader = _reader([_text(draw, rows) for rows in boards])
    rows = _board(draw)
    facts = [f for f in reader.read(_text(draw, rows)) if f.kind.startswith(SHARED)]
    assert len(facts) == len(rows)
    columns = [tuple(fact.fields[name] for name in sorted(fact.fields)) for fact in facts]
    order = [columns[0].index(value) for value in rows[0]]
    assert [tuple(column[at] for at in order) for column in columns] == rows


@pytest.mark.parametrize(
    "text",
    [
        "{a} owes {n}\n{b} lives in {m}",  # always in this order
        "{a} owes {n}\n{a} is {n} years old",
    ],
)
def test_records_in_a_fixed_order_are_no_wordings_of_each_other(text: str) -> None:
    draw = random.Random(2)
    texts = [
        text.format(
            a=draw.choice(_NAMES),
            b=draw.choice(_NAMES),
            n=draw.randint(10, 99),
            m=draw.choice(_ROOMS),
        )
        for _ in range(30)
    ]
    assert not any(template.means for template in _reader(texts).templates)


def test_values_of_other_types_tell_something_else() -> None:
    draw = random.Random(3)
    texts = []
    for _ in range(30):
        lines = [f"{draw.choice(_NAMES)} owes {draw.randint(10, 99)}" for _ in range(2)]
        lines += [f"{draw.choice(_NAMES)} is away until {draw.choice(_ROOMS)}" for _ in range(2)]
        draw.shuffle(lines)
        texts.append("\n".join(lines))
    assert not any(template.means for template in _reader(texts).templates)


_LIKE = (
    "{0} {1} sits at the {2} now",
    "{0} the {2} belongs to {1} from today",
    "{0} please look for {1} at the {2}",
)
"""They share words, so that they might be taken for one line whose name varies."""


@pytest.mark.parametrize("ways", [_WAYS, _LIKE])
def test_the_last_word_of_a_person_counts_in_whichever_words(ways: tuple[str, ...]) -> None:
    draw = random.Random(4)
    demonstrations = []
    for _ in range(40):
        rows = _board(draw)
        person = draw.choice(rows)[1]
        room = [row for row in rows if row[1] == person][-1][2]
        demonstrations.append(
            Trajectory(
                task=f"Bring this to {person}.",
                obs=("You are in the hall.", _text(draw, rows, ways), "Done."),
                acts=("read the board", f"carry it to {room}"),
                success=True,
            )
        )
    (proposal,) = propose_programs(demonstrations)
    assert proposal.trusted
    document = program_document(proposal.file)
    assert any(choice["among"].startswith(SHARED) for choice in document["parameters"].values())
    assert program_document(program_from_document(document)) == document
