"""begin: take in the task and the first observation, and clear what belongs to an episode."""

from __future__ import annotations

import uuid
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.common.errors import MaclaError
from ..acting import noted_possible
from ..context import MaclaContext
from ..state import MaclaState

__all__ = ["begin"]


def begin(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
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
    admissible = context.admissible()
    return {
        "first_observation": state["observation"],
        "meaning": "",
        "read": "",
        "run": state.get("run") or uuid.uuid4().hex,
        "horizon": state.get("horizon") or context.settings.horizon,
        "admissible": admissible,
        "possible": noted_possible({}, context, None, state["observation"], admissible),
        "done": False,
        "won": False,
        "reward": 0.0,
        "program": None,
        "plan": None,
        "vain": None,
        "frame": None,
        "readings": {},
        "sought": [],
        "adopted": {},
        "search": {},
        "pending": [],
        "proposals": None,
        "recorded": 0,
        "charged": {},
        "met": {},
        "idle": {},
        "turns": [0, 0],
        "experiment": None,
        "counters": {},
        "route": "parse_task" if context.reasoner.reads_first else "retrieve",
    }
