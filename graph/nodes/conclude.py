"""conclude: the episode is over; hand it to the learner where the caller asked for that."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..events import emit
from ..state import MaclaState, Update, steps_of


def conclude(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Hand the finished episode to the learner."""
    context = runtime.context
    if context.after_episode is not None:
        context.after_episode(state)
    emit(runtime, "conclude", state, won=state["won"], steps=steps_of(state))
    return {"route": "end"}
