"""Whether what was expected came true as often as expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bin", "Forecast", "brier", "reliability"]

Forecast = tuple[float, bool]
"""An expected rate of success in [0, 1], and whether it was a success."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts that are alike.

    Attributes:
        n: How many.
        expected: Their mean, in [0, 1].
        worked: Share that came true, in [0, 1].
    """

    n: int
    expected: float
    worked: float


def brier(forecasts: Sequence[Forecast]) -> float:
    """Return the mean squared error, in [0, 1]; lower is better. At least one is needed."""
    return sum((hope - worked) ** 2 for hope, worked in forecasts) / len(forecasts)


def reliability(forecasts: Sequence[Forecast], bins: int = 10) -> list[Bin]:
    """Return bins of equal width over what was expected; empty ones are left out."""
    held: list[list[Forecast]] = [[] for _ in range(bins)]
    for hope, worked in forecasts:
        held[min(bins - 1, int(hope * bins))].append((hope, worked))
    return [
        Bin(len(b), sum(h for h, _ in b) / len(b), sum(w for _, w in b) / len(b)) for b in held if b
    ]
