"""execute: one primitive action a superstep, so that every action is a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.common.text import sentences
from ...procedures.conditions.text_patterns import Pattern, instantiate, normalise
from ...procedures.model.procedure import Step
from ...procedures.planning.episode_memory import EpisodeMemory
from .. import experiments
from ..acting import act, spelled
from ..context import MaclaContext
from ..following import follow
from ..knowledge import Knowledge
from ..state import Counters, Frame, MaclaState, counters_of

__all__ = ["execute"]


def execute(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Do the attempt's next step whose guard asks for it; leave when none is left."""
    running = state.get("program")
    if running is not None and not running["ended"] and state.get("plan") is None:
        update = follow(state, runtime.context)
        event = {"node": "execute", "step": len(state.get("history") or []), **update.pop("event")}
        runtime.stream_writer(event)
        return {**update, "counters": _counted(state)} if "history" in update else update
    frame = state["frame"]
    if frame is None:
        return {"route": "retrieve"}
    if frame.get("route"):
        return _travel(state, frame, runtime)
    context = runtime.context
    skipped: list[dict[str, Any]] = []
    while True:
        frame = _at_due_step(frame, context.knowledge, context.memory(state), skipped)
        if frame["step"] >= len(frame["steps"]):
            return _leave(state, frame, runtime, skipped)
        step, final = _step_at(frame, context.knowledge)
        wanted = (frame.get("action") if final else None) or instantiate(
            step.do or "", frame["binding"]
        )
        action = spelled(wanted, state.get("admissible"))
        if action is not None:
            own = instantiate(step.do or "", frame["binding"]) == wanted
            return _act(state, frame, runtime, action, skipped, own=own)
        due = final and frame["purpose"] == "run"
        trial = experiments.begin(state, context, frame, wanted or "") if due else None
        if trial is not None:
            return {"frame": frame, "experiment": trial, "route": "experiment"}
        # Known to be impossible: it costs nothing to leave it, but it did not work.
        skipped.append({"do": wanted or step.do, "because": "not possible now"})
        final_worked = False if final else frame["final_worked"]
        frame = _advanced(frame, frame["step"] + 1, 0, failed=True, final_worked=final_worked)


def _step_at(frame: Frame, knowledge: Knowledge) -> tuple[Step, bool]:
    """Return the step at which an attempt is, and whether it is the procedure's last."""
    procedure = knowledge.procedure(frame["ref"])
    index = frame["steps"][frame["step"]]
    return procedure.steps[index], index == len(procedure.steps) - 1


def _at_due_step(
    frame: Frame, knowledge: Knowledge, memory: EpisodeMemory, skipped: list[dict[str, Any]]
) -> Frame:
    """Return the frame at the next step that is to be done, or behind the last one.

    Args:
        frame: The attempt.
        knowledge: Holds its procedure.
        memory: What guards look at.
        skipped: What is left out is added, with reasons.
    """
    at, repeated = frame["step"], frame.get("repeated", 0)
    failed, final_worked = frame["step_failed"], frame["final_worked"]
    while at < len(frame["steps"]):
        here = _advanced(frame, at, repeated, failed=failed, final_worked=final_worked)
        step, _ = _step_at(here, knowledge)
        if step.until is not None and repeated:
            if step.until.evaluate(memory, frame["binding"], step=step.do).value:
                at, repeated = at + 1, 0
                continue
            if repeated >= (step.at_most or 1):
                # What the next steps wait for did not come; doing them anyway may spoil it.
                skipped.append({"do": step.do, "because": f"done {step.at_most} times in vain"})
                return _advanced(frame, len(frame["steps"]), 0, failed=True, final_worked=False)
        reason = None if repeated else _reason_to_skip(step, memory, frame["binding"])
        if reason is None:
            return here
        skipped.append({"do": step.do, "because": reason})
        at += 1
    return _advanced(frame, at, 0, failed=failed, final_worked=final_worked)


def _act(
    state: MaclaState,
    frame: Frame,
    runtime: Runtime[MaclaContext],
    action: str,
    skipped: list[dict[str, Any]],
    *,
    own: bool,
) -> dict[str, Any]:
    """Do the step at which the attempt is.

    Args:
        state: Before it.
        frame: The attempt.
        runtime: Holds the context.
        action: The step as the world spells it.
        skipped: What was left out before it.
        own: Whether the action is the step's own, so that it can be judged by what is expected.
    """
    context = runtime.context
    step, final = _step_at(frame, context.knowledge)
    at, repeated = frame["step"], frame.get("repeated", 0)
    failed, final_worked = frame["step_failed"], frame["final_worked"]
    update = act(state, context, action, partial(_worked, step, frame["binding"]) if own else None)
    worked = bool(update["history"][0][2])
    again = step.until is not None
    due = final and frame["purpose"] == "run" and not again
    noted = experiments.after_step(state, update, context, frame, action) if due else {}
    held = noted.get("experiment") is not None  # after what is tried, the step is done again
    frame = _advanced(
        noted.pop("frame", frame),
        at if again or held else at + 1,
        repeated + 1 if again else 0,
        failed=failed or not worked,
        final_worked=worked if final else final_worked,
    )
    _tell(state, runtime, frame, skipped, action, update["observation"], worked=worked)
    left = at + 1 < len(frame["steps"])
    more = again or left or bool(context.settings.experiments and frame["look"])
    more = more and not update["done"] and not _at_horizon(state, 1)
    onward = {"frame": frame, "route": "execute" if more else "check_post"}
    return {**update, **onward, "counters": _counted(state), **noted}


def _leave(
    state: MaclaState, frame: Frame, runtime: Runtime[MaclaContext], skipped: list[dict[str, Any]]
) -> dict[str, Any]:
    """End an attempt of which no step is left."""
    _tell(state, runtime, frame, skipped)
    if frame["look"] is not None and not _at_horizon(state, 0):
        looked = experiments.after_look(state, runtime.context, frame)
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
    _tell(state, runtime, frame, [], action, update["observation"], worked=worked)
    more = bool(left or frame["steps"]) and not update["done"] and not _at_horizon(state, 1)
    return {
        **update,
        "frame": {**frame, "route": left},
        "counters": _counted(state),
        "route": "execute" if more else "check_post",
    }


def _tell(
    state: MaclaState,
    runtime: Runtime[MaclaContext],
    frame: Frame,
    skipped: list[dict[str, Any]],
    action: str = "",
    observation: str = "",
    *,
    worked: bool = False,
) -> None:
    """Stream what was done, or, without an action, what was left out."""
    event = {
        "node": "execute",
        "step": len(state.get("history") or []),
        "ref": frame["ref"],
        "skipped": skipped,
    }
    done = {"action": action, "observation": observation, "worked": worked} if action else {}
    runtime.stream_writer({**event, **done})


def _counted(state: MaclaState) -> Counters:
    """Return the counters with one more action of a procedure."""
    counters = counters_of(state)
    counters["procedure_actions"] = counters.get("procedure_actions", 0) + 1
    return counters


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
