"""contrast: what failed against what worked, and the changes that follow from it.

Changes are put forward one a superstep, so that each may wait for a person (LangGraph's
``interrupt``) without another being asked about twice.
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...procedures.common.errors import MaclaError
from ...procedures.proposals.proposal import Proposal
from ..context import MaclaContext
from ..outcomes import by_hand_outcomes
from ..protocols import EpisodeRefiner
from ..refining import ask_about_failures
from ..state import MaclaState

__all__ = ["contrast"]


def contrast(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Find the changes that what failed in this episode speaks for, then put each forward."""
    refinery = runtime.context.refinery
    waiting = state.get("proposals")
    if refinery is None or waiting == []:
        return {"route": "conclude"}
    if waiting is None:
        return _found(state, runtime, refinery)
    return _put_forward(waiting, runtime, refinery)


def _found(
    state: MaclaState, runtime: Runtime[MaclaContext], refinery: EpisodeRefiner
) -> dict[str, Any]:
    """Look at what failed; the refinery decides whether there is evidence enough."""
    context = runtime.context
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
        runtime.stream_writer({"node": "contrast", "not_enough_evidence": unsure})
    return {
        "proposals": [proposal.to_document() for proposal in found],
        "counters": context.counted(state, meter),
        "route": "contrast",
    }


def _put_forward(
    waiting: list[dict[str, Any]], runtime: Runtime[MaclaContext], refinery: EpisodeRefiner
) -> dict[str, Any]:
    """Put the first of the changes forward."""
    proposal = Proposal.from_document(waiting[0])
    try:
        note = refinery.submit(proposal)
    except MaclaError as error:
        # Locked, or changed meanwhile: the episode was played all the same.
        note = f"refused: {error}"
    became = {"proposal": proposal.id, "target": proposal.target.id, "note": note}
    runtime.stream_writer({"node": "contrast", "refinement": became})
    return {"proposals": waiting[1:], "refined": [became], "route": "contrast"}
