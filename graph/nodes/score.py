"""score: value each candidate by its expected utility and choose, or fall back."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...procedures.utility import Candidate, best_first, score as value
from ..context import MaclaContext
from ..state import MaclaState

__all__ = ["score"]

_REFUTED = 0.8
"""A reading that failed in this episode keeps this share of its relevance, each time."""


def score(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Choose the candidate with the highest expected utility if it reaches θ_conf."""
    context = runtime.context
    knowledge = context.knowledge
    candidates = state["candidates"]
    readings = state.get("readings") or {}
    rated: list[Candidate] = []
    for i, candidate in enumerate(candidates):
        kind = "meta" if candidate["kind"] == "meta" else "procedure"
        subject, _, version = candidate["ref"].rpartition("@")
        alpha, beta = knowledge.posterior(kind, subject, int(version))
        refuted = readings.get(candidate.get("reading", ""), 0)
        relevance = candidate["relevance"] * _REFUTED**refuted
        rated.append(Candidate(str(i).zfill(4), relevance, alpha, beta))
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
    trusted = best is not None and (best["kind"] == "place" or best["utility"] >= threshold)
    runtime.stream_writer(
        {
            "node": "score",
            "step": len(state.get("history") or []),
            "candidates": shown,
            "threshold": threshold,
            "chosen": best["ref"] if trusted and best else None,
        }
    )
    return {
        "candidates": shown,
        "chosen": best if trusted else None,
        "route": "check_pre" if trusted else "fallback",
    }
