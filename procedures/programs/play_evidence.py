"""Whether what a program does in play bears out what its proof claimed."""

from __future__ import annotations

from ..evidence.intervals import wilson_interval

__all__ = ["CLAIMED", "contradicted", "trials"]

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


def trials(shown: int, successes: float, failures: float) -> tuple[float, float]:
    """Return the successes and failures that a program's posterior is made of.

    The demonstrations that it was learned from are successes, as they are of a plan, until play
    contradicts what they claim: what is done since says more then than what was shown.

    Args:
        shown: Demonstrations that it was learned from.
        successes: Tasks that it solved in play.
        failures: Tasks that it did not.
    """
    if contradicted(successes, failures):
        return successes, failures
    return shown + successes, failures
