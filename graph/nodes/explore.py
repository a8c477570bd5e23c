"""explore: one action in the gap of a partial plan; see :mod:`..exploring`."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ...procedures.refinement.occasions import read_action
from ..acting import act
from ..context import MaclaContext
from ..events import emit
from ..exploring import bounded, next_exploration
from ..phases import PlanState
from ..state import MaclaState, Update, steps_of


def explore(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Do what may be missing, or go where it may be; then the plan goes on."""
    plan = state["plan"]
    if plan is None:
        return {"pending": [], "route": "update"}
    context = runtime.context
    plan = {**plan, "gap": steps_of(state) if plan["gap"] is None else plan["gap"]}
    exploration = None if bounded(plan, state) else next_exploration(state, plan, context)
    after: PlanState = {**plan, "cursor": plan["cursor"] + 1}
    if exploration is None:
        emit(runtime, "explore", state, action=None)
        return {"plan": after, "pending": [], "route": "update"}
    action, fills = exploration
    update = act(state, context, action)
    counters = state["counters"].copy()
    counters["experiments"] += 1
    seen = update["observation"]
    emit(runtime, "explore", state, action=action, observation=seen, fills=fills)
    frame, _ = read_action(context.memory(state).lexicon, action)
    onward: PlanState = {**after, "filled": frame} if fills else plan
    return {**update, "plan": onward, "counters": counters, "pending": [], "route": "update"}
