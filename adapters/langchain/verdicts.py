"""Verdicts on memory's answers: the user's next message, and a model's audit."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from ...procedures.common.text import fold_space
from ...procedures.programs.call_forms import argument_leaves
from .messages import message_text

_DENIALS = frozenset(("no", "not", "never", "wrong", "incorrect", "mistake", "undo"))
_STOP = re.compile(r"\W*stop\s*(?:[^\w\s]|$)", re.IGNORECASE)
"""*Stop* by itself; before another word it mostly asks for something, such as to stop a payment."""
_FIRST_WORDS = 5
"""Words at the beginning of a message of which one denies."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_AGREED_AUDITS = 10.0
"""Audits that agreed after which half as many are made."""


def denies(text: str) -> bool:
    """Whether a message denies what was just done, as far as a simple rule tells.

    One of its first five words says no: no, not, never, wrong, incorrect, mistake, undo, or a word
    such as *didn't*. Or it begins with *stop* and no other word follows at once: *Stop!*
    """
    if _STOP.match(text):
        return True
    words = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(text)[:_FIRST_WORDS]]
    return any(word in _DENIALS or word.endswith("n't") for word in words)


def spoken_by(messages: Sequence[BaseMessage]) -> Mapping[str, str] | None:
    """Return program and run of memory's last message among some; None without one."""
    for message in reversed(messages):
        metadata = message.response_metadata.get("macla")
        if isinstance(metadata, Mapping) and "program" in metadata and "run" in metadata:
            return {"program": str(metadata["program"]), "run": str(metadata["run"])}
    return None


def is_drawn(share: float, agreed: float, *about: Any) -> bool:
    """Whether an answer of memory is audited: a share of them, fewer the more audits agreed.

    Args:
        share: Of the answers, at first.
        agreed: How often others bore the program out.
        about: What the draw depends on: the same for the same answer, whenever it is asked.
    """
    text = json.dumps(about, default=str).encode("utf-8", "replace")
    number = int.from_bytes(hashlib.sha256(text).digest()[:8], "big") / 2**64
    return number < share / (1.0 + agreed / _AGREED_AUDITS)


def stands_for(message: AIMessage, run: Sequence[BaseMessage], effects: Mapping[str, bool]) -> int:
    """Return for how many of memory's answers the audit of one stands.

    What only looks up is not audited: what becomes of it is, in the call that changes something or
    in the final answer. So as many audits meet more of what can be wrong.

    Args:
        message: Memory's answer.
        run: The messages of the run before it.
        effects: Tool → whether it changes anything, where that is known.

    Returns:
        0 for a look-up; else one more than there were look-ups since the last that was none.
    """

    def looks_up(each: BaseMessage) -> bool:
        return (
            isinstance(each, AIMessage)
            and bool(each.tool_calls)
            and not any(effects.get(call["name"], True) for call in each.tool_calls)
        )

    if looks_up(message):
        return 0
    answers = [each for each in run if isinstance(each, AIMessage)]
    ours = (looks_up(each) and "macla" in each.response_metadata for each in reversed(answers))
    return 1 + sum(1 for _ in takewhile(bool, ours))


def calls_beside(message: AIMessage, result: Sequence[BaseMessage]) -> int | None:
    """Return how many calls a model made beside those of memory; None where it did otherwise.

    Memory makes one call at a time, and a model may make several. Whether memory would go on with
    the others shows when they have answered.
    """
    answer = next((each for each in result if isinstance(each, AIMessage)), None)
    if answer is None:
        return None
    if not message.tool_calls:
        same = not answer.tool_calls and _words(answer) == _words(message)
        return 0 if same else None
    wanted, others = _calls(message), _calls(answer)
    for call in wanted:
        if call not in others:
            return None
        others.remove(call)
    return len(others)


def _calls(message: AIMessage) -> list[tuple[str, Any]]:
    return [(call["name"], argument_leaves(call["args"])) for call in message.tool_calls]


def _words(message: AIMessage) -> str:
    return fold_space(message_text(message))
