"""fallback: no procedure is trusted here, so the reasoner chooses one action."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..acting import act
from ..context import MaclaContext
from ..outcomes import fallback_outcome
from ..state import MaclaState, counters_of

__all__ = ["fallback"]


def fallback(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Act zero-shot for one action; procedures are asked again afterwards."""
    context = runtime.context
    memory = context.memory(state)
    seed = context.rng(state).getrandbits(32)
    action = context.reasoner.act(memory, state.get("admissible"), seed)
    step = len(state.get("history") or [])
    if action is None:
        runtime.stream_writer({"node": "fallback", "step": step, "action": None})
        return {"done": True, "route": "update"}
    change = act(state, context, action)
    counters = counters_of(state)
    counters["fallback_actions"] = counters.get("fallback_actions", 0) + 1
    runtime.stream_writer(
        {
            "node": "fallback",
            "step": step,
            "action": action,
            "observation": change["observation"],
            "worked": change["history"][0][2],
        }
    )
    return {
        **change,
        "counters": counters,
        "pending": [fallback_outcome(state)],
        "route": "update",
    }
