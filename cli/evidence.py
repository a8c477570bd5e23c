"""A library's items with their evidence, as ``list`` and ``show`` need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..procedures.evidence.ledger import CountKey
from ..procedures.evidence.ledger_rows import DEMONSTRATIONS
from ..procedures.evidence.posterior import credible_interval, posterior_mean
from ..procedures.library.footprint import footprint
from ..procedures.library.library import Library
from ..procedures.programs.play_evidence import trials
from ..procedures.sharing.exchange import open_evidence
from ..procedures.tooling.stops import stopped_in

_PRIOR = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Posterior:
    """The posterior success rate of an item.

    Attributes:
        successes: Number of successes, demonstrations included.
        failures: Number of failures, demonstrations included.
        mean: Mean of Beta(1 + successes, 1 + failures).
        low: Lower end of its 95 % credible interval.
        high: Upper end.
    """

    successes: float
    failures: float
    mean: float
    low: float
    high: float

    @property
    def trials(self) -> float:
        """Successes and failures together."""
        return self.successes + self.failures


def counts_of(library: Library) -> Mapping[CountKey, tuple[float, float]]:
    """Sum the evidence of a library; nothing where there is none yet.

    Raises:
        LedgerError: There is evidence and it cannot be read.
    """
    run = str(library.settings.settings.get("evidence_from", ""))
    with open_evidence(library.path, read_only=True) as ledger:
        return ledger.counts(superseded=(DEMONSTRATIONS, run))


def stopped_of(library: Library) -> Mapping[str, str]:
    """Return id → why, of the programs that may not act until a person clears them.

    Raises:
        LedgerError: There is evidence and it cannot be read.
    """
    with open_evidence(library.path, read_only=True) as ledger:
        return stopped_in(ledger)


def clearing_of(path: Path, name: str) -> str:
    """Say which command lets a stopped program of a library act again."""
    return f"macla accept {path} {name} lets it act again"


def footprint_of(library: Library) -> Mapping[str, int]:
    """Measure what a library takes up.

    Raises:
        LedgerError: There is evidence and it cannot be read.
    """
    with open_evidence(library.path, read_only=True) as ledger:
        return footprint(library, ledger).to_document()


def posterior_of(
    kind: str,
    name: str,
    version: int,
    counts: Mapping[CountKey, tuple[float, float]],
    demonstrations: int = 0,
) -> Posterior:
    """Return the posterior of a version of an item.

    Args:
        kind: ``procedure``, ``meta`` or ``program``.
        name: Its id.
        version: Its version.
        counts: Sums over the ledger.
        demonstrations: Number of demonstrations of a program; the ledger has those of others.
    """
    successes, failures = counts.get((kind, name, version, ""), (0.0, 0.0))
    if kind == "program":
        successes, failures = trials(demonstrations, successes, failures)
    alpha, beta = _PRIOR[0] + successes, _PRIOR[1] + failures
    low, high = credible_interval(alpha, beta)
    return Posterior(successes, failures, posterior_mean(alpha, beta), low, high)
