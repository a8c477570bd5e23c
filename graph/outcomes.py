"""Rows of evidence that the loop produces; five outcomes are kept apart.

A refused precondition and a fallback charge nobody; a failed binding charges the binding; a plan
that went through without solving the task charges the plan's reading, not its procedures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..procedures.conditions import RunFacts
from ..procedures.episode import EpisodeMemory
from ..procedures.model import Procedure
from ..procedures.search_evidence import SEARCH, pair
from .state import Frame, MaclaState, PlanState

__all__ = [
    "fallback_outcome",
    "meta_outcome",
    "procedure_outcome",
    "run_facts",
    "search_outcome",
    "situation",
]


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
    row = _row(state, "procedure", frame["ref"], outcome, float(worked), float(charged))
    return _situated(row, state.get("plan"))


def meta_outcome(state: MaclaState, plan: PlanState, outcome: str) -> dict[str, Any]:
    """How the run of a plan ended."""
    worked = outcome == "success"
    charged = not worked and outcome != "precondition_refused"
    row = _row(state, "meta", plan["meta"] or "@0", outcome, float(worked), float(charged))
    return _situated(row, plan)


def _situated(row: dict[str, Any], plan: PlanState | None) -> dict[str, Any]:
    """Note what the task spoke of, so that the risk of a like task can be told."""
    features = situation(plan["fillers"]) if plan is not None else frozenset()
    return {**row, "context": {"situation": sorted(features)}} if features else row


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
