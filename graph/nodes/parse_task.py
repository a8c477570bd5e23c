"""parse_task: where the reasoner reads first, it is asked once what the task means."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..state import MaclaState
from ..task_reading import read_task

__all__ = ["parse_task"]


def parse_task(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Start the plan of the goal that the reasoner names; else the library reads the task."""
    context = runtime.context
    asked = (state.get("counters") or {}).get("task_readings", 0)
    if not context.reasoner.reads_first or asked or state.get("history"):
        return {"route": "retrieve"}
    meter = context.meter(state)
    change = read_task(state, context, meter) or {}
    counters = context.counted(state, meter)
    counters["task_readings"] = 1
    event = change.pop("event", {"ref": None})
    runtime.stream_writer({"node": "parse_task", "step": 0, "llm_calls": meter.calls, **event})
    return {**change, "counters": counters, "route": "retrieve"}
