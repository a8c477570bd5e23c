"""A reader for the s-expressions in which PDDL is written.

The text comes from game files, so it is bounded before it is read: no control or
non-ASCII characters, at most :data:`MAX_CHARACTERS` long and :data:`MAX_DEPTH` deep.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from ...procedures.common.errors import DataError

__all__ = ["MAX_CHARACTERS", "MAX_DEPTH", "Expression", "parse_expression"]

MAX_CHARACTERS = 2_000_000
"""Longest text that is read; official problems have about 50,000 characters."""

MAX_DEPTH = 64
"""Deepest nesting that is read; official problems have a depth of about 9."""

Expression: TypeAlias = "str | list[Expression]"

_COMMENT = re.compile(r";[^\n]*")
_FOREIGN = re.compile(r"[^\t\n\r\x20-\x7e]")


def parse_expression(text: str, *, where: str) -> list[Expression]:
    """Parse the one parenthesised expression that ``text`` consists of, in lower case.

    Args:
        text: PDDL source; comments from ``;`` to the end of the line are dropped.
        where: Name of the source, for error messages.

    Returns:
        Nested lists of lower-case words.

    Raises:
        DataError: The text is too long, too deep, not plain ASCII, not balanced, or
            not exactly one expression.

    """
    if len(text) > MAX_CHARACTERS:
        raise DataError(
            f"{where}: {len(text):,} characters of PDDL, more than the {MAX_CHARACTERS:,} that "
            "are read; check that this is a game file"
        )
    foreign = _FOREIGN.search(text)
    if foreign is not None:
        line = text.count("\n", 0, foreign.start()) + 1
        raise DataError(
            f"{where}: line {line} holds {foreign.group()!r}, which PDDL may not; "
            "download or generate the game again"
        )
    if ";" in text:
        text = _COMMENT.sub("", text)
    words = text.lower().replace("(", " ( ").replace(")", " ) ").split()
    return _only_expression(_nest(words, where), where)


def _nest(words: list[str], where: str) -> list[Expression]:
    """Turn a flat list of words into nested lists, without recursion."""
    current: list[Expression] = []
    open_lists: list[list[Expression]] = []
    for word in words:
        if word == "(":
            if len(open_lists) >= MAX_DEPTH:
                raise DataError(
                    f"{where}: nested deeper than {MAX_DEPTH} levels; this is not a PDDL problem"
                )
            open_lists.append(current)
            current = []
        elif word == ")":
            if not open_lists:
                raise DataError(f"{where}: a closing parenthesis too many; the text is damaged")
            finished = current
            current = open_lists.pop()
            current.append(finished)
        else:
            current.append(word)
    if open_lists:
        raise DataError(
            f"{where}: {len(open_lists)} parentheses are never closed; the text is cut short, "
            "download or generate the game again"
        )
    return current


def _only_expression(parsed: list[Expression], where: str) -> list[Expression]:
    if len(parsed) == 1 and isinstance(parsed[0], list):
        return parsed[0]
    raise DataError(
        f"{where}: {len(parsed)} expressions where one in parentheses belongs; "
        "this is not a PDDL problem"
    )
