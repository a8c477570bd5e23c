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

Retention = Literal["paper", "future"]

_RETENTION_WEIGHTS = RetentionWeights()
_FAILURES = FailureSettings()


@dataclass(frozen=True, slots=True)
class Method:
    """The settings for valuing candidates and bounding memory.

    Attributes:
        preset: Constants and information term of the expected utility.
        rule: Rule that values candidates.
        prior: (α, β), or None where it is fitted to the evidence.
        retention: Value that pruning uses.
        retention_weights: Weights of the paper's pruning utility.
        procedures: Capacity, >= 1.
        metas: Capacity, >= 1.
        theta_dup: Similarity from which two procedures with the same effect are one.
        theta_sim: Least similarity of any two words of a cluster, in (0, 1].
        k_vocab: Number of the most frequent words that are clustered, >= 0.
        failures: Settings of the failure memory.
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
        """Read the ``settings`` of ``library.yaml``; missing ones have their defaults.

        Args:
            settings: Settings that fit ``library.schema.json``.
        """
        preset = settings.get("preset", "default")
        thresholds = settings.get("thresholds", {})
        weights = settings.get("weights", {})
        base_preset = PRESETS[preset]
        base_preset = replace(
            base_preset,
            information=Information(settings.get("information", base_preset.information)),
            confidence=Confidence(settings.get("confidence", base_preset.confidence)),
        )
        utility_weights = {name: weights[name] for name in _UTILITY if name in weights}
        if "theta_conf" in thresholds:
            utility_weights["theta_conf"] = thresholds["theta_conf"]
        capacity = settings.get("capacity", {})
        return cls(
            preset=replace(base_preset, weights=replace(base_preset.weights, **utility_weights)),
            rule=Rule(settings.get("rule", "expected_utility")),
            prior=_prior(settings.get("prior", "uniform")),
            retention=settings.get("retention", "paper" if base_preset.strict else "future"),
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
        """Return the configured prior, or one fitted to counts.

        Args:
            counts: (successes, failures) of each procedure and plan, each trial once.
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
"""Known settings, and the known names below them where the schema allows any."""


def unread_settings(settings: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the paths of settings that nothing reads, most likely misspelled."""
    unread: list[tuple[str, ...]] = [(key,) for key in settings if key not in _KNOWN]
    for key, known_names in _KNOWN.items():
        entry = settings.get(key)
        if known_names is not None and isinstance(entry, Mapping):
            unread += [(key, name) for name in entry if name not in known_names]
    return unread


def _prior(setting: Any) -> tuple[float, float] | None:
    if setting == "uniform":
        return UNIFORM
    if setting == "empirical":
        return None
    alpha, beta = setting
    return float(alpha), float(beta)
