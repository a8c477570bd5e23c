"""What memory answers in place of the model: the next calls, the answer, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage
from referencing.exceptions import Unresolvable as ReferencingError

from ...procedures.errors import MaclaError
from ...procedures.ledger import OutcomeKind
from ...procedures.model import Procedure
from ...procedures.tooling.execution import Execution, arguments_of, batches
from ...procedures.tooling.familiar import unfamiliar
from .messages import message_text

__all__ = [
    "CALLED",
    "Decision",
    "Progress",
    "call_id",
    "calls_done",
    "decide",
    "misfit",
    "next_answer",
    "progress_of",
]


CALLED = "macla-"
"""Begins the ids of calls that memory makes."""
_NO_EFFECTS: Mapping[str, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do instead of calling the model.

    Where there is neither a message nor an outcome, the model is to judge what was never seen
    before; if it does just what the procedure would do, the procedure goes on after that.

    Attributes:
        message: The message in place of the model's, or None: the model is to be called.
        outcome: How the procedure's run has ended, where it has.
        because: Why, for people.
        unexpected: Ids of calls whose results were not what the procedure expects.
    """

    message: AIMessage | None = None
    outcome: OutcomeKind | None = None
    because: str = ""
    unexpected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run of a procedure has come, read from the messages alone.

    Attributes:
        execution: The procedure with the results so far.
        done: Batches of calls that are answered.
    """

    execution: Execution
    done: int


@dataclass(frozen=True, slots=True)
class _Fault(Exception):  # noqa: N818  # never leaves this module
    outcome: OutcomeKind
    because: str
    calls: tuple[str, ...] = field(default=())


def call_id(run: str, index: int) -> str:
    """Return the id of a procedure's call: the same when a node is run again."""
    return f"{CALLED}{run.removeprefix('run-')[:24]}-{index}"


def decide(
    procedure: Procedure,
    run: Sequence[BaseMessage],
    name: str,
    tools: Mapping[str, Mapping[str, Any] | None],
    context: str | None = None,
    effects: Mapping[str, bool] = _NO_EFFECTS,
) -> Decision:
    """Return a procedure's next message in a run.

    Args:
        procedure: What was chosen for the run's task.
        run: The messages of the run, the task first.
        name: Name of the run.
        tools: Tools that there are → JSON Schema of their arguments, or None if unknown.
        context: The agent's instructions.
        effects: Tool → whether it changes anything, where that is known.
    """
    try:
        progress = progress_of(procedure, run, name, context)
    except _Fault as fault:
        return Decision(None, fault.outcome, fault.because, fault.calls)
    if progress is None:
        return Decision(None, OutcomeKind.ABORTED, "the run went another way")
    return next_answer(progress, name, tools, effects)


def next_answer(
    progress: Progress,
    name: str,
    tools: Mapping[str, Mapping[str, Any] | None],
    effects: Mapping[str, bool] = _NO_EFFECTS,
) -> Decision:
    """Return what comes after the calls that are answered."""
    execution = progress.execution
    procedure = execution.procedure
    order = batches(procedure)
    if progress.done == len(order):
        changed = [n for n, step in enumerate(procedure.steps, 1) if effects.get(step.tool or "")]
        strange = unfamiliar(execution, answering=True, changed=changed)
        told = execution.answer() if strange is None else None
        if told is None:
            return Decision(because="the answer is the model's to give")
        return Decision(_message(procedure, told, []))
    calls: list[ToolCall] = []
    for index in order[progress.done]:
        step = procedure.steps[index]
        tool = str(step.tool)
        if not execution.as_shown(step):
            because = f"before {tool}: a result is another than in every demonstration"
            return Decision(None, OutcomeKind.ABORTED, because)
        if tool not in tools:
            # Another agent may share the library: nobody's fault.
            kind = OutcomeKind.PRECONDITION_REFUSED if not progress.done else OutcomeKind.ABORTED
            return Decision(None, kind, f"there is no tool {tool!r} here")
        try:
            args = arguments_of(step, execution)
        except LookupError as error:
            return Decision(None, OutcomeKind.ABORTED, f"step {index + 1}: {error}")
        problem = misfit(args, tools[tool])
        if problem is not None:
            return Decision(None, OutcomeKind.EXECUTION_FAILED, f"{tool}: {problem}")
        if effects.get(tool, True) and (strange := unfamiliar(execution)) is not None:
            return Decision(because=f"before {tool}: {strange}")
        calls.append(ToolCall(name=tool, args=args, id=call_id(name, index), type="tool_call"))
    return Decision(_message(procedure, "", calls))


def progress_of(
    procedure: Procedure, run: Sequence[BaseMessage], name: str, context: str | None = None
) -> Progress | None:
    """Read from the messages how far the procedure has come.

    Returns:
        The progress, or None where somebody else acted meanwhile.
    """
    execution = Execution.start(procedure, message_text(run[0]).strip(), context=context)
    if execution is None:
        return None
    order = batches(procedure)
    results = {m.tool_call_id: m for m in run if isinstance(m, ToolMessage)}
    acts = [m for m in run[1:] if isinstance(m, AIMessage)]
    for done, message in enumerate(acts):
        if done >= len(order):
            return None
        calls = message.tool_calls
        mine = [call["id"] for call in calls] == [call_id(name, index) for index in order[done]]
        if not mine and not _as_procedure(execution, order[done], calls):
            return None
        for index, call in zip(order[done], calls, strict=True):
            execution = _checked(execution, index, call, results.get(str(call["id"])))
    return Progress(execution, len(acts))


def calls_done(procedure: Procedure, run: Sequence[BaseMessage], name: str) -> int:
    """Return how many batches of a procedure's calls a run has made and had answered."""
    try:
        progress = progress_of(procedure, run, name)
    except _Fault:
        return 0
    return 0 if progress is None else progress.done


def _as_procedure(execution: Execution, steps: Sequence[int], calls: Sequence[ToolCall]) -> bool:
    """Whether the model, that was to judge, calls just what the procedure would."""
    if len(steps) != len(calls):
        return False
    for index, call in zip(steps, calls, strict=True):
        step = execution.procedure.steps[index]
        try:
            if call["name"] != step.tool or call["args"] != arguments_of(step, execution):
                return False
        except LookupError:
            return False
    return True


def _checked(
    execution: Execution, index: int, call: ToolCall, result: ToolMessage | None
) -> Execution:
    """Take in a result, or say what is wrong with it."""
    tool, identifier = call["name"], str(call["id"])
    if result is None:
        raise _Fault(OutcomeKind.ABORTED, f"{tool} has not answered", (identifier,))
    try:
        edited = call["args"] != arguments_of(execution.procedure.steps[index], execution)
    except LookupError:
        edited = True
    if edited or tool != execution.procedure.steps[index].tool:
        raise _Fault(OutcomeKind.ABORTED, f"the call of {tool} was changed by somebody")
    if result.status == "error":
        raise _Fault(OutcomeKind.EXECUTION_FAILED, f"{tool} failed", (identifier,))
    execution = execution.with_result(index, message_text(result))
    if not execution.as_expected(index):
        because = f"{tool} answered in another form than in demonstrations"
        raise _Fault(OutcomeKind.POSTCONDITION_FAILED, because, (identifier,))
    return execution


def misfit(args: Mapping[str, Any], schema: Mapping[str, Any] | None) -> str | None:
    """Say why arguments cannot be those of a tool as it is now."""
    if schema is None or "properties" not in schema:
        return None
    known = schema["properties"]
    missing = [key for key in schema.get("required", ()) if key not in args]
    if missing:
        return f"it now requires {missing[0]!r}"
    unknown = [] if schema.get("additionalProperties") else [k for k in args if k not in known]
    if unknown:
        return f"it no longer takes {unknown[0]!r}"
    try:
        error = best_match(Draft202012Validator(dict(schema)).iter_errors(dict(args)))
    except (SchemaError, ReferencingError):
        return None  # not a schema that can be held against anything
    return None if error is None else f"{error.json_path}: {error.message[:200]}"


def _message(procedure: Procedure, text: str, calls: list[ToolCall]) -> AIMessage:
    metadata = {"macla": {"procedure": procedure.ref}}
    return AIMessage(content=text, tool_calls=calls, response_metadata=metadata)


def procedure_from(document: Any) -> Procedure | None:
    """Read a procedure back from the agent's state; None where it is none."""
    try:
        return Procedure.from_document(document)
    except (MaclaError, TypeError):
        return None
