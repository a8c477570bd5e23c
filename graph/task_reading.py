"""Ask the reasoner what the task means, and make its answer the plan in progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..procedures.condition_patterns import template_parameters
from ..procedures.model import MetaProcedure, Procedure
from ..procedures.utility import Candidate, trusted_value
from ..procedures.utility import score as value
from .budget import Meter
from .context import MaclaContext
from .plans import plan_for_meta, plan_for_procedure, reading_key
from .reasoning import KnownGoal, TaskReading
from .state import MaclaState

__all__ = ["known_goals", "read_task"]


def read_task(state: MaclaState, context: MaclaContext, meter: Meter) -> dict[str, Any] | None:
    """Ask which known goal the task means.

    The answer is relevant for certain; whether it is followed is still a matter of evidence.

    Returns:
        The changes of the state that start the plan, with an ``event`` for the stream; None where
        there is no reading, it failed before in this episode, or it is not trusted.
    """
    goals = known_goals(state["task"], context)
    if not goals:
        return None
    reading = context.reasoner.parse_task(state["task"], state["first_observation"], goals, meter)
    if reading is None or reading.goal not in goals:
        return None
    known = _known(reading.goal, context)
    key = reading_key(known, reading.fillers)
    if key in (state.get("readings") or {}) or not _trusted(reading, state, context):
        return None
    memory = context.memory(state)
    if isinstance(known, MetaProcedure):
        plan = plan_for_meta(known, context.knowledge.procedures, reading.fillers, key)
        bindings = dict(reading.fillers)
    else:
        plan, bindings = plan_for_procedure(known, reading.fillers, key), {}
    if any(item.evaluate(memory, bindings).value is False for item in known.preconditions):
        return None
    plan["began"] = len(state.get("history") or [])
    event = {"ref": known.ref, "goal": known.goal, "fillers": dict(reading.fillers)}
    return {"plan": plan, "frame": None, "event": event}


def known_goals(task: str, context: MaclaContext) -> list[KnownGoal]:
    """Return the goals nearest to a task, plans first."""
    knowledge, found = context.knowledge, []
    for kind in ("meta", "procedure"):
        query = knowledge.query(task)
        for hit in knowledge.retriever.search(query, context.settings.candidates, kind=kind):
            known: MetaProcedure | Procedure | None
            known = knowledge.metas.get(hit.id) if kind == "meta" else None
            known = known or (knowledge.procedures.get(hit.id) if kind == "procedure" else None)
            if known is not None and known.status != "retired":
                slots = tuple(template_parameters(known.goal))
                found.append(KnownGoal(kind, known.ref, known.goal, slots))
    return found


def _known(goal: KnownGoal, context: MaclaContext) -> MetaProcedure | Procedure:
    knowledge = context.knowledge
    return knowledge.meta(goal.ref) if goal.kind == "meta" else knowledge.procedure(goal.ref)


def _trusted(reading: TaskReading, state: MaclaState, context: MaclaContext) -> bool:
    """Whether the evidence for what reaches the goal is good enough, the reading being right."""
    knowledge, settings = context.knowledge, context.settings
    subject, _, version = reading.goal.ref.rpartition("@")
    alpha, beta = knowledge.posterior(reading.goal.kind, subject, int(version))
    trials = alpha + beta - sum(knowledge.prior)
    risk = (beta - knowledge.prior[1]) / trials if trials > 0 else 0.0
    candidates: Sequence[Candidate] = [Candidate("0", 1.0, alpha, beta, risk)]
    rated = value(candidates, settings.rule, settings.preset, context.rng(state))
    worth = trusted_value(rated[0].value, rated[0].rate, settings.preset)
    return worth >= settings.preset.weights.theta_conf
