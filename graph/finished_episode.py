"""From the state of a finished episode to a trajectory that can be learned from."""

from __future__ import annotations

from typing import Any

from ..procedures.episodes.trajectories import Trajectory, cleaned
from ..procedures.learning.provenance import OWN_PLAY
from ..procedures.refinement.occasions import BEGAN, EXPERIMENTS, KEPT, MARKS
from .state import MaclaState, history_of


def _last_plan(state: MaclaState) -> tuple[int, list[int]]:
    """Return the first action of the plan that was carried out last, and what it kept."""
    last = state["plan"] or state["counters"]
    return last["began"], list(last["kept"])


def _graded(state: MaclaState) -> float | None:
    """Return what the end of the episode paid; None where that is no grade in [0, 1]."""
    return state["reward"] if state["done"] and 0 <= state["reward"] <= 1 else None


def trajectory_of(state: MaclaState) -> Trajectory:
    """Return the episode as a trajectory; its outcomes are in the ledger already.

    Texts are cleaned of control characters, which no file of trajectories may hold.
    """
    history, counters = history_of(state), state["counters"]
    info: dict[str, Any] = {"metas": list(counters["metas"])}
    began, kept = _last_plan(state)
    if state["won"] and (began or not info["metas"] or counters["explorations"]):
        info[BEGAN] = began
        if kept:
            info[KEPT] = kept
        if not info["metas"] and state["plan"] is None:
            # What a plan's gap was filled with may not show in what is possible.
            info[MARKS] = list(state["marks"])
    if state["experiments"]:
        info[EXPERIMENTS] = state["experiments"]
    return Trajectory(
        task=cleaned(state["task"]),
        obs=tuple(cleaned(text) for text in (state["first_observation"], *(e[1] for e in history))),
        acts=tuple(cleaned(entry[0]) for entry in history),
        success=state["won"],
        reward=_graded(state),
        id=state["run"],
        source=OWN_PLAY,
        info=info,
    )
