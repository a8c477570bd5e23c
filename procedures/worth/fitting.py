"""Learning points from rewards: logistic regression that starts from points that are there.

The reward of an episode is a share of 1, and the expected share of a candidate is what is fitted,
by the cross entropy. Points stay near those of before, as far as few rewards speak against them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common.minimizing import minimum_of
from .reward_model import Score

_PRIOR_PRECISION = 1.0
"""Precision of the normal prior of what a trait does where it varies by one standard deviation."""
_LEAST_VARIANCE = 0.01
"""Variance below which a trait counts as one that varies so much: a tenth of its range."""
_DECIMALS = 2
"""People can add points so; a hundredth changes no share by more than 1/400."""
_FOLDS = 5
"""Folds of samples that are held out, one after the other."""
_SURE_SHARE = 0.9
"""Least expected reward of a candidate that counts as sure, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A candidate, and what it brought.

    Attributes:
        traits: Of the candidate.
        reward: In [0, 1].
    """

    traits: Mapping[str, float]
    reward: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Expected rewards of candidates that were held out, beside the rewards that they brought.

    Attributes:
        of: How many.
        expected: Mean of what was expected.
        got: Mean of what they brought.
        sure: How many were expected to bring 0.9 or more.
        sure_got: Mean of what these brought; 0 if there are none.
    """

    of: int
    expected: float
    got: float
    sure: int
    sure_got: float

    def __str__(self) -> str:
        text = f"{self.of} held out: {self.expected:.2f} expected, {self.got:.2f} got"
        if not self.sure:
            return text
        return f"{text}; {self.sure} of them thought worth 0.9 or more: {self.sure_got:.2f} got"


def fitted(samples: Sequence[Sample], start: Score | None = None) -> Score:
    """Return the points that explain rewards best.

    Args:
        samples: In any order; with none, the points stay as they are.
        start: Points of before, to which a trait without reward keeps; None: none.
    """
    import numpy as np  # both are slow to load, and only what learns needs them

    start = start or Score()
    before = dict(start.points)
    names = sorted({name for sample in samples for name in sample.traits} | set(before))
    if not samples:
        return start
    rows = np.array([[1.0, *(s.traits.get(name, 0.0) for name in names)] for s in samples])
    rewards = np.clip([sample.reward for sample in samples], 0.0, 1.0)
    prior = np.array([start.always, *(before.get(name, 0.0) for name in names)])
    # None on what all have; a rare trait, such as a name met again by chance, is held.
    precisions = _PRIOR_PRECISION * np.array(
        [0.0, *np.maximum(rows.var(axis=0)[1:], _LEAST_VARIANCE)]
    )

    def loss(points: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        sums = rows @ points
        differences = points - prior
        value = np.sum(np.logaddexp(0.0, sums) - rewards * sums) + 0.5 * np.sum(
            precisions * differences**2
        )
        slope = rows.T @ (1.0 / (1.0 + np.exp(-sums)) - rewards) + precisions * differences
        return float(value), slope

    optimum, _ = minimum_of(loss, prior, jac=True, bounds=[(-50.0, 50.0)] * len(prior))
    always, *points = (round(float(each), _DECIMALS) + 0.0 for each in optimum)
    return Score(tuple((n, p) for n, p in zip(names, points, strict=True) if p), always)


def reliability(samples: Sequence[Sample]) -> Reliability | None:
    """Return how far expected rewards are those that come; None of too few samples to hold out.

    Args:
        samples: In the order in which they came.
    """
    if len(samples) < 2 * _FOLDS:
        return None
    pairs = []
    for fold in range(_FOLDS):
        score = fitted([s for n, s in enumerate(samples) if n % _FOLDS != fold])
        pairs += [(score.of(each.traits), each.reward) for each in samples[fold::_FOLDS]]
    sure = [reward for expected, reward in pairs if expected >= _SURE_SHARE]
    return Reliability(
        len(pairs),
        sum(expected for expected, _ in pairs) / len(pairs),
        sum(reward for _, reward in pairs) / len(pairs),
        len(sure),
        sum(sure) / len(sure) if sure else 0.0,
    )
