"""Contrast the executions of a procedure that worked with those that failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..lexicon import Lexicon
from ..method import Method
from ..model import Procedure
from .cases import Case, at_start, cases_of, first_tries
from .context import ExecutionContext
from .evidence import Trigger
from .postconditions import contrast_postconditions
from .situations import holds
from .splits import contrast_situations, specialised
from .steps import contrast_steps
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
            suggestions.append(_shared(specialised(procedure, found), cases, lexicon))
            break  # the next version is looked at afresh
        if missing is not None:
            wanting.append(missing)
            if missing.kind in ("missing_step", "guard") and _soon(missing, cases):
                break  # what repairs is better than what forbids: wait for it
    return Contrasted(tuple(suggestions), tuple(wanting))


def _shared(suggestion: Suggestion, cases: Sequence[Case], lexicon: Lexicon) -> Suggestion:
    """Note of a variant how much of what was tried is what it is for."""
    if suggestion.kind != "variant":
        return suggestion
    condition = suggestion.document["preconditions"][-1]
    tries = at_start(first_tries(cases), lexicon)
    # Where only a sample is kept, each kept one stands for others.
    weights = [1.0 / case.context.share for case in tries]
    own = sum(w for w, c in zip(weights, tries, strict=True) if holds(condition, c, lexicon))
    return replace(suggestion, share=own / sum(weights)) if tries else suggestion


def _soon(wanting: Wanting, cases: Sequence[Case]) -> bool:
    return wanting.more is not None and wanting.more <= PATIENCE * len(cases)
