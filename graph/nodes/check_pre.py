"""check_pre: bind what was chosen, check that it may start, and pick the next attempt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
from ..context import MaclaContext
from ..events import checks_of, emit, item_event
from ..executions import new_execution, visited, with_attempt
from ..exploring import due, exploring_plan, simplest
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
        checks = checks_of(meta.preconditions, memory, fillers)
        plan = plan_for_meta(meta, knowledge.procedures, fillers, key, began)
    else:
        procedure = knowledge.procedure(choice["ref"])
        checks = checks_of(procedure.preconditions, memory, {})
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


@dataclass(frozen=True, slots=True)
class _Here:
    """Where a plan stands: its current place, and the procedure that runs there."""

    state: MaclaState
    context: MaclaContext
    memory: EpisodeMemory
    plan: PlanState
    item: Item
    procedure: Procedure
    meta: MetaProcedure | None

    @property
    def place(self) -> Place | None:
        """The meta-procedure's place; None for an item that was put in."""
        index = self.item["place"]
        return self.meta.plan[index] if self.meta is not None and index >= 0 else None

    @property
    def names(self) -> dict[str, str]:
        """What the plan's names stand for."""
        return {**self.plan["fillers"], **self.plan["bound"]}


def _prepare(state: MaclaState, context: MaclaContext) -> Change:
    """Next attempt at the plan's current place; Θ's ``skip`` comes first."""
    plan, knowledge, memory = state["plan"], context.knowledge, context.memory(state)
    if plan is None:
        return {"route": "retrieve"}, {}
    item = plan["items"][plan["cursor"]]
    procedure = knowledge.procedure(item["ref"])
    meta = knowledge.meta(plan["meta"]) if plan["meta"] else None
    here = _Here(state, context, memory, plan, item, procedure, meta)
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
            return _keep(kept, here)
    if execution is None or execution["ref"] != procedure.ref:
        reason = _reason_to_skip(here)
        if reason is not None:
            skipped: Event = {"ref": procedure.ref, "skip": reason}
            return {"verdict": "skip", "route": "check_post"}, skipped
        execution = new_execution(procedure, plan, steps_of(state))
    if memory.places is not None and knowledge.world.has_places:
        return _approach(here, execution)
    first = _enable(here, execution["bound"]) if item["because"] is not None else None
    return first or _attempt(here, execution)


def _without_attempt(execution: Execution, verdict: Verdict, event: Event) -> Change:
    """Return that nothing is tried, and why."""
    execution = {**execution, "exhausted": execution["exhausted"] or verdict == "exhausted"}
    return {"execution": execution, "verdict": verdict, "route": "check_post"}, event


def _attempt(here: _Here, execution: Execution) -> Change:
    """Check the preconditions, and bind what is free: the next attempt, or why there is none."""
    state, procedure, memory = here.state, here.procedure, here.memory
    bound, knowledge = execution["bound"], here.context.knowledge
    # What fills a gap is new, so preconditions cannot know of it.
    conditions = procedure.preconditions if here.plan["gap"] is None else ()
    checks = checks_of(conditions, memory, bound)
    event: Event = {"ref": procedure.ref, "preconditions": checks}
    if any(check["value"] is False for check in checks):
        return _without_attempt(execution, "refused", event)
    search = SearchMemory(**state["search"])
    request = Request(
        bound=bound,
        wants=execution["wants"],
        taken=_taken(here.plan, here.meta, here.item["with_"]),
        tried=frozenset(execution["tried"]),
        acceptable=_preference(here),
        told=_texts(here),
        prepared=tuple(execution["prepared"]),
        moved=memory.moved if state["readings"]["refuted"] else {},
    )
    attempt, special, refused = variants.suited(procedure, request, memory, search, knowledge)
    if attempt is None:
        return _without_attempt(execution, "exhausted" if refused is None else "refused", event)
    if here.item["because"] is not None and attempt.purpose == "run":
        # What was chosen beside the instruction's own thing may need something first, too.
        first = _enable(here, attempt.binding)
        if first is not None:
            return {**first[0], "execution": execution}, first[1]
    event |= {"binding": dict(attempt.binding), "look": attempt.look}
    if special is not procedure:
        event["variant"] = special.ref
    execution = with_attempt(execution, attempt, special, state)
    update: Update = {"execution": execution, "search": visited(state, attempt)}
    return {**update, "route": "execute"}, event


def _failed_last(kept: Done, state: MaclaState, memory: EpisodeMemory) -> bool:
    """Whether the last that was tried with the thing did not work."""
    for action, _, worked in reversed(history_of(state)):
        if set(kept.binding.values()) & set(memory.lexicon.parse(action)[1]):
            return not worked
    return False


def _keep(kept: Done, here: _Here) -> Change:
    """Pass the plan's first place over, going on with the thing that it was done to."""
    bound = {**here.plan["bound"], **kept.binding}
    taken = [*here.plan["taken"], *kept.binding.values()]
    actions = _actions_of(kept, here.state, here.memory)
    plan: PlanState = {**here.plan, "bound": bound, "taken": taken, "kept": actions}
    event = {"ref": here.procedure.ref, "skip": kept.because, "binding": dict(kept.binding)}
    return {"plan": plan, "verdict": "skip", "route": "check_post"}, event


def _actions_of(kept: Done, state: MaclaState, memory: EpisodeMemory) -> list[int]:
    """Return which actions did what is kept: all on its thing, and what just led to each.

    What was done last to a thing rests on what was done to it before.
    """
    history = history_of(state)
    arguments = [set(memory.lexicon.parse(action)[1]) for action, _, _ in history]
    indices: set[int] = set()
    for at, (_, _, worked) in enumerate(history):
        if not worked or arguments[at].isdisjoint(kept.binding.values()):
            continue
        first = at
        while first > 0 and history[first - 1][2] and arguments[first - 1]:
            if not arguments[first - 1] <= arguments[at]:
                break
            first -= 1
        indices.update(range(first, at + 1))
    return sorted(indices)


def _approach(here: _Here, execution: Execution) -> Change:
    """In a world of places: enable the procedure, go where it can be done, or explore."""
    state, procedure, memory, item = here.state, here.procedure, here.memory, here.item
    possible = None if state["world"]["admissible"] is None else state["world"]["possible"]
    tried, served = frozenset(execution["tried"]), frozenset(item["served"])
    request = Request(execution["bound"], execution["wants"], tried=tried, told=_texts(here))
    told = item["because"] is not None and not served
    attempt = approach(procedure, request, memory, possible, served, told=told)
    event: Event = {"ref": procedure.ref, "preconditions": []}
    if isinstance(attempt, Need):
        first = _serve(here, attempt, event)
        if first is not None:
            return first
    if not isinstance(attempt, Attempt):
        return _without_attempt(execution, "exhausted", event)
    special = procedure
    if attempt.purpose == "run" and attempt.action is None:
        special, attempt = variants.specialised(
            procedure, attempt, request, memory, here.context.knowledge
        )
    event |= {"binding": dict(attempt.binding), "look": attempt.look, "route": list(attempt.route)}
    execution = with_attempt(execution, attempt, special, state)
    return {"execution": execution, "route": "execute"}, event


def _enable(here: _Here, bound: Mapping[str, str]) -> Change | None:
    """Where everything is one step away: put first what must be done to these things."""
    if here.memory.places is not None:
        return None
    served = frozenset(here.item["served"])
    need = unmet_need(here.procedure, Request(bound, {}), here.memory, served)
    event: Event = {"ref": here.procedure.ref, "preconditions": []}
    return None if need is None else _serve(here, need, event)


def _serve(here: _Here, need: Need, event: Event) -> Change | None:
    """Put what has to be done first before the plan's current place, if a procedure does it."""
    plan, item, cursor = here.plan, here.item, here.plan["cursor"]
    first = needed_item(need, here.context.knowledge, item["served"])
    if first is None:
        return None
    item = {**item, "served": [*item["served"], f"{need.frame}|{need.entity}"]}
    items = [*plan["items"][:cursor], first, item, *plan["items"][cursor + 1 :]]
    event["need"] = {"frame": need.frame, "entity": need.entity}
    return {"plan": {**plan, "items": items}, "execution": None, "route": "retrieve"}, event


def _reason_to_skip(here: _Here) -> str | None:
    """Why an item of the plan is passed over: Θ's skip, its own exception, or it is done."""
    item, place, memory = here.item, here.place, here.memory
    if place is not None and place.skip is not None:
        verdict = place.skip.evaluate(memory, here.names)
        if verdict.value:
            return verdict.because
    if item["unless"]:
        verdict = parse_condition(item["unless"]).evaluate(memory, {THING: item["thing"]})
        if verdict.value:
            return verdict.because
    moves = memory.world.effects.get(_final_frame(here.procedure)) == "moves"
    if item["fixed"] and not moves:
        # What instructions call for is done once: doing it again may undo or spoil it.
        final = Pattern.parse(here.procedure.steps[-1].do or "").bind(item["fixed"])
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


def _texts(here: _Here) -> dict[str, str]:
    """Parameter → what was last observed after the procedure that tells its entity."""
    latest: dict[str, str] = {}
    procedures = here.context.knowledge.procedures
    for own, name in here.item["with_"].items():
        parameter = here.meta.parameters.get(name) if here.meta is not None else None
        if parameter is None or parameter.by is None or parameter.by not in procedures:
            continue
        frame = _final_frame(procedures[parameter.by])
        texts = here.memory.texts_of(frame.__eq__)
        latest[own] = texts[-1] if texts else ""
    return latest


def _preference(here: _Here) -> Callable[[Mapping[str, str]], bool] | None:
    if here.place is None or not here.place.prefer:
        return None
    conditions, names, with_ = here.place.prefer, here.names, here.item["with_"]

    def acceptable(binding: Mapping[str, str]) -> bool:
        known = {**names, **{with_[own]: e for own, e in binding.items() if own in with_}}
        return all(c.evaluate(here.memory, known).value is not False for c in conditions)

    return acceptable
