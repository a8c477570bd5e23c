"""explore: one action in the gap of a partial plan; see :mod:`..exploring`."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...procedures.refinement.occasions import read_action
from ..acting import act
from ..context import MaclaContext
from ..exploring import bounded, next_exploration
from ..state import MaclaState, PlanState, counters_of

__all__ = ["explore"]


def explore(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Do what may be missing, or go where it may be; then the plan goes on."""
    plan = state["plan"]
    if plan is None:
        return {"pending": [], "route": "update"}
    context = runtime.context
    step = len(state.get("history") or [])
    plan = {**plan, "gap": plan.get("gap", step)}
    chosen = None if bounded(plan, state) else next_exploration(state, plan, context)
    after: PlanState = {**plan, "cursor": plan["cursor"] + 1}
    if chosen is None:
        runtime.stream_writer({"node": "explore", "step": step, "action": None})
        return {"plan": after, "pending": [], "route": "update"}
    action, fills = chosen
    update = act(state, context, action)
    counters = counters_of(state)
    counters["experiments"] = counters.get("experiments", 0) + 1
    runtime.stream_writer(
        {
            "node": "explore",
            "step": step,
            "action": action,
            "observation": update["observation"],
            "fills": fills,
        }
    )
    frame, _ = read_action(context.memory(state).lexicon, action)
    onward: PlanState = {**after, "filled": frame} if fills else plan
    return {**update, "plan": onward, "counters": counters, "pending": [], "route": "update"}
