"""Ask a reasoner about failures that evidence alone explains no change for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..procedures.common.errors import MaclaError
from ..procedures.conditions.language import parse_condition
from ..procedures.episodes.trajectories import Trajectory
from ..procedures.model.procedure import MetaProcedure, Procedure
from ..procedures.proposals.proposal import Proposal
from ..procedures.refinement.execution_context import ExecutionContext
from ..procedures.refinement.refinery import Abstained
from ..procedures.refinement.view import ContextView
from ..procedures.words.lexicon import Lexicon
from .budget import Meter
from .protocols import EpisodeRefiner, Refiner
from .reasoning import PlacePolicy, Segment, Suggestion

_MOST_TOUCHED = 0.5
"""Share of the executions that worked which new conditions may touch."""
_SHOWN = 3
"""Executions of each outcome that a question shows; also how many there must be."""


def ask_about_failures(
    refinery: EpisodeRefiner, reasoner: Refiner, meter: Meter, lexicon: Lexicon
) -> list[Proposal]:
    """Ask about what :meth:`EpisodeRefiner.propose` found no change for, within the budget.

    One that has no model abstains. What it suggests is put forward like any other change; it is
    dropped if its conditions do not part what failed from what worked, or if the stored episodes
    credibly speak against it.

    Returns:
        At most one proposal: the next episode may ask about the next item.
    """
    for abstained in refinery.abstained.values():
        item = abstained.item
        if not meter.left:
            break
        try:
            if isinstance(item, MetaProcedure):
                document = _distilled(item, abstained.trajectories, reasoner, meter)
                why = f"Where episodes part ways, {reasoner.model} says when to go on."
            else:
                document, why = _contrasted(item, abstained, reasoner, meter, lexicon)
            proposal = None if document is None else refinery.suggested(item, document, why)
            if proposal is not None:
                return [proposal]
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
    if document is None or not _tells_apart(procedure, document, abstained, lexicon):
        return None, ""
    why = suggestion.rationale or "no reason is given."
    return document, f"{reasoner.model} says: {why}"


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
        # A step that stays keeps what the model was not asked about, such as what it expects.
        own = {step["do"]: step for step in document["steps"] if "do" in step}
        document["steps"] = [{**own.get(step["do"], {}), **step} for step in suggestion.steps]
    document["version"] = procedure.version + 1
    changed = Procedure.from_document(document).to_document()
    same = {**procedure.to_document(), "version": procedure.version + 1}
    return None if changed == same else changed


def _tells_apart(
    procedure: Procedure, document: Mapping[str, Any], abstained: Abstained, lexicon: Lexicon
) -> bool:
    """Say whether new conditions part what failed from what worked.

    They touch an execution that a precondition would have refused, or in which a step would have
    been done. They may touch half of what worked, and less of it than of what failed. A change
    without new conditions is left to its replay.
    """
    changed = Procedure.from_document(document)
    needs = [each for each in changed.preconditions if each not in procedure.preconditions]
    own = {(step.do, step.when) for step in procedure.steps}
    guards = [s.when for s in changed.steps if s.when is not None and (s.do, s.when) not in own]
    if not needs and not guards:
        return True

    def touched(context: ExecutionContext) -> bool:
        moments = [ContextView(context, lexicon, n) for n in range(len(context.steps) + 1)]
        return any(c.evaluate(moments[0], context.binding).value is False for c in needs) or any(
            guard.evaluate(view, context.binding).value is True
            for guard in guards
            for view in moments
        )

    worked, failed = (
        sum(map(touched, contexts)) / max(1, len(contexts))
        for contexts in (abstained.successes, abstained.failures)
    )
    return worked <= _MOST_TOUCHED and worked < failed


def _distilled(
    meta: MetaProcedure, trajectories: Sequence[Trajectory], reasoner: Refiner, meter: Meter
) -> dict[str, Any] | None:
    won = sum(each.success for each in trajectories)
    if won < _SHOWN or len(trajectories) - won < _SHOWN:
        return None
    policy = reasoner.distil_policy(meta, trajectories, meter)
    return None if policy is None else _with_policy(meta, policy)


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
