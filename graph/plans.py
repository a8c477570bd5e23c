"""From a meta-procedure or a lone procedure to the plan in progress."""

from __future__ import annotations

from collections.abc import Mapping

from ..procedures.approach import Need
from ..procedures.condition_patterns import template_parameters
from ..procedures.episode import EpisodeMemory
from ..procedures.model import MetaProcedure, Procedure
from ..procedures.reading import read_instructions
from .knowledge import Knowledge
from .state import Item, MaclaState, PlanState

__all__ = [
    "instructed_items",
    "needed_item",
    "plan_for_meta",
    "plan_for_procedure",
    "refutation",
]

_IDLE = 4
"""A plan that ended without a single action counts as refuted this often: it would again."""


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
        if place.ref is not None
        else {"follow": place.follow or "task", "place": index, "with_": {}}
        for index, place in enumerate(meta.plan)
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


def plan_for_procedure(procedure: Procedure, fillers: Mapping[str, str], reading: str) -> PlanState:
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


def instructed_items(plan: PlanState, knowledge: Knowledge, memory: EpisodeMemory) -> list[Item]:
    """Read the instructions that the plan's current place follows, as items of the plan."""
    item = plan["items"][plan["cursor"]]
    items: list[Item] = []
    for call in read_instructions(knowledge.world, memory, item["follow"]):
        procedure = knowledge.achieving(call.frame)
        if procedure is None:
            continue
        names = template_parameters(procedure.steps[-1].do or "")
        fixed = {names[p]: entity for p, entity in call.arguments if p < len(names)}
        items.append(
            {
                "ref": procedure.ref,
                "place": -1,
                "with_": {},
                "fixed": fixed,
                "because": call.because,
                "unless": call.unless,
                "thing": call.thing,
            }
        )
    return items


def needed_item(need: Need, knowledge: Knowledge, served: list[str]) -> Item | None:
    """Make an item of the plan out of something that has to be done first."""
    procedure = knowledge.achieving(need.frame)
    if procedure is None:
        return None
    names = template_parameters(procedure.steps[-1].do or "")
    if need.position >= len(names):
        return None
    return {
        "ref": procedure.ref,
        "place": -1,
        "with_": {},
        "fixed": {names[need.position]: need.entity},
        "served": [*served, f"{need.frame}|{need.entity}"],
        "because": f"needed first: {need.frame}",
    }


def refutation(state: MaclaState, plan: PlanState) -> int:
    """How much a plan that did not solve the task counts against its reading."""
    acted = len(state.get("history") or []) > plan.get("began", 0)
    return 1 if acted else _IDLE
