"""Fit weights by evolution: a (μ + λ) strategy for few non-negative numbers with sum 1.

The paper sets the weights of its pruning utility to 0.5, 0.3 and 0.2 by hand; its appendix names
evolution strategies for them. The objective counts successes, so it is flat nearly everywhere and
has no gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from ..common.errors import MaclaError


def evolve_weights(
    objective: Callable[[tuple[float, ...]], float],
    start: Sequence[float],
    *,
    generations: int = 60,
    children: int = 12,
    parents: int = 3,
    step: float = 1.0,
    seed: int = 0,
) -> tuple[float, ...]:
    """Return the best weights met; the start if none has a higher objective.

    A (μ + λ) strategy with recombination by the mean, in the logarithms of the weights, with the
    step size adapted by the share of children that are no worse (the 1/5 rule).

    Args:
        objective: Function to maximise; deterministic.
        start: The first weights, each > 0; they are scaled to sum 1.
        generations: Number of generations, >= 1.
        children: λ, candidates per generation.
        parents: μ, number of candidates that the next generation comes from, in [1, λ].
        step: First standard deviation, in logarithms.
        seed: Seed of the random numbers.

    Raises:
        MaclaError: A starting weight is not above 0, or a count is out of range.
    """
    if not start or not all(0.0 < weight < math.inf for weight in start):
        raise MaclaError(f"evolution starts from weights above 0, got {list(start)!r}")
    if generations < 1 or not 1 <= parents <= children:
        raise MaclaError(
            f"evolution needs at least one generation and 1 to {children} parents, got "
            f"{generations} and {parents}"
        )
    rng = Random(seed)  # noqa: S311 (not for secrets)
    centre = [math.log(weight) for weight in start]
    start_weights = _scale(centre)
    elite = (objective(start_weights), 1, centre, start_weights)
    for _ in range(generations):
        offspring = []
        for index in range(children):
            genes = [gene + step * rng.gauss(0.0, 1.0) for gene in centre]
            weights = _scale(genes)
            offspring.append((objective(weights), -index, genes, weights))
        improved = sum(value >= elite[0] for value, *_ in offspring)
        step *= math.exp((improved / children - 0.2) / 3.0)
        step = min(max(step, 0.02), 1.5)
        # The best so far competes, too, so that it is never lost.
        ranked = sorted([*offspring, elite], key=lambda each: each[:2], reverse=True)
        elite = (ranked[0][0], 1, *ranked[0][2:])
        centre = [
            sum(column) / parents
            for column in zip(*(genes for _, _, genes, _ in ranked[:parents]), strict=True)
        ]
    return elite[3]


def _scale(genes: Sequence[float]) -> tuple[float, ...]:
    top = max(genes)
    powers = [math.exp(gene - top) for gene in genes]
    total = sum(powers)
    return tuple(power / total for power in powers)
