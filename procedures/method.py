"""The method's settings as ``library.yaml`` gives them: one place that reads and checks them.

```yaml
settings:
  preset: default            # or paper: every formula as printed
  rule: expected_utility     # or thompson, ucb, similarity, random
  prior: uniform             # or empirical: fitted to the library's own evidence; or [α, β]
  retention: future          # or paper: what pruning goes by
  capacity: {procedures: 200, metas: 50}
  thresholds: {theta_conf: 0.4, theta_dup: 0.85, theta_sim: 0.55, k_vocab: 200}
  weights: {reward_max: 1.0, cost_failure: 0.5, exploration: 0.1,
            reliability: 0.5, frequency: 0.3, recency: 0.2}
  failures: {capacity: 15, similar: 0.5, half_life: 100}
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from .clusters import K_VOCAB, THETA_SIM
from .errors import LibraryError, MaclaError
from .failures import FailureSettings
from .priors import UNIFORM, fit_prior
from .utility import PRESETS, Preset, RetentionWeights, Rule, UtilityWeights

__all__ = ["Method", "Retention", "unread_settings"]

Retention = Literal["paper", "future"]

_RETENTION_WEIGHTS = RetentionWeights()
_FAILURES = FailureSettings()
_T = TypeVar("_T", UtilityWeights, RetentionWeights, FailureSettings)


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

        Raises:
            LibraryError: A value is unknown or out of range; the message names its key.
        """
        preset = _one_of("preset", settings.get("preset", "default"), PRESETS)
        thresholds = settings.get("thresholds", {})
        weights = settings.get("weights", {})
        chosen = PRESETS[preset]
        utility = {name: weights[name] for name in _UTILITY if name in weights}
        if "theta_conf" in thresholds:
            utility["theta_conf"] = thresholds["theta_conf"]
        capacity = settings.get("capacity", {})
        return cls(
            preset=replace(chosen, weights=_with("weights", chosen.weights, utility)),
            rule=Rule(_one_of("rule", settings.get("rule", "expected_utility"), _RULES)),
            prior=_prior(settings.get("prior", "uniform")),
            retention=_RETENTION[
                _one_of(
                    "retention",
                    settings.get("retention", "paper" if preset == "paper" else "future"),
                    _RETENTION,
                )
            ],
            retention_weights=_with(
                "weights",
                RetentionWeights(),
                {name: weights[name] for name in _KEEPING if name in weights},
            ),
            procedures=capacity.get("procedures", _DEFAULTS.procedures),
            metas=capacity.get("metas", _DEFAULTS.metas),
            theta_dup=thresholds.get("theta_dup", _DEFAULTS.theta_dup),
            theta_sim=_share("theta_sim", thresholds.get("theta_sim", _DEFAULTS.theta_sim)),
            k_vocab=_count("k_vocab", thresholds.get("k_vocab", _DEFAULTS.k_vocab)),
            failures=_with("failures", FailureSettings(), settings.get("failures", {})),
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
_KEEPING = ("reliability", "frequency", "recency")
_RULES = [rule.value for rule in Rule]
_RETENTION: Mapping[str, Retention] = {"paper": "paper", "future": "future"}
# With slots a class attribute is a descriptor, so the defaults are read from an instance.
_DEFAULTS = Method()


_KNOWN: Mapping[str, frozenset[str] | None] = {
    **dict.fromkeys(("preset", "rule", "prior", "retention", "failures", "capacity")),
    "thresholds": frozenset(
        ("theta_conf", "theta_dup", "theta_sim", "k_vocab", "rollback", "rollback_trials")
    ),
    "weights": frozenset((*_UTILITY, *_KEEPING)),
    **dict.fromkeys(("trust", "inheritance", "proposals")),  # of review; checked where it is read
    **dict.fromkeys(("learned", "evidence_from")),  # what learning notes
}
"""Settings that something reads, and the names below them where those are checked here."""


def unread_settings(settings: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the paths of settings that nothing reads: slips of the pen, most likely."""
    unread: list[tuple[str, ...]] = [(key,) for key in settings if key not in _KNOWN]
    for key, known in _KNOWN.items():
        below = settings.get(key)
        if known is not None and isinstance(below, Mapping):
            unread += [(key, name) for name in below if name not in known]
    return unread


def _one_of(key: str, value: Any, known: Iterable[str]) -> str:
    names = list(known)
    if value not in names:
        raise LibraryError(
            f"library.yaml: settings.{key} must be one of {', '.join(names)}, got {value!r}"
        )
    return str(value)


def _with(key: str, default: _T, given: Mapping[str, Any]) -> _T:
    try:
        return replace(default, **given)
    except (MaclaError, TypeError) as error:
        raise LibraryError(f"library.yaml: settings.{key}: {error}") from error


def _share(key: str, value: Any) -> float:
    if not 0.0 < value <= 1.0:
        raise LibraryError(
            f"library.yaml: settings.thresholds.{key} must be above 0 and at most 1, got {value!r}"
        )
    return float(value)


def _count(key: str, value: Any) -> int:
    if value < 0 or value != int(value):
        raise LibraryError(
            f"library.yaml: settings.thresholds.{key} must be a whole number of at least 0, "
            f"got {value!r}"
        )
    return int(value)


def _prior(given: Any) -> tuple[float, float] | None:
    if given == "uniform":
        return UNIFORM
    if given == "empirical":
        return None
    try:
        alpha, beta = (float(value) for value in given)
    except (TypeError, ValueError):
        alpha = beta = 0.0
    if not (0.0 < alpha < 1e6 and 0.0 < beta < 1e6):
        raise LibraryError(
            "library.yaml: settings.prior must be uniform, empirical or [alpha, beta] above 0, "
            f"got {given!r}"
        )
    return alpha, beta
