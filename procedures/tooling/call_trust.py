"""Who vouches for a call that changes something: a person, or demonstrations of certain values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, TypeAlias, get_args

from ..common.errors import MaclaError
from ..episodes.facts import KEYS_OF, Fact
from ..episodes.history import History
from ..episodes.tokens import tokens
from ..programs.box import Box
from ..programs.decision_tables import Tabled
from ..programs.program import Act, decide, unsettled_choice
from ..programs.sources import Computed, Constant, Source, Written, candidates
from .program_run import ToolProgram, harmless

Trust: TypeAlias = Literal["acceptance", "demonstrations"]
"""Ground on which memory calls a tool that changes something, without the model."""
TRUSTS: tuple[Trust, ...] = get_args(Trust)
_SENTENCE_WORDS = 6
"""Fewest words of a value that is a text somebody wrote."""


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
        why = "no person has accepted this call"
        if program.file.has_other_limits():
            why = "its limits were changed by hand since it was accepted"
        return f"{why}: macla accept {program.file.ref}"
    # Where each candidate was taken in the end, one after the other, none had to be singled out.
    unsettled = unsettled_choice(planned.step, history) if planned.step.some else None
    if unsettled is not None:
        return unsettled
    sources = planned.step.sources
    vouched = _vouched_values(program, history, planned.step.box)
    call_count = len(history.calls)
    for argument, source in zip(planned.arguments, sources, strict=True):
        if not _is_accounted_for(source, argument, history, call_count, vouched):
            return f"no record that the task names says {argument!r}"
    return None


def _vouched_values(program: ToolProgram, history: History, box: Box) -> frozenset[str]:
    """Return the values that the task, or a record that it leads to, vouches for.

    These are the arguments of calls that take only such values, and the records they return.

    Args:
        program: The program.
        history: The run so far.
        box: What was shown where the next step was done.
    """
    tools = program.file.tools
    prose = tools.prose if tools is not None else frozenset()
    steps = {step.id: step for step in program.program.steps}
    vouched: set[str] = set()
    for call_count, (call, facts) in enumerate(
        zip(history.calls, history.results[1:], strict=True)
    ):
        step = steps.get(call.step or "")
        sources = step.sources if step is not None else (None,) * len(call.arguments)
        trusted = all(
            _is_accounted_for(source, value, history, call_count, vouched)
            for source, value in zip(sources, call.arguments, strict=True)
        )
        if not trusted:
            continue
        vouched |= set(call.arguments)
        if _is_record(facts, prose, box):
            vouched |= _values(facts)
    return frozenset(vouched)


def _is_accounted_for(
    source: Source | None, value: str, history: History, call_count: int, vouched: Collection[str]
) -> bool:
    """Whether a value is a constant, said in the task, vouched for, or made of such values.

    Args:
        source: Where the value is from; None where that is not known.
        value: The value.
        history: The run so far.
        call_count: Calls that were made before the one that takes the value.
        vouched: Values of records that the task names.
    """
    match source:
        case Constant() | Tabled():  # a decision table gives what is written there
            return True
        case Computed():
            return all(
                _values(each) <= set(vouched) for each in history.results[1 : call_count + 1]
            )
        case Written():
            # What a table writes is the program's, whatever is looked up there.
            passed = {piece.base for piece in source.pieces if not piece.writing.table}
            resolved = (each for base in passed for each in candidates(base, history))
            return all(each in vouched or history.said(each) for each in resolved)
    return value in vouched or history.said(value)


def _is_record(facts: Sequence[Fact], prose: Collection[str], box: Box) -> bool:
    """Whether a result is data, and nothing in it is a text that somebody may have written."""
    keys = [
        each for fact in facts if fact.kind.startswith(KEYS_OF) for each in fact.fields.values()
    ]
    free = {key for each in keys for key in each.split(", ")} & set(prose)
    return bool(keys) and not free and not any(_texts(facts, box))


def _texts(facts: Sequence[Fact], box: Box) -> Iterator[str]:
    """Yield values that are sentences, except those that every result has, such as headings."""
    for fact in facts:
        for name, value in fact.fields.items() if not fact.kind.startswith(KEYS_OF) else ():
            if len(tokens(value)) >= _SENTENCE_WORDS and not box.always_told(
                (fact.kind, name), value
            ):
                yield value


def _values(facts: Sequence[Fact]) -> set[str]:
    records = (fact.fields for fact in facts if not fact.kind.startswith(KEYS_OF))
    return {value for fields in records for value in fields.values() if value}
