"""begin: take in the task and the first observation, and clear what belongs to an episode."""

from __future__ import annotations

import uuid

from langgraph.runtime import Runtime

from ...procedures.common.errors import MaclaError
from ..acting import world_after
from ..context import MaclaContext
from ..state import MaclaState, Update, new_state


def begin(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Start an episode; a state that already has a history goes on with its plan.

    Raises:
        MaclaError: The state is that of an episode that is over.
    """
    if state.get("route") == "end":
        raise MaclaError(
            f"the episode {state.get('run')} is over; start the next one from a fresh state "
            "(with a checkpointer: under another thread_id)"
        )
    if state.get("history"):
        return {"route": "retrieve"}
    context = runtime.context
    run = state.get("run") or uuid.uuid4().hex
    horizon = state.get("horizon") or context.settings.horizon
    fresh = new_state(state["task"], state["observation"], run, horizon)
    return {
        **fresh,
        "world": world_after(fresh, context, None, state["observation"], context.admissible()),
        "route": "parse_task" if context.reasoner.reads_first else "retrieve",
    }
