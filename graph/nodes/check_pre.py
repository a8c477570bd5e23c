"""check_pre: bind what was chosen, check that it may start, and pick the next attempt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.conditions.language import parse_condition
from ...procedures.conditions.text_patterns import Pattern, normalise
from ...procedures.model.procedure import MetaProcedure, Place, Procedure
from ...procedures.planning.binding_search import Attempt, Request, SearchMemory
from ...procedures.planning.episode_memory import EpisodeMemory
from ...procedures.planning.place_planner import Need, approach, unmet_need
from ...procedures.planning.world_model import THING
from ...procedures.words.lexicon import frame_of
from .. import variants
from ..checks import checked
from ..context import MaclaContext
from ..exploring import due, exploring_plan, simplest
from ..frames import new_frame, visited, with_attempt
from ..knowledge import Knowledge
from ..outcomes import TO_ITS_END
from ..plan_progress import (
    Done,
    already_done,
    end_plan,
    needed_item,
    plan_for_meta,
    plan_for_procedure,
)
from ..state import Frame, Item, MaclaState, PlanState, counters_of

__all__ = ["check_pre"]


def check_pre(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Turn a chosen plan into the plan in progress, or prepare a procedure's next attempt."""
    chosen = state["chosen"]
    if chosen is None:
        return {"route": "fallback"}
    context = runtime.context
    if chosen["kind"] == "program":
        steps = len(state.get("history") or [])
        running = {"ref": chosen["ref"], "began": steps, "steps": [], "actions": [], "ended": ""}
        update: dict[str, Any] = {"program": running, "route": "execute"}
        update["event"] = {"ref": chosen["ref"]}
    elif chosen["kind"] == "place":
        update = _prepare(state, context)
    else:
        update = _adopt(state, chosen, context)
    runtime.stream_writer(
        {"node": "check_pre", "step": len(state.get("history") or []), **update.pop("event")}
    )
    return update


def _adopt(state: MaclaState, chosen: Mapping[str, Any], context: MaclaContext) -> dict[str, Any]:
    knowledge = context.knowledge
    memory = context.memory(state)
    counters = counters_of(state)
    if chosen["kind"] == "meta":
        exploring = due(chosen, state, context)
        if exploring:
            chosen = simplest(state["candidates"], chosen, knowledge)
        meta = knowledge.meta(chosen["ref"])
        checks = checked(meta.preconditions, memory, chosen["fillers"])
        plan = plan_for_meta(meta, knowledge.procedures, chosen["fillers"], chosen["reading"])
    else:
        procedure = knowledge.procedure(chosen["ref"])
        checks = checked(procedure.preconditions, memory, {})
        plan = plan_for_procedure(procedure, chosen["fillers"], chosen["reading"])
        exploring = False
    # As meant, a plan that did not solve the task failed, whatever words the task is in.
    said = context.settings.preset.live or chosen.get("said", True)
    plan |= {"said": said, "template": chosen.get("template", "")}
    plan["began"] = len(state.get("history") or [])
    if exploring:
        plan = exploring_plan(plan, state, knowledge)
        counters["explorations"] = counters.get("explorations", 0) + 1
    event = {"ref": chosen["ref"], "preconditions": checks, "plan": plan["items"]}
    if any(check["value"] is False for check in checks):
        return {**end_plan(state, plan, "precondition_refused"), "route": "update", "event": event}
    begun = {"plan": plan, "frame": None, "counters": counters}
    return {**begun, "route": "retrieve", "event": event}


def _prepare(state: MaclaState, context: MaclaContext) -> dict[str, Any]:
    """Next attempt at the plan's current place; Θ's ``skip`` comes first."""
    plan = state["plan"]
    if plan is None:
        return {"route": "retrieve", "event": {}}
    knowledge = context.knowledge
    memory = context.memory(state)
    item = plan["items"][plan["cursor"]]
    procedure = knowledge.procedure(item["ref"])
    meta = knowledge.meta(plan["meta"]) if plan["meta"] else None
    place = _place(meta, item["place"])
    names: dict[str, str] = {**plan["fillers"], **plan["bound"]}
    frame = state.get("frame")
    refuted = state.get("readings") or {}
    ended = refuted.get(plan["reading"], 0) >= TO_ITS_END
    if frame is None and refuted and not ended and not plan["cursor"]:
        # What two readings share is not done twice, nor what this one did before it was broken
        # off; one that was carried out to its end in vain, or broken off as often as weighs the
        # same, is carried out anew: perhaps with another thing.
        kept = already_done(plan, knowledge, memory)
        if kept is not None and plan["reading"] in refuted and _failed_last(kept, state, memory):
            # It would be broken off at the same place again: to choose it was a mistake.
            event = {"ref": procedure.ref, "refused": kept.because}
            ended_plan = end_plan(state, plan, "precondition_refused")
            return {**ended_plan, "route": "update", "event": event}
        if kept is not None:
            return _keep(kept, plan, procedure, state, memory)
    if frame is None or frame.get("of", frame["ref"]) != procedure.ref:
        reason = _reason_to_skip(item, place, procedure, names, memory)
        if reason is not None:
            return {
                "verdict": {"decision": "skip", "post": True, "because": reason},
                "route": "check_post",
                "event": {"ref": procedure.ref, "skip": reason},
            }
        frame = new_frame(procedure, plan, len(state.get("history") or []))
    if memory.places is not None and knowledge.world.has_places:
        prepared = _approach(state, frame, procedure, plan, memory, context)
        if prepared is not None:
            return prepared
    elif "because" in item:
        first = _enable(frame["bound"], procedure, plan, memory, knowledge)
        if first is not None:
            return first
    return _attempt(state, frame, procedure, plan, place, memory, context)


def _attempt(
    state: MaclaState,
    frame: Frame,
    procedure: Procedure,
    plan: PlanState,
    place: Place | None,
    memory: EpisodeMemory,
    context: MaclaContext,
) -> dict[str, Any]:
    """Check the preconditions, and bind what is free: the next attempt, or why there is none."""
    knowledge = context.knowledge
    item = plan["items"][plan["cursor"]]
    meta = knowledge.meta(plan["meta"]) if plan["meta"] else None
    names: dict[str, str] = {**plan["fillers"], **plan["bound"]}
    bound = frame["bound"]
    # What fills a gap is new, so preconditions cannot know of it.
    conditions = () if "gap" in plan else procedure.preconditions
    checks = checked(conditions, memory, bound)
    event: dict[str, Any] = {"ref": procedure.ref, "preconditions": checks}
    if any(check["value"] is False for check in checks):
        verdict_state = {"decision": "refused", "post": None, "because": checks[0]["because"]}
        return {"frame": frame, "verdict": verdict_state, "route": "check_post", "event": event}
    search = SearchMemory(**(state.get("search") or {}))
    request = Request(
        bound=bound,
        wants=frame["wants"],
        taken=_taken(plan, meta, item["with_"]),
        tried=frozenset(frame["tried"]),
        acceptable=_preference(place, item["with_"], names, memory),
        told=_told(meta, item["with_"], knowledge, memory),
        prepared=tuple(frame.get("prepared", ())),
        moved=memory.moved if state.get("readings") else {},
    )
    attempt, special, refused = variants.suited(procedure, request, memory, search, knowledge)
    if attempt is None and refused is not None:
        verdict_state = {"decision": "refused", "post": None, "because": refused}
        return {"frame": frame, "verdict": verdict_state, "route": "check_post", "event": event}
    if attempt is None:
        frame = {**frame, "exhausted": True}
        verdict_state = {"decision": "exhausted", "post": False, "because": "no candidate is left"}
        return {"frame": frame, "verdict": verdict_state, "route": "check_post", "event": event}
    if "because" in item and attempt.purpose == "run":
        # What was chosen beside the instruction's own thing may need something first, too.
        first = _enable(attempt.binding, procedure, plan, memory, knowledge)
        if first is not None:
            return {**first, "frame": frame}
    event |= {"binding": dict(attempt.binding), "look": attempt.look}
    if special is not procedure:
        event["variant"] = special.ref
    return {
        "frame": with_attempt(frame, attempt, special, state, of=procedure),
        "search": visited(state, attempt),
        "route": "execute",
        "event": event,
    }


def _failed_last(kept: Done, state: MaclaState, memory: EpisodeMemory) -> bool:
    """Whether the last that was tried with the thing did not work."""
    for action, _, worked in reversed(state.get("history") or []):
        if set(kept.binding.values()) & set(memory.lexicon.parse(str(action))[1]):
            return not worked
    return False


def _keep(
    kept: Done, plan: PlanState, procedure: Procedure, state: MaclaState, memory: EpisodeMemory
) -> dict[str, Any]:
    """Pass the plan's first place over, going on with the thing that it was done to."""
    bound = {**plan["bound"], **kept.binding}
    taken = [*plan["taken"], *kept.binding.values()]
    done = _when_done(kept, state, memory)
    return {
        "plan": {**plan, "bound": bound, "taken": taken, "kept": done},
        "verdict": {"decision": "skip", "post": True, "because": kept.because},
        "route": "check_post",
        "event": {"ref": procedure.ref, "skip": kept.because, "binding": dict(kept.binding)},
    }


def _when_done(kept: Done, state: MaclaState, memory: EpisodeMemory) -> list[int]:
    """Return which actions did what is kept: the last on its thing, and what just led to it."""
    history = state.get("history") or []
    last = max(memory.acted_on[entity] for entity in kept.binding.values()) - 1
    arguments = set(memory.lexicon.parse(str(history[last][0]))[1])
    first = last
    while first > 0 and history[first - 1][2]:
        before = set(memory.lexicon.parse(str(history[first - 1][0]))[1])
        if not before or not before <= arguments:
            break
        first -= 1
    return [*range(first, last + 1)]


def _approach(
    state: MaclaState,
    frame: Frame,
    procedure: Procedure,
    plan: PlanState,
    memory: EpisodeMemory,
    context: MaclaContext,
) -> dict[str, Any] | None:
    """In a world of places: enable the procedure, go where it can be done, or explore."""
    hidden = state.get("admissible") is None
    possible = None if hidden else state.get("possible") or {}
    item = plan["items"][plan["cursor"]]
    served = list(item.get("served", []))
    meta = context.knowledge.meta(plan["meta"]) if plan["meta"] else None
    request = Request(
        frame["bound"],
        frame["wants"],
        tried=frozenset(frame["tried"]),
        told=_told(meta, item["with_"], context.knowledge, memory),
    )
    told = "because" in item and not served
    chosen = approach(procedure, request, memory, possible, frozenset(served), told=told)
    event: dict[str, Any] = {"ref": procedure.ref, "preconditions": []}
    if isinstance(chosen, Need):
        first = _serve(chosen, plan, context.knowledge, served, event)
        if first is not None:
            return first
    if not isinstance(chosen, Attempt):
        spent: Frame = {**frame, "exhausted": True}
        verdict = {"decision": "exhausted", "post": False, "because": "nothing is left to try"}
        return {"frame": spent, "verdict": verdict, "route": "check_post", "event": event}
    special = procedure
    if chosen.purpose == "run" and chosen.action is None:
        special, chosen = variants.specialised(
            procedure, chosen, request, memory, context.knowledge
        )
    event |= {"binding": dict(chosen.binding), "look": chosen.look, "route": list(chosen.route)}
    return {
        "frame": with_attempt(frame, chosen, special, state, of=procedure),
        "route": "execute",
        "event": event,
    }


def _enable(
    bound: Mapping[str, str],
    procedure: Procedure,
    plan: PlanState,
    memory: EpisodeMemory,
    knowledge: Knowledge,
) -> dict[str, Any] | None:
    """Where everything is one step away: put first what must be done to these things."""
    if memory.places is not None:
        return None
    served = list(plan["items"][plan["cursor"]].get("served", []))
    need = unmet_need(procedure, Request(bound, {}), memory, frozenset(served))
    if need is None:
        return None
    event: dict[str, Any] = {"ref": procedure.ref, "preconditions": []}
    return _serve(need, plan, knowledge, served, event)


def _serve(
    need: Need,
    plan: PlanState,
    knowledge: Knowledge,
    served: list[str],
    event: dict[str, Any],
) -> dict[str, Any] | None:
    """Put what has to be done first before the plan's current place, if a procedure does it."""
    first = needed_item(need, knowledge, served)
    if first is None:
        return None
    cursor = plan["cursor"]
    item = plan["items"][cursor]
    here: Item = {**item, "served": [*served, f"{need.frame}|{need.entity}"]}
    items = [*plan["items"][:cursor], first, here, *plan["items"][cursor + 1 :]]
    event["need"] = {"frame": need.frame, "entity": need.entity}
    return {
        "plan": {**plan, "items": items},
        "frame": None,
        "route": "retrieve",
        "event": event,
    }


def _reason_to_skip(
    item: Item,
    place: Place | None,
    procedure: Procedure,
    names: Mapping[str, str],
    memory: EpisodeMemory,
) -> str | None:
    """Why an item of the plan is passed over: Θ's skip, its own exception, or it is done."""
    if place is not None and place.skip is not None:
        verdict = place.skip.evaluate(memory, names)
        if verdict.value:
            return verdict.because
    if item.get("unless"):
        known = {THING: item.get("thing", "")}
        verdict = parse_condition(item["unless"]).evaluate(memory, known)
        if verdict.value:
            return verdict.because
    moves = memory.world.effects.get(_final_frame(procedure)) == "moves"
    if item.get("fixed") and not moves:
        # What instructions call for is done once: doing it again may undo or spoil it.
        final = Pattern.parse(procedure.steps[-1].do or "").bind(item["fixed"])
        for action in memory.successful_actions():
            if final.matches(normalise(action)):
                return f"done: {action}"
    return None


def _final_frame(procedure: Procedure) -> str:
    """Return the frame of what a procedure ends with."""
    return frame_of(procedure.steps[-1].do or "")


def _taken(plan: PlanState, meta: MetaProcedure | None, with_: Mapping[str, str]) -> frozenset[str]:
    """Entities that must not be used here: found for something else, or to be distinct from."""
    apart = set(meta.distinct) if meta is not None else set()
    if not apart & set(with_.values()):
        apart = set()
    others = {plan["bound"][n] for n in apart - set(with_.values()) if n in plan["bound"]}
    return frozenset(plan["taken"]) | others


def _told(
    meta: MetaProcedure | None,
    with_: Mapping[str, str],
    knowledge: Knowledge,
    memory: EpisodeMemory,
) -> dict[str, str]:
    """Parameter → what was last observed after the procedure that tells its entity."""
    told: dict[str, str] = {}
    for own, name in with_.items():
        parameter = meta.parameters.get(name) if meta is not None else None
        if parameter is None or parameter.by is None or parameter.by not in knowledge.procedures:
            continue
        frame = _final_frame(knowledge.procedures[parameter.by])
        texts = memory.texts_of(frame.__eq__)
        told[own] = texts[-1] if texts else ""
    return told


def _place(meta: MetaProcedure | None, index: int) -> Place | None:
    return meta.plan[index] if meta is not None and index >= 0 else None


def _preference(
    place: Place | None,
    with_: Mapping[str, str],
    names: Mapping[str, str],
    memory: EpisodeMemory,
) -> Callable[[Mapping[str, str]], bool] | None:
    if place is None or not place.prefer:
        return None
    conditions = place.prefer

    def acceptable(binding: Mapping[str, str]) -> bool:
        known = {**names, **{with_[own]: e for own, e in binding.items() if own in with_}}
        return all(c.evaluate(memory, known).value is not False for c in conditions)

    return acceptable
