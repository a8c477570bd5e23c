"""An environment with a meter: what was done in it and what it paid, whoever plays."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ...graph.answers import solved
from ...graph.protocols import AdmissibleEnvironment, Environment

__all__ = ["MeteredEnvironment", "meter_environment"]


class MeteredEnvironment:
    """Counts; made by :func:`meter_environment`, which keeps the list of admissible actions.

    Attributes:
        actions: The actions of the episode that could be done, in order.
        reward: Sum of the episode's rewards.
        won: Whether the environment said that the task is solved.
        task: Task text of the episode.
        spent: Seconds of processor time that the environment took in the episode.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self.actions: list[str] = []
        self.reward = 0.0
        self.won = False
        self.task = ""
        self.spent = 0.0

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode and set the meter to zero."""
        self.actions, self.reward, self.won, self.task = [], 0.0, False, ""
        started = time.process_time()
        self.task, observation = self._environment.reset(task)
        self.spent = time.process_time() - started
        return self.task, observation

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action and count it."""
        started = time.process_time()
        observation, reward, done, info = self._environment.step(action)
        self.spent += time.process_time() - started
        self.actions.append(action)
        self.reward += float(reward)
        self.won = self.won or solved(reward, done, info)
        return observation, reward, done, info


class _MeteredAdmissible(MeteredEnvironment):
    def __init__(self, environment: AdmissibleEnvironment) -> None:
        super().__init__(environment)
        self._lists = environment

    def admissible(self) -> Sequence[str]:
        """Return the actions that are possible now."""
        return self._lists.admissible()


def meter_environment(environment: Environment) -> MeteredEnvironment:
    """Return ``environment`` with a meter, with ``admissible`` if it has it."""
    if isinstance(environment, AdmissibleEnvironment):
        return _MeteredAdmissible(environment)
    return MeteredEnvironment(environment)
