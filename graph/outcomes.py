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
from ..procedures.evidence.ledger import OutcomeKind
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
from .knowledge import Knowledge
from .state import Frame, MaclaState, PlanState

__all__ = [
    "TO_ITS_END",
    "by_hand_outcomes",
    "fallback_outcome",
    "kept_context",
    "meta_outcome",
    "plan_outcomes",
    "procedure_outcome",
    "program_outcome",
    "run_facts",
    "search_outcome",
    "situation",
]

TO_ITS_END = 3
"""Failures of a reading that it counts as when its plan was carried out to its end and did not
solve the task: an interrupted one may have been the right one."""


def _row(
    state: MaclaState,
    subject_kind: str,
    ref: str,
    outcome: str,
    successes: float,
    failures: float,
    binding: str = "",
) -> dict[str, Any]:
    subject, _, version = ref.rpartition("@")
    return {
        "step": len(state.get("history") or []),
        "subject_kind": subject_kind,
        "subject": subject,
        "version": int(version),
        "outcome": outcome,
        "successes": successes,
        "failures": failures,
        "binding": binding,
    }


def situation(fillers: Mapping[str, str]) -> frozenset[str]:
    """Return the features of a situation in which something is chosen: what the task speaks of."""
    return frozenset(f"{slot}={filler}" for slot, filler in fillers.items())


def procedure_outcome(state: MaclaState, frame: Frame, outcome: str) -> dict[str, Any]:
    """How the run of a procedure ended."""
    worked = outcome == "success"
    charged = outcome in ("execution_failed", "postcondition_failed", "aborted")
    charged = charged and len(state.get("history") or []) > frame["opened"]
    row = _row(state, "procedure", frame["ref"], outcome, float(worked), float(charged))
    row = _situated(row, state.get("plan"))
    if worked or charged:
        end = len(state.get("history") or [])
        binding = frame.get("binding") or frame["bound"]
        began = frame.get("began", end)
        executed = _context(state, frame["ref"], outcome, binding, began, end)
        row["context"] = {**row.get("context", {}), **executed}
    return row


def program_outcome(state: MaclaState, ref: str, outcome: str) -> dict[str, Any]:
    """How the run of a program ended."""
    return _row(state, "program", ref, outcome, *OutcomeKind(outcome).of_program)


def by_hand_outcomes(state: MaclaState, knowledge: Knowledge) -> list[dict[str, Any]]:
    """What was done without a procedure that had failed at it in this episode, as its examples.

    They are no evidence of the procedure's worth, for it did not run; but what had been done
    before says what the procedure lacks.
    """
    history = state.get("history") or []
    rows = []
    for ref, (successes, failures) in (state.get("charged") or {}).items():
        name, _, version = ref.rpartition("@")
        procedure = knowledge.procedures.get(name)
        if successes or not failures or procedure is None or str(procedure.version) != version:
            continue
        template = procedure.steps[-1].do or ""
        names, frame = template_parameters(template), frame_of(template)
        for index in range(len(history) - 1, -1, -1):
            done, arguments = knowledge.lexicon.parse(str(history[index][0]))
            if history[index][2] and done == frame and len(names) == len(arguments):
                binding = dict(zip(names, arguments, strict=True))
                row = _row(state, "procedure", ref, "fallback", 0.0, 0.0)
                row["context"] = _context(state, ref, "fallback", binding, index, index + 1)
                rows.append(row)
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
        (state.get("history") or [])[:end],
        began,
    )
    return {CONTEXT_KEY: execution.to_json()}


def kept_context(
    row: Mapping[str, Any], state: MaclaState, counts: tuple[float, float], *, refining: bool
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
    context: dict[str, Any] = {**row.get("context", {}), "after_actions": row["step"]}
    execution = context.pop(CONTEXT_KEY, None)
    if execution is None or not refining:
        return context
    ref = f"{row['subject']}@{row['version']}"
    good, bad = (state.get("charged") or {}).get(ref, (0.0, 0.0))
    name = f"{state['run']}/{ref}/{row['step']}"
    recovered = bad > 0 or bool(execution["blocked"])
    share = share_kept(row["outcome"], counts[0] + good, counts[1] + bad, recovered=recovered)
    if worth_keeping(share, name):
        context[CONTEXT_KEY] = {**execution, "share": share} if share < 1.0 else execution
    return context


def meta_outcome(state: MaclaState, plan: PlanState, outcome: str) -> dict[str, Any]:
    """How the run of a plan ended."""
    worked = outcome == "success"
    charged = not worked and outcome != "precondition_refused" and _acted(state, plan)
    row = _row(state, "meta", plan["meta"] or "@0", outcome, float(worked), float(charged))
    return _situated(row, plan)


def _acted(state: MaclaState, plan: PlanState) -> bool:
    """Tell whether anything was done since a plan was taken up."""
    return len(state.get("history") or []) > plan["began"]


def _situated(row: dict[str, Any], plan: PlanState | None) -> dict[str, Any]:
    """Note what the task spoke of, so that the risk of a like task can be told."""
    features = situation(plan["fillers"]) if plan is not None else frozenset()
    return {**row, "context": {"situation": sorted(features)}} if features else row


def plan_outcomes(state: MaclaState, plan: PlanState, outcome: str) -> list[dict[str, Any]]:
    """How the run of a plan ended: evidence on the plan and on the reading that called for it.

    Where the task is not in the words of the plan's goal, it was a guess that this plan is meant.
    That it did not solve the task then speaks against the guess, not against the plan. So it is
    with a procedure taken for the whole task; what it did itself is recorded as it is done.
    """
    if plan["meta"] is None:
        if plan.get("said", True):
            return []
        subject = plan["items"][-1]["ref"].rpartition("@")[0]
        return [_reading_outcome(state, plan, subject, outcome)]
    ended = meta_outcome(state, plan, outcome)
    if plan.get("said", True):
        return [ended]
    if "filled" in plan:
        return [{**ended, "successes": 0.0, "failures": 0.0}]
    return [{**ended, "failures": 0.0}, _reading_outcome(state, plan, ended["subject"], outcome)]


def _reading_outcome(
    state: MaclaState, plan: PlanState, subject: str, outcome: str
) -> dict[str, Any]:
    """Evidence on the guess that a task in other words than a goal's means that goal."""
    lost = {"postcondition_failed": 1.0, "aborted": 1.0 / TO_ITS_END}.get(outcome, 0.0)
    lost = lost if _acted(state, plan) else 0.0
    template = plan.get("template", "")
    won = float(outcome == "success")
    return _row(state, "reading", f"{subject}@0", outcome, won, lost, template)


def fallback_outcome(state: MaclaState) -> dict[str, Any]:
    """A step that no procedure was trusted with; it charges nobody."""
    return _row(state, "reading", "fallback@0", "fallback", 0.0, 0.0)


def search_outcome(
    state: MaclaState, frame: Frame, procedure: Procedure, place: str, memory: EpisodeMemory
) -> list[dict[str, Any]]:
    """Was the wanted kind found at this kind of place?"""
    rows = []
    for name, parameter in procedure.parameters.items():
        wanted = frame["wants"].get(name)
        if parameter.source != "search" or wanted is None:
            continue
        found = any(
            memory.location.get(entity) == place
            and memory.kind_of(entity) in (wanted, *memory.mates(wanted))
            for entity in memory.known
        )
        key = pair(wanted, memory.kind_of(place))
        outcome = "success" if found else "execution_failed"
        row = _row(state, "binding", f"{SEARCH}@0", outcome, float(found), float(not found), key)
        rows.append(row)
    return rows


def run_facts(frame: Frame, post: bool | None) -> RunFacts:
    """Facts about a procedure's run, for the conditions of Θ."""
    return RunFacts(post=post, pre=None, exhausted=frame["exhausted"], attempts=frame["attempts"])
