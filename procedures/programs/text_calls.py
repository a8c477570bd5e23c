"""Conversion of text actions to calls of a program's steps, and back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import History
from ..episodes.templates import Template, pieces
from .program import Program, ProgramStep, ready

HOLE = re.compile(r"\{\{|\}\}|\{\}")
"""A hole of an operator, or an escaped (doubled) brace."""


def action_of(operator: str, arguments: Iterable[str]) -> str:
    """Return a call as an action."""
    return operator.format(*arguments)


def steps_of_action(
    program: Program, action: str, history: History | None = None
) -> list[tuple[ProgramStep, tuple[str, ...]]]:
    """Return the steps that an action may be, with its arguments.

    Args:
        program: The program.
        action: The action.
        history: The history before it. It decides between several readings of an action, such as
            of ``enter {}-{}``.
    """
    out = []
    for step in program.steps:
        arguments = _template(step.operator).read(action)
        if arguments is not None:
            if history is not None and _is_ambiguous(step.operator, action, arguments):
                ways = ready(step, history)
                arguments = next(
                    (w for w in ways if action_of(step.operator, w) == action), arguments
                )
            out.append((step, arguments))
    # Steps with more fixed text come first.
    return sorted(out, key=lambda each: -_template(each[0].operator).weight)


def did_something(facts: Sequence[Fact], history: History, *, again: bool) -> bool:
    """Whether an action had an effect: its result is readable, and no repetition.

    Args:
        facts: Facts of its result.
        history: The history before it.
        again: Whether it may be repeated with the same result.
    """
    if facts and all(fact.kind == UNREAD for fact in facts):
        return False
    return again or tuple(facts) != tuple(history.last)


def _is_ambiguous(operator: str, action: str, arguments: tuple[str, ...]) -> bool:
    """Whether an action has another reading: the longest arguments from the left differ."""
    if len(arguments) < 2:
        return False
    plain, _ = pieces(_template(operator).text)
    end = len(action) - len(plain[-1])
    last: list[str] = []
    for part in reversed(plain[1:-1]):
        at = action.rfind(part, 0, end - 1)
        last.append(action[at + len(part) : end])
        end = at
    return tuple(reversed(last)) != arguments[1:]


@lru_cache(10_000)
def _template(operator: str) -> Template:
    numbers = itertools.count(1)
    return Template(HOLE.sub(lambda m: f"{{{next(numbers)}}}" if m[0] == "{}" else m[0], operator))
