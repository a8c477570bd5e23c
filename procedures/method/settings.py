"""The method's settings as ``library.yaml`` gives them; ``library.schema.json`` checks them.

```yaml
settings:
  preset: default            # or paper: as meant; or printed: to the letter
  information: sd            # or gain, entropy: the information term, by default the preset's
  confidence: value          # or eu, mean: what is compared with θ_conf, by default the preset's
  rule: expected_utility     # or thompson, ucb, similarity, random
  prior: uniform             # or empirical: fitted to the library's own evidence; or [α, β]
  retention: future          # or paper: what pruning goes by
  capacity: {procedures: 200, metas: 50}
  thresholds: {theta_conf: 0.4, theta_dup: 0.85, theta_sim: 0.55, k_vocab: 200}
  weights: {reward_max: 1.0, cost_failure: 0.5, exploration: 1.0,
            reliability: 0.5, frequency: 0.3, recency: 0.2, tau: 100}
  failures: {capacity: 15, similar: 0.5, half_life: 100}
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..evidence.failures import FailureSettings
from ..evidence.priors import UNIFORM, fit_prior
from ..words.word_clusters import K_VOCAB, THETA_SIM
from .presets import PRESETS, Confidence, Information, Preset
from .utility import RetentionWeights, Rule

__all__ = ["Method", "Retention", "unread_settings"]

Retention = Literal["paper", "future"]

_RETENTION_WEIGHTS = RetentionWeights()
_FAILURES = FailureSettings()


@dataclass(frozen=True, slots=True)
class Method:
    """How candidates are valued and memory is bounded.

    Attributes:
        preset: Constants and information term of the expected utility.
        rule: How candidates are valued.
        prior: (α, β), or None where it is fitted to the evidence.
        retention: What pruning goes by.
        retention_weights: Of the paper's pruning utility.
        procedures: Capacity, >= 1.
        metas: Capacity, >= 1.
        theta_dup: Similarity from which two procedures with the same effect are one.
        theta_sim: Similarity that all words of a cluster have to each other, in (0, 1].
        k_vocab: Most frequent words that are looked at for clusters, >= 0.
        failures: How failure contexts are remembered.
    """

    preset: Preset = PRESETS["default"]
    rule: Rule = Rule.EXPECTED_UTILITY
    prior: tuple[float, float] | None = UNIFORM
    retention: Retention = "future"
    retention_weights: RetentionWeights = _RETENTION_WEIGHTS
    procedures: int = 200
    metas: int = 50
    theta_dup: float = 0.85
    theta_sim: float = THETA_SIM
    k_vocab: int = K_VOCAB
    failures: FailureSettings = _FAILURES

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Method:
        """Read the ``settings`` of ``library.yaml``; what is not given has its default.

        Args:
            settings: As they fit ``library.schema.json``.
        """
        preset = settings.get("preset", "default")
        thresholds = settings.get("thresholds", {})
        weights = settings.get("weights", {})
        chosen = PRESETS[preset]
        chosen = replace(
            chosen,
            information=Information(settings.get("information", chosen.information)),
            confidence=Confidence(settings.get("confidence", chosen.confidence)),
        )
        utility = {name: weights[name] for name in _UTILITY if name in weights}
        if "theta_conf" in thresholds:
            utility["theta_conf"] = thresholds["theta_conf"]
        capacity = settings.get("capacity", {})
        return cls(
            preset=replace(chosen, weights=replace(chosen.weights, **utility)),
            rule=Rule(settings.get("rule", "expected_utility")),
            prior=_prior(settings.get("prior", "uniform")),
            retention=settings.get("retention", "paper" if chosen.strict else "future"),
            retention_weights=RetentionWeights(
                **{name: weights[name] for name in _KEEPING if name in weights}
            ),
            procedures=capacity.get("procedures", _DEFAULTS.procedures),
            metas=capacity.get("metas", _DEFAULTS.metas),
            theta_dup=thresholds.get("theta_dup", _DEFAULTS.theta_dup),
            theta_sim=thresholds.get("theta_sim", _DEFAULTS.theta_sim),
            k_vocab=thresholds.get("k_vocab", _DEFAULTS.k_vocab),
            failures=FailureSettings(**settings.get("failures", {})),
        )

    def prior_from(self, counts: Iterable[tuple[float, float]]) -> tuple[float, float]:
        """Return the prior: the one that is set, or fitted to (successes, failures) of each.

        Args:
            counts: Of each procedure and plan, each trial once.
        """
        if self.prior is not None:
            return self.prior
        fit = fit_prior(list(counts))
        return fit.alpha, fit.beta


_UTILITY = ("reward_max", "cost_failure", "exploration", "ucb_width")
_KEEPING = ("reliability", "frequency", "recency", "tau")
# With slots a class attribute is a descriptor, so the defaults are read from an instance.
_DEFAULTS = Method()


_KNOWN: Mapping[str, frozenset[str] | None] = {
    **dict.fromkeys(("preset", "information", "confidence", "rule", "prior")),
    **dict.fromkeys(("retention", "failures", "capacity")),
    "thresholds": frozenset(
        ("theta_conf", "theta_dup", "theta_sim", "k_vocab", "rollback", "rollback_trials")
    ),
    "weights": frozenset((*_UTILITY, *_KEEPING)),
    **dict.fromkeys(("trust", "inheritance", "proposals")),  # of review
    **dict.fromkeys(("learned", "evidence_from")),  # what learning notes
}
"""Settings that something reads, and the names below them where the schema allows any."""


def unread_settings(settings: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the paths of settings that nothing reads: slips of the pen, most likely."""
    unread: list[tuple[str, ...]] = [(key,) for key in settings if key not in _KNOWN]
    for key, known in _KNOWN.items():
        below = settings.get(key)
        if known is not None and isinstance(below, Mapping):
            unread += [(key, name) for name in below if name not in known]
    return unread


def _prior(given: Any) -> tuple[float, float] | None:
    if given == "uniform":
        return UNIFORM
    if given == "empirical":
        return None
    alpha, beta = given
    return float(alpha), float(beta)
