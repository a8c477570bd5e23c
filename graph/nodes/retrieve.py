"""retrieve: which procedures or plans could serve now?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.planning.episode_memory import EpisodeMemory
from ...procedures.tasks.goal_matching import is_said, nothing_cost, reading_posterior, template_of
from .. import following
from ..acting import copied, done_before
from ..context import MaclaContext
from ..free_wording import worded_candidates
from ..knowledge import Knowledge
from ..plan_progress import end_plan, instructed_items, reading_key
from ..state import MaclaState, PlanState

__all__ = ["MOST_TURNS", "retrieve"]

MOST_TURNS = 100
"""Most turns of the loop between two actions; then an action is chosen without a plan."""
_LIKELY = 0.5
"""Posterior probability from which a plan's reading of the task needs no alternatives."""


def retrieve(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Offer the plan's next procedure, or, without a plan, what the index finds for the task."""
    context = runtime.context
    plan = state.get("plan")
    steps = len(state.get("history") or [])
    at, turns = state.get("turns") or [steps, 0]
    turns = turns + 1 if at == steps else 1
    update: dict[str, Any] = {"route": "score", "turns": [steps, turns]}
    if turns > MOST_TURNS:
        # Thinking has come to nothing: an action has to be done.
        if plan is None:
            return {**update, "candidates": []}
        ended = end_plan(state, plan, "aborted")
        return {**update, **ended, "candidates": [], "route": "update"}
    if plan is None and done_before(state, context):
        return {**update, "candidates": []}  # what was paid in full is done again by fallback
    offer = following.offered(state, context) if plan is None else None
    if offer is not None and not context.knowledge.contradicted(offer["ref"]):
        runtime.stream_writer({"node": "retrieve", "step": steps, "candidates": [offer]})
        return {**update, "candidates": [offer]}
    if plan is None and copied(state, context) is not None:
        return {**update, "candidates": []}  # plans know no better; fallback does it
    left = state["program"] if plan is None and following.ended(state) else None
    if left is not None and not context.knowledge.contradicted(left["ref"]):
        return {**update, "candidates": []}  # the program says why it hands over
    if plan is not None:
        plan, read = _with_instructions(plan, state, context)
        if read:
            update["plan"] = plan
        if plan["cursor"] >= len(plan["items"]):
            # The instructions were the last place and called for nothing (more).
            ended = end_plan(state, plan, "postcondition_failed")
            return {**update, **ended, "candidates": [], "route": "update"}
        if plan["items"][plan["cursor"]].get("explore"):
            return {**update, "candidates": [], "route": "explore"}
    candidates = [_next_place(plan)] if plan is not None else _for_task(state, context)
    if offer is not None:
        candidates.append(offer)
    runtime.stream_writer({"node": "retrieve", "step": steps, "candidates": candidates})
    return {**update, "candidates": candidates}


def _with_instructions(
    plan: PlanState, state: MaclaState, context: MaclaContext
) -> tuple[PlanState, bool]:
    """Replace places that follow instructions by what those call for."""
    read = False
    while plan["cursor"] < len(plan["items"]) and "follow" in plan["items"][plan["cursor"]]:
        called = instructed_items(plan, context.knowledge, context.memory(state))
        cursor = plan["cursor"]
        items = [*plan["items"][:cursor], *called, *plan["items"][cursor + 1 :]]
        plan = {**plan, "items": items}
        read = True
    return plan, read


def _next_place(plan: PlanState) -> dict[str, Any]:
    item = plan["items"][plan["cursor"]]
    return {"kind": "place", "ref": item["ref"], "similarity": 1.0}


def _for_task(state: MaclaState, context: MaclaContext) -> list[dict[str, Any]]:
    """Plans near the task, each with its reading of the task's words.

    Single procedures are looked for too if no plan is likely to be what is meant, or always where
    the preset lets them compete.
    """
    knowledge = context.knowledge
    memory = context.memory(state)
    kinds = {memory.kind_of(entity) for entity in memory.known}
    chunks = memory.lexicon.chunk(state["task"], kinds)
    nothing = nothing_cost(chunks, knowledge.vocabulary)
    steps = len(state.get("history") or [])
    aside = {each for each, (_, until) in (state.get("idle") or {}).items() if steps < until}
    found = _candidates("meta", memory, chunks, nothing, context)
    found = worded_candidates(state, memory, nothing, found, context)
    costs = {candidate["reading"]: candidate["reading_cost"] for candidate in found}
    goals = {candidate["reading"]: candidate["goal"] for candidate in found}
    posterior = reading_posterior(costs, state.get("readings") or {}, nothing, goals)
    rivals = context.settings.preset.rivals
    if rivals or max(posterior.values(), default=0.0) < _LIKELY:
        found += _candidates("procedure", memory, chunks, nothing, context)
    return [candidate for candidate in found if candidate["reading"] not in aside]


def _candidates(
    kind: str,
    memory: EpisodeMemory,
    chunks: tuple[str, ...],
    nothing: float,
    context: MaclaContext,
) -> list[dict[str, Any]]:
    knowledge = context.knowledge
    library: Mapping[str, MetaProcedure] | Mapping[str, Procedure]
    library = knowledge.metas if kind == "meta" else knowledge.procedures
    found: list[dict[str, Any]] = []
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
        found.append(
            {
                "kind": kind,
                "ref": known.ref,
                "similarity": round(hit.similarity, 6),
                "reading_cost": round(cost, 6),
                "nothing": round(nothing, 6),
                "fillers": dict(fit.fillers),
                "reading": reading_key(known, fit.fillers),
                "goal": knowledge.instance(known.ref, kind, fit.fillers),
                **_words_of(known, chunks, fit.fillers, knowledge),
            }
        )
    return found


def _words_of(
    known: MetaProcedure | Procedure,
    chunks: tuple[str, ...],
    fillers: Mapping[str, str],
    knowledge: Knowledge,
) -> dict[str, Any]:
    """Say whether a task is in a goal's very words, and else how often such a reading failed."""
    template = template_of(chunks, fillers)
    follows = isinstance(known, MetaProcedure) and any(place.follow for place in known.plan)
    said = follows or is_said(known.goal, chunks, fillers)
    good, bad = knowledge.counts.get(("reading", known.id, 0, template), (0.0, 0.0))
    return {"said": said, "template": template, "refuted": max(0.0, bad - 3.0 * good)}
