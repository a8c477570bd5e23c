"""Templates that say what varies: dates, columns, typed words, and parts told by themselves."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.templates import Line, Template

TOWNS = ("Kiel", "Cork", "Graz", "Oslo", "Bern", "Rome", "Lyon", "Split", "Turin", "Porto")


@pytest.mark.parametrize("date", ["7 January 2025", "13. March 2024", "May 5, 2025"])
def test_a_date_in_words_is_never_cut(date: str) -> None:
    template = Template("On {1} {2} comes.")
    assert template.read(f"On {date} Ada Brook comes.") == (date, "Ada Brook")


def test_a_date_that_always_stands_there_is_read_as_it_is_spelled() -> None:
    assert Template("Since 7 January 2025: {1}").read("Since 7 January 2025: open") == ("open",)


def test_keys_that_differ_in_a_typed_word_are_one_form() -> None:
    draw = random.Random(1)
    lines: list[Line] = []
    for n in range(24):
        lines += [Line("Fields: name, email", n, 0), Line("Fields: zone, amount", n, 1)]
        lines += [
            Line(f"{draw.choice(TOWNS)}: zone {zone}, EUR {draw.randint(10, 40)} a month", n, 1)
            for zone in draw.sample("ABCDEFG", 4)
        ]
    typed = frozenset("ABCDEFG") | {"zone", "amount", "name", "email"}
    special = {each.text for t in mine_templates(lines, typed) for each in t.special}
    assert "{1}: zone {2}, EUR {3} a month" in special
    assert not any("zone A" in text for text in special)
