"""The human plans as episodes: what each day costs is asked, then the plan is handed in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...procedures.episodes.trajectories import Trajectory
from .environment import TravelPlannerEnvironment
from .tasks import Trip

__all__ = ["demonstration"]

_STATE = re.compile(r"(?<=\w)\([A-Z][\w .]*\)(?=$|[,;]| to )")
"""``(Texas)`` behind the name of a city, which the tables do not have there."""


def demonstration(
    trip: Trip, source: str = "reference", root: str | Path | None = None
) -> Trajectory:
    """Play a human plan.

    Args:
        trip: With a human plan.
        source: What is known of the world.
        root: The data root.
    """
    environment = TravelPlannerEnvironment(source, root)
    task, observation = environment.reset(trip)
    observations, actions = [observation], []
    days = [_plain(day) for day in trip.human_plan[: trip.days]]
    enquiries = [{"people_number": trip.people, **day} for day in days]
    for action in (
        *(f"CostEnquiry[{_json(each)}]" for each in enquiries),
        f"Finish[{_json(days)}]",
    ):
        told, _, _, info = environment.step(action)
        observations.append(told)
        actions.append(action)
    return Trajectory(
        task,
        tuple(observations),
        tuple(actions),
        bool(info["won"]),
        id=f"train/{trip.id}",
        source="human plan",
    )


def _plain(day: Mapping[str, Any]) -> dict[str, Any]:
    """Return a day with the names of cities as the tables spell them."""
    return {
        key: _STATE.sub("", value) if isinstance(value, str) else value
        for key, value in day.items()
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
