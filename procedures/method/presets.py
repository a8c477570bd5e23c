"""Presets: the method as printed, as its authors mean it, or improved.

- ``default``: this project's improved version. The information term is the standard deviation of
  the reward with λ = 1; it decides which candidate runs, not whether one runs. Rel is the posterior
  probability of a reading of the task, and programs are followed first.
- ``paper``: as its authors mean it. Rel is computed for the goal with its slots filled, evidence
  changes within the episode, single procedures compete with plans, the information term is the
  expected information gain of one more trial, and θ_conf is compared with the posterior mean.
- ``printed``: every formula to the letter, in the same loop as ``paper``. Rel is computed for the
  goal with its placeholders, and EU is compared with θ_conf. The information term is the
  differential entropy, which is never positive and falls without bound as evidence grows: with
  Rel = 0.9 and Risk = 0 an untested Beta(1, 1) scores 0.45 and Beta(3508, 1) 0.18, so that some 390
  successes without a failure fall to the threshold of 0.4.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from ..common.errors import MaclaError
from .ablation import Part


class Information(str, Enum):
    """The information term of the expected utility."""

    ENTROPY = "entropy"
    """The differential entropy of the success rate."""
    SD = "sd"
    """The standard deviation of the reward: Rel times that of the success rate."""
    GAIN = "gain"
    """The expected information gain of one more trial."""


class Confidence(str, Enum):
    """The quantity that is compared with θ_conf."""

    VALUE = "value"
    """The expected utility without its information term: uncertainty is a reason to try a candidate
    rather than another, but no reason to trust it."""
    EU = "eu"
    """The expected utility."""
    MEAN = "mean"
    """The posterior mean."""


class Relevance(str, Enum):
    """The definition of Rel."""

    READING = "reading"
    """The posterior probability of the reading of the task."""
    GOAL = "goal"
    """The cosine of the task and the goal with its placeholders."""
    INSTANCE = "instance"
    """The cosine of the goal with its slots filled, with the task and with the observation."""


@dataclass(frozen=True, slots=True)
class UtilityWeights:
    """The constants of the expected utility.

    Attributes:
        reward_max: R_max, the reward of a success.
        cost_failure: C_fail, the cost of a failure.
        exploration: lambda, the weight of the information term.
        theta_conf: θ_conf; a candidate below it does not run.
        ucb_width: Standard deviations above the mean in the rule ``ucb``.
    """

    reward_max: float = 1.0
    cost_failure: float = 0.5
    exploration: float = 0.1
    theta_conf: float = 0.4
    ucb_width: float = 2.0

    def __post_init__(self) -> None:
        for name in ("reward_max", "cost_failure", "exploration", "ucb_width"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise MaclaError(f"{name} must be finite and not negative, got {value!r}")
        if not math.isfinite(self.theta_conf):
            raise MaclaError(f"theta_conf must be a finite number, got {self.theta_conf!r}")


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of constants and definitions of the method.

    Attributes:
        name: ``default``, ``paper`` or ``printed``.
        information: The information term.
        weights: The constants.
        relevance: The definition of Rel.
        confidence: The quantity that is compared with θ_conf.
        strict: Whether θ_conf, Risk, the triggers of refinement and of plans, and retention are
            the paper's.
        live: Whether posteriors and Risk change within an episode, where each plan that does not
            solve the task counts as failed.
        rivals: Whether single procedures are candidates wherever plans are.
        inherits: Whether a new version or variant starts from all of its parent's trials.
        without: Parts of this project that it switches off.
    """

    name: str
    information: Information = Information.SD
    weights: UtilityWeights = UtilityWeights()
    relevance: Relevance = Relevance.READING
    confidence: Confidence = Confidence.VALUE
    strict: bool = False
    live: bool = False
    rivals: bool = False
    inherits: bool = False
    without: frozenset[Part] = frozenset()

    def ablated(self, parts: Collection[Part]) -> Preset:
        """Return the preset without the parts that are formulas: risk, information, reading."""
        weights, relevance = self.weights, self.relevance
        if "risk" in parts:
            weights = replace(weights, cost_failure=0.0)
        if "information" in parts:
            weights = replace(weights, exploration=0.0)
        if "reading" in parts and relevance is Relevance.READING:
            relevance = Relevance.GOAL
        return replace(self, weights=weights, relevance=relevance)


_NOT_THE_PAPERS: frozenset[Part] = frozenset(("programs", "floor"))

PRESETS: Mapping[str, Preset] = {
    "default": Preset("default", weights=UtilityWeights(exploration=1.0)),
    "paper": Preset(
        "paper",
        Information.GAIN,
        relevance=Relevance.INSTANCE,
        confidence=Confidence.MEAN,
        strict=True,
        live=True,
        rivals=True,
        inherits=True,
        without=_NOT_THE_PAPERS,
    ),
    "printed": Preset(
        "printed",
        Information.ENTROPY,
        relevance=Relevance.GOAL,
        confidence=Confidence.EU,
        strict=True,
        live=True,
        rivals=True,
        inherits=True,
        without=_NOT_THE_PAPERS,
    ),
}
