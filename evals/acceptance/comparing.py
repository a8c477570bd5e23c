"""What improved and what fell: a result against the accepted one, episode by episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..reports.statistics import mcnemar_exact
from .table import Accepted

__all__ = ["Comparison", "Verdict", "compared"]

Verdict: TypeAlias = Literal["new", "as good", "improved", "fell", "other episodes", "missing"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A result beside the accepted one.

    Attributes:
        verdict: ``fell`` where more was lost (or more is wrong) than the margin allows,
            ``improved`` where more than that was gained, ``as good`` between; ``new`` without an
            accepted result; ``other episodes`` where they cannot be paired; ``missing`` where an
            accepted case has no result.
        gained: Episodes that are solved now and were not.
        lost: Episodes that were solved and are not.
        p_value: McNemar's exact test of the pairs, two-sided; 1 where none differ.
    """

    verdict: Verdict
    gained: int = 0
    lost: int = 0
    p_value: float = 1.0


def compared(result: Accepted, accepted: Accepted | None, margin: float) -> Comparison:
    """Compare a result with the accepted one.

    The episodes are the same, and what comes of them follows from code, library and task (those of
    an agent that learns, from the tasks before as well). So what differs differs because of the
    code: the share itself is compared, not an estimate of it.

    Args:
        result: The new result.
        accepted: The accepted one, or None.
        margin: Share of the episodes that may be lost, in [0, 1]: non-inferiority.
    """
    if accepted is None:
        return Comparison("new")
    before, now = accepted.outcomes, result.outcomes
    if len(before) != len(now) or accepted.tasks != result.tasks:
        return Comparison("other episodes")
    test = mcnemar_exact([mark == "1" for mark in now], [mark == "1" for mark in before])
    allowed = margin * len(now) + 1e-9
    change = test.first_only - test.second_only
    # Who tries more spoils more: what is spoiled beyond what is gained counts.
    wrong = now.count("x") - before.count("x")
    verdict: Verdict = "as good"
    if change < -allowed or wrong > allowed + max(0, change) or _weaker(result, accepted, allowed):
        verdict = "fell"
    elif change > allowed or wrong < -allowed:
        verdict = "improved"
    return Comparison(verdict, test.first_only, test.second_only, test.p_value)


def _weaker(result: Accepted, accepted: Accepted, allowed: float) -> bool:
    """Whether a figure fell: calls of an agent's model, or what a library itself reproduces.

    A call more is fair where fewer tasks are wrong.
    """
    before, now = accepted.figures, result.figures
    calls = now.get("model_calls", 0) - before.get("model_calls", 0)
    fewer_wrong = result.outcomes.count("x") < accepted.outcomes.count("x")
    reproduced = now.get("as_it_is", 0) - before.get("as_it_is", 0)
    return (calls > 0 and not fewer_wrong) or reproduced < -allowed
