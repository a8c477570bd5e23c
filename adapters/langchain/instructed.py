"""What an agent's instructions, its system prompt, have to do with what it does."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from ...procedures.tooling.dates import without_dates
from ...procedures.tooling.episodes import ToolCall
from ...procedures.tooling.values import LONGEST_RESULT, leaves, text_of
from ...procedures.tooling.writing import fine_tokens

__all__ = ["mark_of", "only_instructed", "with_fingerprint"]

_LONGEST_VALUE = 200


def with_fingerprint(instructions: str) -> str:
    """Return instructions with a mark that is another for others; the day does not matter."""
    return f"{instructions}\n{_fingerprint(instructions)}" if instructions else ""


def _fingerprint(instructions: str) -> str:
    text = " ".join(without_dates(instructions).split())
    return f"instructions:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def mark_of(instructions: str) -> str:
    """Return a mark of instructions; the day and names in them do not matter. Empty for none."""
    words = re.sub(r"(?<=[\w,;] )[^\W\d_]*[A-Z]\w*(?: [A-Z]\w*)*", "#", instructions)
    return _fingerprint(words) if instructions.strip() else ""


def only_instructed(task: str, calls: Sequence[ToolCall], instructions: str) -> tuple[str, ...]:
    """Return what calls owe to the instructions: values and names that nobody else said.

    Where a value is known by heart (said by nobody at all), the mark of the instructions as a
    whole is among them: it may be drawn from them in other words.
    """
    if not instructions:
        return ()
    told, found = task.casefold(), dict[str, None]()
    there = instructions.casefold()
    names = {token.text.casefold() for token in fine_tokens(instructions) if _named(token.text)}
    for call in calls:
        for _, value in leaves(call.arguments):
            text = text_of(value).strip()
            if not 1 < len(text) <= _LONGEST_VALUE or _says(told, text.casefold()):
                continue
            found[_fingerprint(instructions)] = None
            if _says(there, text.casefold()):
                found[text] = None
                continue
            for token in fine_tokens(text):
                word = token.text.casefold()
                if len(word) > 1 and word in names and not _says(told, word):
                    found[token.text] = None
        told += "\n" + call.result[:LONGEST_RESULT].casefold()
    return tuple(sorted(found))


def _named(word: str) -> bool:
    return any(c.isdigit() for c in word) or (word[0].isupper() and not word.isupper())


def _says(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
