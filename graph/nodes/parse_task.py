"""parse_task: the reasoner is asked what the task means, at first or where that is in doubt."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..state import MaclaState
from ..task_reading import may_be_read, read_task

__all__ = ["parse_task"]


def parse_task(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Start what reaches the goal that the reasoner names; else the library reads the task."""
    context = runtime.context
    if not may_be_read(state):
        return {"route": "retrieve"}
    meter = context.meter(state)
    change = read_task(state, context, meter)
    event = change.pop("event", {"ref": None})
    step = len(state.get("history") or [])
    runtime.stream_writer({"node": "parse_task", "step": step, "llm_calls": meter.calls, **event})
    return {**change, "route": "retrieve"}
