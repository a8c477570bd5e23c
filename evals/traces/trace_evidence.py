"""The numbers of a trace: posteriors before and after each outcome, readings by rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...graph.knowledge import Knowledge
from ...procedures.evidence.ledger import CountKey
from ...procedures.evidence.posterior import differential_entropy, posterior_mean, posterior_sd
from ...procedures.evidence.priors import UNIFORM
from ...procedures.planning.search_statistics import ANY, SEARCH

__all__ = ["Beta", "EvidenceChange", "Tally", "belief"]

Beta = tuple[float, float]
"""(alpha, beta), prior included."""


@dataclass(frozen=True, slots=True)
class EvidenceChange:
    """Evidence before and after an episode.

    Attributes:
        kind: ``procedure``, ``meta``, ``binding`` or ``reading``.
        ref: ``id@version``; of bindings and readings the subject alone.
        before: (α, β), prior included.
        after: (α, β) with the episode's outcomes counted.
        binding: What a binding or reading is about, such as ``lettuce|fridge``.
    """

    kind: str
    ref: str
    before: Beta
    after: Beta
    binding: str = ""


def belief(parameters: Beta) -> dict[str, float]:
    """Return a Beta distribution as plain data: α, β, mean, sd, and entropy in nats."""
    alpha, beta = parameters
    return {
        "alpha": alpha,
        "beta": beta,
        "mean": posterior_mean(alpha, beta),
        "sd": posterior_sd(alpha, beta),
        "entropy": differential_entropy(alpha, beta),
    }


@dataclass(slots=True)
class Tally:
    """Evidence as it grows during an episode; completes events with it.

    Attributes:
        knowledge: What was known before the episode.
        changes: Ledger key → (α, β) before the episode and now, in order of first use.
    """

    knowledge: Knowledge
    changes: dict[CountKey, tuple[Beta, Beta]] = field(default_factory=dict)

    def completed(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Return an event with posteriors beside candidates and outcomes, and readings in full."""
        node = event.get("node")
        if node == "score":
            candidates = [
                {**each, "posterior": belief((each["alpha"], each["beta"]))}
                for each in event["candidates"]
            ]
            readings = _ranked(event.get("readings", ()), candidates)
            return {**event, "candidates": candidates, "readings": readings}
        if node == "update":
            return {**event, "outcomes": [self._counted(row) for row in event["outcomes"]]}
        return dict(event)

    def evidence(self) -> tuple[EvidenceChange, ...]:
        """Return what the episode changed so far."""
        return tuple(
            EvidenceChange(
                kind, f"{subject}@{version}" if version else subject, before, after, binding
            )
            for (kind, subject, version, binding), (before, after) in self.changes.items()
        )

    def _counted(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Count an outcome; one that charges nobody changes nothing."""
        good, bad = row["successes"], row["failures"]
        if not good and not bad:
            return dict(row)
        key = (row["subject_kind"], row["subject"], row["version"], row.get("binding", ""))
        first, now = self.changes.get(key) or (self._prior(key), self._prior(key))
        after = (now[0] + good, now[1] + bad)
        self.changes[key] = (first, after)
        return {**row, "before": belief(now), "after": belief(after)}

    def _prior(self, key: CountKey) -> Beta:
        """Return (α, β) before the episode, as the loop itself values such a subject."""
        kind, subject, version, binding = key
        if kind in ("procedure", "meta") and not binding:
            return self.knowledge.posterior(kind, subject, version)
        thing, _, place = binding.partition("|")
        if kind == "binding" and subject == SEARCH and thing != ANY:
            return self.knowledge.evidence.posterior(thing, place)
        good, bad = self.knowledge.counts.get(key, (0.0, 0.0))
        return UNIFORM[0] + good, UNIFORM[1] + bad


def _ranked(
    readings: Iterable[Sequence[Any]], candidates: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the readings of a task, the most probable first, with what they would run."""
    by_reading: dict[str, list[Mapping[str, Any]]] = {}
    for each in candidates:
        by_reading.setdefault(each.get("reading", ""), []).append(each)
    found = []
    for rank, (reading, probability) in enumerate(readings, 1):
        same = by_reading.get(reading, [])
        found.append(
            {
                "rank": rank,
                "reading": reading,
                "probability": probability,
                "cost": min((each["reading_cost"] for each in same), default=None),
                "candidates": [each["ref"] for each in same],
                "fillers": dict(same[0]["fillers"]) if same else {},
            }
        )
    return found
