"""Fit a library's settings to its own content and evidence.

What is fitted: the prior (:mod:`.evidence.priors`), θ_conf and θ_dup (:mod:`.evidence.thresholds`),
and the weights of the pruning utility (:mod:`.evolution`). All functions are pure; nothing is
written.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher

from ..common.text import tokens
from ..evidence.thresholds import confidence_threshold, duplicate_threshold
from .evolution import evolve_weights
from .presets import Confidence, Preset
from .retention import Item, keep
from .utility import Candidate, RetentionWeights, expected_utility, retention_utility

__all__ = ["Use", "fit_retention_weights", "fit_theta_conf", "fit_theta_dup", "hit_rate"]

Use = tuple[str, bool]
"""One use of a procedure: its id, and whether it worked."""


def fit_theta_conf(
    posteriors: Sequence[tuple[float, float]], fallback_value: float, preset: Preset
) -> float:
    """Return θ_conf for a library: see :func:`.evidence.thresholds.confidence_threshold`.

    Args:
        posteriors: (α, β) of every plan and procedure that has evidence, under the prior that is
            fitted to the library (:func:`.evidence.priors.fit_prior`) and used by the loop: under
            another prior, posterior means are no expectations of the rates. At least two are
            needed, or the fallback's value is returned.
        fallback_value: What the fallback is worth.
        preset: How expected utility is made.
    """
    if len(posteriors) < 2 or preset.confidence is Confidence.VALUE:
        return fallback_value
    bonuses = [expected_utility(Candidate("", 1.0, a, b), preset).bonus for a, b in posteriors]
    return confidence_threshold(fallback_value, bonuses)


def fit_theta_dup(
    texts: Sequence[str],
    counts: Sequence[tuple[float, float]],
    similarity: Callable[[int, int], float],
    default: float,
) -> float:
    """Return θ_dup for procedures: see :func:`.evidence.thresholds.duplicate_threshold`.

    A procedure is told word by word, each at ``-log2`` of its share of all words. Told as the
    difference from another, only the words that are not the other's are, and where they stand.

    Args:
        texts: What each does: its goal and steps, without what every file has.
        counts: (successes, failures) of each.
        similarity: Of two of them, by index.
        default: See :func:`.evidence.thresholds.duplicate_threshold`.
    """
    import numpy as np

    n = len(texts)
    words = [tokens(text) for text in texts]
    frequency = Counter(word for each in words for word in each)
    total = sum(frequency.values())
    price = {word: -math.log2(count / total) for word, count in frequency.items()}
    alike = np.eye(n)
    differences = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                differences[i, j] = _difference(words[i], words[j], price)
                alike[i, j] = similarity(min(i, j), max(i, j))
    costs = [sum(price[word] for word in each) for each in words]
    return duplicate_threshold(alike, costs, differences, counts, default)


def hit_rate(uses: Sequence[Use], capacity: int, weights: RetentionWeights) -> float:
    """Return the share of successful uses whose procedure was still in memory.

    The uses are replayed: a procedure enters when it is used, and whenever memory is over its
    capacity the paper's pruning utility, with these weights, decides what leaves.

    Args:
        uses: In the order in which they happened.
        capacity: How many procedures memory holds, >= 1.
        weights: Of the pruning utility.
    """
    counts: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    last: dict[str, int] = {}
    held: set[str] = set()
    hits = wanted = 0
    for at, (name, worked) in enumerate(uses):
        if worked and name in last:
            wanted += 1
            hits += name in held
        counts[name][0 if worked else 1] += 1.0
        last[name] = at
        held.add(name)
        if len(held) > capacity:
            held = _pruned(held, counts, last, at, capacity, weights)
    return hits / wanted if wanted else 1.0


def fit_retention_weights(
    uses: Sequence[Use], capacity: int, start: RetentionWeights, seed: int = 0
) -> RetentionWeights:
    """Return the weights of the pruning utility that keep most of what is needed again."""

    def objective(weights: tuple[float, ...]) -> float:
        return hit_rate(uses, capacity, RetentionWeights(*weights))

    first = (start.reliability, start.frequency, start.recency)
    found = evolve_weights(objective, [max(weight, 1e-3) for weight in first], seed=seed)
    return RetentionWeights(*(round(weight, 3) for weight in found))


def _pruned(
    held: set[str],
    counts: Mapping[str, Sequence[float]],
    last: Mapping[str, int],
    at: int,
    capacity: int,
    weights: RetentionWeights,
) -> set[str]:
    total = sum(sum(counts[name]) for name in held)
    items = [
        Item(
            name,
            retention_utility(
                (1.0 + counts[name][0]) / (2.0 + sum(counts[name])),
                sum(counts[name]) / total,
                math.exp((last[name] - at) / weights.tau),
                weights,
            ),
        )
        for name in sorted(held)
    ]
    return keep(items, capacity)


def _difference(known: Sequence[str], other: Sequence[str], price: Mapping[str, float]) -> float:
    """Return the bits of the edits that make the one out of the other."""
    place = math.log2(len(known) + 1)
    bits = 0.0
    for kind, _, _, begin, end in SequenceMatcher(None, known, other, autojunk=False).get_opcodes():
        if kind != "equal":
            bits += 2.0 * place + sum(price[word] for word in other[begin:end])
    return bits
