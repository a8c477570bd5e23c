"""retrieve: which procedures or plans could serve now?"""

from __future__ import annotations

import json
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.matching import fit_goal
from ..context import MaclaContext
from ..state import MaclaState, PlanState

__all__ = ["reading_key", "retrieve"]


def retrieve(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Offer the plan's next procedure, or, without a plan, what the index finds for the task."""
    plan = state.get("plan")
    if plan is not None:
        candidates = [_next_place(plan)]
    else:
        candidates = _for_task(state, runtime.context)
    runtime.stream_writer(
        {"node": "retrieve", "step": len(state.get("history") or []), "candidates": candidates}
    )
    return {"candidates": candidates, "route": "score"}


def _next_place(plan: PlanState) -> dict[str, Any]:
    item = plan["items"][plan["cursor"]]
    return {"kind": "place", "ref": item["ref"], "relevance": 1.0, "similarity": 1.0}


def _for_task(state: MaclaState, context: MaclaContext) -> list[dict[str, Any]]:
    """Metas and procedures near the task, each with its reading of the task's words."""
    knowledge = context.knowledge
    task = state["task"]
    memory = context.memory(state)
    kinds = {memory.kind_of(entity) for entity in memory.known}
    chunks = knowledge.lexicon.chunk(task, kinds)
    found: list[dict[str, Any]] = []
    seen: set[str] = set()
    for hit in knowledge.retriever.search(task, context.settings.candidates, kind="meta"):
        meta = knowledge.metas.get(hit.id)
        if meta is None or meta.status == "retired":
            continue
        fit = fit_goal(
            meta.goal,
            chunks,
            knowledge.vocabulary,
            knowledge.similarity,
            knowledge.roles(meta),
            knowledge.known_kinds,
        )
        candidate = {
            "kind": "meta",
            "ref": meta.ref,
            "similarity": round(hit.similarity, 6),
            "relevance": round(fit.relevance, 6),
            "fillers": dict(fit.fillers),
        }
        candidate["reading"] = reading_key(meta.ref, fit.fillers)
        found.append(candidate)
        seen.add(meta.id)
    for hit in knowledge.retriever.search(task, context.settings.candidates, kind="procedure"):
        procedure = knowledge.procedures.get(hit.id)
        if procedure is None or procedure.status == "retired":
            continue
        fit = fit_goal(procedure.goal, chunks, knowledge.vocabulary, knowledge.similarity)
        found.append(
            {
                "kind": "procedure",
                "ref": procedure.ref,
                "similarity": round(hit.similarity, 6),
                "relevance": round(fit.relevance, 6),
                "fillers": dict(fit.fillers),
                "reading": reading_key(procedure.ref, fit.fillers),
            }
        )
    return found


def reading_key(ref: str, fillers: Any) -> str:
    """Name one reading of the task: a plan together with what fills its slots."""
    return f"{ref} {json.dumps(dict(fillers), sort_keys=True, ensure_ascii=False)}"
