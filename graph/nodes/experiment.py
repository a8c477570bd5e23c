"""experiment: one action that may make it possible to go on, then the step again."""

from __future__ import annotations

from langgraph.runtime import Runtime

from .. import experiments
from ..acting import act
from ..context import MaclaContext
from ..events import emit
from ..executions import run_ref
from ..state import MaclaState, Update, is_over, merged, steps_of


def experiment(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Try what is promising until one can go on, nothing is left, or the bound is reached."""
    current, execution = state["experiment"], state["execution"]
    if current is None or execution is None:
        return {"route": "execute"}
    context = runtime.context
    action = current["next"]
    update = act(state, context, action)
    counters, now = state["counters"].copy(), merged(state, update)
    counters["experiments"] += 1
    current = {**current, "trials": [*current["trials"], [steps_of(state), False]]}
    if current["wanted"]:
        free = experiments.possible_now(now, current["wanted"])
    else:
        free = experiments.revealed(context.memory(now), execution["attempt"])
    if state["won"] or update["won"]:
        free = True
    change: Update
    if free is None and not is_over(now):
        # Only trying tells: the step comes next.
        change = {"experiment": current, "route": "execute"}
    else:
        current = experiments.tested(current, worked=bool(free))
        following = None if free else experiments.next_trial(now, context, current, execution)
        if following is not None:
            change = {"experiment": following, "route": "experiment"}
        else:
            change = experiments.shut(current, execution)
            change["route"] = "check_post" if is_over(now) else "execute"
    seen = {"action": action, "observation": update["observation"], "repaired": free}
    ref, wanted = run_ref(execution), current["wanted"]
    emit(runtime, "experiment", state, ref=ref, wanted=wanted, **seen)
    return {**update, "counters": counters, **change}
