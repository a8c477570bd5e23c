"""Find columns that only blanks separate: gaps that all lines of a block share.

``hammer   on hand   7`` above ``blanket  on hand  18`` reads ``hammer | on hand | 7``: the width of
a gap depends only on the other rows.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from .date_notations import SHORT_MONTHS

NOTHING = "-"
"""Text of an empty cell."""
_BAR = " | "
_GAP = re.compile(r"(?<=[^\s|]) {2,}(?=[^\s|])")
_WIDE = re.compile(r"(?<=[^\s|]) {3,}(?=[^\s|])")
_TOGETHER = re.compile(
    rf"(?<=[.!?,;]) {{2}}(?=\S)|(?<=:) {{2,}}(?=\S)|(?<=\b(?:{SHORT_MONTHS})) {{2}}(?=\d\b)"
)
"""Blanks behind a sentence, between a key and its value, and in dates of logs: ``Mar  3``."""
_TAB = re.compile(r"(?<=[^\s|])[ ]*\t[ \t]*(?=[^\s|])")
_DATA = re.compile(r"\s*(?:\{|\[[\[{\"])")
"""Beginning of JSON, whose texts stay verbatim."""
_FILLED = re.compile(r"\S+")
_EMPTY = re.compile(rb"\0+")
"""Places without text in any row."""
_Span = tuple[int, int]
_Row = tuple[str, str]
"""A line, and the line with signs in place of blanks that separate nothing."""


def parted_columns(lines: Iterable[str]) -> list[str]:
    """Return lines with bars between columns, equally many in all rows of a table."""
    rows = ((line, line) if _DATA.match(line) else _row(line) for line in _with_empty_cells(lines))
    result: list[str] = []
    for gaps, block in itertools.groupby(rows, _has_gaps):
        block_rows = list(block)
        result += (
            (_table(block_rows) or map(_with_bars, block_rows))
            if gaps
            else (line for line, _ in block_rows)
        )
    return result


def _with_empty_cells(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with bars around the empty cells of rows with as many tabs.

    A column that is empty in all rows is mere alignment, and an empty first cell indentation.
    """
    for tabs, block in itertools.groupby(lines, lambda line: line.count("\t")):
        rows = list(block)
        cells = [[cell.strip() for cell in row.split("\t")] for row in rows] if tabs else []
        columns = list(zip(*cells, strict=True))
        are_cells = len(rows) > 1 and all(map(any, columns)) and not any(map(_DATA.match, rows))
        if are_cells and columns and all(columns[0]):
            for row, each in zip(rows, cells, strict=True):
                indentation = row[: len(row) - len(row.lstrip())]
                yield row if all(each) else indentation + _BAR.join(each)
        else:
            yield from rows


def _row(line: str) -> _Row:
    plain = _TAB.sub(_BAR, line)
    return plain, _TOGETHER.sub(_filled_blanks, plain)


def _has_gaps(row: _Row) -> bool:
    return bool(_GAP.search(row[1])) and not _DATA.match(row[0])


def _filled_blanks(blanks: re.Match[str]) -> str:
    """Return as many signs as blanks, so that the text behind stays in its column."""
    return "-" * len(blanks[0])


def _with_bars(row: _Row) -> str:
    """Return a line with bars in its gaps; a single gap must be wide."""
    return _split_at(row, _GAP if len(_GAP.findall(row[1])) > 1 else _WIDE)


def _split_at(row: _Row, gap: re.Pattern[str]) -> str:
    """Return a line with bars in its gaps."""
    line, masked = row
    gaps = [match.span() for match in gap.finditer(masked)]
    begins, ends = (0, *(end for _, end in gaps)), (*(begin for begin, _ in gaps), len(line))
    return _BAR.join(line[begin:end] for begin, end in zip(begins, ends, strict=True))


def _table(rows: Sequence[_Row]) -> list[str]:
    """Return the rows of a table with bars between their cells; none where they do not align."""
    if len(rows) < 2:
        return []
    spans = list(_columns([masked for _, masked in rows]))
    numbers = {len(_GAP.findall(masked)) for _, masked in rows}
    if len(numbers) == 1 and numbers.pop() + 1 >= len(spans):
        return [_split_at(row, _GAP) for row in rows]  # no cell is empty, even if they do not align
    # Figures are aligned within a cell, as in ``  7``; wide gaps in most rows mean two tables.
    torn_count = sum(any(_WIDE.search(masked[b:e]) for b, e in spans) for _, masked in rows)
    if len(spans) < 2 or torn_count * 2 > len(rows):
        return []
    return [
        line[: len(line) - len(line.lstrip())]
        + _BAR.join(line[begin:end].strip() or NOTHING for begin, end in spans)
        for line, _ in rows
    ]


def _columns(rows: Sequence[str]) -> Iterator[_Span]:
    """Yield the span of each column, between gaps that all rows share.

    Two blanks separate columns, one separates words. Between words of a heading one is enough
    where the rows below have text under both, farther apart.
    """
    filled = _filled(rows)
    below = _filled(rows[1:], len(filled)) if len(rows) > 2 else filled
    begin = len(filled) - len(filled.lstrip(b"\0"))
    for gap in _EMPTY.finditer(filled, begin):
        start, end = gap.span()
        word = below[end : end + len(filled[end:].partition(b"\0")[0])]
        apart = b"\0\0" in below[start - 1 : end + 1] and any(word) and any(below[begin:start])
        if end - start > 1 or apart:
            yield begin, start
            begin = end
    if begin < len(filled):
        yield begin, len(filled)


def _filled(rows: Sequence[str], width: int = 0) -> bytearray:
    """Return ``x`` where some row has text, at least so many places wide."""
    filled = bytearray(max(width, *map(len, rows)))
    for row in rows:
        for match in _FILLED.finditer(row):
            filled[match.start() : match.end()] = b"x" * len(match[0])
    return filled
