"""Predictions of each step of a recorded run of tools; see :mod:`macla.procedures.proof`.

A step is what a model said once: calls that were issued together, or the answer. It is predicted
by what decides in the middleware, on the run so far; no agent runs and no model is asked. Of what
tools change nothing is recorded: a call after which no demonstration went on may change something.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...procedures.common.text import fold_space
from ...procedures.episodes.history import History
from ...procedures.proof.predictions import PredictedStep, Prediction, Shown
from ...procedures.tooling.program_run import Answer, Call, HandOver, ToolProgram
from ...procedures.tooling.recall import ProgramRecall
from ...procedures.tooling.tool_episodes import ToolCall, ToolEpisode, worth_learning

_NOTHING_MORE = "(nothing more)"


class ToolPredictor:
    """Predicts runs of tools from a library's programs.

    Args:
        programs: What the library recalls.
    """

    def __init__(self, programs: ProgramRecall) -> None:
        self._programs = programs

    def begin(self, episode: ToolEpisode) -> Sequence[Shown]:
        """Start a run; calls that failed are left out where others did what was asked."""
        cleaned = worth_learning(episode)
        self._teaches = cleaned is not None
        run = cleaned or episode
        self._turns = _turns(run)
        self._task = run.task.strip()
        self._under = run.under
        self._why = ""
        self._history: History | None = None
        self._program: ToolProgram | None = None
        try:
            self._program = self._programs.program_for(self._task)
        except LookupError as error:
            self._why = str(error)
        if self._program is None:
            self._why = self._why or self._missing(run)
        else:
            self._history = self._program.reading.begin(self._task, run.earlier, run.under.days)
        return steps_of(run)

    def predict(self, shown: Shown) -> Prediction:
        """Say what memory would do."""
        if self._program is None or self._history is None or self._why:
            return Prediction(None, because=self._why, abstains=not self._teaches)
        by = (self._program.file.id,)
        if self._turns and all(each.tool in self._program.idle for each in self._turns[0]):
            return Prediction(None, because="the call is idle", by=by, abstains=True)
        planned = self._program.next(self._history, {}, self._under)
        if isinstance(planned, HandOver):
            # What is said at the end is the model's to judge.
            rightly = not self._turns or not self._teaches
            return Prediction(None, because=planned.because, by=by, abstains=rightly)
        if isinstance(planned, Answer):
            predicted = _answer(planned.text)
            if shown.text == _NOTHING_MORE:
                return Prediction(shown.action, by=by)
        else:
            predicted = _calls(self._together(planned))
        return Prediction(
            predicted.action, predicted.text, predicted.shape, because="it comes next", by=by
        )

    def _together(self, first: Call) -> list[ToolCall]:
        """Return the calls that come next, as many as were issued together, if they are these."""
        assert self._program is not None  # noqa: S101 (predict asks first)
        assert self._history is not None  # noqa: S101
        remaining = list(self._turns[0]) if self._turns else []
        history = self._history.copy()
        calls: list[ToolCall] = []
        planned: object = first
        while isinstance(planned, Call):
            call = ToolCall(planned.tool, planned.args)
            calls.append(call)
            key = _key(call.tool, call.arguments)
            match = next(
                (each for each in remaining if _key(each.tool, each.arguments) == key), None
            )
            if match is None:
                break
            remaining.remove(match)
            self._program.take(history, match)
            planned = self._program.next(history, {}, self._under) if remaining else None
        return calls

    def observe(self, step: PredictedStep) -> None:
        """Go on with what was called and what came back."""
        calls = self._turns.pop(0) if self._turns else []
        if self._program is None or self._history is None or self._why:
            return
        # Memory, which would not make an idle call, would not see its answer.
        remaining = [each for each in calls if each.tool not in self._program.idle]
        while remaining:
            planned = self._program.planned(self._history)
            match = next((each for each in remaining if self._program.makes(planned, each)), None)
            if match is None:
                self._why = "the run went another way"
                return
            remaining.remove(match)
            operator = self._program.take(self._history, match)
            if not self._program.as_shown(operator, match.result):
                self._why = f"{match.tool} answered in another form than in demonstrations"
                return

    def _missing(self, run: ToolEpisode) -> str:
        """Say why no program is used: none reads the task, or where the draft that does departs."""
        draft = next(iter(self._programs.reading(self._task)), None)
        if draft is None:
            return "no program reads the task"
        divergence = draft.divergence(run)
        if divergence is None:
            return f"{draft.file.id}, which would do the same, is a draft"
        return f"{draft.file.id} is a draft: at call {divergence.number} {divergence.because}"


def steps_of(episode: ToolEpisode) -> Sequence[Shown]:
    """Return what a run shows: calls made together, in order, and the answer or the end."""
    steps = [_calls(turn) for turn in _turns(episode)]
    if episode.answer is None:
        return [*steps, Shown("", _NOTHING_MORE, "end")]
    return [*steps, _answer(episode.answer)]


def _turns(episode: ToolEpisode) -> list[list[ToolCall]]:
    turns: dict[int, list[ToolCall]] = {}
    for call in episode.calls:
        turns.setdefault(call.turn, []).append(call)
    return [turns[turn] for turn in sorted(turns)]


def _calls(calls: Sequence[ToolCall]) -> Shown:
    text = ", ".join(f"{call.tool} {_json(call.arguments)}" for call in calls)
    keys = sorted(_key(call.tool, call.arguments) for call in calls)
    return Shown(f"[{', '.join(keys)}]", text, " + ".join(sorted(call.tool for call in calls)))


def _answer(text: str) -> Shown:
    return Shown("answer: " + fold_space(text), f"answer {text!r}", "answer")


def _key(tool: str, args: Mapping[str, Any]) -> str:
    return json.dumps([tool, args], sort_keys=True, ensure_ascii=False, default=str)


def _json(args: Mapping[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False, default=str)
