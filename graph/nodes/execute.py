"""execute: one primitive action a superstep, so that every action is a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.condition_patterns import Pattern, instantiate, normalise
from ...procedures.episode import EpisodeMemory
from ...procedures.model import Step
from ...procedures.text import sentences
from .. import experiments
from ..acting import act, spelled
from ..context import MaclaContext
from ..state import Frame, MaclaState, counters_of

__all__ = ["execute"]


def execute(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Do the attempt's next step whose guard asks for it; leave when none is left."""
    frame = state["frame"]
    if frame is None:
        return {"route": "retrieve"}
    context = runtime.context
    procedure = context.knowledge.procedure(frame["ref"])
    memory = context.memory(state)
    if frame.get("route"):
        return _travel(state, frame, runtime)
    binding, steps = frame["binding"], frame["steps"]
    final = len(procedure.steps) - 1
    at = frame["step"]
    failed = frame["step_failed"]
    final_worked = frame["final_worked"]
    repeated = frame.get("repeated", 0)
    skipped: list[dict[str, Any]] = []
    while at < len(steps):
        index = steps[at]
        step = procedure.steps[index]
        if step.until is not None and repeated:
            if step.until.evaluate(memory, binding, step=step.do).value:
                at, repeated = at + 1, 0
                continue
            if repeated >= (step.at_most or 1):
                # What the next steps wait for did not come; doing them anyway may spoil it.
                failed, final_worked, at, repeated = True, False, len(steps), 0
                skipped.append({"do": step.do, "because": f"done {step.at_most} times in vain"})
                break
        reason = None if repeated else _reason_to_skip(step, memory, binding)
        if reason is not None:
            skipped.append({"do": step.do, "because": reason})
            at += 1
            continue
        action = frame.get("action") if index == final else None
        action = action or instantiate(step.do or "", binding)
        wanted, action = action, spelled(action, state.get("admissible"))
        if action is None:
            here = _advanced(frame, at, repeated, failed=failed, final_worked=final_worked)
            due = index == final and frame["purpose"] == "run"
            trial = experiments.begin(state, context, here, wanted or "") if due else None
            if trial is not None:
                return {"frame": here, "experiment": trial, "route": "experiment"}
            # Known to be impossible: it costs nothing to leave it, but it did not work.
            failed = True
            final_worked = False if index == final else final_worked
            skipped.append({"do": wanted or step.do, "because": "not possible now"})
            at, repeated = at + 1, 0
            continue
        own = instantiate(step.do or "", binding) == wanted
        judge = partial(_worked, step, binding) if own else None
        update = act(state, context, action, judge)
        worked = bool(update["history"][0][2])
        again = step.until is not None
        here = _advanced(frame, at, repeated, failed=failed, final_worked=final_worked)
        due = index == final and frame["purpose"] == "run" and not again
        noted = experiments.after_step(state, update, context, here, action) if due else {}
        frame = noted.pop("frame", frame)
        frame = _advanced(
            frame,
            at if again else at + 1,
            repeated + 1 if again else 0,
            failed=failed or not worked,
            final_worked=worked if index == final else final_worked,
        )
        counters = counters_of(state)
        counters["procedure_actions"] = counters.get("procedure_actions", 0) + 1
        runtime.stream_writer(
            {
                "node": "execute",
                "step": len(state.get("history") or []),
                "ref": frame["ref"],
                "skipped": skipped,
                "action": action,
                "observation": update["observation"],
                "worked": worked,
            }
        )
        more = again or at + 1 < len(steps) or bool(context.settings.experiments and frame["look"])
        more = more and not update["done"] and not _at_horizon(state, 1)
        onward = {"frame": frame, "route": "execute" if more else "check_post"}
        return {**update, **onward, "counters": counters, **noted}
    frame = _advanced(frame, at, 0, failed=failed, final_worked=final_worked)
    runtime.stream_writer(
        {
            "node": "execute",
            "step": len(state.get("history") or []),
            "ref": frame["ref"],
            "skipped": skipped,
        }
    )
    if frame["look"] is not None and not _at_horizon(state, 0):
        looked = experiments.after_look(state, context, frame)
        return {"frame": frame, "route": "check_post", **looked}
    return {"frame": frame, "route": "check_post"}


def _travel(state: MaclaState, frame: Frame, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Do the next action on the way to where the attempt can be made."""
    context = runtime.context
    action, *left = frame["route"]
    possible_action = spelled(action, state.get("admissible"))
    if possible_action is None:
        # The map is wrong here: note it, so that the next attempt takes another way.
        places = context.memory(state).places
        broken = [*(state.get("broken") or []), [places.here if places else "", action]]
        return {
            "frame": {**frame, "route": [], "steps": []},
            "broken": broken,
            "route": "check_post",
        }
    update = act(state, context, possible_action)
    worked = bool(update["history"][0][2])
    counters = counters_of(state)
    counters["procedure_actions"] = counters.get("procedure_actions", 0) + 1
    runtime.stream_writer(
        {
            "node": "execute",
            "step": len(state.get("history") or []),
            "ref": frame["ref"],
            "skipped": [],
            "action": action,
            "observation": update["observation"],
            "worked": worked,
        }
    )
    more = bool(left or frame["steps"]) and not update["done"] and not _at_horizon(state, 1)
    return {
        **update,
        "frame": {**frame, "route": left},
        "counters": counters,
        "route": "execute" if more else "check_post",
    }


def _at_horizon(state: MaclaState, more: int) -> bool:
    return len(state.get("history") or []) + more >= state["horizon"]


def _advanced(
    frame: Frame, at: int, repeated: int, *, failed: bool, final_worked: bool | None
) -> Frame:
    return {
        **frame,
        "step": at,
        "repeated": repeated,
        "step_failed": failed,
        "final_worked": final_worked,
    }


def _reason_to_skip(step: Step, memory: EpisodeMemory, binding: Mapping[str, str]) -> str | None:
    """Say why a step is left out, or None. The final step is what the procedure is for."""
    if step.unless is not None:
        verdict = step.unless.evaluate(memory, binding, step=step.do)
        if verdict.value:
            return verdict.because
    if step.when is not None:
        verdict = step.when.evaluate(memory, binding, step=step.do)
        if not verdict.value:
            return verdict.because
    return None


def _worked(step: Step, binding: Mapping[str, str], observation: str) -> bool | None:
    """Compare with what the step expects; None where it expects nothing."""
    if not step.expect:
        return None
    matchers = [Pattern.parse(pattern).bind(binding) for pattern in step.expect]
    return any(
        matcher.matches(normalise(sentence))
        for sentence in sentences(observation)
        for matcher in matchers
    )
