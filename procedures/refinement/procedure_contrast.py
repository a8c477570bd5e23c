"""Contrast the executions of a procedure that worked with those that failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ..method.settings import Method
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon
from .bayes_factors import Trigger
from .cases import Case, cases_of
from .execution_context import ExecutionContext
from .postconditions import contrast_postconditions
from .situation_splits import contrast_situations
from .step_contrast import contrast_steps
from .suggestion import PATIENCE, Suggestion, Wanting


@dataclass(frozen=True, slots=True)
class Contrasted:
    """The result of a contrast.

    Attributes:
        suggestions: Credible changes; repairs come before preconditions.
        wanting: Effects that may be real, with what they need to be credible.
    """

    suggestions: tuple[Suggestion, ...] = ()
    wanting: tuple[Wanting, ...] = ()


def contrast(
    procedure: Procedure,
    successes: Sequence[ExecutionContext],
    failures: Sequence[ExecutionContext],
    lexicon: Lexicon,
    trigger: Trigger | None = None,
    method: Method | None = None,
) -> Contrasted:
    """Return the changes of a procedure that its executions support.

    Args:
        procedure: The version that was executed.
        successes: Executions that worked.
        failures: Executions that failed.
        lexicon: Finds entities.
        trigger: When an effect is credible.
        method: θ_conf and the prior, which decide what is worth a try; without a prior (None) it
            is uniform.
    """
    trigger = trigger or Trigger()
    cases = cases_of(procedure, [*successes, *failures], lexicon)
    worked = sum(case.worked for case in cases)
    enough = worked >= trigger.least[0] and len(cases) - worked >= trigger.least[1]
    if trigger.counts_only and not enough:
        return Contrasted()  # the paper contrasts nothing with fewer
    suggestions: list[Suggestion] = []
    wanting: list[Wanting] = []
    situations = partial(contrast_situations, method=method or Method())
    for contrast_by in (contrast_steps, situations, contrast_postconditions):
        suggestion, unsure = contrast_by(procedure, cases, lexicon, trigger)
        if suggestion is not None:
            suggestions.append(suggestion)
            break  # the next version is contrasted afresh
        if unsure is not None:
            wanting.append(unsure)
            if unsure.kind in ("missing_step", "guard") and _soon(unsure, cases):
                break  # wait for the repair: it is better than a precondition
    return Contrasted(tuple(suggestions), tuple(wanting))


def _soon(wanting: Wanting, cases: Sequence[Case]) -> bool:
    return wanting.more is not None and wanting.more <= PATIENCE * len(cases)
