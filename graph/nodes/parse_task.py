"""parse_task: the reasoner is asked what the task means, at first or where that is in doubt."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..events import emit
from ..state import MaclaState, Update
from ..task_reading import may_be_read, read_task


def parse_task(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Start what reaches the goal that the reasoner names; else the library reads the task."""
    context = runtime.context
    if not may_be_read(state):
        return {"route": "retrieve"}
    meter = context.meter(state)
    change, event = read_task(state, context, meter)
    emit(runtime, "parse_task", state, llm_calls=meter.calls, **(event or {"ref": None}))
    return {**change, "route": "retrieve"}
