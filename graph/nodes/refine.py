"""refine: note which procedures have gathered enough contrast to be refined."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..state import MaclaState

__all__ = ["refine"]


def refine(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Record that a refinement is due (n_min successes and failures), and decide what follows."""
    context = runtime.context
    need_success, need_failure = context.settings.refine_after
    prior_alpha, prior_beta = context.knowledge.prior
    due: list[dict[str, Any]] = []
    known = {entry["ref"] for entry in state.get("due") or []}
    charged = {ref: list(counts) for ref, counts in (state.get("charged") or {}).items()}
    for row in state.get("pending") or []:
        if row["subject_kind"] not in ("procedure", "meta"):
            continue
        ref = f"{row['subject']}@{row['version']}"
        here = charged.setdefault(ref, [0.0, 0.0])
        here[0] += row["successes"]
        here[1] += row["failures"]
        alpha, beta = context.knowledge.posterior(
            row["subject_kind"], row["subject"], row["version"]
        )
        successes, failures = alpha - prior_alpha + here[0], beta - prior_beta + here[1]
        if ref not in known and successes >= need_success and failures >= need_failure:
            known.add(ref)
            due.append({"ref": ref, "successes": successes, "failures": failures})
    ended = bool(state.get("done")) or len(state.get("history") or []) >= state["horizon"]
    runtime.stream_writer({"node": "refine", "step": len(state.get("history") or []), "due": due})
    return {
        "due": due,
        "pending": [],
        "charged": charged,
        "route": "conclude" if ended else "retrieve",
    }
