"""experiment: one action that may make it possible to go on, then the step again."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from .. import experiments
from ..acting import act
from ..context import MaclaContext
from ..state import MaclaState, counters_of

__all__ = ["experiment"]


def experiment(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Try what is promising until one can go on, nothing is left, or the bound is reached."""
    current, frame = state.get("experiment"), state["frame"]
    if current is None or frame is None:
        return {"route": "execute"}
    context = runtime.context
    action = current["next"]
    update = act(state, context, action)
    counters = counters_of(state)
    counters["experiments"] = counters.get("experiments", 0) + 1
    history = [*(state.get("history") or []), *update["history"]]
    now: MaclaState = {**state, **update, "history": history}  # type: ignore[typeddict-item]
    current = {**current, "trials": [*current["trials"], [len(history) - 1, False]]}
    if current["wanted"]:
        free = experiments.possible_now(now, current["wanted"])
    else:
        free = experiments.revealed(context.memory(now), frame["look"] or "")
    if state.get("won") or update["won"]:
        free = True
    change: dict[str, Any]
    if free is None and not update["done"] and len(history) < state["horizon"]:
        # Only trying tells: the step comes next.
        change = {"experiment": current, "route": "execute"}
    else:
        current = experiments.tested(current, worked=bool(free))
        following = None if free else experiments.next_trial(now, context, current, frame)
        if following is not None:
            change = {"experiment": following, "route": "experiment"}
        else:
            over = update["done"] or len(history) >= state["horizon"]
            change = {**experiments.shut(current, frame)}
            change["route"] = "check_post" if over else "execute"
    runtime.stream_writer(
        {
            "node": "experiment",
            "step": len(history) - 1,
            "ref": frame["ref"],
            "wanted": current["wanted"],
            "action": action,
            "observation": update["observation"],
            "repaired": free,
        }
    )
    return {**update, "counters": counters, **change}
