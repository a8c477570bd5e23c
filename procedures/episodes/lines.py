"""Normalise the lines of a text: join wrapped lines, mark columns, shorten filling signs."""

from __future__ import annotations

import re

from .columns import parted_columns

_LONGEST = 20_000
"""Characters; only the beginning of a longer line is read, unless it is JSON."""
_BRANCH = re.compile(r"[\s│┃|]*(?:[├└┣┗╰]─*|[|`+]--)\s+(?=\S)")
"""Branch before a line of a tree; its width is the indentation."""
_SPACES = re.compile(r"\s+")
"""White space of any script, also wide or non-breaking."""
_DOTS = re.compile(r"([-.=*·~#+_])\1{2,}")


def _thrice(match: re.Match[str]) -> str:
    return 3 * match[0][0]


def _beginning(line: str) -> str:
    """Return the part of a line that is read; all of it for JSON."""
    return line if line.lstrip().startswith(("{", "[")) else line[:_LONGEST]


def without_bars(line: str) -> str:
    """Return a line without bars: a wide gap may be mere alignment."""
    return line.replace(" | ", " ")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; see :func:`indented_lines`."""
    return [line for _, line in indented_lines(text)]


def indented_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text, each with its indentation.

    A line that goes on after a comma is one line. Bars separate columns, and branches of a tree
    are left out. Three or more of a sign, which fill a line, become three; two stay, as in ``C++``
    and ``../data``.
    """
    result: list[tuple[int, str]] = []
    for line in parted_columns(map(_beginning, text.split("\n"))):
        if not line.strip():
            continue
        continues = bool(result) and result[-1][1].endswith(",") and line[:1].isspace()
        branch = _BRANCH.match(line)
        depth = branch.end() if branch else len(line) - len(line.lstrip())
        line = line[branch.end() :] if branch else line
        clean = _DOTS.sub(_thrice, _SPACES.sub(" ", line.strip()))
        if continues:
            result[-1] = result[-1][0], f"{result[-1][1]} {clean}"
        else:
            result.append((depth, clean))
    return result
