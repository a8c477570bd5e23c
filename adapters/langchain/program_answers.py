"""Answers of a program in place of the model's, from the messages of the run alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage

from ...procedures.common.errors import MaclaError
from ...procedures.episodes.history import History
from ...procedures.evidence.ledger import OutcomeKind
from ...procedures.programs.call_forms import FlatCall, argument_leaves
from ...procedures.programs.documents import ProgramFile
from ...procedures.programs.fingerprints import Fingerprint
from ...procedures.tooling.call_trust import Trust, untrusted
from ...procedures.tooling.program_run import Answer, Call, HandOver, ToolProgram
from ...procedures.tooling.tool_episodes import ToolCall as CallMade
from ...procedures.tooling.values import LONGEST_RESULT
from .deciding import Decision, call_id, misfit
from .messages import message_text, remarks_in
from .requests import ours


@dataclass(frozen=True, slots=True)
class _Fault(Exception):  # noqa: N818  # never leaves this module
    outcome: OutcomeKind
    because: str
    calls: tuple[str, ...] = field(default=())
    other: tuple[str, ...] = field(default=())


def decide_by(
    program: ToolProgram,
    before: Sequence[BaseMessage],
    run: Sequence[BaseMessage],
    name: str,
    tools: Mapping[str, Mapping[str, Any] | None],
    under: Fingerprint,
    effects: Mapping[str, bool],
    trust: Trust,
) -> Decision:
    """Return a program's next message in a run.

    Args:
        program: The program that reads the run's task.
        before: The conversation before the run.
        run: The messages of the run, the task first.
        name: Name of the run.
        tools: Tools that there are → JSON Schema of their arguments, or None if unknown.
        under: Under what the agent works.
        effects: Tool → whether it changes anything, where that is known.
        trust: What lets memory call a tool that may change something.
    """
    missing = sorted(tool for tool in program.tools if tool not in tools)
    has_begun = any(isinstance(message, AIMessage) for message in run)
    if missing and not has_begun:
        because = f"there is no tool {missing[0]!r} here"
        return Decision(None, OutcomeKind.PRECONDITION_REFUSED, because)
    task = message_text(run[0]).strip()
    history = program.reading.begin(task, remarks_in(before), under.days)
    if before and not history.asked.fields:
        return Decision(because="in a conversation, words that name nothing mean something else")
    try:
        call_count = _take_matching_calls(program, history, run)
    except _Fault as fault:
        return Decision(None, fault.outcome, fault.because, fault.calls, fault.other)
    planned = program.next(history, effects, under)
    if isinstance(planned, HandOver):
        return Decision(because=planned.because)
    if isinstance(planned, Call) and effects.get(planned.tool, True):
        doubt = untrusted(program, history, trust)
        if doubt is not None:
            return Decision(because=f"{planned.step}: {doubt}")
    metadata = {"macla": {"program": program.file.ref, "run": name}}
    if isinstance(planned, Answer):
        return Decision(AIMessage(content=planned.text, response_metadata=metadata))
    if planned.tool not in tools:
        return Decision(None, OutcomeKind.ABORTED, f"there is no tool {planned.tool!r} here")
    problem = misfit(planned.args, tools[planned.tool])
    if problem is not None:
        return Decision(None, OutcomeKind.EXECUTION_FAILED, f"{planned.tool}: {problem}")
    call = ToolCall(
        name=planned.tool, args=dict(planned.args), id=call_id(name, call_count), type="tool_call"
    )
    return Decision(AIMessage(content="", tool_calls=[call], response_metadata=metadata))


def fits(program: ToolProgram, tools: Mapping[str, Mapping[str, Any] | None]) -> bool:
    """Whether all calls of a program fit the tools as they are now, as far as keys tell."""
    for form in program.forms_used:
        schema = tools.get(form.tool)
        if schema is None or "properties" not in schema:
            continue
        keys = set(form.keys)
        if not keys.issuperset(schema.get("required", ())):
            return False
        if not schema.get("additionalProperties") and not keys <= schema["properties"].keys():
            return False
    return True


def outcome_by(run: Sequence[BaseMessage], verdict: bool | None) -> OutcomeKind:
    """Judge a run in which a program made calls and met nothing unexpected."""
    calls = [m for m in run if isinstance(m, AIMessage) and m.tool_calls]
    if verdict is None or not calls or not all(map(ours, calls)):
        return OutcomeKind.ABORTED
    return OutcomeKind.SUCCESS if verdict else OutcomeKind.POSTCONDITION_FAILED


@lru_cache(256)
def program_from(document: str) -> ToolProgram | None:
    """Read a program back from the agent's state, JSON; None where it is none.

    A run goes on with the program with which it began, whatever is learned meanwhile.
    """
    try:
        return ToolProgram(ProgramFile.from_document(json.loads(document)))
    except (MaclaError, TypeError, ValueError):
        return None


def would_have_done(program: ToolProgram, run: Sequence[BaseMessage]) -> tuple[bool, list[Any]]:
    """Compare a program with what was done.

    Returns:
        Whether its calls are those that were made, and its calls as far as they can be told.
    """
    history = program.reading.begin(message_text(run[0]).strip())
    results = {m.tool_call_id: message_text(m) for m in run if isinstance(m, ToolMessage)}
    calls_made = [call for m in run if isinstance(m, AIMessage) for call in m.tool_calls]
    planned_calls: list[Any] = []
    for call in calls_made:
        planned = program.next(history, {})
        if not isinstance(planned, Call):
            return False, planned_calls
        planned_calls.append({"tool": planned.tool, "args": dict(planned.args)})
        if (planned.tool, argument_leaves(planned.args)) != (
            call["name"],
            argument_leaves(call["args"]),
        ):
            return False, planned_calls
        program.take(
            history, CallMade(call["name"], call["args"], results.get(str(call["id"]), ""))
        )
    return not isinstance(program.next(history, {}), Call), planned_calls


def _take_matching_calls(program: ToolProgram, history: History, run: Sequence[BaseMessage]) -> int:
    """Take in what was called, as long as it is what the program would do; return how much.

    Calls that a message makes together are told in any order.
    """
    results = {m.tool_call_id: m for m in run if isinstance(m, ToolMessage)}
    call_count = 0
    for message in run[1:]:
        if not isinstance(message, AIMessage):
            continue
        if not message.tool_calls:
            raise _Fault(OutcomeKind.ABORTED, "the run went another way")
        remaining = list(message.tool_calls)
        while remaining:
            planned = program.planned(history)
            call = next((each for each in remaining if _is_planned(planned, each)), None)
            if call is None:
                other = tuple(str(each["name"]) for each in remaining)
                raise _Fault(OutcomeKind.ABORTED, "the run went another way", other=other)
            remaining.remove(call)
            _take(program, history, call, results.get(str(call["id"])))
            call_count += 1
    return call_count


def _is_planned(planned: FlatCall | None, call: ToolCall) -> bool:
    return planned == FlatCall(call["name"], argument_leaves(call["args"]))


def _take(
    program: ToolProgram, history: History, call: ToolCall, result: ToolMessage | None
) -> None:
    tool, identifier = call["name"], str(call["id"])
    if result is None:
        raise _Fault(OutcomeKind.ABORTED, f"{tool} has not answered", (identifier,))
    if result.status == "error":
        raise _Fault(OutcomeKind.EXECUTION_FAILED, f"{tool} failed", (identifier,))
    text = message_text(result)
    too_long = len(text) > LONGEST_RESULT
    operator = program.take(history, CallMade(tool, call["args"], "" if too_long else text))
    if too_long or not program.as_shown(operator, text):
        because = f"{tool} answered in another form than in demonstrations"
        raise _Fault(OutcomeKind.POSTCONDITION_FAILED, because, (identifier,))
