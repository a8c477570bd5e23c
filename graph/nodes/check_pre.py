"""check_pre: bind what was chosen, check that it may start, and pick the next attempt."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
from ..events import emit, item_event
from ..executions import attempting, new_execution, visited
from ..exploring import due, exploring_plan, simplest
from ..knowledge import Knowledge
from ..outcomes import TO_ITS_END
from ..phases import Candidate, Execution, Item, PlanState, Verdict, new_program
from ..plan_progress import (
    Done,
    already_done,
    end_plan,
    needed_item,
    plan_for_meta,
    plan_for_procedure,
)
from ..state import Change, Event, MaclaState, Update, history_of, steps_of

__all__ = ["check_pre"]


def check_pre(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Turn a chosen plan into the plan in progress, or prepare a procedure's next attempt."""
    choice, context = state["choice"], runtime.context
    if choice is None:
        return {"route": "fallback"}
    update: Update
    if choice["kind"] == "program":
        update = {"program": new_program(choice["ref"], steps_of(state)), "route": "execute"}
        event: Event = {"ref": choice["ref"]}
    elif choice["kind"] == "place":
        update, event = _prepare(state, context)
    else:
        update, event = _adopt(state, choice, context)
    emit(runtime, "check_pre", state, **event)
    return update


def _adopt(state: MaclaState, choice: Candidate, context: MaclaContext) -> Change:
    knowledge, memory, began = context.knowledge, context.memory(state), steps_of(state)
    exploring = due(choice, state, context)
    if exploring:
        choice = simplest(state["candidates"], choice, knowledge)
    reading = choice["reading"]
    if reading is None:
        return {"route": "retrieve"}, {}
    key, fillers = reading["key"], reading["fillers"]
    if choice["kind"] == "meta":
        meta = knowledge.meta(choice["ref"])
        checks = checked(meta.preconditions, memory, fillers)
        plan = plan_for_meta(meta, knowledge.procedures, fillers, key, began)
    else:
        procedure = knowledge.procedure(choice["ref"])
        checks = checked(procedure.preconditions, memory, {})
        plan = plan_for_procedure(procedure, fillers, key, began)
    # As meant, a plan that did not solve the task failed, whatever words the task is in.
    plan["said"] = context.settings.preset.live or reading["said"] is not False
    plan["template"] = reading["template"]
    counters = state["counters"].copy()
    if exploring:
        plan = exploring_plan(plan, state, knowledge)
        counters["explorations"] += 1
    items = list(map(item_event, plan["items"]))
    event = {"ref": choice["ref"], "preconditions": checks, "plan": items}
    if any(check["value"] is False for check in checks):
        return {**end_plan(state, plan, "precondition_refused"), "route": "update"}, event
    begun: Update = {"plan": plan, "execution": None, "counters": counters}
    return {**begun, "route": "retrieve"}, event


def _prepare(state: MaclaState, context: MaclaContext) -> Change:
    """Next attempt at the plan's current place; Θ's ``skip`` comes first."""
    plan = state["plan"]
    if plan is None:
        return {"route": "retrieve"}, {}
    knowledge = context.knowledge
    memory = context.memory(state)
    item = plan["items"][plan["cursor"]]
    procedure = knowledge.procedure(item["ref"])
    meta = knowledge.meta(plan["meta"]) if plan["meta"] else None
    place = _place(meta, item["place"])
    names: dict[str, str] = {**plan["fillers"], **plan["bound"]}
    execution, refuted = state["execution"], state["readings"]["refuted"]
    ended = refuted.get(plan["reading"], 0) >= TO_ITS_END
    if execution is None and refuted and not ended and not plan["cursor"]:
        # What two readings share is not done twice, nor what this one did before it was broken
        # off; one that was carried out to its end in vain, or broken off as often as weighs the
        # same, is carried out anew: perhaps with another thing.
        kept = already_done(plan, knowledge, memory)
        if kept is not None and plan["reading"] in refuted and _failed_last(kept, state, memory):
            # It would be broken off at the same place again: to choose it was a mistake.
            event = {"ref": procedure.ref, "refused": kept.because}
            return {**end_plan(state, plan, "precondition_refused"), "route": "update"}, event
        if kept is not None:
            return _keep(kept, plan, procedure, state, memory)
    if execution is None or execution["ref"] != procedure.ref:
        reason = _reason_to_skip(item, place, procedure, names, memory)
        if reason is not None:
            skipped: Event = {"ref": procedure.ref, "skip": reason}
            return {"verdict": "skip", "route": "check_post"}, skipped
        execution = new_execution(procedure, plan, steps_of(state))
    if memory.places is not None and knowledge.world.has_places:
        return _approach(state, execution, procedure, plan, memory, context)
    if item["because"] is not None:
        first = _enable(execution["bound"], procedure, plan, memory, knowledge)
        if first is not None:
            return first
    return _attempt(state, execution, procedure, plan, place, memory, context)


def _without_attempt(execution: Execution, verdict: Verdict, event: Event) -> Change:
    """Return that nothing is tried, and why."""
    execution = {**execution, "exhausted": execution["exhausted"] or verdict == "exhausted"}
    return {"execution": execution, "verdict": verdict, "route": "check_post"}, event


def _attempt(
    state: MaclaState,
    execution: Execution,
    procedure: Procedure,
    plan: PlanState,
    place: Place | None,
    memory: EpisodeMemory,
    context: MaclaContext,
) -> Change:
    """Check the preconditions, and bind what is free: the next attempt, or why there is none."""
    knowledge = context.knowledge
    item = plan["items"][plan["cursor"]]
    meta = knowledge.meta(plan["meta"]) if plan["meta"] else None
    names: dict[str, str] = {**plan["fillers"], **plan["bound"]}
    bound = execution["bound"]
    # What fills a gap is new, so preconditions cannot know of it.
    conditions = procedure.preconditions if plan["gap"] is None else ()
    checks = checked(conditions, memory, bound)
    event: Event = {"ref": procedure.ref, "preconditions": checks}
    if any(check["value"] is False for check in checks):
        return _without_attempt(execution, "refused", event)
    search = SearchMemory(**state["search"])
    request = Request(
        bound=bound,
        wants=execution["wants"],
        taken=_taken(plan, meta, item["with_"]),
        tried=frozenset(execution["tried"]),
        acceptable=_preference(place, item["with_"], names, memory),
        told=_texts(meta, item["with_"], knowledge, memory),
        prepared=tuple(execution["prepared"]),
        moved=memory.moved if state["readings"]["refuted"] else {},
    )
    attempt, special, refused = variants.suited(procedure, request, memory, search, knowledge)
    if attempt is None:
        verdict: Verdict = "exhausted" if refused is None else "refused"
        return _without_attempt(execution, verdict, event)
    if item["because"] is not None and attempt.purpose == "run":
        # What was chosen beside the instruction's own thing may need something first, too.
        first = _enable(attempt.binding, procedure, plan, memory, knowledge)
        if first is not None:
            return {**first[0], "execution": execution}, first[1]
    event |= {"binding": dict(attempt.binding), "look": attempt.look}
    if special is not procedure:
        event["variant"] = special.ref
    execution = attempting(execution, attempt, special, state)
    update: Update = {"execution": execution, "search": visited(state, attempt)}
    return {**update, "route": "execute"}, event


def _failed_last(kept: Done, state: MaclaState, memory: EpisodeMemory) -> bool:
    """Whether the last that was tried with the thing did not work."""
    for action, _, worked in reversed(history_of(state)):
        if set(kept.binding.values()) & set(memory.lexicon.parse(action)[1]):
            return not worked
    return False


def _keep(
    kept: Done, plan: PlanState, procedure: Procedure, state: MaclaState, memory: EpisodeMemory
) -> Change:
    """Pass the plan's first place over, going on with the thing that it was done to."""
    bound = {**plan["bound"], **kept.binding}
    taken = [*plan["taken"], *kept.binding.values()]
    actions = _actions_of(kept, state, memory)
    plan = {**plan, "bound": bound, "taken": taken, "kept": actions}
    event = {"ref": procedure.ref, "skip": kept.because, "binding": dict(kept.binding)}
    return {"plan": plan, "verdict": "skip", "route": "check_post"}, event


def _actions_of(kept: Done, state: MaclaState, memory: EpisodeMemory) -> list[int]:
    """Return which actions did what is kept: the last on its thing, and what just led to it."""
    history = history_of(state)
    last = max(memory.acted_on[entity] for entity in kept.binding.values()) - 1
    arguments = set(memory.lexicon.parse(history[last][0])[1])
    first = last
    while first > 0 and history[first - 1][2]:
        before = set(memory.lexicon.parse(history[first - 1][0])[1])
        if not before or not before <= arguments:
            break
        first -= 1
    return [*range(first, last + 1)]


def _approach(
    state: MaclaState,
    execution: Execution,
    procedure: Procedure,
    plan: PlanState,
    memory: EpisodeMemory,
    context: MaclaContext,
) -> Change:
    """In a world of places: enable the procedure, go where it can be done, or explore."""
    world, knowledge = state["world"], context.knowledge
    possible = None if world["admissible"] is None else world["possible"]
    item = plan["items"][plan["cursor"]]
    served = item["served"]
    meta = knowledge.meta(plan["meta"]) if plan["meta"] else None
    request = Request(
        execution["bound"],
        execution["wants"],
        tried=frozenset(execution["tried"]),
        told=_texts(meta, item["with_"], knowledge, memory),
    )
    told = item["because"] is not None and not served
    next_ = approach(procedure, request, memory, possible, frozenset(served), told=told)
    event: Event = {"ref": procedure.ref, "preconditions": []}
    if isinstance(next_, Need):
        first = _serve(next_, plan, knowledge, served, event)
        if first is not None:
            return first
    if not isinstance(next_, Attempt):
        return _without_attempt(execution, "exhausted", event)
    special, attempt = procedure, next_
    if attempt.purpose == "run" and attempt.action is None:
        special, attempt = variants.specialised(procedure, attempt, request, memory, knowledge)
    event |= {"binding": dict(attempt.binding), "look": attempt.look, "route": list(attempt.route)}
    execution = attempting(execution, attempt, special, state)
    return {"execution": execution, "route": "execute"}, event


def _enable(
    bound: Mapping[str, str],
    procedure: Procedure,
    plan: PlanState,
    memory: EpisodeMemory,
    knowledge: Knowledge,
) -> Change | None:
    """Where everything is one step away: put first what must be done to these things."""
    if memory.places is not None:
        return None
    served = plan["items"][plan["cursor"]]["served"]
    need = unmet_need(procedure, Request(bound, {}), memory, frozenset(served))
    if need is None:
        return None
    event: Event = {"ref": procedure.ref, "preconditions": []}
    return _serve(need, plan, knowledge, served, event)


def _serve(
    need: Need,
    plan: PlanState,
    knowledge: Knowledge,
    served: list[str],
    event: Event,
) -> Change | None:
    """Put what has to be done first before the plan's current place, if a procedure does it."""
    first = needed_item(need, knowledge, served)
    if first is None:
        return None
    cursor = plan["cursor"]
    item = plan["items"][cursor]
    here: Item = {**item, "served": [*served, f"{need.frame}|{need.entity}"]}
    items = [*plan["items"][:cursor], first, here, *plan["items"][cursor + 1 :]]
    event["need"] = {"frame": need.frame, "entity": need.entity}
    plan = {**plan, "items": items}
    return {"plan": plan, "execution": None, "route": "retrieve"}, event


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
    if item["unless"]:
        verdict = parse_condition(item["unless"]).evaluate(memory, {THING: item["thing"]})
        if verdict.value:
            return verdict.because
    moves = memory.world.effects.get(_final_frame(procedure)) == "moves"
    if item["fixed"] and not moves:
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


def _texts(
    meta: MetaProcedure | None,
    with_: Mapping[str, str],
    knowledge: Knowledge,
    memory: EpisodeMemory,
) -> dict[str, str]:
    """Parameter → what was last observed after the procedure that tells its entity."""
    latest: dict[str, str] = {}
    for own, name in with_.items():
        parameter = meta.parameters.get(name) if meta is not None else None
        if parameter is None or parameter.by is None or parameter.by not in knowledge.procedures:
            continue
        frame = _final_frame(knowledge.procedures[parameter.by])
        texts = memory.texts_of(frame.__eq__)
        latest[own] = texts[-1] if texts else ""
    return latest


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
