"""From a meta-procedure or a lone procedure to the plan in progress."""

from __future__ import annotations

from collections.abc import Mapping

from ..procedures.model import MetaProcedure, Procedure
from .state import Item, PlanState

__all__ = ["plan_for_meta", "plan_for_procedure"]


def plan_for_meta(meta: MetaProcedure, fillers: Mapping[str, str], reading: str) -> PlanState:
    """Start a meta-procedure under one reading of the task."""
    wants: dict[str, str] = {}
    bound: dict[str, str] = {}
    for name, parameter in meta.parameters.items():
        if parameter.source == "entity" and parameter.of is not None:
            # A slot that the task does not fill matches nothing rather than anything.
            wants[name] = fillers.get(parameter.of, "?")
        elif parameter.source == "constant" and parameter.value is not None:
            bound[name] = parameter.value
    items: list[Item] = [
        {"ref": place.ref, "place": index, "with_": dict(place.with_)}
        for index, place in enumerate(meta.plan)
        if place.ref is not None
    ]
    return {
        "meta": meta.ref,
        "reading": reading,
        "fillers": dict(fillers),
        "items": items,
        "cursor": 0,
        "bound": bound,
        "wants": wants,
        "taken": [],
    }


def plan_for_procedure(
    procedure: Procedure, fillers: Mapping[str, str], reading: str
) -> PlanState:
    """Make a plan of one place out of a procedure that was chosen for the task itself."""
    return {
        "meta": None,
        "reading": reading,
        "fillers": dict(fillers),
        "items": [
            {"ref": procedure.ref, "place": -1, "with_": {n: n for n in procedure.parameters}}
        ],
        "cursor": 0,
        "bound": {},
        "wants": dict(fillers),
        "taken": [],
    }
