"""Fit a library's settings to its own content and evidence.

It fits the prior (:mod:`.evidence.priors`), θ_conf and θ_dup (:mod:`.evidence.thresholds`), and the
weights of the pruning utility (:mod:`.evolution`). All functions are pure.
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

Use = tuple[str, bool]
"""One use of a procedure: its id, and whether it worked."""


def fit_theta_conf(
    posteriors: Sequence[tuple[float, float]], fallback_value: float, preset: Preset
) -> float:
    """Return θ_conf for a library: see :func:`.evidence.thresholds.confidence_threshold`.

    Args:
        posteriors: (α, β) of every plan and procedure with evidence, under the prior that is
            fitted to the library (:func:`.evidence.priors.fit_prior`) and used by the loop: under
            another prior, posterior means are no expectations of the rates. With fewer than two
            the fallback's value is returned.
        fallback_value: Value of the fallback.
        preset: Definition of the expected utility.
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

    A procedure is encoded word by word, each at ``-log2`` of its share of all words. As a
    difference from another, only its other words and their places are encoded.

    Args:
        texts: Goal and steps of each procedure, without what every file has.
        counts: (successes, failures) of each.
        similarity: Similarity of two procedures, by index.
        default: See :func:`.evidence.thresholds.duplicate_threshold`.
    """
    import numpy as np

    n = len(texts)
    words = [tokens(text) for text in texts]
    frequency = Counter(word for each in words for word in each)
    total = sum(frequency.values())
    bits_by_word = {word: -math.log2(count / total) for word, count in frequency.items()}
    similarities = np.eye(n)
    differences = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                differences[i, j] = _difference(words[i], words[j], bits_by_word)
                similarities[i, j] = similarity(min(i, j), max(i, j))
    costs = [sum(bits_by_word[word] for word in each) for each in words]
    return duplicate_threshold(similarities, costs, differences, counts, default)


def hit_rate(uses: Sequence[Use], capacity: int, weights: RetentionWeights) -> float:
    """Return the share of successful uses whose procedure was still in memory.

    The uses are replayed: a procedure enters memory when it is used, and whenever memory exceeds
    its capacity, the paper's pruning utility with these weights removes one.

    Args:
        uses: Uses in order of time.
        capacity: Number of procedures that memory holds, >= 1.
        weights: Weights of the pruning utility.
    """
    counts: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    last_use: dict[str, int] = {}
    memory: set[str] = set()
    hits = needed_count = 0
    for at, (name, worked) in enumerate(uses):
        if worked and name in last_use:
            needed_count += 1
            hits += name in memory
        counts[name][0 if worked else 1] += 1.0
        last_use[name] = at
        memory.add(name)
        if len(memory) > capacity:
            memory = _prune(memory, counts, last_use, at, capacity, weights)
    return hits / needed_count if needed_count else 1.0


def fit_retention_weights(
    uses: Sequence[Use], capacity: int, start: RetentionWeights, seed: int = 0
) -> RetentionWeights:
    """Return the weights of the pruning utility with the best hit rate."""

    def objective(weights: tuple[float, ...]) -> float:
        return hit_rate(uses, capacity, RetentionWeights(*weights))

    first = (start.reliability, start.frequency, start.recency)
    best_weights = evolve_weights(objective, [max(weight, 1e-3) for weight in first], seed=seed)
    return RetentionWeights(*(round(weight, 3) for weight in best_weights))


def _prune(
    memory: set[str],
    counts: Mapping[str, Sequence[float]],
    last_use: Mapping[str, int],
    at: int,
    capacity: int,
    weights: RetentionWeights,
) -> set[str]:
    total = sum(sum(counts[name]) for name in memory)
    items = [
        Item(
            name,
            retention_utility(
                (1.0 + counts[name][0]) / (2.0 + sum(counts[name])),
                sum(counts[name]) / total,
                math.exp((last_use[name] - at) / weights.tau),
                weights,
            ),
        )
        for name in sorted(memory)
    ]
    return keep(items, capacity)


def _difference(
    one: Sequence[str], other: Sequence[str], bits_by_word: Mapping[str, float]
) -> float:
    """Return the bits of the edits that turn one text into the other."""
    place_bits = math.log2(len(one) + 1)
    bits = 0.0
    for kind, _, _, begin, end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind != "equal":
            bits += 2.0 * place_bits + sum(bits_by_word[word] for word in other[begin:end])
    return bits
