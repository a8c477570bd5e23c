"""Who vouches for a call that changes something: a person, or demonstrations of certain values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias, get_args

from ..episodes.facts import KEYS_OF, Fact
from ..episodes.history import History
from ..episodes.tokens import tokens
from ..errors import MaclaError
from ..programs.program import Act, decide
from ..programs.sources import Computed, Constant, Written, candidates
from ..programs.tables import Tabled
from .running import ToolProgram, harmless

__all__ = ["TRUSTS", "Trust", "checked_trust", "untrusted"]

Trust: TypeAlias = Literal["acceptance", "demonstrations"]
"""What lets memory call a tool that changes something, without the model."""
TRUSTS: tuple[Trust, ...] = get_args(Trust)
_SENTENCE = 6
"""Words from which on a value is a text that somebody wrote."""


def checked_trust(trust: str) -> Trust:
    """Return what is trusted.

    Raises:
        MaclaError: It is none of them.
    """
    for each in TRUSTS:
        if trust == each:
            return each
    raise MaclaError(f"unknown trust {trust!r}; choose {' or '.join(TRUSTS)}")


def untrusted(program: ToolProgram, history: History, trust: Trust) -> str | None:
    """Say why the next call, which may change something, is for the model; None: it may be made.

    A call that a person accepted may be made. With ``demonstrations`` another one may,
    too, if each argument is a constant, said in the task, or a value of a record that the task
    names: of a result without free text, of a tool that was given only such values.

    Args:
        program: The program.
        history: The run so far.
        trust: What lets memory make such a call.
    """
    planned = decide(program.program, history, grave=harmless)
    if not isinstance(planned, Act):
        return planned.because
    if planned.step.id not in program.unaccepted:
        return None
    if trust == "acceptance":
        return f"no person has accepted this call: macla accept {program.file.ref}"
    vouched = _vouched(program, history)
    for argument, source in zip(planned.arguments, planned.step.sources, strict=True):
        match source:
            case Constant() | Tabled():  # a decision table gives what is written there
                continue
            case Computed():
                known = all(_values(r) <= vouched for r in history.results[1:])
            case Written():
                told = [value for base in source.bases for value in candidates(base, history)]
                known = all(each in vouched or history.said(each) for each in told)
            case _:
                known = argument in vouched or history.said(argument)
        if not known:
            return f"no record that the task names says {argument!r}"
    return None


def _vouched(program: ToolProgram, history: History) -> frozenset[str]:
    """Return the values of records that the task names, or that such records name."""
    tools = program.file.tools
    prose = tools.prose if tools is not None else frozenset()
    vouched: set[str] = set()
    for call, facts in zip(history.calls, history.results[1:], strict=True):
        named = all(each in vouched or history.said(each) for each in call.arguments)
        if named and _is_record(facts, prose):
            vouched |= _values(facts)
    return frozenset(vouched)


def _is_record(facts: Sequence[Fact], prose: Collection[str]) -> bool:
    """Whether a result is data, and nothing in it is a text that somebody wrote."""
    keys = [
        each for fact in facts if fact.kind.startswith(KEYS_OF) for each in fact.fields.values()
    ]
    free = {key for each in keys for key in each.split(", ")} & set(prose)
    return bool(keys) and not free and all(len(tokens(v)) < _SENTENCE for v in _values(facts))


def _values(facts: Sequence[Fact]) -> set[str]:
    told = (fact.fields for fact in facts if not fact.kind.startswith(KEYS_OF))
    return {value for fields in told for value in fields.values() if value}
