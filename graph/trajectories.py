"""From the state of a finished episode to a trajectory that can be learned from."""

from __future__ import annotations

from typing import Any

from ..procedures.learning.sources import OWN_PLAY
from ..procedures.refinement.occasions import BEGAN, EXPERIMENTS, MARKS
from ..procedures.trajectories import Trajectory, cleaned
from .state import MaclaState

__all__ = ["trajectory_of"]


def _began(state: MaclaState) -> int:
    """Return the index of the first action of the plan that was carried out last."""
    plan = state.get("plan")
    if plan is not None:
        return plan.get("began", 0)
    return (state.get("counters") or {}).get("began", 0)


def trajectory_of(state: MaclaState) -> Trajectory:
    """Return the episode as a trajectory; its outcomes are in the ledger already.

    Texts are cleaned of control characters, which no file of trajectories may hold.
    """
    history = state.get("history") or []
    experiments = state.get("experiments")
    info: dict[str, Any] = {"metas": list((state.get("counters") or {}).get("metas", []))}
    began = _began(state)
    tried = began or not info["metas"] or (state.get("counters") or {}).get("explorations")
    if tried and state.get("won"):
        info[BEGAN] = began
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
        id=state["run"],
        source=OWN_PLAY,
        info=info,
    )
