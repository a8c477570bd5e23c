"""Columns that only space parts: rows of a table have as many bars, and nothing else has any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.columns import NOTHING, parted_columns
from macla.procedures.episodes.lines import lines_of

_CELLS = st.from_regex(r"[a-z0-9]+( [a-z0-9]+){0,2}", fullmatch=True)


def _padded(rows: list[list[str]], *, right: bool = False) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    side = str.rjust if right else str.ljust
    lines = ("  ".join(map(side, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(_CELLS, min_size=n, max_size=n), min_size=2, max_size=6)
    ),
    st.booleans(),
)
def test_the_cells_of_a_table_are_told_apart_however_wide_they_are(
    rows: list[list[str]], right: bool
) -> None:
    assert lines_of(_padded(rows, right=right)) == [" | ".join(row) for row in rows]


@given(st.lists(_CELLS, min_size=3, max_size=6))
def test_a_table_of_one_row_is_read_as_one_of_several(row: list[str]) -> None:
    assert lines_of("  ".join(row)) == [" | ".join(row)]


@given(st.text(alphabet="ab  \t|:.\n", max_size=60))
def test_what_was_parted_once_stays_as_it_is(text: str) -> None:
    once = lines_of(text)
    assert lines_of("\n".join(once)) == once


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "name     Ann Bell\nlogin    ab1\nmanager  Olga",
            ["name | Ann Bell", "login | ab1", "manager | Olga"],
        ),
        (
            "pod   ready  age\nweb   yes    3 d\nmail         4 d",
            ["pod | ready | age", "web | yes | 3 d", f"mail | {NOTHING} | 4 d"],
        ),
        (
            "1 adm  3013733 Mar  3 12:16 x\n1 adm   986571 Mar 15 02:29 y",
            ["1 adm | 3013733 Mar 3 12:16 x", "1 adm | 986571 Mar 15 02:29 y"],
        ),
        ("Total:    40\nDue:      9", ["Total: 40", "Due: 9"]),
        ("It is late.  Go home.", ["It is late. Go home."]),
        ("one  two", ["one two"]),
        ("one   two", ["one | two"]),
        ("a\tb\nc\td", ["a | b", "c | d"]),
        ("C2\tAda\t52\nC3\tBen\t\nC4\t\t7", ["C2 | Ada | 52", "C3 | Ben |", "C4 | | 7"]),
        ("a\t\tb\nlong\t\td", ["a | b", "long | d"]),
        ("  indented   cell\n  other      x", ["indented | cell", "other | x"]),
    ],
)
def test_lines_are_read_so(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


def test_no_line_is_lost() -> None:
    assert parted_columns(["", "a  b  c", "", "plain"]) == ["", "a | b | c", "", "plain"]


@pytest.mark.parametrize("line", ['{"a": "x  y   z"}', '  [{"a": "x  y   z"}]', '["x  y  z"]'])
def test_texts_in_json_stay_as_they_are_spelled(line: str) -> None:
    assert parted_columns([line, "a  b  c", "d  e  f"]) == [line, "a | b | c", "d | e | f"]
    tabbed = line.replace(" y", "\ty")
    assert parted_columns([tabbed, tabbed]) == [tabbed, tabbed]


def test_signs_of_private_use_are_no_blanks() -> None:
    assert lines_of("\ue000 a  \ue000b  c") == ["\ue000 a | \ue000b | c"]


def test_of_a_line_without_an_end_the_beginning_is_read() -> None:
    wide = "a  " * 100_000
    lines = lines_of("\n".join([wide] * 3))
    assert len(lines) == 3
    assert max(map(len, lines)) < 3 * 20_000


def test_a_heading_needs_only_one_blank_where_rows_have_more() -> None:
    lines = [
        "SLOT TIME   DOCTOR        STATE",
        "L24  11:10  Dr Hoffman    free",
        "Z85  12:40  Dr Ferro      taken",
    ]
    assert parted_columns(lines) == [
        "SLOT | TIME | DOCTOR | STATE",
        "L24 | 11:10 | Dr Hoffman | free",
        "Z85 | 12:40 | Dr Ferro | taken",
    ]


def test_one_blank_in_every_row_separates_words() -> None:
    lines = ["NAME     FLOOR", "Ann Lee  2", "Bo Marx  3"]
    assert parted_columns(lines) == ["NAME | FLOOR", "Ann Lee | 2", "Bo Marx | 3"]
