"""conclude: the episode is over; learn from it where the caller asked for that.

Refinements are put forward one a superstep, so that each may wait for a person (LangGraph's
``interrupt``) without another being asked about twice.
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...procedures.errors import MaclaError
from ...procedures.proposals.model import Proposal
from ..context import MaclaContext
from ..outcomes import by_hand_outcomes
from ..refining import ask_about_failures
from ..state import MaclaState

__all__ = ["conclude"]


def conclude(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Put refinements forward, then hand the finished episode to the learner."""
    context = runtime.context
    refinery = context.refinery
    waiting = state.get("proposals")
    if refinery is not None and waiting is None:
        # What failed is looked at; the refinery decides whether there is evidence enough.
        charged = state.get("charged") or {}
        first = state.get("recorded", 0)
        rows = by_hand_outcomes(state, context.knowledge)
        context.record(state, [{**row, "step": first + i} for i, row in enumerate(rows)])
        found = refinery.propose([ref for ref, (_, failures) in charged.items() if failures])
        meter = context.meter(state)
        if not found and not state.get("won"):
            found = ask_about_failures(refinery, context.reasoner, meter, context.knowledge.lexicon)
        unsure = {
            ref: [(each.kind, each.text, each.more) for each in abstained.wanting]
            for ref, abstained in refinery.abstained.items()
            if abstained.wanting
        }
        if unsure:
            runtime.stream_writer({"node": "conclude", "not_enough_evidence": unsure})
        return {
            "proposals": [proposal.to_document() for proposal in found],
            "counters": context.counted(state, meter),
            "route": "conclude",
        }
    if refinery is not None and waiting:
        proposal = Proposal.from_document(waiting[0])
        try:
            note = refinery.submit(proposal)
        except MaclaError as error:
            # Locked, or changed meanwhile: the episode was played all the same.
            note = f"refused: {error}"
        became = {"proposal": proposal.id, "target": proposal.target.id, "note": note}
        runtime.stream_writer({"node": "conclude", "refinement": became})
        return {"proposals": waiting[1:], "refined": [became], "route": "conclude"}
    if context.after_episode is not None:
        context.after_episode(state)
    runtime.stream_writer(
        {
            "node": "conclude",
            "step": len(state.get("history") or []),
            "won": bool(state.get("won")),
            "steps": len(state.get("history") or []),
        }
    )
    return {"route": "end"}
