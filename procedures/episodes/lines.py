"""The lines of a text, as they are read: wrapped ones joined, columns and dots made alike."""

from __future__ import annotations

import re

from .columns import parted_columns

__all__ = ["indented_lines", "lines_of", "without_bars"]

_LONGEST = 20_000
"""Characters of a line; of a longer one, which is data unless it is JSON, the beginning is read."""
_BRANCH = re.compile(r"[\s│┃|]*(?:[├└┣┗╰]─*|[|`+]--)\s+(?=\S)")
"""What stands before a line of a tree: it tells how far in the line stands."""
_SPACES = re.compile(r"\s+")
"""Blanks of any script: some are wide, and some do not break a line."""
_DOTS = re.compile(r"([-.=*·~#+_])\1{2,}")


def _thrice(match: re.Match[str]) -> str:
    return 3 * match[0][0]


def _beginning(line: str) -> str:
    """Return as much of a line as is read; JSON is read as a whole."""
    return line if line.lstrip().startswith(("{", "[")) else line[:_LONGEST]


def without_bars(line: str) -> str:
    """Return a line as it is if its columns stand close: a wide gap may only align them."""
    return line.replace(" | ", " ")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; see :func:`indented_lines`."""
    return [line for _, line in indented_lines(text)]


def indented_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text, and how far in each stands.

    A line that goes on after a comma is one line. Columns that only space parts are parted by a
    bar, and branches of a tree are left out; a sign that is repeated to fill a line is said three
    times. Two of a sign fill nothing: ``C++`` and ``../data`` stay as they are.
    """
    out: list[tuple[int, str]] = []
    for line in parted_columns(map(_beginning, text.split("\n"))):
        if not line.strip():
            continue
        wrapped = bool(out) and out[-1][1].endswith(",") and line[:1].isspace()
        branch = _BRANCH.match(line)
        depth = branch.end() if branch else len(line) - len(line.lstrip())
        line = line[branch.end() :] if branch else line
        clean = _DOTS.sub(_thrice, _SPACES.sub(" ", line.strip()))
        if wrapped:
            out[-1] = out[-1][0], f"{out[-1][1]} {clean}"
        else:
            out.append((depth, clean))
    return out
