"""Actions that are texts as calls of a program's steps, and back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import History
from ..episodes.templates import Template
from .program import Program, Step

__all__ = ["action_of", "did_something", "steps_of_action"]

_HOLE = re.compile(r"\{\{|\}\}|\{\}")


def action_of(operator: str, arguments: Iterable[str]) -> str:
    """Write a call as an action."""
    return operator.format(*arguments)


def steps_of_action(program: Program, action: str) -> list[tuple[Step, tuple[str, ...]]]:
    """Return the steps that an action may be, with its arguments."""
    out = []
    for step in program.steps:
        arguments = _template(step.operator).read(action)
        if arguments is not None:
            out.append((step, arguments))
    # What a step says itself tells more of it than what it leaves open.
    return sorted(out, key=lambda each: -_template(each[0].operator).weight)


def did_something(facts: Sequence[Fact], history: History, *, again: bool) -> bool:
    """Whether an action did anything: something known was told, and not just the same again.

    Args:
        facts: What was told of it.
        history: What was known before it.
        again: Whether it may be repeated, and tell the same.
    """
    if facts and all(fact.kind == UNREAD for fact in facts):
        return False
    return again or tuple(facts) != tuple(history.last)


@lru_cache(10_000)
def _template(operator: str) -> Template:
    numbers = itertools.count(1)
    return Template(_HOLE.sub(lambda m: f"{{{next(numbers)}}}" if m[0] == "{}" else m[0], operator))
