"""Executions: the run of one procedure, with what is bound, what was tried and the attempt."""

from __future__ import annotations

from ..procedures.model.procedure import Procedure
from ..procedures.planning import binding_search
from ..procedures.planning.binding_search import binding_key
from .phases import Execution, PlanState, SearchState
from .state import MaclaState, steps_of


def new_execution(procedure: Procedure, plan: PlanState, began: int) -> Execution:
    """Return the run of a procedure at the plan's current place, before its first attempt."""
    item = plan["items"][plan["cursor"]]
    bound, wants = dict(item["fixed"]), {}
    for own, name in item["with_"].items():
        if name in plan["bound"]:
            bound[own] = plan["bound"][name]
        elif name in plan["wants"]:
            wants[own] = plan["wants"][name]
    return {
        "ref": procedure.ref,
        "bound": bound,
        "wants": wants,
        "tried": [],
        "prepared": [],
        "examined": [],
        "attempts": 0,
        "opened": began,
        "exhausted": False,
        "attempt": None,
    }


def with_attempt(
    execution: Execution, attempt: binding_search.Attempt, procedure: Procedure, state: MaclaState
) -> Execution:
    """Return an execution as an attempt begins.

    Args:
        execution: As it was before.
        attempt: What is tried.
        procedure: What runs: the one that was chosen, or a variant of it.
        state: The episode.
    """
    binding = dict(attempt.binding)
    tried, prepared = execution["tried"], execution["prepared"]
    if attempt.purpose == "prepare":
        prepared = [*prepared, binding]
    if attempt.purpose == "run":
        tried = [*tried, attempt.action or binding_key(binding)]
    return {
        **execution,
        "tried": tried,
        "prepared": prepared,
        "attempts": execution["attempts"] + 1,
        "attempt": {
            "ref": procedure.ref,
            "began": steps_of(state),
            "binding": binding,
            "steps": list(attempt.steps),
            "step": 0,
            "repeated": 0,
            "look": attempt.look,
            "purpose": attempt.purpose,
            "found": [
                entity
                for name, entity in binding.items()
                if name not in execution["bound"] and procedure.parameters[name].source == "search"
            ],
            "route": list(attempt.route),
            "action": attempt.action,
            "step_failed": False,
            "final_worked": None,
        },
    }


def run_ref(execution: Execution) -> str:
    """Return ``id@version`` of what ran: the procedure, or the variant of the latest attempt."""
    attempt = execution["attempt"]
    return execution["ref"] if attempt is None else attempt["ref"]


def visited(state: MaclaState, attempt: binding_search.Attempt) -> SearchState:
    """Return what was looked at, with the place that an attempt looks at."""
    search = state["search"]
    looked = [] if attempt.look is None else [attempt.look]
    return {**search, "visited": [*search["visited"], *looked]}
