"""What is told of an evaluation besides success, reward and steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..running.episode import EpisodeOutcome
from .calibration import brier, reliability

__all__ = ["METRICS", "metrics", "peak_memory"]

METRICS = {
    "fallback_rate": "share of actions that no procedure chose",
    "unique_procedures": "procedures, plans and programs that were used, each counted once",
    "procedure_length": "mean actions that a procedure or program chose in one run",
    "mean_posterior": "mean posterior mean of what was chosen",
    "brier": "mean squared error of the success expected of what was chosen first",
    "reliability": "that expectation and the share won, in ten bins",
    "decision_ms": "milliseconds of processor time for each action, the environment's left out",
    "library_bytes": "size of the library's files",
    "peak_memory_bytes": "most memory that a process had",
}
"""Metric → what it is."""


def metrics(outcomes: Sequence[EpisodeOutcome], library: str | None) -> dict[str, Any]:
    """Return :data:`METRICS`; what there is nothing to compute from is None.

    Args:
        outcomes: The episodes, at least one.
        library: Folder of the library, or None.
    """
    steps = sum(each.steps for each in outcomes)
    fallback = sum(each.steps if each.error else each.fallback_steps for each in outcomes)
    chosen = [choice for each in outcomes for choice in each.choices]
    runs = sum(len(each.procedures) for each in outcomes)
    used = {name for each in outcomes for name in (*each.procedures, *each.metas)}
    used |= {name for name, _, _ in chosen}
    forecasts = [(each.choices[0][1], each.success) for each in outcomes if each.choices]
    return {
        "fallback_rate": min(1.0, fallback / steps) if steps else None,
        "unique_procedures": len(used),
        "procedure_length": max(0, steps - fallback) / runs if runs else None,
        "mean_posterior": sum(rate for _, _, rate in chosen) / len(chosen) if chosen else None,
        "brier": brier(forecasts) if forecasts else None,
        "reliability": [asdict(each) for each in reliability(forecasts)],
        "decision_ms": 1000 * sum(e.deciding for e in outcomes) / steps if steps else None,
        "library_bytes": _size(Path(library)) if library is not None else None,
        "peak_memory_bytes": peak_memory(),
    }


def _size(folder: Path) -> int:
    """Return the size of a library's own files, in bytes; what a machine keeps is left out."""
    return sum(file.stat().st_size for file in folder.rglob("*.yaml") if file.is_file())


def peak_memory() -> int | None:
    """Return the most memory that this process or one of its children had, in bytes, if known."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on Windows
        return None
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return 1024 * max(resource.getrusage(kind).ru_maxrss for kind in kinds)
