"""What memory would do at each step of a recorded run of tools; see :mod:`macla.procedures.proof`.

A step is what a model said once: calls that were issued together, or the answer. It is predicted
by what decides in the middleware, on the messages of the run so far; no agent runs and no model is
asked. Of which tools there are and what they change nothing is recorded: all that demonstrations
call are there, and each may change something.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ...procedures.model import Procedure
from ...procedures.proof.predictions import Prediction, Shown, Step
from ...procedures.tooling.abstraction import worth_learning
from ...procedures.tooling.episodes import ToolCall, ToolEpisode
from ...procedures.tooling.execution import batches
from ...procedures.tooling.memory import ToolMemory
from .deciding import calls_done, decide

__all__ = ["ToolPredictor", "steps_of"]

_RUN = "run-proof"
_ENDED = "(nothing more)"


class ToolPredictor:
    """Predicts runs of tools from a library's memory.

    Args:
        memory: What the library recalls.
        tools: Names of the tools that there are.
    """

    def __init__(self, memory: ToolMemory, tools: Sequence[str]) -> None:
        self._memory = memory
        self._tools: Mapping[str, None] = dict.fromkeys(tools)

    def begin(self, episode: ToolEpisode) -> Sequence[Shown]:
        """Start a run; calls that failed are left out where others did what was asked."""
        cleaned = worth_learning(episode)
        self._teaches = cleaned is not None
        self._turns = _turns(cleaned or episode)
        self._context = "\n".join(episode.context)
        self._messages: list[BaseMessage] = [HumanMessage(episode.task)]
        self._procedure: Procedure | None = None
        self._outcome = ""
        self._task = episode.task.strip()
        return steps_of(cleaned or episode)

    def predict(self, shown: Shown) -> Prediction:
        """Say what memory would do."""
        self._wanted: list[str] = []
        if len(self._messages) == 1:
            self._outcome = self._chosen()
        procedure = self._procedure
        if procedure is None or self._outcome:
            return self._asks(self._outcome)
        run, by = self._messages, (procedure.id,)
        decision = decide(procedure, run, _RUN, self._tools, self._context)
        if decision.outcome is not None:
            self._outcome = decision.because
            return self._asks(decision.because, by)
        if decision.message is None:
            over = calls_done(procedure, run, _RUN) == len(batches(procedure))
            answering = not shown.action.startswith("[")
            rightly = over and answering
            return Prediction(None, because=decision.because, by=by, abstains=rightly)
        made = _said(decision.message)
        self._wanted = [_key(c["name"], c["args"]) for c in decision.message.tool_calls]
        if shown.text == _ENDED and not decision.message.tool_calls:
            return Prediction(shown.action, by=by)
        return Prediction(made.action, made.text, made.shape, because="it comes next", by=by)

    def observe(self, step: Step) -> None:
        """Go on with what was called and what came back."""
        calls = self._turns.pop(0) if self._turns else []
        if not calls:
            return
        number = len(self._messages)
        ids = [f"shown-{number}-{index}" for index in range(len(calls))]
        made = [
            {"name": calls[index].tool, "args": calls[index].arguments, "id": ids[index]}
            for index in self._order(calls)
        ]
        self._messages.append(AIMessage("", tool_calls=made))
        self._messages += [
            ToolMessage(call.result, tool_call_id=name, status="success" if call.ok else "error")
            for name, call in zip(ids, calls, strict=True)
        ]

    def _order(self, calls: Sequence[ToolCall]) -> Sequence[int]:
        """Return the order in which memory would make calls that were made together."""
        there = [_key(call.tool, call.arguments) for call in calls]
        if sorted(self._wanted) != sorted(there):
            return range(len(calls))
        return [_taken(there, key) for key in self._wanted]

    def _chosen(self) -> str:
        """Choose a procedure for the task; return why there is none, or ""."""
        recalled = self._memory.trusted(self._task, self._context)
        if recalled is not None:
            self._procedure = recalled.procedure
            return ""
        reading = self._memory.recall(self._task, self._context)
        if not reading:
            return "no procedure reads the task"
        best = reading[0]
        if best.procedure.status == "draft":
            return f"{best.procedure.id} is a draft"
        if best.ambiguous:
            return "several procedures read the task"
        return f"the evidence for {best.procedure.id} is not good enough"

    def _asks(self, because: str, by: tuple[str, ...] = ()) -> Prediction:
        """Hand over to the model: rightly so where nothing was demonstrated."""
        return Prediction(None, because=because, by=by, abstains=not self._teaches)


def steps_of(episode: ToolEpisode) -> Sequence[Shown]:
    """Return what a run shows: calls made together, in order, and the answer or the end."""
    steps = [_calls(turn) for turn in _turns(episode)]
    if episode.answer is None:
        return [*steps, Shown("", _ENDED, "end")]
    return [*steps, _answer(episode.answer)]


def _turns(episode: ToolEpisode) -> list[list[ToolCall]]:
    turns: dict[int, list[ToolCall]] = {}
    for call in episode.calls:
        turns.setdefault(call.turn, []).append(call)
    return [turns[turn] for turn in sorted(turns)]


def _said(message: AIMessage) -> Shown:
    calls = [ToolCall(call["name"], call["args"]) for call in message.tool_calls]
    return _calls(calls) if calls else _answer(str(message.content))


def _calls(calls: Sequence[ToolCall]) -> Shown:
    told = ", ".join(f"{call.tool} {_json(call.arguments)}" for call in calls)
    keys = sorted(_key(call.tool, call.arguments) for call in calls)
    return Shown(f"[{', '.join(keys)}]", told, " + ".join(sorted(call.tool for call in calls)))


def _answer(text: str) -> Shown:
    return Shown("answer: " + " ".join(text.split()), f"answer {text!r}", "answer")


def _key(tool: str, args: Mapping[str, Any]) -> str:
    return json.dumps([tool, args], sort_keys=True, ensure_ascii=False, default=str)


def _json(args: Mapping[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False, default=str)


def _taken(there: list[str], key: str) -> int:
    """Return where a key stands, which then stands there no more."""
    index = there.index(key)
    there[index] = ""
    return index
