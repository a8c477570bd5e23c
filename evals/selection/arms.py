"""Who chooses: the loop's own rules of choice, and the same with one term left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from ...procedures.failures import FailureMemory, risk_of
from ...procedures.presets import PRESETS, Preset
from ...procedures.utility import Candidate, Rule, best_first, score
from .worlds import Rival

__all__ = ["ARMS", "Arm", "Memory"]


@dataclass(frozen=True, slots=True)
class Arm:
    """A rule of choice.

    Attributes:
        name: What it is called.
        rule: How candidates are valued; None takes what was run most often.
        preset: Constants, information term and Risk.
        evidence: Whether posteriors count; else each is Beta(1, 1).
    """

    name: str
    rule: Rule | None
    preset: Preset = PRESETS["default"]
    evidence: bool = True


_DEFAULT = PRESETS["default"]
_CURIOUS = replace(_DEFAULT, weights=replace(_DEFAULT.weights, exploration=1.0))
ARMS: tuple[Arm, ...] = (
    Arm("EU", Rule.EXPECTED_UTILITY),
    Arm("similarity", Rule.SIMILARITY),
    Arm("frequency", None),
    Arm("random", Rule.RANDOM),
    Arm("Thompson", Rule.THOMPSON),
    Arm("UCB", Rule.UCB),
    Arm("EU without posterior", Rule.EXPECTED_UTILITY, evidence=False),
    Arm("EU without risk", Rule.EXPECTED_UTILITY, _DEFAULT.ablated({"risk"})),
    Arm("EU without information", Rule.EXPECTED_UTILITY, _DEFAULT.ablated({"information"})),
    Arm("EU with λ = 1", Rule.EXPECTED_UTILITY, _CURIOUS),
    Arm("EU as meant", Rule.EXPECTED_UTILITY, PRESETS["paper"]),
    Arm("EU as printed", Rule.EXPECTED_UTILITY, PRESETS["printed"]),
)
"""The first is what the library does; those after UCB leave out or exchange one thing."""


@dataclass(slots=True)
class Memory:
    """What an arm has learned of the rivals, as the ledger and the failure memory keep it."""

    arm: Arm
    counts: dict[str, tuple[float, float]] = field(default_factory=dict)
    failures: dict[str, FailureMemory] = field(default_factory=dict)

    def candidates(self, rivals: Sequence[Rival], situation: frozenset[str]) -> list[Candidate]:
        """Return the rivals with their posteriors and risks."""
        found = []
        for rival in rivals:
            good, bad = self.counts.get(rival.id, rival.recorded)
            known = (good, bad) if self.arm.evidence else (0.0, 0.0)
            risk = risk_of(
                self.failures.get(rival.id), situation, good, bad, printed=self.arm.preset.strict
            )
            found.append(Candidate(rival.id, rival.relevance, 1 + known[0], 1 + known[1], risk))
        return found

    def choice(
        self, rivals: Sequence[Rival], situation: frozenset[str], chance: Random
    ) -> tuple[int, float]:
        """Return which rival is run, and the success rate that is expected of it."""
        candidates = self.candidates(rivals, situation)
        places: Mapping[str, int] = {each.id: place for place, each in enumerate(candidates)}
        if self.arm.rule is None:
            most = max(candidates, key=lambda each: (each.alpha + each.beta, each.relevance))
            return places[most.id], most.alpha / (most.alpha + most.beta)
        best = best_first(score(candidates, self.arm.rule, self.arm.preset, chance))[0]
        chosen = candidates[places[best.id]]
        return places[best.id], chosen.alpha / (chosen.alpha + chosen.beta)

    def note(self, rival: Rival, situation: frozenset[str], *, worked: bool) -> None:
        """Take in what came of a run."""
        good, bad = self.counts.get(rival.id, rival.recorded)
        self.counts[rival.id] = good + worked, bad + (not worked)
        memory = self.failures.get(rival.id) or FailureMemory()
        self.failures[rival.id] = memory.after(situation, worked=worked)
