"""conclude: the episode is over; hand it to the learner where the caller asked for that."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..state import MaclaState

__all__ = ["conclude"]


def conclude(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Hand the finished episode to the learner."""
    context = runtime.context
    if context.after_episode is not None:
        context.after_episode(state)
    steps = len(state.get("history") or [])
    runtime.stream_writer(
        {"node": "conclude", "step": steps, "won": bool(state.get("won")), "steps": steps}
    )
    return {"route": "end"}
