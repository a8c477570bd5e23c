"""Rows of evidence that the loop produces; five outcomes are kept apart.

A refused precondition and a fallback charge nobody, nor does what ended before it did anything; a
failed binding charges the binding; a plan that went through without solving the task charges the
plan's reading, not its procedures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..procedures.conditions.language import RunFacts
from ..procedures.conditions.text_patterns import template_parameters
from ..procedures.episodes.trajectories import cleaned
from ..procedures.evidence.ledger import OutcomeKind, SubjectKind
from ..procedures.model.procedure import Procedure
from ..procedures.planning.episode_memory import EpisodeMemory
from ..procedures.planning.search_statistics import SEARCH, pair
from ..procedures.refinement.execution_context import (
    CONTEXT_KEY,
    execution_context,
    share_kept,
    worth_keeping,
)
from ..procedures.words.lexicon import frame_of
from .executions import run_ref
from .knowledge import Knowledge
from .phases import Execution, PendingOutcome, PlanState
from .state import MaclaState, history_of, steps_of

TO_ITS_END = 3
"""Failures of a reading that it counts as when its plan was carried out to its end and did not
solve the task: an interrupted one may have been the right one."""


def new_outcome(
    state: MaclaState,
    subject_kind: SubjectKind,
    ref: str,
    outcome: str,
    successes: float,
    failures: float,
    binding: str = "",
    *,
    plan: PlanState | None = None,
    execution: dict[str, Any] | None = None,
) -> PendingOutcome:
    """Return evidence on ``id@version``; the plan tells what the task speaks of."""
    subject, _, version = ref.rpartition("@")
    features = sorted(situation(plan["fillers"])) if plan is not None else []
    return {
        "step": steps_of(state),
        "subject_kind": subject_kind,
        "subject": subject,
        "version": int(version),
        "outcome": outcome,
        "successes": successes,
        "failures": failures,
        "binding": binding,
        "context": {**({"situation": features} if features else {}), **(execution or {})},
    }


def situation(fillers: Mapping[str, str]) -> frozenset[str]:
    """Return the features of a situation in which something is chosen: what the task speaks of."""
    return frozenset(f"{slot}={filler}" for slot, filler in fillers.items())


def procedure_outcome(state: MaclaState, execution: Execution, outcome: str) -> PendingOutcome:
    """How the run of a procedure ended."""
    ref, attempt, end = run_ref(execution), execution["attempt"], steps_of(state)
    worked = outcome == "success"
    charged = outcome in ("execution_failed", "postcondition_failed", "aborted")
    charged = charged and end > execution["opened"]
    context = None
    if worked or charged:
        binding = (attempt["binding"] if attempt else {}) or execution["bound"]
        began = attempt["began"] if attempt else end
        context = _context(state, ref, outcome, binding, began, end)
    successes, failures, plan = float(worked), float(charged), state["plan"]
    return new_outcome(
        state, "procedure", ref, outcome, successes, failures, plan=plan, execution=context
    )


def program_outcome(state: MaclaState, ref: str, outcome: str) -> PendingOutcome:
    """How the run of a program ended."""
    return new_outcome(state, "program", ref, outcome, *OutcomeKind(outcome).of_program)


def by_hand_outcomes(state: MaclaState, knowledge: Knowledge) -> list[PendingOutcome]:
    """What was done without a procedure that had failed at it in this episode, as its examples.

    They are no evidence of the procedure's worth, for it did not run; but what had been done
    before says what the procedure lacks.
    """
    history = history_of(state)
    rows = []
    for ref, (successes, failures) in state["evidence"]["counts"].items():
        name, _, version = ref.rpartition("@")
        procedure = knowledge.procedures.get(name)
        if successes or not failures or procedure is None or str(procedure.version) != version:
            continue
        template = procedure.steps[-1].do or ""
        names, frame = template_parameters(template), frame_of(template)
        for index in range(len(history) - 1, -1, -1):
            done, arguments = knowledge.lexicon.parse(history[index][0])
            if history[index][2] and done == frame and len(names) == len(arguments):
                binding = dict(zip(names, arguments, strict=True))
                context = _context(state, ref, "fallback", binding, index, index + 1)
                rows.append(
                    new_outcome(state, "procedure", ref, "fallback", 0.0, 0.0, execution=context)
                )
                break
    return rows


def _context(
    state: MaclaState, ref: str, outcome: str, binding: Mapping[str, str], began: int, end: int
) -> dict[str, Any]:
    """Return what a row keeps of an execution that began and ended at these actions."""
    execution = execution_context(
        ref,
        outcome,
        binding,
        state["task"],
        cleaned(state["first_observation"]),
        history_of(state)[:end],
        began,
    )
    return {CONTEXT_KEY: execution.to_json()}


def kept_context(
    row: PendingOutcome, state: MaclaState, counts: tuple[float, float], *, refining: bool
) -> dict[str, Any]:
    """Return the context of a row as the ledger keeps it.

    What an execution looked like is kept only where something is refined (an evaluation teaches
    nothing), and of successes a sample.

    Args:
        row: A pending row.
        state: The state.
        counts: Successes and failures of this version before the episode.
        refining: Whether there is a refinery.
    """
    context = {**row["context"], "after_actions": row["step"]}
    execution = context.pop(CONTEXT_KEY, None)
    if execution is None or not refining:
        return context
    ref = f"{row['subject']}@{row['version']}"
    good, bad = state["evidence"]["counts"].get(ref, (0.0, 0.0))
    name = f"{state['run']}/{ref}/{row['step']}"
    recovered = bad > 0 or bool(execution["blocked"])
    share = share_kept(row["outcome"], counts[0] + good, counts[1] + bad, recovered=recovered)
    if worth_keeping(share, name):
        context[CONTEXT_KEY] = {**execution, "share": share} if share < 1.0 else execution
    return context


def meta_outcome(state: MaclaState, plan: PlanState, outcome: str) -> PendingOutcome:
    """How the run of a plan ended."""
    worked = outcome == "success"
    charged = not worked and outcome != "precondition_refused" and _acted(state, plan)
    ref = plan["meta"] or "@0"
    return new_outcome(state, "meta", ref, outcome, float(worked), float(charged), plan=plan)


def _acted(state: MaclaState, plan: PlanState) -> bool:
    """Tell whether anything was done since a plan was taken up."""
    return steps_of(state) > plan["began"]


def plan_outcomes(state: MaclaState, plan: PlanState, outcome: str) -> list[PendingOutcome]:
    """How the run of a plan ended: evidence on the plan and on the reading that called for it.

    Where the task is not in the words of the plan's goal, it was a guess that this plan is meant.
    That it did not solve the task then speaks against the guess, not against the plan. So it is
    with a procedure taken for the whole task; what it did itself is recorded as it is done.
    """
    if plan["meta"] is None:
        if plan["said"]:
            return []
        subject = plan["items"][-1]["ref"].rpartition("@")[0]
        return [_reading_outcome(state, plan, subject, outcome)]
    ended = meta_outcome(state, plan, outcome)
    if plan["said"]:
        return [ended]
    if plan["filled"] is not None:
        return [{**ended, "successes": 0.0, "failures": 0.0}]
    return [{**ended, "failures": 0.0}, _reading_outcome(state, plan, ended["subject"], outcome)]


def _reading_outcome(
    state: MaclaState, plan: PlanState, subject: str, outcome: str
) -> PendingOutcome:
    """Evidence on the guess that a task in other words than a goal's means that goal."""
    lost = {"postcondition_failed": 1.0, "aborted": 1.0 / TO_ITS_END}.get(outcome, 0.0)
    lost = lost if _acted(state, plan) else 0.0
    won = float(outcome == "success")
    return new_outcome(state, "reading", f"{subject}@0", outcome, won, lost, plan["template"])


def fallback_outcome(state: MaclaState) -> PendingOutcome:
    """A step that no procedure was trusted with; it charges nobody."""
    return new_outcome(state, "reading", "fallback@0", "fallback", 0.0, 0.0)


def search_outcome(
    state: MaclaState, execution: Execution, procedure: Procedure, place: str, memory: EpisodeMemory
) -> list[PendingOutcome]:
    """Was the wanted kind found at this kind of place?"""
    rows = []
    for name, parameter in procedure.parameters.items():
        wanted = execution["wants"].get(name)
        if parameter.source != "search" or wanted is None:
            continue
        there = any(
            memory.location.get(entity) == place
            and memory.kind_of(entity) in (wanted, *memory.mates(wanted))
            for entity in memory.known
        )
        key = pair(wanted, memory.kind_of(place))
        outcome = "success" if there else "execution_failed"
        counts = float(there), float(not there)
        rows.append(new_outcome(state, "binding", f"{SEARCH}@0", outcome, *counts, key))
    return rows


def run_facts(execution: Execution, post: bool | None) -> RunFacts:
    """Facts about a procedure's run, for the conditions of Θ."""
    exhausted, attempts = execution["exhausted"], execution["attempts"]
    return RunFacts(post=post, pre=None, exhausted=exhausted, attempts=attempts)
