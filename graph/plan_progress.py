"""From a meta-procedure or a lone procedure to the plan in progress."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..procedures.conditions.text_patterns import template_parameters
from ..procedures.model.procedure import MetaProcedure, Procedure
from ..procedures.planning.episode_memory import EpisodeMemory
from ..procedures.planning.place_planner import Need
from ..procedures.tasks.instruction_parser import read_instructions
from .exploring import explored_row
from .knowledge import Knowledge
from .outcomes import TO_ITS_END, plan_outcomes
from .phases import Item, PendingOutcome, PlanState, Readings, new_item, new_plan
from .state import MaclaState, Update, steps_of


def plan_for_meta(
    meta: MetaProcedure,
    procedures: Mapping[str, Procedure],
    fillers: Mapping[str, str],
    reading: str,
    began: int,
) -> PlanState:
    """Start a meta-procedure, which runs these procedures, under one reading of the task."""
    bound = {
        name: parameter.value
        for name, parameter in meta.parameters.items()
        if parameter.source == "constant" and parameter.value is not None
    }
    items: list[Item] = [
        new_item(procedures[place.run].ref, index, place.with_)
        if place.run is not None
        else {**new_item(place=index), "follow": place.follow or "task"}
        for index, place in enumerate(meta.plan)
    ]
    plan = new_plan(meta.ref, reading, fillers, items, began)
    return {**plan, "bound": bound, "wants": _wants(meta, fillers)}


def _wants(meta: MetaProcedure, fillers: Mapping[str, str]) -> dict[str, str]:
    """Return the words for each thing of a plan; a slot that is not filled matches nothing."""
    return {
        name: fillers.get(parameter.of, "?")
        for name, parameter in meta.parameters.items()
        if parameter.source == "entity" and parameter.of is not None
    }


def plan_for_procedure(
    procedure: Procedure, fillers: Mapping[str, str], reading: str, began: int
) -> PlanState:
    """Make a plan of one place out of a procedure that was chosen for the task itself."""
    items = [new_item(procedure.ref, with_={name: name for name in procedure.parameters})]
    return new_plan(None, reading, fillers, items, began)


def instructed_items(plan: PlanState, knowledge: Knowledge, memory: EpisodeMemory) -> list[Item]:
    """Read the instructions that the plan's current place follows, as items of the plan."""
    item = plan["items"][plan["cursor"]]
    items: list[Item] = []
    calls = read_instructions(knowledge.world, memory, item["follow"])
    usual = {(c.because, c.thing) for c in calls if knowledge.usual(c.frame, c.position, c.thing)}
    for call in calls:
        procedure = knowledge.achieving(call.frame)
        if procedure is None:
            continue
        if (call.because, call.thing) in usual and not knowledge.usual(
            call.frame, call.position, call.thing
        ):
            continue  # another reading of the clause does with the thing what is done with it
        names = template_parameters(procedure.steps[-1].do or "")
        fixed = {names[p]: entity for p, entity in call.arguments if p < len(names)}
        called: Item = {**new_item(procedure.ref), "fixed": fixed, "because": call.because}
        items.append({**called, "unless": call.unless, "thing": call.thing})
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
        **new_item(procedure.ref),
        "fixed": {names[need.position]: need.entity},
        "served": [*served, f"{need.frame}|{need.entity}"],
        "because": f"needed first: {need.frame}",
    }


def end_plan(
    state: MaclaState, plan: PlanState, outcome: str, earlier: Sequence[PendingOutcome] = ()
) -> Update:
    """End a plan: its reading is refuted unless it won, and its outcome becomes evidence.

    A reading that led to no action at all is set aside until something has been done, for it would
    end the same way again; each time that this happens in a row for twice as many actions.

    Args:
        state: The episode.
        plan: What ends.
        outcome: How it ends.
        earlier: Evidence of what it ran last.
    """
    counters = state["counters"].copy()
    rows = [*earlier, *plan_outcomes(state, plan, outcome)]
    if plan["meta"] is not None:
        explored = explored_row(state, plan, won=outcome == "success")
        rows += [explored] if explored is not None else []
        if outcome == "success":
            counters["began"], counters["kept"] = plan["began"], plan["kept"]
            counters["metas"] = [*counters["metas"], plan["meta"]]
    before, key, steps = state["readings"], plan["reading"], steps_of(state)
    refuted, pauses = before["refuted"].copy(), before["pauses"].copy()
    to_its_end = outcome == "postcondition_failed"
    if outcome != "success":
        refuted[key] = refuted.get(key, 0) + (TO_ITS_END if to_its_end else 1)
        if plan["began"] < steps:
            pauses.pop(key, None)
        else:
            times = pauses.get(key, [0, 0])[0]
            pauses[key] = [times + 1, steps + 2**times]
    readings: Readings = {
        **before,
        "refuted": refuted,
        "pauses": pauses,
        "wanted_kinds": list(dict.fromkeys([*before["wanted_kinds"], *plan["wants"].values()])),
        "failed_plan": plan if to_its_end else None,
    }
    ended: Update = {"plan": None, "execution": None, "pending": rows}
    return {**ended, "readings": readings, "counters": counters}


def reading_key(known: MetaProcedure | Procedure, fillers: Mapping[str, str]) -> str:
    """Name a reading by what it would do, so that two goals with one plan are one reading."""
    if isinstance(known, Procedure):
        return json.dumps([known.id, sorted(fillers.items())], ensure_ascii=False)
    wants = _wants(known, fillers)
    does = [
        [
            place.run or place.follow,
            sorted((own, wants.get(n, n)) for own, n in place.with_.items()),
        ]
        for place in known.plan
    ]
    return json.dumps(does, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Done:
    """What an earlier reading of the task did already.

    Attributes:
        binding: Plan variable → the thing that it was done to.
        because: What shows it.
    """

    binding: Mapping[str, str]
    because: str


def already_done(plan: PlanState, knowledge: Knowledge, memory: EpisodeMemory) -> Done | None:
    """Tell whether the first place of a plan was done while another reading was followed.

    That is so where Θ would skip it for a thing of the wanted kind, or where the next place's
    procedure could start with that thing at once: what readings share is not done twice.
    """
    if plan["meta"] is None or not plan["items"][0]["with_"]:
        return None
    places = knowledge.meta(plan["meta"]).plan
    item = plan["items"][0]
    wanted = [n for n in item["with_"].values() if n in plan["wants"] and n not in plan["bound"]]
    if len(wanted) != 1 or item["place"] != 0:
        return None
    name = wanted[0]
    for entity in sorted(memory.known, key=lambda e: (-memory.acted_on.get(e, -1), e)):
        if memory.kind_of(entity) != plan["wants"][name] or entity not in memory.acted_on:
            continue
        skip = places[0].skip
        verdict = skip.evaluate(memory, {name: entity}) if skip is not None else None
        if verdict is not None and verdict.value:
            return Done({name: entity}, verdict.because)
        if len(places) > 1 and (runs := places[1].run) is not None:
            own = {o: entity for o, shown in places[1].with_.items() if shown == name}
            needs = knowledge.procedures[runs].preconditions
            verdicts = [condition.evaluate(memory, own) for condition in needs]
            if own and verdicts and all(each.value for each in verdicts):
                return Done({name: entity}, verdicts[0].because)
    return None
