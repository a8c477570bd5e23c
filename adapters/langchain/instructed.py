"""Marks of an agent's instructions, its system prompt, and what calls owe to them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from ...procedures.tooling.dates import without_dates
from ...procedures.tooling.episodes import ToolCall
from ...procedures.tooling.values import LONGEST_RESULT, leaves, text_of

__all__ = ["mark_of", "owed_to"]

_NAMES = re.compile(r"(?<=[\w,;] )[^\W\d_]*[A-Z]\w*(?: [A-Z]\w*)*")
_LONGEST_VALUE = 200
_WORD = re.compile(r"\w+")


def mark_of(instructions: str, *, exact: bool = True) -> str:
    """Return marks of instructions, empty for none.

    Of two marks, parted by a space, names in the instructions do not matter for the first; the day
    matters for neither.

    Args:
        instructions: The system prompt.
        exact: Whether the second mark is wanted.
    """
    if not instructions.strip():
        return ""
    loose = _fingerprint(_NAMES.sub("#", instructions))
    return f"{loose} {_fingerprint(instructions)}" if exact else loose


def owed_to(instructions: str, task: str, calls: Sequence[ToolCall]) -> bool:
    """Whether a call has a word of the instructions that neither the task nor a result said."""
    there = _words(instructions.casefold())
    told = task.casefold()
    for call in calls:
        for _, value in leaves(call.arguments):
            text = text_of(value).strip().casefold()
            if not 1 < len(text) <= _LONGEST_VALUE or _says(told, text):
                continue
            if any(len(word) > 1 and not _says(told, word) for word in _words(text) & there):
                return True
        told += "\n" + call.result[:LONGEST_RESULT].casefold()
    return False


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _fingerprint(instructions: str) -> str:
    text = " ".join(without_dates(instructions).split())
    return f"instructions:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _says(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
