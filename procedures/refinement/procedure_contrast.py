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

__all__ = ["Contrasted", "contrast"]


@dataclass(frozen=True, slots=True)
class Contrasted:
    """What a contrast came to.

    Attributes:
        suggestions: Changes that are credible: what repairs comes before what only forbids.
        wanting: Effects that may be there; what they need to be sure of.
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
    """Say what changes of a procedure its executions speak for.

    Args:
        procedure: The version that was executed.
        successes: Executions that worked.
        failures: Executions that failed.
        lexicon: Finds entities.
        trigger: How sure one must be.
        method: θ_conf and the prior say what is worth trying; a prior that is fitted (None) is
            to be given as fitted, or is uniform.
    """
    trigger = trigger or Trigger()
    cases = cases_of(procedure, [*successes, *failures], lexicon)
    worked = sum(case.worked for case in cases)
    enough = worked >= trigger.least[0] and len(cases) - worked >= trigger.least[1]
    if trigger.counts_only and not enough:
        return Contrasted()  # the paper contrasts nothing before
    suggestions: list[Suggestion] = []
    wanting: list[Wanting] = []
    situations = partial(contrast_situations, method=method or Method())
    for look in (contrast_steps, situations, contrast_postconditions):
        found, missing = look(procedure, cases, lexicon, trigger)
        if found is not None:
            suggestions.append(found)
            break  # the next version is looked at afresh
        if missing is not None:
            wanting.append(missing)
            if missing.kind in ("missing_step", "guard") and _soon(missing, cases):
                break  # what repairs is better than what forbids: wait for it
    return Contrasted(tuple(suggestions), tuple(wanting))


def _soon(wanting: Wanting, cases: Sequence[Case]) -> bool:
    return wanting.more is not None and wanting.more <= PATIENCE * len(cases)
