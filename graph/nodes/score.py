"""score: value each candidate by its expected utility and choose, or fall back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from langgraph.runtime import Runtime

from ...procedures.method import utility
from ...procedures.method.presets import Relevance
from ...procedures.method.utility import Rule, best_first, trusted_value
from ...procedures.tasks.goal_matching import reading_posterior
from ..context import MaclaContext
from ..events import candidate_event, emit
from ..exploring import due, weary
from ..outcomes import situation
from ..phases import Candidate, new_program
from ..state import Event, MaclaState, Update, steps_of
from ..task_reading import may_be_read

_SURE = 0.5
"""Posterior probability below which a reading is rather wrong than right, and a model is asked."""
_MOST_REFUTED = 6.0
"""Failures in earlier episodes that count against a reading."""


class _Rated(NamedTuple):
    """A candidate with what its expected utility is made of."""

    candidate: Candidate
    estimate: utility.Candidate
    score: utility.Score

    @property
    def chance(self) -> float:
        """How likely a run solves the task."""
        return self.estimate.relevance * self.score.rate

    @property
    def event(self) -> Event:
        """The candidate as it is streamed."""
        known, score = self.estimate._asdict(), self.score._asdict()
        event = candidate_event(self.candidate)
        event |= {each: known[each] for each in ("relevance", "risk", "alpha", "beta")}
        event |= {each: score[each] for each in ("rate", "reward", "cost", "bonus")}
        return {**event, "utility": self.score.value}


def score(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Choose the candidate with the highest expected utility if it reaches θ_conf."""
    context, step = runtime.context, steps_of(state)
    adoptions = state["readings"]["adoptions"]
    # A reading that came to nothing without a single action would come to nothing again.
    candidates = [
        each
        for each in state["candidates"]
        if each["reading"] is None or adoptions.get(each["reading"]["key"]) != step
    ]
    posterior = _reading_posterior(candidates, state["readings"]["refuted"])
    shown = _rated(candidates, posterior, state, context)
    threshold = context.settings.preset.weights.theta_conf
    if not context.settings.preset.strict:
        threshold = min(threshold, context.reasoner.confidence(context.meter(state)))
    best = _chosen(shown, threshold, state, context)
    event: Event = {"candidates": [each.event for each in shown]}
    event["readings"] = [[each, posterior[each]] for each in _ranked(posterior)]
    name = best.candidate["ref"] if best else None
    emit(runtime, "score", state, **event, threshold=threshold, chosen=name)
    update: Update = {"candidates": [each.candidate for each in shown], "choice": None}
    if best is None and shown and shown[0].candidate["kind"] == "program":
        # It failed too often to be followed; plans may do better.
        distrusted = new_program(shown[0].candidate["ref"], step)
        return {**update, "program": distrusted, "route": "retrieve"}
    if best is None:
        return {**update, "route": "fallback"}
    if _doubtful(best, state, context):
        return {**update, "route": "parse_task"}
    choice, counters = best.candidate, state["counters"]
    if (reading := choice["reading"]) is not None:
        adoptions = {**adoptions, reading["key"]: step}
        update["readings"] = {**state["readings"], "adoptions": adoptions}
    if choice["kind"] != "place":
        record: list[str | float] = [choice["ref"], best.chance, best.score.rate]
        update["counters"] = {**counters, "choices": [*counters["choices"], record]}
    return {**update, "choice": choice, "route": "check_pre"}


def _doubtful(best: _Rated, state: MaclaState, context: MaclaContext) -> bool:
    """Whether a model is to say first what the task means, for its words leave that in doubt."""
    reading = best.candidate["reading"]
    if reading is None or reading["said"]:
        return False
    asks = context.reasoner.asks_model and context.meter(state).left and may_be_read(state)
    return asks and best.estimate.relevance < _SURE


def _rated(
    candidates: Sequence[Candidate],
    posterior: Mapping[str, float],
    state: MaclaState,
    context: MaclaContext,
) -> list[_Rated]:
    """Return the candidates with what their value is made of, the best first."""
    knowledge, settings = context.knowledge, context.settings
    preset = settings.preset
    rated: list[utility.Candidate] = []
    for i, candidate in enumerate(candidates):
        kind = candidate["kind"] if candidate["kind"] in ("meta", "program") else "procedure"
        subject, _, version = candidate["ref"].rpartition("@")
        alpha, beta = knowledge.posterior(kind, subject, int(version))
        runs = state["evidence"]["runs"].get(candidate["ref"], []) if preset.live else []
        here = [(run["situation"], run["worked"]) for run in runs]
        alpha += sum(worked for _, worked in here)
        beta += sum(not worked for _, worked in here)
        relevance = _relevance(candidate, posterior, state, context)
        features = situation(candidate["reading"]["fillers"] if candidate["reading"] else {})
        risk = knowledge.risk(
            kind, subject, int(version), features, here=here, printed=preset.strict
        )
        rated.append(utility.Candidate(str(i).zfill(4), relevance, alpha, beta, risk))
    scores = utility.score(rated, settings.rule, settings.preset, context.rng(state))
    return [
        _Rated(candidates[int(each.id)], rated[int(each.id)], each) for each in best_first(scores)
    ]


def _chosen(
    shown: Sequence[_Rated], threshold: float, state: MaclaState, context: MaclaContext
) -> _Rated | None:
    """Return the candidate that is run, or None where none is worth it.

    Args:
        shown: Candidates, the best first.
        threshold: θ_conf.
        state: The state.
        context: Says whether this is practice.
    """
    best = shown[0] if shown else None
    preset = context.settings.preset
    if best is None or best.candidate["kind"] == "place":
        return best
    for each in shown[:1] if preset.strict else shown:
        if trusted_value(each.score.value, each.score.rate, each.score.bonus, preset) >= threshold:
            return each
    if preset.strict or not shown:
        return None
    # A failure costs as much where the reasoner acts, so only the chance of success counts.
    likely = max(shown, key=lambda each: each.chance)
    if likely.chance >= context.reasoner.confidence(context.meter(state)):
        return likely
    if not context.settings.experiments or state["world"]["admissible"] is None or weary(state):
        return None
    # What is known does not suffice: a plan with a gap to explore is better than no plan.
    return next((each for each in shown if due(each.candidate, state, context)), None)


def _reading_posterior(
    candidates: Sequence[Candidate], refuted: Mapping[str, int]
) -> dict[str, float]:
    """How probable each reading of the task is; candidates with one reading share it."""
    costs: dict[str, float] = {}
    goals: dict[str, str] = {}
    nothing = 0.0
    failed: dict[str, float] = dict(refuted)
    for candidate in candidates:
        if (reading := candidate["reading"]) is None:
            continue
        key, cost = reading["key"], reading["cost"]
        costs[key] = min(cost, costs.get(key, cost))
        goals[key] = reading["goal"]
        nothing = reading["nothing"]
        before = min(_MOST_REFUTED, reading["refuted"])
        failed[key] = max(failed.get(key, 0), refuted.get(key, 0) + before)
    return reading_posterior(costs, failed, nothing, goals)


def _ranked(posterior: Mapping[str, float]) -> list[str]:
    return sorted(posterior, key=lambda reading: (-posterior[reading], reading))


def _relevance(
    candidate: Candidate,
    posterior: Mapping[str, float],
    state: MaclaState,
    context: MaclaContext,
) -> float:
    """Rel: the plan's own next place is certain, and a program of which the task is a wording.

    Else the preset says what it is. A choice by similarity alone takes the cosine, and only sets
    aside what failed in this episode.
    """
    if (reading := candidate["reading"]) is None:
        return 1.0
    settings = context.settings
    if settings.rule is Rule.SIMILARITY:
        failed = state["readings"]["refuted"].get(reading["key"], 0)
        return max(0.0, candidate["similarity"]) / (1.0 + failed)
    if settings.preset.relevance is Relevance.GOAL:
        return max(0.0, candidate["similarity"])
    if settings.preset.relevance is Relevance.INSTANCE:
        return context.knowledge.relevance(reading["goal"], state["task"], state["observation"])
    return posterior[reading["key"]]
