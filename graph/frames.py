"""Frames: a procedure in progress, with what is bound, what was tried and how far it is."""

from __future__ import annotations

from ..procedures.model.procedure import Procedure
from ..procedures.planning.binding_search import Attempt, binding_key
from .state import Frame, MaclaState, PlanState, SearchState

__all__ = ["new_frame", "visited", "with_attempt"]


def new_frame(procedure: Procedure, plan: PlanState, steps: int) -> Frame:
    """Return the frame of a procedure at the plan's current place, before its first attempt."""
    bound: dict[str, str] = {}
    wants: dict[str, str] = {}
    item = plan["items"][plan["cursor"]]
    bound.update(item.get("fixed", {}))
    with_ = item["with_"]
    for own, name in with_.items():
        if name in plan["bound"]:
            bound[own] = plan["bound"][name]
        elif name in plan["wants"]:
            wants[own] = plan["wants"][name]
    return {
        "ref": procedure.ref,
        "bound": bound,
        "wants": wants,
        "tried": [],
        "attempts": 0,
        "opened": steps,
        "exhausted": False,
    }


def with_attempt(
    frame: Frame, attempt: Attempt, procedure: Procedure, state: MaclaState, *, of: Procedure
) -> Frame:
    """Return a frame as an attempt begins.

    Args:
        frame: As it was before.
        attempt: What is tried.
        procedure: What runs: the one that was chosen, or a variant of it.
        state: The episode.
        of: The procedure that was chosen.
    """
    found = [
        entity
        for name, entity in attempt.binding.items()
        if name not in frame["bound"] and procedure.parameters[name].source == "search"
    ]
    started: Frame = {
        **frame,
        "binding": dict(attempt.binding),
        "steps": list(attempt.steps),
        "step": 0,
        "look": attempt.look,
        "purpose": attempt.purpose,
        "step_failed": False,
        "final_worked": None,
        "found": found,
        "route": list(attempt.route),
        "action": attempt.action,
        "attempts": frame["attempts"] + 1,
        "began": len(state.get("history") or []),
        "ref": procedure.ref,
        "of": of.ref,
    }
    if attempt.purpose == "prepare":
        started["prepared"] = [*frame.get("prepared", []), dict(attempt.binding)]
    if attempt.purpose == "run":
        tried = attempt.action or binding_key(attempt.binding)
        started["tried"] = [*frame["tried"], tried]
    return started


def visited(state: MaclaState, attempt: Attempt) -> SearchState:
    """Return what was looked at, with the place that an attempt looks at."""
    known = state.get("search")
    search: SearchState = known.copy() if known else {}
    if attempt.look is not None:
        search["visited"] = [*search.get("visited", []), attempt.look]
    return search
