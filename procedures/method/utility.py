"""The value of a candidate: expected utility, other rules, and the pruning utility.

Expected utility of a candidate with posterior Beta(alpha, beta), mean ``p``:

    EU = Rel * p * reward_max - Risk * (1 - p) * cost_failure + exploration * information

``Rel`` and ``Risk`` lie in [0, 1]; a preset defines ``information``. The standard deviation is that
of the reward, ``Rel * sd(p) * reward_max``: an unlikely candidate is not worth exploring.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from random import Random
from typing import NamedTuple

from ..common.errors import MaclaError
from ..evidence.posterior import differential_entropy, expected_information_gain, posterior_sd
from .presets import PRESETS, Confidence, Information, Preset, UtilityWeights


class Rule(str, Enum):
    """The rules that value candidates."""

    EXPECTED_UTILITY = "expected_utility"
    THOMPSON = "thompson"
    UCB = "ucb"
    SIMILARITY = "similarity"
    RANDOM = "random"


class Candidate(NamedTuple):
    """A procedure, plan or program that could run now.

    Attributes:
        id: Name, used to break ties.
        relevance: Rel, in [0, 1].
        alpha: Pseudo-count of successes, prior included, > 0.
        beta: Pseudo-count of failures, prior included, > 0.
        risk: Risk, in [0, 1].
    """

    id: str
    relevance: float
    alpha: float
    beta: float
    risk: float = 0.0


class Score(NamedTuple):
    """A candidate's value and its parts, for explanations.

    ``value == reward - cost + bonus`` under every rule. Under ``similarity`` the
    reward is the relevance, under ``random`` it is a number drawn from [0, 1), and
    the other parts are 0. ``rate`` is the assumed success rate.
    """

    id: str
    value: float
    rate: float
    reward: float
    cost: float
    bonus: float

    @property
    def expected(self) -> float:
        """The expected result of a run: the value without its information term."""
        return self.value - self.bonus


# The logarithms and digammas of small counts recur in every decision, so they are cached.
_INFORMATION: Mapping[Information, Callable[[float, float], float]] = {
    Information.ENTROPY: lru_cache(maxsize=4096)(differential_entropy),
    Information.SD: posterior_sd,
    Information.GAIN: lru_cache(maxsize=4096)(expected_information_gain),
}
_DEFAULT = PRESETS["default"]


def expected_utility(candidate: Candidate, preset: Preset = _DEFAULT) -> Score:
    """Return the expected utility of one candidate with its parts.

    Raises:
        MaclaError: alpha or beta is not finite and above 0.
    """
    name, relevance, alpha, beta, risk = candidate
    weights = preset.weights
    # First, since it checks alpha and beta.
    bonus = weights.exploration * _INFORMATION[preset.information](alpha, beta)
    if preset.information is Information.SD:
        bonus *= relevance * weights.reward_max
    rate = alpha / (alpha + beta)
    reward = relevance * rate * weights.reward_max
    cost = risk * (1.0 - rate) * weights.cost_failure
    return Score(name, reward - cost + bonus, rate, reward, cost, bonus)


def score(
    candidates: Iterable[Candidate],
    rule: Rule | str = Rule.EXPECTED_UTILITY,
    preset: Preset | str = _DEFAULT,
    rng: Random | None = None,
) -> list[Score]:
    """Value every candidate under one rule; scores are in the order of the candidates.

    - ``expected_utility``: as in the module's heading.
    - ``thompson``: a rate drawn from each posterior instead of its mean, no bonus.
    - ``ucb``: the mean plus ``ucb_width`` standard deviations, at most 1, no bonus.
    - ``similarity``: the relevance alone. ``random``: a number drawn from [0, 1).

    Args:
        candidates: The candidates.
        rule: A :class:`Rule` or its value.
        preset: A :class:`Preset` or the name of one of :data:`PRESETS`.
        rng: Seeded random source; only ``thompson`` and ``random`` need it.

    Raises:
        MaclaError: Unknown rule or preset, no ``rng`` where one is needed, or a
            candidate whose numbers are out of range.
    """
    chosen_preset = _preset(preset)
    try:
        rule = Rule(rule)
    except ValueError:
        names = ", ".join(each.value for each in Rule)
        raise MaclaError(f"unknown selection rule {rule!r}; choose one of {names}") from None
    items = [_checked(each) for each in candidates]
    if rule is Rule.EXPECTED_UTILITY:
        return [expected_utility(each, chosen_preset) for each in items]
    if rule is Rule.UCB:
        return [_upper_bound(each, chosen_preset.weights) for each in items]
    if rule is Rule.SIMILARITY:
        return [_single_valued(each, each.relevance) for each in items]
    if rng is None:
        raise MaclaError(f"the selection rule {rule.value!r} needs a seeded random.Random")
    if rule is Rule.THOMPSON:
        return [
            _with_rate(each, rng.betavariate(each.alpha, each.beta), chosen_preset.weights)
            for each in items
        ]
    return [_single_valued(each, rng.random()) for each in items]


def trusted_value(value: float, rate: float, bonus: float, preset: Preset) -> float:
    """Return the quantity of a candidate that is compared with θ_conf.

    Args:
        value: Its expected utility, information term included.
        rate: Its success rate, in [0, 1].
        bonus: Its information term.
        preset: Preset, which chooses the quantity.
    """
    if preset.confidence is Confidence.MEAN:
        return rate
    return value - bonus if preset.confidence is Confidence.VALUE else value


def _upper_bound(candidate: Candidate, weights: UtilityWeights) -> Score:
    """Value a candidate at the upper confidence bound of its rate, at most 1."""
    alpha, beta = candidate.alpha, candidate.beta
    upper_rate = alpha / (alpha + beta) + weights.ucb_width * posterior_sd(alpha, beta)
    return _with_rate(candidate, min(1.0, upper_rate), weights)


def _single_valued(candidate: Candidate, value: float) -> Score:
    """Value a candidate by one number, independent of its rate."""
    rate = candidate.alpha / (candidate.alpha + candidate.beta)
    return Score(candidate.id, value, rate, value, 0.0, 0.0)


def best_first(scores: Iterable[Score]) -> list[Score]:
    """Sort by falling value; ties in the order of ids."""
    return sorted(scores, key=lambda each: (-each.value, each.id))


@dataclass(frozen=True, slots=True)
class RetentionWeights:
    """Weights of the pruning utility, as printed in the paper, and its τ in episodes, > 0."""

    reliability: float = 0.5
    frequency: float = 0.3
    recency: float = 0.2
    tau: float = 100.0

    def __post_init__(self) -> None:
        if not 0.0 < self.tau < math.inf:
            raise MaclaError(f"tau must be a number of episodes above 0, got {self.tau!r}")
        for name in ("reliability", "frequency", "recency"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise MaclaError(f"the weight of {name} must not be negative, got {value!r}")


_RETENTION = RetentionWeights()


def retention_utility(
    success_rate: float,
    frequency: float,
    recency: float,
    weights: RetentionWeights = _RETENTION,
) -> float:
    """Return the retention value of a procedure; the lowest are pruned first.

    Args:
        success_rate: Posterior mean, in [0, 1].
        frequency: Its share of all uses, n / N_total, in [0, 1].
        recency: exp(-(t_now - t_last) / τ): 1 for used just now, falling to 0.
        weights: Weights of the three parts.

    Returns:
        The weighted sum, in [0, 1] for weights with sum 1.

    Raises:
        MaclaError: One of the three lies outside [0, 1].
    """
    for name, value in (
        ("success_rate", success_rate),
        ("frequency", frequency),
        ("recency", recency),
    ):
        if not 0.0 <= value <= 1.0:
            raise MaclaError(f"{name} must lie in [0, 1], got {value!r}")
    return (
        weights.reliability * success_rate
        + weights.frequency * frequency
        + weights.recency * recency
    )


def _preset(preset: Preset | str) -> Preset:
    if isinstance(preset, Preset):
        return preset
    try:
        return PRESETS[preset]
    except KeyError:
        raise MaclaError(
            f"unknown utility preset {preset!r}; choose one of {', '.join(PRESETS)}"
        ) from None


def _checked(candidate: Candidate) -> Candidate:
    # Written so that NaN fails too.
    if not (0.0 <= candidate.relevance <= 1.0 and 0.0 <= candidate.risk <= 1.0):
        raise MaclaError(
            f"candidate {candidate.id!r}: relevance and risk must lie in [0, 1], "
            f"got {candidate.relevance!r} and {candidate.risk!r}"
        )
    if not (0.0 < candidate.alpha < math.inf and 0.0 < candidate.beta < math.inf):
        raise MaclaError(
            f"candidate {candidate.id!r}: alpha and beta must be finite and above 0, "
            f"got {candidate.alpha!r} and {candidate.beta!r}"
        )
    return candidate


def _with_rate(candidate: Candidate, rate: float, weights: UtilityWeights) -> Score:
    reward = candidate.relevance * rate * weights.reward_max
    cost = candidate.risk * (1.0 - rate) * weights.cost_failure
    return Score(candidate.id, reward - cost, rate, reward, cost, 0.0)
