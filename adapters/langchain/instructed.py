"""Marks of an agent's instructions, its system prompt, and what calls owe to them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from ...procedures.common.text import fold_space
from ...procedures.episodes.tokens import magnitude
from ...procedures.programs.fingerprints import Fingerprint
from ...procedures.tooling.dates_in_texts import dates_in, without_dates
from ...procedures.tooling.tool_episodes import ToolCall
from ...procedures.tooling.values import LONGEST_RESULT, leaves, text_of

_NAMES = re.compile(r"(?<=[\w,;] )[A-Z][a-z]\w*(?: [A-Z][a-z]\w*)*")
_LONGEST_VALUE = 200
"""Characters of a value that may come from the instructions; a longer one is a text."""
_WORD = re.compile(r"\w+")


def under(instructions: str, tools: Mapping[str, str], *, exact: bool = True) -> Fingerprint:
    """Return under what an agent works; the day does not matter.

    Args:
        instructions: The system prompt; no text is one, too.
        tools: Tool → mark.
        exact: Whether names in the instructions matter for one of the two marks.
    """
    loose = _mark(_NAMES.sub("#", instructions))
    return Fingerprint(loose, _mark(instructions) if exact else "", tools, _days(instructions))


def owed_to(instructions: str, task: str, calls: Sequence[ToolCall]) -> bool:
    """Whether a call has a word of the instructions that neither the task nor a result said."""
    instruction_words = _words(instructions.casefold())
    text_so_far = task.casefold()
    for call in calls:
        for _, value in leaves(call.arguments):
            text = text_of(value).strip().casefold()
            if not 1 < len(text) <= _LONGEST_VALUE or _says(text_so_far, text):
                continue
            if any(
                len(word) > 1 and not _says(text_so_far, word)
                for word in _words(text) & instruction_words
            ):
                return True
        text_so_far += "\n" + call.result[:LONGEST_RESULT].casefold()
    return False


def _days(instructions: str) -> tuple[str, ...]:
    dates = dates_in(instructions)
    return tuple(d for d in dates if (size := magnitude(d)) is not None and size[0] == "date")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _mark(instructions: str) -> str:
    text = fold_space(without_dates(instructions))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _says(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
