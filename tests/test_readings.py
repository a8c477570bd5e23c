"""Templates that say what varies: dates, columns, typed words, and parts told by themselves."""

from __future__ import annotations

import pytest
from macla.procedures.episodes.templates import Template


@pytest.mark.parametrize("date", ["7 January 2025", "13. March 2024", "May 5, 2025"])
def test_a_date_in_words_is_never_cut(date: str) -> None:
    template = Template("On {1} {2} comes.")
    assert template.read(f"On {date} Ada Brook comes.") == (date, "Ada Brook")


def test_a_date_that_always_stands_there_is_read_as_it_is_spelled() -> None:
    assert Template("Since 7 January 2025: {1}").read("Since 7 January 2025: open") == ("open",)
