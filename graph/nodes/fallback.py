"""fallback: what a demonstration does here, as it is or re-bound; else the reasoner acts."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ..acting import act, floor_action
from ..budget import Meter
from ..context import MaclaContext
from ..events import emit
from ..following import has_handed_over
from ..outcomes import fallback_outcome
from ..reasoning import Situation
from ..state import MaclaState, Update, history_of
from ..task_reading import may_be_read, read_task
from ..undirected_exploration import wander


def fallback(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Do what a demonstration does here; else ask what the task means, or act zero-shot once.

    Procedures are asked again afterwards. What is asked of a model counts against the episode's
    budget.
    """
    context = runtime.context
    meter = context.meter(state)
    again = floor_action(state, context, far=True) if state["plan"] is None else None
    if again is None and state["plan"] is None and may_be_read(state):
        change, event = read_task(state, context, meter)
        state = {**state, "counters": change["counters"]}
        if event is not None:
            emit(runtime, "fallback", state, llm_calls=meter.calls, reading=event)
            return {**change, "pending": [], "route": "update"}
    possible = state["world"]["admissible"]
    practising = bool(context.settings.experiments and possible)
    if again is not None:
        return _acted(state, runtime, again, meter, copy=True)
    if not (context.reasoner.asks_model or practising) and (
        has_handed_over(state)
        or context.knowledge.drafted(state["task"], state["first_observation"]) is not None
    ):
        # Who hands over knows why; a guess may do what cannot be undone.
        emit(runtime, "fallback", state, action=None)
        return {"done": True, "route": "update"}
    situation = Situation(
        memory=context.memory(state),
        first=state["first_observation"],
        history=tuple((a, o, w) for a, o, w in history_of(state)),
        admissible=tuple(possible) if possible is not None else None,
        seed=context.rng(state).getrandbits(32),
    )
    action = wander(state, context) if practising else context.reasoner.act(situation, meter)
    counters = context.counted(state, meter)
    if action is None:
        emit(runtime, "fallback", state, action=None)
        return {"done": True, "counters": counters, "route": "update"}
    return _acted(state, runtime, action, meter)


def _acted(
    state: MaclaState,
    runtime: Runtime[MaclaContext],
    action: str,
    meter: Meter,
    *,
    copy: bool = False,
) -> Update:
    """Do one action that no procedure chose."""
    context = runtime.context
    counters = context.counted(state, meter)
    change = act(state, context, action)
    counters["fallback_actions"] += 1
    ((_, observation, worked),) = change["history"]
    seen = {"action": action, "observation": observation, "worked": worked}
    more = {"copied": True} if copy else {}
    emit(runtime, "fallback", state, **seen, llm_calls=meter.calls, **more)
    pending = [fallback_outcome(state)]
    return {**change, "counters": counters, "pending": pending, "route": "update"}
