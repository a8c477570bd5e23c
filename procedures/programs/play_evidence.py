"""Evidence from play for and against the proof of a program."""

from __future__ import annotations

from ..evidence.intervals import wilson_interval

CLAIMED = 0.9
"""Share of many demonstrations that a program has to reproduce to be used."""
_LEAST = 3
"""Least runs from which on play may contradict a proof: the paper's n_min."""


def contradicted(successes: float, failures: float) -> bool:
    """Whether the share of solved tasks is credibly below the share that a proof claims.

    Such a program competes with plans for its tasks by expected utility.

    Args:
        successes: Tasks that it solved in play.
        failures: Tasks that it did not.
    """
    runs = round(successes + failures)
    return runs >= _LEAST and wilson_interval(round(successes), runs).high < CLAIMED


def trials(demonstrations: int, successes: float, failures: float) -> tuple[float, float]:
    """Return the successes and failures of a program's posterior.

    Its demonstrations count as successes, as those of a plan do, until play contradicts its proof.

    Args:
        demonstrations: Number of demonstrations that it was learned from.
        successes: Tasks that it solved in play.
        failures: Tasks that it did not.
    """
    if contradicted(successes, failures):
        return successes, failures
    return demonstrations + successes, failures
