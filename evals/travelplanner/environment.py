"""Sole planning as an environment: ask what a day costs, and hand in a plan."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...graph.answers import checked_action
from ...procedures.common.errors import DataError
from .cost import cost_of_day
from .database import Database, open_database
from .evaluator import Evaluation, evaluate_plan
from .plan import read_day, read_plan
from .reference import reference_information
from .tasks import Trip

__all__ = ["MAX_STEPS", "TravelPlannerEnvironment"]

MAX_STEPS = 30
_ACTION = re.compile(r"\s*(\w+)\s*\[(.*)\]\s*", re.DOTALL)
_LONGEST = 1_000_000
"""Characters of an action that are read."""
_MOST_PEOPLE = 10_000
_UNKNOWN = {
    "transportation": "The transporation information is not valid, please check.",
    "breakfast": "The breakfase information is not valid, please check.",
    "lunch": "The lunch information is not valid, please check.",
    "dinner": "The dinner information is not valid, please check.",
    "accommodation": "The accommodation information is not valid, please check.",
}
"""As the official environment spells it."""


class TravelPlannerEnvironment:
    """One trip after the other.

    ``CostEnquiry[{"people_number": 2, "day": 1, "current_city": …}]`` tells what a day costs, or
    what of it is not valid; ``Finish[[{…}, …]]`` hands in the plan and ends the episode, as the
    30th action does. The reward of a plan is the share of its checks that it passes, 1 if it is a
    final pass.

    Args:
        source: ``reference`` or ``database``; see :mod:`.reference`.
        root: The data root.
    """

    def __init__(self, source: str = "reference", root: str | Path | None = None) -> None:
        self._source = source
        self._root = root
        self._trip: Trip | None = None
        self._steps = 0
        self._done = True
        self.evaluation: Evaluation | None = None

    @property
    def _database(self) -> Database:
        return open_database(self._root)

    def reset(self, task: Trip) -> tuple[str, str]:
        """Start a trip; return its sentence, and what is known of the world.

        Raises:
            DataError: It is no trip.
        """
        if not isinstance(task, Trip):
            raise DataError(f"a task of travelplanner is a Trip, not {type(task).__name__}")
        self._trip, self._steps, self._done, self.evaluation = task, 0, False, None
        return task.query, reference_information(task, self._database, self._source)

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``.

        Raises:
            EnvironmentFailure: The action is no text.
        """
        action = checked_action(self, action)
        if self._trip is None or self._done:
            return "The episode is over.", 0.0, True, {"won": False}
        self._steps += 1
        reward, won = 0.0, False
        match = _ACTION.fullmatch(action[:_LONGEST])
        if match is None or match[1] not in ("CostEnquiry", "Finish"):
            told = "Invalid Action. Valid Actions are CostEnquiry[Sub Plan] and Finish[Final Plan]."
        elif match[1] == "CostEnquiry":
            told = self._cost(match[2])
        else:
            told, reward, won = self._finish(match[2])
        self._done = self._done or self._steps >= MAX_STEPS
        return told, reward, self._done, {"won": won}

    def _cost(self, text: str) -> str:
        """Answer what a day costs: for as many people as the enquiry says."""
        try:
            value = json.loads(text)
            day = read_day(value)
        except DataError as error:
            return f"Sorry, the cost of your plan is not available: {error}."
        except (ValueError, RecursionError):
            return "Sorry, the cost of your plan is not available: the sub plan is no JSON."
        people = value.get("people_number")
        if type(people) is not int or not 1 <= people <= _MOST_PEOPLE:
            return (
                "Sorry, the cost of your plan is not available: people_number must be a number "
                f"from 1 to {_MOST_PEOPLE}."
            )
        cost = cost_of_day(day, people, self._database, exact=True)
        if cost.unknown:
            reasons = " \t".join(f"{i}. {_UNKNOWN[name]}" for i, name in enumerate(cost.unknown, 1))
            return (
                "Sorry, the cost of your plan is not available because of the following reasons:"
                f"{reasons}"
            )
        return f"The cost of your plan is {cost.dollars} dollars."

    def _finish(self, text: str) -> tuple[str, float, bool]:
        """Evaluate a plan; what is none may be handed in again."""
        assert self._trip is not None  # noqa: S101 (step has checked)
        try:
            plan = read_plan(text)
        except DataError as error:
            return f"This is no plan: {error}.", 0.0, False
        self._done = True
        self.evaluation = evaluation = evaluate_plan(self._trip, plan, self._database)
        if evaluation.passed:
            return "The plan is delivered. It passes all checks.", 1.0, True
        checks = [*evaluation.commonsense.values(), *(evaluation.hard or {}).values()]
        reward = sum(check.passed for check in checks) / (9 + self._trip.wishes)
        reasons = "; ".join(evaluation.reasons) or "it is empty"
        return f"The plan is delivered. It fails: {reasons}", reward, False
