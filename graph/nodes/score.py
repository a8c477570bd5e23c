"""score: value each candidate by its expected utility and choose, or fall back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.matching import reading_posterior
from ...procedures.utility import Candidate, Rule, best_first
from ...procedures.utility import score as value
from ..context import MaclaContext
from ..exploring import due, weary
from ..outcomes import situation
from ..state import MaclaState

__all__ = ["score"]

_MOST_REFUTED = 6.0
"""Failures in earlier episodes that count against a reading."""


def score(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Choose the candidate with the highest expected utility if it reaches θ_conf."""
    context = runtime.context
    knowledge = context.knowledge
    step = len(state.get("history") or [])
    adopted = state.get("adopted") or {}
    # A reading that came to nothing without a single action would come to nothing again.
    candidates = [c for c in state["candidates"] if adopted.get(c.get("reading", "")) != step]
    posterior = _reading_posterior(candidates, state.get("readings") or {})
    paper = context.settings.preset.name == "paper"
    practising = bool(context.settings.experiments) and state.get("admissible") is not None
    rated: list[Candidate] = []
    for i, candidate in enumerate(candidates):
        kind = "meta" if candidate["kind"] == "meta" else "procedure"
        subject, _, version = candidate["ref"].rpartition("@")
        alpha, beta = knowledge.posterior(kind, subject, int(version))
        relevance = _relevance(candidate, posterior, state, context)
        risk = knowledge.risk(
            kind, subject, int(version), situation(candidate.get("fillers", {})), paper=paper
        )
        rated.append(Candidate(str(i).zfill(4), relevance, alpha, beta, risk))
    settings = context.settings
    scores = value(rated, settings.rule, settings.preset, context.rng(state))
    order = best_first(scores)
    shown = []
    for each in order:
        candidate = candidates[int(each.id)]
        rating = rated[int(each.id)]
        shown.append(
            {
                **candidate,
                "relevance": rating.relevance,
                "risk": rating.risk,
                "alpha": rating.alpha,
                "beta": rating.beta,
                "rate": each.rate,
                "reward": each.reward,
                "cost": each.cost,
                "bonus": each.bonus,
                "utility": each.value,
            }
        )
    best = shown[0] if shown else None
    threshold = settings.preset.weights.theta_conf
    if settings.preset.name != "paper":
        threshold = min(threshold, context.reasoner.confidence(context.meter(state)))
    trusted = best is not None and (best["kind"] == "place" or best["utility"] >= threshold)
    if not trusted and shown and context.settings.experiments:
        # In practice a failure costs nothing but the time, so the risk of one does not count.
        likely = max(shown, key=lambda each: each["relevance"] * each["rate"])
        if likely["relevance"] * likely["rate"] >= context.reasoner.confidence(
            context.meter(state)
        ):
            best, trusted = likely, True
    if not trusted and practising and not weary(state):
        # What is known does not suffice: a plan with a gap to explore is better than no plan.
        best = next((each for each in shown if due(each, state, context)), best)
        trusted = best is not None and due(best, state, context)
    runtime.stream_writer(
        {
            "node": "score",
            "step": step,
            "candidates": shown,
            "readings": [[each, posterior[each]] for each in _ranked(posterior)],
            "threshold": threshold,
            "chosen": best["ref"] if trusted and best else None,
        }
    )
    if trusted and best is not None and best["kind"] != "place":
        adopted = {**adopted, best["reading"]: step}
    return {
        "candidates": shown,
        "chosen": best if trusted else None,
        "adopted": adopted,
        "route": "check_pre" if trusted else "fallback",
    }


def _reading_posterior(
    candidates: Sequence[Mapping[str, Any]], refuted: Mapping[str, int]
) -> dict[str, float]:
    """How probable each reading of the task is; candidates with one reading share it."""
    costs: dict[str, float] = {}
    nothing = 0.0
    failed: dict[str, float] = dict(refuted)
    for candidate in candidates:
        if candidate["kind"] == "place":
            continue
        reading, cost = candidate["reading"], candidate["reading_cost"]
        costs[reading] = min(cost, costs.get(reading, cost))
        nothing = candidate["nothing"]
        before = min(_MOST_REFUTED, candidate.get("refuted", 0.0))
        failed[reading] = max(failed.get(reading, 0), refuted.get(reading, 0) + before)
    return reading_posterior(costs, failed, nothing)


def _ranked(posterior: Mapping[str, float]) -> list[str]:
    return sorted(posterior, key=lambda reading: (-posterior[reading], reading))


def _relevance(
    candidate: Mapping[str, Any],
    posterior: Mapping[str, float],
    state: MaclaState,
    context: MaclaContext,
) -> float:
    """Rel: the plan's own next place is certain; the paper takes the cosine similarity.

    So does a choice by similarity alone, which only sets aside what failed in this episode.
    """
    if candidate["kind"] == "place":
        return 1.0
    settings = context.settings
    if settings.rule is Rule.SIMILARITY:
        failed = (state.get("readings") or {}).get(candidate["reading"], 0)
        return max(0.0, float(candidate["similarity"])) / (1.0 + failed)
    if settings.preset.name == "paper":
        return max(0.0, float(candidate["similarity"]))
    return posterior[candidate["reading"]]
