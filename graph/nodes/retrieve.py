"""retrieve: which procedures or plans could serve now?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from langgraph.runtime import Runtime

from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.planning.episode_memory import EpisodeMemory
from ...procedures.tasks.goal_matching import is_said, nothing_cost, reading_posterior, template_of
from .. import following
from ..acting import done_before, floor_action
from ..context import MaclaContext
from ..events import candidate_event, emit
from ..free_wording import worded_candidates
from ..phases import Candidate, PlanState
from ..plan_progress import end_plan, instructed_items, reading_key
from ..state import MaclaState, Update, steps_of

MOST_TURNS = 100
"""Most turns of the loop between two actions; then an action is chosen without a plan."""
_LIKELY = 0.5
"""Posterior probability from which a plan's reading of the task needs no alternatives."""


def retrieve(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Offer the plan's next procedure, or, without a plan, what the index finds for the task."""
    context = runtime.context
    plan, steps = state["plan"], steps_of(state)
    at, turns = state["turns"]
    turns = turns + 1 if at == steps else 1
    update: Update = {"route": "score", "turns": [steps, turns]}
    if turns > MOST_TURNS:
        # Thinking has come to nothing: an action has to be done.
        if plan is None:
            return {**update, "candidates": []}
        ended = end_plan(state, plan, "aborted")
        return {**update, **ended, "candidates": [], "route": "update"}
    if plan is None and done_before(state, context):
        return {**update, "candidates": []}  # what was paid in full is done again by fallback
    offer = following.program_offer(state, context) if plan is None else None
    if offer is not None and not context.knowledge.contradicted(offer["ref"]):
        emit(runtime, "retrieve", state, candidates=[candidate_event(offer)])
        return {**update, "candidates": [offer]}
    if plan is None and floor_action(state, context) is not None:
        return {**update, "candidates": []}  # plans know no better; fallback does it
    left = state["program"] if plan is None and following.has_handed_over(state) else None
    if left is not None and not context.knowledge.contradicted(left["ref"]):
        return {**update, "candidates": []}  # the program says why it hands over
    if plan is not None:
        plan = _with_instructions(plan, state, context)
        if plan is not state["plan"]:
            update["plan"] = plan
        if plan["cursor"] >= len(plan["items"]):
            # The instructions were the last place and called for nothing (more).
            ended = end_plan(state, plan, "postcondition_failed")
            return {**update, **ended, "candidates": [], "route": "update"}
        if plan["items"][plan["cursor"]]["explore"]:
            return {**update, "candidates": [], "route": "explore"}
    candidates = [_next_place(plan)] if plan is not None else _for_task(state, context)
    if offer is not None:
        candidates.append(offer)
    emit(runtime, "retrieve", state, candidates=list(map(candidate_event, candidates)))
    return {**update, "candidates": candidates}


def _with_instructions(plan: PlanState, state: MaclaState, context: MaclaContext) -> PlanState:
    """Replace places that follow instructions by what those call for."""
    while plan["cursor"] < len(plan["items"]) and plan["items"][plan["cursor"]]["follow"]:
        called = instructed_items(plan, context.knowledge, context.memory(state))
        cursor = plan["cursor"]
        items = [*plan["items"][:cursor], *called, *plan["items"][cursor + 1 :]]
        plan = {**plan, "items": items}
    return plan


def _next_place(plan: PlanState) -> Candidate:
    ref = plan["items"][plan["cursor"]]["ref"]
    return {"kind": "place", "ref": ref, "similarity": 1.0, "reading": None}


def _for_task(state: MaclaState, context: MaclaContext) -> list[Candidate]:
    """Plans near the task, each with its reading of the task's words.

    Single procedures are looked for too if no plan is likely to be what is meant, or always where
    the preset lets them compete.
    """
    knowledge = context.knowledge
    memory = context.memory(state)
    kinds = {memory.kind_of(entity) for entity in memory.known}
    chunks = memory.lexicon.chunk(state["task"], kinds)
    nothing = nothing_cost(chunks, knowledge.vocabulary)
    refuted, pauses = state["readings"]["refuted"], state["readings"]["pauses"]
    aside = {each for each, (_, until) in pauses.items() if steps_of(state) < until}
    near = _candidates("meta", memory, chunks, nothing, context)
    near = worded_candidates(state, memory, nothing, near, context)
    readings = [candidate["reading"] for candidate in near if candidate["reading"] is not None]
    costs = {reading["key"]: reading["cost"] for reading in readings}
    goals = {reading["key"]: reading["goal"] for reading in readings}
    posterior = reading_posterior(costs, refuted, nothing, goals)
    rivals = context.settings.preset.rivals
    if rivals or max(posterior.values(), default=0.0) < _LIKELY:
        near += _candidates("procedure", memory, chunks, nothing, context)
    return [each for each in near if not each["reading"] or each["reading"]["key"] not in aside]


def _candidates(
    kind: Literal["meta", "procedure"],
    memory: EpisodeMemory,
    chunks: tuple[str, ...],
    nothing: float,
    context: MaclaContext,
) -> list[Candidate]:
    knowledge = context.knowledge
    library: Mapping[str, MetaProcedure] | Mapping[str, Procedure]
    library = knowledge.metas if kind == "meta" else knowledge.procedures
    candidates: list[Candidate] = []
    unread: float | None = None
    query = knowledge.query(memory.task)
    for hit in knowledge.retriever.search(query, context.settings.candidates, kind=kind):
        known = library.get(hit.id)
        if known is None or known.status == "retired":
            continue
        fit = knowledge.fit(known, chunks)
        cost = fit.cost
        if isinstance(known, MetaProcedure) and known.follows_task:
            # What its instructions say of the task speaks for it, whatever its goal's words.
            unread = knowledge.unread_cost(memory) if unread is None else unread
            cost = min(cost, unread)
        template = template_of(chunks, fit.fillers)
        good, bad = knowledge.counts.get(("reading", known.id, 0, template), (0.0, 0.0))
        candidates.append(
            {
                "kind": kind,
                "ref": known.ref,
                "similarity": round(hit.similarity, 6),
                "reading": {
                    "key": reading_key(known, fit.fillers),
                    "goal": knowledge.instance(known.ref, kind, fit.fillers),
                    "fillers": dict(fit.fillers),
                    "cost": round(cost, 6),
                    "nothing": round(nothing, 6),
                    "said": _said(known, chunks, fit.fillers),
                    "template": template,
                    "refuted": max(0.0, bad - 3.0 * good),
                },
            }
        )
    return candidates


def _said(
    known: MetaProcedure | Procedure, chunks: tuple[str, ...], fillers: Mapping[str, str]
) -> bool:
    """Whether a task is in a goal's very words."""
    follows = isinstance(known, MetaProcedure) and any(place.follow for place in known.plan)
    return follows or is_said(known.goal, chunks, fillers)
