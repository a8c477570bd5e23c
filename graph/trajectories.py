"""From the state of a finished episode to a trajectory that can be learned from."""

from __future__ import annotations

from ..procedures.learning.sources import OWN_PLAY
from ..procedures.trajectories import Trajectory
from .state import MaclaState

__all__ = ["trajectory_of"]


def trajectory_of(state: MaclaState) -> Trajectory:
    """Return the episode as a trajectory; its outcomes are in the ledger already."""
    history = state.get("history") or []
    return Trajectory(
        task=state["task"],
        obs=(state["first_observation"], *(str(entry[1]) for entry in history)),
        acts=tuple(str(entry[0]) for entry in history),
        success=bool(state.get("won")),
        id=state["run"],
        source=OWN_PLAY,
    )
