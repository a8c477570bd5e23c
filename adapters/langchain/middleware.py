"""Procedural memory as middleware of ``langchain.agents.create_agent``."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast

from ...procedures.common.errors import MaclaError, MissingExtraError

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
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import NotRequired, TypedDict

from ...procedures.evidence.ledger import OutcomeKind
from ...procedures.proposals.policy import Policy
from ...procedures.redaction.redactor import Redactor
from ...procedures.tooling.call_trust import Trust, checked_trust
from ...procedures.tooling.program_run import ToolProgram
from ..session import LibrarySession
from .deciding import CALLED, Decision
from .guidance import guidance
from .instructed import under
from .memory_messages import aspoken, counted, spoken, through_the_agent
from .messages import (
    Success,
    episode_of,
    finished_well,
    heard_in,
    latest_run,
    leans_on,
    message_text,
    tasks_in,
)
from .program_answers import decide_by, fits, outcome_by, program_from, would_have_done
from .requests import (
    ToolSchemas,
    any_called,
    begun,
    effects_of,
    foreign,
    instructions_of,
    not_only_text,
    ours,
    run_of,
    verdict_of,
)
from .store import AgentMemory
from .verdicts import calls_beside, denies, is_drawn, spoken_by, stands_for

Mode = Literal["shadow", "guide", "act"]
_LOG = logging.getLogger(__name__)
_MOST_SHOWN = 3
"""Programs that a model is shown at most by default."""
_GUIDANCE_AUTHOR = "procedural_memory"
"""Name of who says what stands in the message with programs."""
_Result: TypeAlias = "ToolMessage | Command[Any]"
_DID_OTHERWISE = "the model did otherwise when it was audited"
_EDITS = "hitl_edited_tool_calls"
"""Where HumanInTheLoopMiddleware keeps the calls that a person replaced."""


class MaclaRun(TypedDict, total=False):
    """What the middleware keeps of the present run; private to it.

    ``program`` is the document of the program that acts, ``outcome`` how it ended, ``unexpected``
    the ids of calls that did not answer as they should, ``edited`` whether a person replaced a
    call, so that the messages do not say what was done, ``instructions`` the agent's system prompt
    when the run began, ``tools`` marks of its tools then, ``answers`` how many answers came from
    model or memory, ``audited`` where in the run an audit waits for what the model's calls tell.
    """

    run: str
    instructions: str
    tools: dict[str, str]
    program: dict[str, Any] | None
    outcome: str | None
    unexpected: list[str]
    edited: bool
    answers: int
    audited: int | None


class MaclaState(AgentState[Any]):
    """The agent's state with the middleware's private part."""

    macla: NotRequired[Annotated[MaclaRun, PrivateStateAttr]]


class MaclaMiddleware(AgentMiddleware[MaclaState, Any, Any]):
    """Answers model calls from procedural memory where the evidence is good, and learns.

    Before a model call the library's programs are read against the task. Where one reads it, the
    evidence does not speak against it and all that is known lies within what was demonstrated, its
    next tool call, or the final answer, takes the place of the model's message. Otherwise the model
    is called, and is shown the nearest programs as data. Results are held to the form in which
    tools answered in demonstrations; what does not fit goes back to the model and counts against
    the program. At the end of a run, the conversation is learned from.

    Example::

        agent = create_agent(model, tools, middleware=[MaclaMiddleware("library")])

    Args:
        library: A library's folder, made if there is none, or an open session.
        mode: ``act``; ``guide`` only shows programs to the model; ``shadow`` changes nothing
            and records what it would have done.
        learn: Whether finished runs are learned from.
        success: Tells from the messages of a run whether it succeeded, or None not to learn from
            it. By default: it ended with an answer, and no tool's last call failed.
        redact: Keeps secrets out of what is learned; None switches that off.
        shown: How many programs the model is shown at most; 0 shows it none.
        trust: What lets memory call a tool that may change something: ``acceptance`` by a person
            (:meth:`accept`, ``macla accept``, or the review of a proposal), or ``demonstrations``,
            if each argument is a constant, said in the task, or a value of a record that it names.
        read_only: Names of tools that only read, beside those whose metadata say so. All others
            may change something.
        audit: Share of memory's answers for which the model is asked all the same, where something
            is changed or said, not where it is looked up; half of it after ten that agreed. A
            disagreement stops the program. 0 for none.
        denied: Tells from what the user says next whether memory's answer was denied: that stops
            the program. By default a simple rule for English; None for none.
        policy: How what acts gets into the library: ``auto`` at once, ``review`` as a proposal,
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
        shown: int = _MOST_SHOWN,
        policy: Policy | None = None,
        trust: Trust = "acceptance",
        read_only: Collection[str] = (),
        audit: float = 0.02,
        denied: Callable[[str], bool] | None = denies,
    ) -> None:
        super().__init__()
        if mode not in ("shadow", "guide", "act"):
            raise MaclaError(f"unknown mode {mode!r}; choose shadow, guide or act")
        self.mode: Mode = mode
        self.memory = AgentMemory.open(library, redact=redact, policy=policy, partly=True)
        self._learn = learn
        self._success = success
        self._shown = shown
        self._trust = checked_trust(trust)
        self._read_only = frozenset(read_only)
        self._audit = audit
        self._denied = denied
        self._schemas = ToolSchemas()

    # -------------------------------------------------------------------- agent's hooks
    def before_agent(self, state: MaclaState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Begin a run: take in what others have learned meanwhile."""
        self._begin(state)
        return {"macla": begun(state)}

    def _begin(self, state: MaclaState) -> None:
        self.memory.refresh()
        try:
            self._suspected(state)
        except MaclaError as error:
            _LOG.warning("what the user says of the turn before is not looked at: %s", error)

    async def abefore_agent(
        self, state: MaclaState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """See :meth:`before_agent`."""
        run = begun(state)
        await asyncio.to_thread(self._begin, state)
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
        if self._is_audited(request, message, known):
            response = handler(request)
            return counted(response, request, self._audited(request, message, response, known))
        if request.response_format is not None:
            return counted(handler(through_the_agent(request, message)), request, known)
        return counted(ModelResponse(result=[spoken(request, message)]), request, known)

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
        if self._is_audited(request, message, known):
            response = await handler(request)
            known = await asyncio.to_thread(self._audited, request, message, response, known)
            return counted(response, request, known)
        if request.response_format is not None:
            return counted(await handler(through_the_agent(request, message)), request, known)
        answer = await aspoken(request, message)
        return counted(ModelResponse(result=[answer]), request, known)

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
        program = _program_of(known)
        if program is not None:
            because = f"{call['name']} raised {type(error).__name__}"
            run = known.get("run") or run_of(state)
            self.memory.record(run, program.file, OutcomeKind.EXECUTION_FAILED, because)

    def after_agent(self, state: MaclaState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """End a run: record how it went and learn from it."""
        self._conclude(state, run_of(state))
        return None

    async def aafter_agent(self, state: MaclaState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """See :meth:`after_agent`."""
        await asyncio.to_thread(self._conclude, state, run_of(state))
        return None

    def accept(self, *names: str) -> list[str]:
        """Let programs call tools that change something; see :meth:`AgentMemory.accept`."""
        return self.memory.accept(*names)

    def feedback(self, run: str | Mapping[str, Any], *, ok: bool, note: str = "") -> list[str]:
        """Take a verdict on a run; a program that did wrong is stopped until a person clears it.

        :meth:`accept` with its id, or ``macla accept``, clears it; ``ok=True`` for the same run,
        too. Of what the model did wrong nothing is learned any more.

        Args:
            run: What ``invoke`` returned, or the run's name: ``response_metadata["macla"]["run"]``
                of each message of memory.
            ok: Whether it did right.
            note: Why, for people.

        Returns:
            ``id@version`` of the programs that the verdict is about: that spoke in the run, or that
            were learned from it.

        Raises:
            MaclaError: It is neither, or nothing is known of a run of this name.
        """
        if isinstance(run, str):
            return self.memory.judge(run, None, ok=ok, note=note)
        given = run.get("messages") if isinstance(run, Mapping) else None
        messages = latest_run(given) if isinstance(given, Sequence) else ()
        if not messages:
            raise MaclaError(
                f"no run: {type(run).__name__} without a message of the user; give what invoke "
                "returned, or the run's name (response_metadata['macla']['run'] of a message of "
                "memory)"
            )
        spoken = spoken_by(messages)
        if spoken is not None:
            return self.memory.judge(spoken["run"], spoken["program"], ok=ok, note=note)
        episode = episode_of(messages, success=lambda _: ok)
        return self.memory.judge("", None, ok=ok, note=note, shown=episode) if episode else []

    def refinements_due(self) -> list[str]:
        """Return ``id@version`` of programs that failed so often that more should be shown."""
        self.memory.refresh()
        return self.memory.programs.refinements_due()

    # ------------------------------------------------------------------------ auditing
    def _is_audited(
        self, request: ModelRequest[Any], message: AIMessage, known: MaclaRun | None
    ) -> bool:
        program = _program_of(known or {})
        if program is None or self._audit <= 0:
            return False
        run, recall = latest_run(request.messages), self.memory.programs
        seed = program.file.ref, message_text(run[0]), len(run), recall.revision
        share = self._audit * stands_for(message, run, effects_of(request, self._read_only))
        return is_drawn(share, recall.borne_out(program.file), *seed)

    def _audited(
        self,
        request: ModelRequest[Any],
        message: AIMessage,
        response: ModelResponse[Any],
        known: MaclaRun | None,
    ) -> MaclaRun | None:
        """Compare what the model says with what memory would have said; the model's counts."""
        program = _program_of(known or {})
        if program is None or known is None:
            return known
        run = latest_run(request.messages)
        name = known.get("run") or ""
        beside = calls_beside(message, response.result)
        if beside is None:
            self.memory.stop(program.file, name, _DID_OTHERWISE)
            return {**known, "outcome": OutcomeKind.ABORTED.value}
        if beside > 0:
            return {**known, "audited": len(run)}
        self._borne_out(program, name, len(run))
        return known

    def _audited_beside(
        self,
        program: ToolProgram,
        name: str,
        at: int,
        decision: Decision,
        changing: Collection[str],
    ) -> None:
        """End an audit of calls that the model made together, when they have answered."""
        if any(tool in changing for tool in decision.other):
            self.memory.stop(program.file, name, _DID_OTHERWISE)
        elif decision.outcome is None:
            self._borne_out(program, name, at)

    def _borne_out(self, program: ToolProgram, name: str, at: int) -> None:
        context = {"audit": "the model did the same"}
        self.memory.record(name, program.file, OutcomeKind.SUCCESS, context, step=at)

    def _suspected(self, state: MaclaState) -> None:
        """Stop what spoke in the turn before, or unlearn it, if the user denies it now."""
        run = latest_run(state["messages"])
        before = state["messages"][: len(state["messages"]) - len(run)]
        if self._denied is None or not before or not run:
            return
        said, last = message_text(run[0]).strip(), latest_run(before)
        if not last or self.memory.reads(said) or not self._denied(said):
            return
        told, shown = spoken_by(last), episode_of(last, success=lambda _: False)
        name = told["run"] if told is not None else run_of({"messages": before})
        because, ref = "the user's next message denies it", told["program"] if told else None
        self.memory.suspect(name, ref, shown, because, said[:200])

    # ------------------------------------------------------------------------ deciding
    def _planned(self, request: ModelRequest[Any]) -> tuple[AIMessage | None, MaclaRun | None]:
        """As :meth:`_plan`; keeps under what the agent works, of the run's first request."""
        message, known = self._plan(request)
        state = cast(MaclaState, request.state)
        before: MaclaRun = state.get("macla") or {}
        if "instructions" not in before:
            said, tools = instructions_of(request), self._schemas.marks(request)
            known = {**(before if known is None else known), "instructions": said, "tools": tools}
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
            return self._by_program(run, name, tools, request, {"run": name})
        if _program_of(known) is None or known.get("outcome"):
            return None, None
        return self._by_program(run, name, tools, request, known)

    def _edited(self, known: MaclaRun, name: str) -> MaclaRun:
        """Hand over to the model: a person changed what was to be done."""
        program = _program_of(known)
        if program is not None and not known.get("outcome"):
            because = "a person changed a call"
            self.memory.record(name, program.file, OutcomeKind.ABORTED, because)
        return {**known, "edited": True, "outcome": OutcomeKind.ABORTED.value}

    def _by_program(
        self,
        run: Sequence[BaseMessage],
        name: str,
        tools: Mapping[str, Mapping[str, Any] | None],
        request: ModelRequest[Any],
        known: MaclaRun,
    ) -> tuple[AIMessage | None, MaclaRun | None]:
        """Return a program's message, and what is kept of the run; None, None without a program."""
        program = _program_of(known)
        if program is None:
            try:
                program = self.memory.program_for(message_text(run[0]).strip())
            except LookupError:
                return None, {**known, "program": None, "outcome": OutcomeKind.ABORTED.value}
        if program is None or not fits(program, tools):
            return None, None
        if program.file.id in self.memory.programs.stopped:
            return None, {**known, "program": None, "outcome": OutcomeKind.ABORTED.value}
        before = request.messages[: len(request.messages) - len(run)]
        if not all(map(self.memory.reads, tasks_in(before))):
            return None, None  # an earlier task that was never learned may be meant to restrict
        now = under(instructions_of(request), self._schemas.marks(request))
        effects = effects_of(request, self._read_only)
        decision = decide_by(program, before, run, name, tools, now, effects, self._trust)
        if (audited := known.get("audited")) is not None:
            changing = [tool for tool in tools if effects.get(tool, True)]
            self._audited_beside(program, name, audited, decision, changing)
        acts: MaclaRun = {
            **known,
            "program": program.file.to_document(),
            "outcome": None,
            "audited": None,
        }
        if decision.outcome is not None:
            because, heard = decision.because, heard_in(run)
            self.memory.record(name, program.file, decision.outcome, because, heard)
            ended = decision.outcome.value
            return None, {**acts, "outcome": ended, "unexpected": list(decision.unexpected)}
        return decision.message, acts

    def _guided(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Show the model the nearest programs: as data, in a message of their own."""
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
        # Data, so no part of the agent's instructions; before the user's message, which stays last.
        before = request.messages[: len(request.messages) - len(run)]
        messages = [*before, HumanMessage(text, name=_GUIDANCE_AUTHOR), *run]
        return request.override(messages=cast("list[AnyMessage]", messages))

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
            program = _program_of(known)
            if program is not None and any(map(ours, run[1:])) and not known.get("outcome"):
                self.memory.record(name, program.file, outcome_by(run, verdict), "", own=True)
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
                instructions=known.get("instructions"),
                tools=known.get("tools"),
                before=before,
            )
            if episode is not None and not leans_on(before, episode):
                self.memory.learn([episode])
        except (MaclaError, OSError) as error:
            # The user's answer stands, whatever becomes of what was to be learned from it.
            _LOG.warning("nothing was learned from this run: %s", error)

    def _shadowed(self, run: Sequence[BaseMessage], name: str) -> None:
        try:
            program = self.memory.program_for(message_text(run[0]).strip())
        except LookupError:
            return
        if program is None:
            return
        agreed, would = would_have_done(program, run)
        because = {"mode": "shadow", "agreed": agreed, "would": would}
        self.memory.record(name, program.file, OutcomeKind.FALLBACK, because, heard_in(run))


def _program_of(known: MaclaRun) -> ToolProgram | None:
    """Return the program that acts in a run; None where there is none."""
    document = known.get("program")
    return program_from(json.dumps(document, sort_keys=True)) if document else None
