"""Whether what a file says of a procedure's standing agrees with the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..evidence.ledger import CountKey
from ..evidence.posterior import credible_interval
from ..files.contents import Contents, Key
from ..model.procedure import MetaProcedure, Procedure
from ..model.semantics import Issue

_EVEN: Final = 0.5
"""Success rate below which the evidence contradicts ``trusted``."""
_CHOSEN: Final = 0.4
"""Rate below which the loop rather falls back (θ_conf of the paper)."""
_MASS: Final = 0.95
"""Probability of the credible interval."""


def contradictions(
    contents: Contents, counts: Mapping[CountKey, tuple[float, float]]
) -> Iterator[Issue]:
    """Yield an issue for each status that the posterior contradicts.

    The posterior is Beta(1, 1) plus the sums of the ledger for the present version; where
    the ledger has no row of it, the snapshot in the file counts, since ledgers stay on their
    machines. With the central 95 % credible interval [low, high] of the success rate:

    - ``trusted`` and high < 0.5: an error; without any evidence: a warning;
    - ``provisional`` and high < 0.4: a warning, agents will not choose it;
    - ``retired`` and low > 0.5: a warning, it works more often than not.
    """
    for kind, name, head in contents.heads():
        if kind == "program":
            continue
        owner = (kind, name)
        posterior = _posterior(contents, owner, head.version, counts)
        if posterior is None:
            if head.status == "trusted":
                yield Issue("warning", owner, ("status",), "is trusted without any evidence")
            continue
        low, high = credible_interval(*posterior, _MASS)
        rate = (
            f"the rate is between {low:.2f} and {high:.2f} "
            f"(95 %, Beta({posterior[0]:g}, {posterior[1]:g}))"
        )
        if head.status == "trusted" and high < _EVEN:
            yield Issue("error", owner, ("status",), f"is trusted, but {rate}; retire or refine it")
        elif head.status == "provisional" and high < _CHOSEN:
            message = f"{rate}; agents will rather fall back: refine or retire it"
            yield Issue("warning", owner, ("status",), message)
        elif head.status == "retired" and low > _EVEN:
            yield Issue("warning", owner, ("status",), f"is retired, but {rate}")


def _posterior(
    contents: Contents,
    owner: Key,
    version: int,
    counts: Mapping[CountKey, tuple[float, float]],
) -> tuple[float, float] | None:
    successes, failures = counts.get((*owner, version, ""), (0.0, 0.0))
    if successes + failures > 0:
        return 1.0 + successes, 1.0 + failures
    entry = contents.entry(owner)
    if entry is None or not entry.may_name([b'"evidence"']):
        return None
    item = entry.document
    if not isinstance(item, Procedure | MetaProcedure) or item.evidence is None:
        return None
    return item.evidence.alpha, item.evidence.beta
