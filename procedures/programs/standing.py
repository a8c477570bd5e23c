"""Whether what a program does in play bears out what its proof claimed."""

from __future__ import annotations

from ..intervals import wilson_interval

__all__ = ["CLAIMED", "contradicted"]

CLAIMED = 0.9
"""Share of many demonstrations that a program has to reproduce to be used."""
_LEAST = 3
"""Runs from which on play says something against a proof: the paper's n_min."""


def contradicted(successes: float, failures: float) -> bool:
    """Whether the share of tasks that a program solves is credibly below what its proof claimed.

    Such a program is one way among others: plans are learned of its tasks too, and expected
    utility chooses.

    Args:
        successes: Tasks that it solved in play.
        failures: Tasks that it did not.
    """
    runs = round(successes + failures)
    return runs >= _LEAST and wilson_interval(round(successes), runs).high < CLAIMED
