"""conclude: the episode is over; learn from it where the caller asked for that."""

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
    runtime.stream_writer(
        {
            "node": "conclude",
            "step": len(state.get("history") or []),
            "won": bool(state.get("won")),
            "steps": len(state.get("history") or []),
        }
    )
    return {"route": "end"}
