"""Values that are written anew: other notations, parts, frames; and what is learned with them."""

from __future__ import annotations

import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.dates import NOTATIONS, day_of, days_of, written_date
from macla.procedures.episodes.tokens import magnitude, tokens
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.writing import learn_writings
from macla.procedures.trajectories import Trajectory

_NAMES = ("Ada Berg", "Bo Lind", "Cem Kaya", "Dana Roth", "Eli Moss", "Finn Hale", "Gus Odd")


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.sampled_from(NOTATIONS))
def test_a_date_is_read_as_it_is_written(day: date, notation: str) -> None:
    assert (notation, day) in set(days_of(written_date(day, notation)))


@pytest.mark.parametrize("text", ["", "31.02.2025", "2025-13-01", "Ada", "12:30", "1 Foo 2025"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert not list(days_of(text))


@pytest.mark.parametrize("text", ["2025-03-09", "9.3.2025", "09.03.2025", "Mar 9, 2025"])
def test_a_day_is_named_in_several_ways(text: str) -> None:
    assert day_of(text) == date(2025, 3, 9).toordinal()


@pytest.mark.parametrize("text", ["", "03/09/2025", "20250309", "09.03.25", "9 marches 2025"])
def test_what_may_be_another_day_or_no_day_is_none(text: str) -> None:
    assert day_of(text) is None


def test_dates_that_name_their_month_are_one_word_and_have_a_size() -> None:
    assert tokens("due 9 March 2025.") == ("due", "9 March 2025", ".")
    assert magnitude("9 March 2025") == magnitude("2025-03-09")
    assert magnitude("9 marches 2025") is None


@pytest.mark.parametrize(
    ("pairs", "said", "value"),
    [
        (
            [("9 May 2025", "2025-05-09"), ("1 June 2024", "2024-06-01")],
            "2 July 2023",
            "2023-07-02",
        ),
        ([("in/a.docx", "in/a.pdf"), ("b/c.odt", "b/c.pdf")], "x/y.rtf", "x/y.pdf"),
        (
            [(n, n.lower().replace(" ", ".") + "@firm.org") for n in _NAMES],
            "Al Ox",
            "al.ox@firm.org",
        ),
        ([("1,250", "1250"), ("20,300", "20300")], "7,000,100", "7000100"),
        ([("Ada Berg", "Berg"), ("Bo Lind", "Lind")], "Cem Kaya", "Kaya"),
    ],
)
def test_a_way_of_writing_is_learned(pairs: list[tuple[str, str]], said: str, value: str) -> None:
    more = [*pairs, *[(pairs[0][0], pairs[0][1])]]
    third = {"9 May 2025": ("3 April 2022", "2022-04-03"), "in/a.docx": ("q.txt", "q.pdf")}
    more.append(third.get(pairs[0][0], (said, value)))
    assert value in {way.write(said) for way in learn_writings(more)}


def test_ways_that_differ_are_all_kept() -> None:
    ways = learn_writings([("a1.docx", "a1.pdf"), ("b2.odt", "b2.pdf"), ("c3.txt", "c3.pdf")])
    assert {way.write("v1.2.docx") for way in ways} == {"v1.pdf", "v1.2.pdf"}


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), max_size=6))
def test_whatever_is_learned_writes_what_was_shown(pairs: list[tuple[str, str]]) -> None:
    for way in learn_writings(pairs):
        assert all(way.write(said) == value for said, value in pairs)


def _visit(draw: random.Random) -> Trajectory:
    name, day = draw.choice(_NAMES), date(draw.randint(2020, 2030), draw.randint(1, 12), 17)
    told = written_date(day, "D Month YYYY")
    acts = (f"type {name} under Visitor", f"type {day.isoformat()} under Day", "press Send")
    obs = ("Visitor: ... Day: ...", f"Visitor: {name}", f"Day: {day.isoformat()}", "Thank you!")
    return Trajectory(task=f"{name} comes on {told}.", obs=obs, acts=acts, success=True)


def test_a_program_writes_readings_of_another_notation() -> None:
    (proposal,) = propose_programs([_visit(random.Random(seed)) for seed in range(24)])
    assert proposal.trusted, proposal.proof
    sources = [s["source"] for s in proposal.file.to_document()["parameters"].values()]
    assert "written" in sources
