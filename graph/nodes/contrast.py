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
from ..state import MaclaState, Update


def contrast(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Find the changes that what failed in this episode speaks for, then put each forward."""
    refinery, waiting = runtime.context.refinery, state["proposals"]
    if refinery is None or waiting == []:
        return {"route": "conclude"}
    if waiting is None:
        return _search(state, runtime, refinery)
    return _put_forward(waiting, runtime, refinery)


def _search(state: MaclaState, runtime: Runtime[MaclaContext], refinery: EpisodeRefiner) -> Update:
    """Look at what failed; the refinery decides whether there is evidence enough."""
    context = runtime.context
    counts, first = state["evidence"]["counts"], state["evidence"]["recorded"]
    rows = enumerate(by_hand_outcomes(state, context.knowledge), first)
    context.record(state, [{**row, "step": number} for number, row in rows])
    proposals = refinery.propose([ref for ref, (_, failures) in counts.items() if failures])
    meter, lexicon = context.meter(state), context.knowledge.lexicon
    if not proposals and not state["won"]:
        proposals = ask_about_failures(refinery, context.reasoner, meter, lexicon)
    unsure = {
        ref: [(each.kind, each.text, each.more) for each in abstained.wanting]
        for ref, abstained in refinery.abstained.items()
        if abstained.wanting
    }
    if unsure:
        runtime.stream_writer({"node": "contrast", "not_enough_evidence": unsure})
    return {
        "proposals": [proposal.to_document() for proposal in proposals],
        "counters": context.counted(state, meter),
        "route": "contrast",
    }


def _put_forward(
    waiting: list[dict[str, Any]], runtime: Runtime[MaclaContext], refinery: EpisodeRefiner
) -> Update:
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
