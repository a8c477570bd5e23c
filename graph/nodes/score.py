"""score: value each candidate by its expected utility and choose, or fall back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.method.presets import Relevance
from ...procedures.method.utility import Candidate, Rule, best_first, trusted_value
from ...procedures.method.utility import score as value
from ...procedures.tasks.goal_matching import reading_posterior
from ..context import MaclaContext
from ..exploring import due, weary
from ..outcomes import situation
from ..state import MaclaState, counters_of
from ..task_reading import may_be_read

__all__ = ["score"]

_CERTAIN = ("place", "program")
"""Kinds of candidates that need no reading of the task."""
_SURE = 0.5
"""Posterior probability below which a reading is rather wrong than right, and a model is asked."""
_MOST_REFUTED = 6.0
"""Failures in earlier episodes that count against a reading."""


def score(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Choose the candidate with the highest expected utility if it reaches θ_conf."""
    context = runtime.context
    step = len(state.get("history") or [])
    adopted = state.get("adopted") or {}
    # A reading that came to nothing without a single action would come to nothing again.
    candidates = [c for c in state["candidates"] if adopted.get(c.get("reading", "")) != step]
    posterior = _reading_posterior(candidates, state.get("readings") or {})
    shown = _rated(candidates, posterior, state, context)
    threshold = context.settings.preset.weights.theta_conf
    if not context.settings.preset.strict:
        threshold = min(threshold, context.reasoner.confidence(context.meter(state)))
    best = _chosen(shown, threshold, state, context)
    runtime.stream_writer(
        {
            "node": "score",
            "step": step,
            "candidates": shown,
            "readings": [[each, posterior[each]] for each in _ranked(posterior)],
            "threshold": threshold,
            "chosen": best["ref"] if best else None,
        }
    )
    if best is not None and _doubtful(best, state, context):
        return {"candidates": shown, "chosen": None, "route": "parse_task"}
    if best is not None and best["kind"] not in _CERTAIN:
        adopted = {**adopted, best["reading"]: step}
    chosen: dict[str, Any] = {"candidates": shown, "chosen": best, "adopted": adopted}
    if best is not None and best["kind"] != "place":
        counters = counters_of(state)
        choice = [best["ref"], best["relevance"] * best["rate"], best["rate"]]
        counters["choices"] = [*counters.get("choices", []), choice]
        chosen["counters"] = counters
    if best is None and shown and shown[0]["kind"] == "program":
        # It failed too often to be followed; plans may do better.
        distrusted = {
            "ref": shown[0]["ref"],
            "began": step,
            "steps": [],
            "actions": [],
            "ended": "",
        }
        return {**chosen, "program": distrusted, "route": "retrieve"}
    return {**chosen, "route": "check_pre" if best is not None else "fallback"}


def _doubtful(best: Mapping[str, Any], state: MaclaState, context: MaclaContext) -> bool:
    """Whether a model is to say first what the task means, for its words leave that in doubt."""
    if best["kind"] in _CERTAIN or best.get("said"):
        return False
    asks = context.reasoner.asks_model and context.meter(state).left and may_be_read(state)
    return asks and best["relevance"] < _SURE


def _rated(
    candidates: Sequence[Mapping[str, Any]],
    posterior: Mapping[str, float],
    state: MaclaState,
    context: MaclaContext,
) -> list[dict[str, Any]]:
    """Return the candidates with what their value is made of, the best first."""
    knowledge, settings = context.knowledge, context.settings
    preset = settings.preset
    rated: list[Candidate] = []
    for i, candidate in enumerate(candidates):
        kind = candidate["kind"] if candidate["kind"] in ("meta", "program") else "procedure"
        subject, _, version = candidate["ref"].rpartition("@")
        alpha, beta = knowledge.posterior(kind, subject, int(version))
        runs = (state.get("met") or {}).get(candidate["ref"], []) if preset.live else []
        here = [(features, worked) for features, worked in runs]
        alpha += sum(worked for _, worked in here)
        beta += sum(not worked for _, worked in here)
        relevance = _relevance(candidate, posterior, state, context)
        features = situation(candidate.get("fillers", {}))
        risk = knowledge.risk(
            kind, subject, int(version), features, here=here, printed=preset.strict
        )
        rated.append(Candidate(str(i).zfill(4), relevance, alpha, beta, risk))
    scores = value(rated, settings.rule, settings.preset, context.rng(state))
    return [
        {
            **candidates[int(each.id)],
            "relevance": rated[int(each.id)].relevance,
            "risk": rated[int(each.id)].risk,
            "alpha": rated[int(each.id)].alpha,
            "beta": rated[int(each.id)].beta,
            "rate": each.rate,
            "reward": each.reward,
            "cost": each.cost,
            "bonus": each.bonus,
            "utility": each.value,
        }
        for each in best_first(scores)
    ]


def _chosen(
    shown: Sequence[dict[str, Any]], threshold: float, state: MaclaState, context: MaclaContext
) -> dict[str, Any] | None:
    """Return the candidate that is run, or None where none is worth it.

    Args:
        shown: Candidates, the best first.
        threshold: θ_conf.
        state: The state.
        context: Says whether this is practice.
    """
    best = shown[0] if shown else None
    preset = context.settings.preset
    if best is None or best["kind"] == "place":
        return best
    for each in shown[:1] if preset.strict else shown:
        if trusted_value(each["utility"], each["rate"], each["bonus"], preset) >= threshold:
            return each
    if preset.strict or not shown:
        return None
    # A failure costs as much where the reasoner acts, so only the chance of success counts.
    likely = max(shown, key=lambda each: each["relevance"] * each["rate"])
    if likely["relevance"] * likely["rate"] >= context.reasoner.confidence(context.meter(state)):
        return likely
    if not context.settings.experiments or state.get("admissible") is None or weary(state):
        return None
    # What is known does not suffice: a plan with a gap to explore is better than no plan.
    return next((each for each in shown if due(each, state, context)), None)


def _reading_posterior(
    candidates: Sequence[Mapping[str, Any]], refuted: Mapping[str, int]
) -> dict[str, float]:
    """How probable each reading of the task is; candidates with one reading share it."""
    costs: dict[str, float] = {}
    goals: dict[str, str] = {}
    nothing = 0.0
    failed: dict[str, float] = dict(refuted)
    for candidate in candidates:
        if candidate["kind"] in _CERTAIN:
            continue
        reading, cost = candidate["reading"], candidate["reading_cost"]
        costs[reading] = min(cost, costs.get(reading, cost))
        goals[reading] = candidate["goal"]
        nothing = candidate["nothing"]
        before = min(_MOST_REFUTED, candidate.get("refuted", 0.0))
        failed[reading] = max(failed.get(reading, 0), refuted.get(reading, 0) + before)
    return reading_posterior(costs, failed, nothing, goals)


def _ranked(posterior: Mapping[str, float]) -> list[str]:
    return sorted(posterior, key=lambda reading: (-posterior[reading], reading))


def _relevance(
    candidate: Mapping[str, Any],
    posterior: Mapping[str, float],
    state: MaclaState,
    context: MaclaContext,
) -> float:
    """Rel: the plan's own next place is certain, and a program of which the task is a wording.

    Else the preset says what it is. A choice by similarity alone takes the cosine, and only sets
    aside what failed in this episode.
    """
    if candidate["kind"] in _CERTAIN:
        return 1.0
    settings = context.settings
    if settings.rule is Rule.SIMILARITY:
        failed = (state.get("readings") or {}).get(candidate["reading"], 0)
        return max(0.0, float(candidate["similarity"])) / (1.0 + failed)
    if settings.preset.relevance is Relevance.GOAL:
        return max(0.0, float(candidate["similarity"]))
    if settings.preset.relevance is Relevance.INSTANCE:
        return context.knowledge.relevance(candidate["goal"], state["task"], state["observation"])
    return posterior[candidate["reading"]]
