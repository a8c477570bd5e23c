"""Ask a reasoner about failures that evidence alone explains no change for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..procedures.conditions import parse_condition
from ..procedures.errors import MaclaError
from ..procedures.lexicon import Lexicon
from ..procedures.model import MetaProcedure, Procedure
from ..procedures.proposals.model import Proposal
from ..procedures.refinement.context import ExecutionContext
from ..procedures.refinement.refinery import Abstained
from ..procedures.refinement.view import ContextView
from ..procedures.trajectories import Trajectory
from .budget import Meter
from .protocols import EpisodeRefiner, Refiner
from .reasoning import PlacePolicy, Segment, Suggestion

__all__ = ["ask_about_failures"]

_SHOWN = 3
"""Executions of each outcome that a question shows; also how many there must be."""


def ask_about_failures(
    refinery: EpisodeRefiner, reasoner: Refiner, meter: Meter, lexicon: Lexicon
) -> list[Proposal]:
    """Ask about what :meth:`EpisodeRefiner.propose` found no change for, within the budget.

    One that has no model abstains. What it suggests is put forward like any other change; it is
    dropped if it would have refused most executions that worked.

    Returns:
        At most one proposal: the next episode may ask about the next.
    """
    for abstained in refinery.abstained.values():
        item = abstained.item
        if not meter.left:
            break
        try:
            if isinstance(item, MetaProcedure):
                policy = reasoner.distil_policy(item, abstained.trajectories, meter)
                document = None if policy is None else _with_policy(item, policy)
                why = "Where episodes of this goal part ways, a model suggests when to go on."
            else:
                document, why = _contrasted(item, abstained, reasoner, meter, lexicon)
            if document is not None:
                return [refinery.suggested(item, document, why)]
        except MaclaError:
            continue  # what it suggests is no procedure
    return []


def _contrasted(
    procedure: Procedure, abstained: Abstained, reasoner: Refiner, meter: Meter, lexicon: Lexicon
) -> tuple[dict[str, Any] | None, str]:
    good, bad = (
        [each for each in contexts if each.steps][-_SHOWN:]
        for contexts in (abstained.successes, abstained.failures)
    )
    if len(good) < _SHOWN or len(bad) < _SHOWN:
        return None, ""
    shown = [[_segment(procedure, each) for each in kind] for kind in (good, bad)]
    suggestion = reasoner.contrast(procedure, shown[0], shown[1], meter)
    if suggestion is None:
        return None, ""
    document = _with_suggestion(procedure, suggestion)
    if document is None or not _refused_seldom(document, abstained.successes, lexicon):
        return None, ""
    return document, suggestion.rationale or "A model suggests it."


def _segment(procedure: Procedure, context: ExecutionContext) -> Segment:
    """Return an execution as a stretch of an episode, from what its context keeps."""
    first = "\n".join((*context.seen, *context.latest))
    trajectory = Trajectory(
        task=context.task or procedure.goal,
        obs=(first, *(event[1] for event in context.steps)),
        acts=tuple(event[0] for event in context.steps),
        success=context.worked,
        id=context.run,
    )
    return Segment(trajectory, procedure.goal, 0, len(context.steps))


def _with_suggestion(procedure: Procedure, suggestion: Suggestion) -> dict[str, Any] | None:
    """Return the procedure as suggested; conditions that speak of none of its things are left out.

    Raises:
        MaclaError: It is no procedure then.
    """
    document = procedure.to_document()
    for key, texts in (
        ("preconditions", suggestion.preconditions),
        ("postconditions", suggestion.postconditions),
    ):
        known = document.get(key, [])
        new = [t for t in texts if t not in known and parse_condition(t).parameters()]
        if new:
            document[key] = [*known, *new]
    if suggestion.steps:
        document["steps"] = [dict(step) for step in suggestion.steps]
    document["version"] = procedure.version + 1
    changed = Procedure.from_document(document).to_document()
    same = {**procedure.to_document(), "version": procedure.version + 1}
    return None if changed == same else changed


def _refused_seldom(
    document: Mapping[str, Any], successes: Sequence[ExecutionContext], lexicon: Lexicon
) -> bool:
    """Say whether the preconditions would have let at least half of what worked begin."""
    conditions = Procedure.from_document(document).preconditions
    kept = 0
    for context in successes:
        view = ContextView(context, lexicon)
        kept += all(c.evaluate(view, context.binding).value is not False for c in conditions)
    return 2 * kept >= len(successes)


def _with_policy(meta: MetaProcedure, policy: Sequence[PlacePolicy]) -> dict[str, Any] | None:
    """Return a plan under another Θ; a place keeps what the policy leaves out.

    Raises:
        MaclaError: It is no plan then.
    """
    if len(policy) != len(meta.plan):
        return None
    document = meta.to_document()
    for place, new in zip(document["plan"], policy, strict=True):
        for key, text in (
            ("continue", new.proceed),
            ("skip", new.skip),
            ("repeat", new.repeat),
            ("abort", new.abort),
        ):
            if text is not None:
                place[key] = text
    document["version"] = meta.version + 1
    changed = MetaProcedure.from_document(document).to_document()
    same = {**meta.to_document(), "version": meta.version + 1}
    return None if changed == same else changed
