"""From the state of a finished episode to a trajectory that can be learned from."""

from __future__ import annotations

from typing import Any

from ..procedures.episodes.trajectories import Trajectory, cleaned
from ..procedures.learning.provenance import OWN_PLAY
from ..procedures.refinement.occasions import BEGAN, EXPERIMENTS, KEPT, MARKS
from .state import MaclaState

__all__ = ["trajectory_of"]


def _last_plan(state: MaclaState) -> tuple[int, list[int]]:
    """Return the first action of the plan that was carried out last, and what it kept."""
    plan = state.get("plan")
    told = plan if plan is not None else state.get("counters") or {}
    return told.get("began", 0), list(told.get("kept", ()))


def _graded(state: MaclaState) -> float | None:
    """Return what the end of the episode paid; None where that is no grade in [0, 1]."""
    reward = state.get("reward")
    return reward if state.get("done") and reward is not None and 0 <= reward <= 1 else None


def trajectory_of(state: MaclaState) -> Trajectory:
    """Return the episode as a trajectory; its outcomes are in the ledger already.

    Texts are cleaned of control characters, which no file of trajectories may hold.
    """
    history = state.get("history") or []
    experiments = state.get("experiments")
    info: dict[str, Any] = {"metas": list((state.get("counters") or {}).get("metas", []))}
    began, kept = _last_plan(state)
    tried = began or not info["metas"] or (state.get("counters") or {}).get("explorations")
    if tried and state.get("won"):
        info[BEGAN] = began
        if kept:
            info[KEPT] = kept
        if not info["metas"] and state.get("plan") is None:
            # What a plan's gap was filled with may not show in what is possible.
            info[MARKS] = list(state.get("marks") or [])
    if experiments:
        info[EXPERIMENTS] = experiments
    return Trajectory(
        task=cleaned(state["task"]),
        obs=tuple(
            cleaned(text) for text in (state["first_observation"], *(str(e[1]) for e in history))
        ),
        acts=tuple(cleaned(str(entry[0])) for entry in history),
        success=bool(state.get("won")),
        reward=_graded(state),
        id=state["run"],
        source=OWN_PLAY,
        info=info,
    )
