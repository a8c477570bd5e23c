"""How many bits a demonstration costs, given what a library predicts.

The library's predictions are made a code for what demonstrators do, so that libraries of different
kinds compare by one number: fewer bits are better predictions. Every step of a demonstration costs
−log₂ of the probability that the code gives to what was shown.

- Nothing is certain: with probability ε the demonstrator does something that the library does not
  hold possible. Such a *divergence* costs −log₂(ε/A): which of the A actions it was has to be said,
  and all are taken as equally likely. There are at least two, or it would be no choice.
- Where one action is predicted and shown, it costs −log₂(1−ε).
- Where the library searches, it holds several actions possible and has an order, but says no
  probabilities. Rank r is given 1/(r(r+1)): these sum to one over all ranks, fall off slowly enough
  that a good candidate far down is no disaster (about 2·log₂ r bits), and need no constant. So it
  costs −log₂((1−ε)/(r(r+1))), which is one bit more than certainty at rank 1.
- ε is estimated from the same steps, (divergences + 1)/(steps + 2): Laplace's rule, the mean of the
  posterior after a uniform prior. It is never 0 or 1, so that every cost is finite and positive,
  and a perfect score on three steps is not worth as much as one on three thousand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..common.errors import DataError
from .predictions import PredictedStep


def doubt(steps: Iterable[PredictedStep]) -> float:
    """Return ε: how probable it is that a step diverges."""
    counted = [step.diverges for step in steps if step.counts]
    return (sum(counted) + 1) / (len(counted) + 2)


def step_bits(step: PredictedStep, epsilon: float, actions: int) -> float:
    """Return what one step costs.

    Args:
        step: The step; one of which nothing is said costs nothing.
        epsilon: How probable a divergence is, between 0 and 1, both excluded.
        actions: How many different actions there are; fewer than two count as two.

    Raises:
        DataError: ε is out of its range.
    """
    if not 0 < epsilon < 1:
        raise DataError(f"the probability of a divergence lies between 0 and 1, not {epsilon}")
    if not step.counts:
        return 0.0
    rank = step.rank
    if rank is None or step.diverges:
        return -math.log2(epsilon / max(2, actions))
    ranks = rank * (rank + 1) if step.searching else 1
    return -math.log2((1 - epsilon) / ranks)
