"""Procedural memory as middleware of ``langchain.agents.create_agent``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast

from ...procedures.errors import MaclaError, MissingExtraError

try:
    from langchain.agents.middleware.types import (
        AgentMiddleware,
        AgentState,
        ExtendedModelResponse,
        ModelRequest,
        ModelResponse,
        PrivateStateAttr,
        ToolCallRequest,
    )
except ImportError as error:  # pragma: no cover
    raise MissingExtraError(
        "the middleware needs the package langchain: pip install 'macla[langchain]'"
    ) from error
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import NotRequired, TypedDict

from ...procedures.ledger import OutcomeKind
from ...procedures.model import Procedure
from ...procedures.proposals.policy import Policy
from ...procedures.tooling.memory import Charged
from ..session import LibrarySession
from .deciding import CALLED, Decision, decide, procedure_from
from .guidance import guidance
from .instructed import with_fingerprint
from .messages import (
    Success,
    episode_of,
    finished_well,
    heard_in,
    latest_run,
    leans_on,
    message_text,
    remarks_in,
)
from .redaction import Redactor
from .replaying import counted, through_the_agent, would_have_done
from .requests import (
    ToolSchemas,
    any_called,
    begun,
    effects_of,
    foreign,
    given_up,
    instructions_of,
    not_only_text,
    ours,
    outcome_of,
    run_of,
    verdict_of,
    with_text,
)
from .running import decide_by, fits, outcome_by
from .store import AgentMemory

__all__ = ["MaclaMiddleware", "MaclaRun", "Mode"]

Mode = Literal["shadow", "guide", "act"]
_LOG = logging.getLogger(__name__)
_SHOWN = 3
_Result: TypeAlias = "ToolMessage | Command[Any]"
_EDITS = "hitl_edited_tool_calls"
"""Where HumanInTheLoopMiddleware keeps the calls that a person replaced."""


class MaclaRun(TypedDict, total=False):
    """What the middleware keeps of the present run; private to it.

    ``procedure`` is the document of the procedure that acts, ``outcome`` how it ended,
    ``unexpected`` the ids of calls that did not answer as they should, ``edited`` whether a person
    replaced a call, so that the messages do not say what was done, ``instructions`` the agent's
    system prompt when the run began, ``answers`` how many answers came from model or memory,
    ``program`` id and version of what is charged where a program acts.
    """

    run: str
    instructions: str
    procedure: dict[str, Any] | None
    outcome: str | None
    unexpected: list[str]
    edited: bool
    answers: int
    program: list[Any] | None


class MaclaState(AgentState[Any]):
    """The agent's state with the middleware's private part."""

    macla: NotRequired[Annotated[MaclaRun, PrivateStateAttr]]


class MaclaMiddleware(AgentMiddleware[MaclaState, Any, Any]):
    """Answers model calls from procedural memory where the evidence is good, and learns.

    Before a model call the library's procedures are read against the task. Where one fits in every
    word, its expected utility reaches θ_conf and all its parameters can be bound, its next tool
    calls (and, where it can be composed, the final answer) take the place of the model's message.
    Otherwise the model is called, and is shown the nearest procedures as data. Results are checked
    against what the procedure expects; what does not fit goes back to the model and counts against
    the procedure. At the end of a run, the conversation is learned from.

    Example::

        agent = create_agent(model, tools, middleware=[MaclaMiddleware("library")])

    Args:
        library: A library's folder, made if there is none, or an open session.
        mode: ``act``; ``guide`` only shows procedures to the model; ``shadow`` changes nothing
            and records what it would have done.
        learn: Whether finished runs are learned from.
        success: Tells from the messages of a run whether it succeeded, or None not to learn from
            it. By default: it ended with an answer, and no tool's last call failed.
        redact: Keeps secrets out of what is learned; None switches that off.
        shown: How many procedures the model is shown at most.
        policy: How a refinement gets into the library: ``auto`` at once, ``review`` as a proposal,
            ``interrupt`` after asking through LangGraph's ``interrupt`` at the end of the run. By
            default ``review`` where git tracks the library, ``auto`` elsewhere.
    """

    state_schema = MaclaState

    def __init__(
        self,
        library: LibrarySession | Path | str,
        *,
        mode: Mode = "act",
        learn: bool = True,
        success: Success = finished_well,
        redact: Redactor | Literal["default"] | None = "default",
        shown: int = _SHOWN,
        policy: Policy | None = None,
    ) -> None:
        super().__init__()
        if mode not in ("shadow", "guide", "act"):
            raise MaclaError(f"unknown mode {mode!r}; choose shadow, guide or act")
        self.mode: Mode = mode
        self.memory = AgentMemory.open(library, redact=redact, policy=policy)
        self._learn = learn
        self._success = success
        self._shown = shown
        self._schemas = ToolSchemas()

    # -------------------------------------------------------------------- agent's hooks
    def before_agent(self, state: MaclaState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Begin a run: take in what others have learned meanwhile."""
        self.memory.refresh()
        return {"macla": begun(state)}

    async def abefore_agent(
        self, state: MaclaState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """See :meth:`before_agent`."""
        run = begun(state)
        await asyncio.to_thread(self.memory.refresh)
        return {"macla": run}

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Answer from memory, or call the model with guidance."""
        message, known = self._planned(request)
        if message is None:
            return counted(handler(self._guided(request)), request, known)
        if request.response_format is not None:
            return counted(handler(through_the_agent(request, message)), request, known)
        return counted(ModelResponse(result=[message]), request, known)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """See :meth:`wrap_model_call`."""
        message, known = await asyncio.to_thread(self._planned, request)
        if message is None:
            guided = await asyncio.to_thread(self._guided, request)
            return counted(await handler(guided), request, known)
        if request.response_format is not None:
            return counted(await handler(through_the_agent(request, message)), request, known)
        return counted(ModelResponse(result=[message]), request, known)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]
    ) -> _Result:
        """Take note where a tool that memory calls raises: the run may end there."""
        try:
            return handler(request)
        except GraphBubbleUp:
            raise  # an interrupt, not a fault
        except Exception as error:
            self._raised(request, error)
            raise

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        """See :meth:`wrap_tool_call`."""
        try:
            return await handler(request)
        except GraphBubbleUp:
            raise
        except Exception as error:
            await asyncio.to_thread(self._raised, request, error)
            raise

    def _raised(self, request: ToolCallRequest, error: Exception) -> None:
        state = cast(Mapping[str, Any], request.state)
        known = cast(MaclaRun, state.get("macla") or {})
        call = request.tool_call
        if not str(call["id"]).startswith(CALLED) or known.get("outcome"):
            return
        if known.get("program"):
            because = f"{call['name']} raised {type(error).__name__}"
            charged = Charged(*cast("list[Any]", known["program"]))
            run = known.get("run") or run_of(state)
            self.memory.record(run, charged, OutcomeKind.EXECUTION_FAILED, because)
            return
        procedure = procedure_from(known.get("procedure"))
        if procedure is not None:
            because = f"{call['name']} raised {type(error).__name__}"
            failed = Decision(None, OutcomeKind.EXECUTION_FAILED, because)
            self._ended(known.get("run") or run_of(state), procedure, failed)

    def after_agent(self, state: MaclaState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """End a run: record how it went and learn from it."""
        self._conclude(state, run_of(state))
        return None

    async def aafter_agent(self, state: MaclaState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """See :meth:`after_agent`."""
        await asyncio.to_thread(self._conclude, state, run_of(state))
        return None

    def refinements_due(self) -> list[str]:
        """Return ``id@version`` of procedures with enough successes and failures to be refined."""
        self.memory.refresh()
        return self.memory.tools.refinements_due()

    # ------------------------------------------------------------------------ deciding
    def _planned(self, request: ModelRequest[Any]) -> tuple[AIMessage | None, MaclaRun | None]:
        """As :meth:`_plan`; keeps the agent's instructions of the run's first request."""
        message, known = self._plan(request)
        state = cast(MaclaState, request.state)
        before: MaclaRun = state.get("macla") or {}
        said = before.get("instructions") or instructions_of(request)
        if said and (known is not None or "instructions" not in before):
            return message, {**(known if known is not None else before), "instructions": said}
        return message, known

    def _plan(self, request: ModelRequest[Any]) -> tuple[AIMessage | None, MaclaRun | None]:
        """Return the message in place of the model's, and what is to be kept of the run."""
        state = cast(MaclaState, request.state)
        known: MaclaRun = state.get("macla") or {}
        name = known.get("run") or run_of(state)
        run = latest_run(request.messages)
        changed = cast(Mapping[str, Any], state).get(_EDITS) or {}
        if not known.get("edited") and any_called(run, changed):
            return None, self._edited(known, name)
        if self.mode != "act":
            return None, None
        if not run or not_only_text(run[0]):
            return None, None
        tools = self._schemas.of(request)
        if len(run) == 1 or not any(isinstance(each, AIMessage) for each in run):
            alone = len(run) == len(request.messages)
            return self._first(run, name, tools, request, alone=alone)
        if known.get("program") and not known.get("outcome"):
            return self._by_program(run, name, tools, request, known)
        document = known.get("procedure")
        if document is None or known.get("outcome"):
            return None, None
        procedure = procedure_from(document)
        if procedure is None:
            return None, None
        said, effects = with_fingerprint(instructions_of(request)), effects_of(request)
        decision = decide(procedure, run, name, tools, said, effects)
        if decision.outcome is not None:
            self._ended(name, procedure, decision, run)
            over: MaclaRun = {
                **known,
                "outcome": decision.outcome.value,
                "unexpected": list(decision.unexpected),
            }
            return None, over
        return decision.message, None

    def _edited(self, known: MaclaRun, name: str) -> MaclaRun:
        """Hand over to the model: a person changed what was to be done."""
        procedure = procedure_from(known.get("procedure"))
        if known.get("program") and not known.get("outcome"):
            charged = Charged(*cast("list[Any]", known["program"]))
            self.memory.record(name, charged, OutcomeKind.ABORTED, "a person changed a call")
        if procedure is not None and not known.get("outcome"):
            because = "a person changed a call"
            self._ended(name, procedure, Decision(None, OutcomeKind.ABORTED, because))
        return {**known, "edited": True, "outcome": OutcomeKind.ABORTED.value}

    def _first(
        self,
        run: Sequence[BaseMessage],
        name: str,
        tools: Mapping[str, Mapping[str, Any] | None],
        request: ModelRequest[Any],
        *,
        alone: bool,
    ) -> tuple[AIMessage | None, MaclaRun | None]:
        planned = self._by_program(run, name, tools, request, {"run": name})
        if planned != (None, None):
            return planned
        if remarks_in(request.messages[: len(request.messages) - len(run)]):
            return None, None  # a procedure knows nothing of what was said before
        instructions = with_fingerprint(instructions_of(request))
        chosen = self.memory.tools.trusted(message_text(run[0]).strip(), instructions)
        if chosen is None:
            return None, None
        if not alone and not chosen.execution.fillers:
            # In a conversation, words that name nothing ("do it") get their sense from before.
            return None, None
        procedure = chosen.procedure
        missing = [s.tool for s in procedure.steps if s.tool is not None and s.tool not in tools]
        if missing:
            because = f"there is no tool {missing[0]!r} here"
            decision = Decision(None, OutcomeKind.PRECONDITION_REFUSED, because)
        else:
            effects = effects_of(request)
            decision = decide(procedure, run, name, tools, instructions, effects)
        if decision.outcome is not None:
            self._ended(name, procedure, decision, run)
            return None, {"run": name, "procedure": None, "outcome": decision.outcome.value}
        return decision.message, {
            "run": name,
            "procedure": procedure.to_document(),
            "outcome": None,
        }

    def _by_program(
        self,
        run: Sequence[BaseMessage],
        name: str,
        tools: Mapping[str, Mapping[str, Any] | None],
        request: ModelRequest[Any],
        known: MaclaRun,
    ) -> tuple[AIMessage | None, MaclaRun | None]:
        """Return what a program says, and what is to be kept; twice None where there is none.

        Where a program reads the task but does not act, the model does, and no procedure.
        """
        instructions = instructions_of(request)
        task = message_text(run[0]).strip()
        over: MaclaRun = {**known, "procedure": None, "outcome": OutcomeKind.ABORTED.value}
        try:
            found = self.memory.program_for(task, with_fingerprint(instructions))
        except LookupError:
            return None, over
        if found is None or not fits(found[0], tools):
            return (None, over) if known.get("program") else (None, None)
        program, charged = found
        if known.get("program"):
            charged = Charged(*cast("list[Any]", known["program"]))
        before = request.messages[: len(request.messages) - len(run)]
        decision = decide_by(
            program, charged, before, run, name, tools, instructions, effects_of(request)
        )
        acts: MaclaRun = {
            **known,
            "procedure": None,
            "outcome": None,
            "program": [charged.id, charged.version],
        }
        if decision.outcome is not None:
            self.memory.record(name, charged, decision.outcome, decision.because, heard_in(run))
            ended = decision.outcome.value
            return None, {**acts, "outcome": ended, "unexpected": list(decision.unexpected)}
        return decision.message, acts

    def _ended(
        self, name: str, procedure: Procedure, decision: Decision, run: Sequence[BaseMessage] = ()
    ) -> None:
        assert decision.outcome is not None  # noqa: S101 (the caller asks first)
        self.memory.record(name, procedure, decision.outcome, decision.because, heard_in(run))

    def _guided(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Show the model the nearest procedures, as data."""
        if self.mode == "shadow" or self._shown < 1:
            return request
        run = latest_run(request.messages)
        if not run:
            return request
        task = message_text(run[0]).strip()
        tools = self._schemas.of(request)
        text = guidance(
            self.memory.near(task, self._shown),
            task,
            lambda tool, args: self.memory.renamed(args, tools.get(tool)),
        )
        if text is None:
            return request
        return request.override(system_message=with_text(request.system_message, text))

    # ------------------------------------------------------------------------- the end
    def _conclude(self, state: MaclaState, name: str) -> None:
        run = latest_run(state["messages"])
        if not run:
            return
        known: MaclaRun = state.get("macla") or {}
        name = known.get("run") or name
        try:
            cut_off = foreign(run, known.get("answers"))
            verdict = None if cut_off else verdict_of(self._success, run)
            procedure = procedure_from(known["procedure"]) if known.get("procedure") else None
            if procedure is not None and not known.get("outcome"):
                outcome = outcome_of(procedure, run, name, verdict)
                self.memory.record(name, procedure, outcome, "")
            acts = bool(known.get("program")) and any(map(ours, run[1:]))
            if acts and not known.get("outcome"):
                charged = Charged(*cast("list[Any]", known["program"]))
                self.memory.record(name, charged, outcome_by(run, verdict), "")
            if self.mode == "shadow":
                self._shadowed(run, name)
            by_model = any(isinstance(m, AIMessage) and not ours(m) for m in run)
            if not self._learn or not by_model or known.get("edited"):
                return
            before = state["messages"][: len(state["messages"]) - len(run)]
            episode = episode_of(
                run,
                success=lambda _: verdict,
                name=name,
                source="agent",
                unexpected=known.get("unexpected") or (),
                instructions=known.get("instructions", ""),
                before=before,
            )
            if procedure is not None and episode is not None and given_up(procedure, run, episode):
                return
            if episode is not None and not leans_on(before, episode):
                acted = acts or (procedure is not None and not known.get("outcome"))
                self.memory.learn([episode], evidence=not acted)
        except (MaclaError, OSError) as error:
            # The user's answer stands, whatever becomes of what was to be learned from it.
            _LOG.warning("nothing was learned from this run: %s", error)

    def _shadowed(self, run: Sequence[BaseMessage], name: str) -> None:
        chosen = self.memory.tools.trusted(message_text(run[0]).strip())
        if chosen is None:
            return
        agreed, would = would_have_done(chosen.procedure, run)
        because = {"mode": "shadow", "agreed": agreed, "would": would}
        self.memory.record(name, chosen.procedure, OutcomeKind.FALLBACK, because, heard_in(run))
