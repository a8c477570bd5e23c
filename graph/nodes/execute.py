"""execute: one primitive action a superstep, so that every action is a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from langgraph.runtime import Runtime

from ...procedures.common.text import sentences
from ...procedures.conditions.text_patterns import Pattern, instantiate, normalise
from ...procedures.model.procedure import Step
from ...procedures.planning.episode_memory import EpisodeMemory
from .. import experiments
from ..acting import act, spelled
from ..context import MaclaContext
from ..events import emit
from ..executions import run_ref
from ..following import follow
from ..knowledge import Knowledge
from ..phases import Attempt, Execution
from ..state import Event, MaclaState, Update, steps_of


def execute(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Do the attempt's next step whose guard asks for it; leave when none is left."""
    running, execution, context = state["program"], state["execution"], runtime.context
    if running is not None and not running["ended"] and state["plan"] is None:
        update, event = follow(state, running, context)
        emit(runtime, "execute", state, **event)
        return update
    if execution is None or (attempt := execution["attempt"]) is None:
        return {"route": "retrieve"}
    if attempt["route"]:
        return _travel(state, execution, attempt, runtime)
    skipped: list[Event] = []
    while True:
        attempt = _at_due_step(attempt, context.knowledge, context.memory(state), skipped)
        execution = {**execution, "attempt": attempt}
        if attempt["step"] >= len(attempt["steps"]):
            return _leave(state, execution, attempt, runtime, skipped)
        step, final = _step_at(attempt, context.knowledge)
        own = instantiate(step.do or "", attempt["binding"])
        wanted = (attempt["action"] if final else None) or own
        action = spelled(wanted, state["world"]["admissible"])
        if action is not None:
            return _act(state, execution, attempt, runtime, action, skipped, own=own == wanted)
        due = final and attempt["purpose"] == "run"
        trial = experiments.begin(state, context, execution, wanted or "") if due else None
        if trial is not None:
            return {"execution": execution, "experiment": trial, "route": "experiment"}
        # Known to be impossible: it costs nothing to leave it, but it did not work.
        skipped.append({"do": wanted or step.do, "because": "not possible now"})
        final_worked = False if final else attempt["final_worked"]
        attempt = _advanced(attempt, attempt["step"] + 1, 0, failed=True, final_worked=final_worked)


def _step_at(attempt: Attempt, knowledge: Knowledge) -> tuple[Step, bool]:
    """Return the step at which an attempt is, and whether it is the procedure's last."""
    procedure = knowledge.procedure(attempt["ref"])
    index = attempt["steps"][attempt["step"]]
    return procedure.steps[index], index == len(procedure.steps) - 1


def _at_due_step(
    attempt: Attempt, knowledge: Knowledge, memory: EpisodeMemory, skipped: list[Event]
) -> Attempt:
    """Return the attempt at the next step that is to be done, or behind the last one.

    Args:
        attempt: As it was before.
        knowledge: Holds its procedure.
        memory: What guards look at.
        skipped: What is left out is added, with reasons.
    """
    at, repeated = attempt["step"], attempt["repeated"]
    failed, final_worked = attempt["step_failed"], attempt["final_worked"]
    while at < len(attempt["steps"]):
        here = _advanced(attempt, at, repeated, failed=failed, final_worked=final_worked)
        step, _ = _step_at(here, knowledge)
        if step.until is not None and repeated:
            if step.until.evaluate(memory, attempt["binding"], step=step.do).value:
                at, repeated = at + 1, 0
                continue
            if repeated >= (step.at_most or 1):
                # What the next steps wait for did not come; doing them anyway may spoil it.
                skipped.append({"do": step.do, "because": f"done {step.at_most} times in vain"})
                end = len(attempt["steps"])
                return _advanced(attempt, end, 0, failed=True, final_worked=False)
        reason = None if repeated else _reason_to_skip(step, memory, attempt["binding"])
        if reason is None:
            return here
        skipped.append({"do": step.do, "because": reason})
        at += 1
    return _advanced(attempt, at, 0, failed=failed, final_worked=final_worked)


def _act(
    state: MaclaState,
    execution: Execution,
    attempt: Attempt,
    runtime: Runtime[MaclaContext],
    action: str,
    skipped: list[Event],
    *,
    own: bool,
) -> Update:
    """Do the step at which the attempt is.

    Args:
        state: Before it.
        execution: With the attempt.
        attempt: At the step.
        runtime: Holds the context.
        action: The step as the world spells it.
        skipped: What was left out before it.
        own: Whether the action is the step's own, so that it can be judged by what is expected.
    """
    context = runtime.context
    step, final = _step_at(attempt, context.knowledge)
    at, binding = attempt["step"], attempt["binding"]
    update = act(state, context, action, partial(_worked, step, binding) if own else None)
    worked = bool(update["history"][0][2])
    again = step.until is not None
    due = final and attempt["purpose"] == "run" and not again
    notes = experiments.after_step(state, update, context, execution, action) if due else Update()
    held = notes.get("experiment") is not None  # after what is tried, the step is done again
    execution = notes.get("execution") or execution
    execution = {
        **execution,
        "attempt": _advanced(
            attempt,
            at if again or held else at + 1,
            attempt["repeated"] + 1 if again else 0,
            failed=attempt["step_failed"] or not worked,
            final_worked=worked if final else attempt["final_worked"],
        ),
    }
    _tell(state, runtime, execution, skipped, action, update["observation"], worked=worked)
    left = at + 1 < len(attempt["steps"])
    more = again or left or bool(context.settings.experiments and attempt["look"])
    more = more and not update["done"] and not _at_horizon(state, 1)
    update["route"] = "execute" if more else "check_post"
    return {**update, **notes, "execution": execution}


def _leave(
    state: MaclaState,
    execution: Execution,
    attempt: Attempt,
    runtime: Runtime[MaclaContext],
    skipped: list[Event],
) -> Update:
    """End an attempt of which no step is left."""
    _tell(state, runtime, execution, skipped)
    update: Update = {"execution": execution, "route": "check_post"}
    if attempt["look"] is not None and not _at_horizon(state, 0):
        return {**update, **experiments.after_look(state, runtime.context, execution)}
    return update


def _travel(
    state: MaclaState, execution: Execution, attempt: Attempt, runtime: Runtime[MaclaContext]
) -> Update:
    """Do the next action on the way to where the attempt can be made."""
    context = runtime.context
    action, *left = attempt["route"]
    possible_action = spelled(action, state["world"]["admissible"])
    if possible_action is None:
        # The map is wrong here: note it, so that the next attempt takes another way.
        places, world = context.memory(state).places, state["world"]
        world = {**world, "broken": [*world["broken"], [places.here if places else "", action]]}
        execution = {**execution, "attempt": {**attempt, "route": [], "steps": []}}
        return {"execution": execution, "world": world, "route": "check_post"}
    update = act(state, context, possible_action)
    worked = bool(update["history"][0][2])
    _tell(state, runtime, execution, [], action, update["observation"], worked=worked)
    more = bool(left or attempt["steps"]) and not update["done"] and not _at_horizon(state, 1)
    update["execution"] = {**execution, "attempt": {**attempt, "route": left}}
    update["route"] = "execute" if more else "check_post"
    return update


def _tell(
    state: MaclaState,
    runtime: Runtime[MaclaContext],
    execution: Execution,
    skipped: list[Event],
    action: str = "",
    observation: str = "",
    *,
    worked: bool = False,
) -> None:
    """Stream what was done, or, without an action, what was left out."""
    done = {"action": action, "observation": observation, "worked": worked} if action else {}
    emit(runtime, "execute", state, ref=run_ref(execution), skipped=skipped, **done)


def _at_horizon(state: MaclaState, more: int) -> bool:
    return steps_of(state) + more >= state["horizon"]


def _advanced(
    attempt: Attempt, at: int, repeated: int, *, failed: bool, final_worked: bool | None
) -> Attempt:
    return {
        **attempt,
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
            return f"unless holds: {verdict.because}"
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
