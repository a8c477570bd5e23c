"""The first word of every action at its end: a language whose verb comes last.

A learner that plays such a world as well as the plain one assumes nothing of the verb's place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..graph.protocols import AdmissibleEnvironment, Environment
from ..procedures.episodes.trajectories import Trajectory


def verb_last(action: str) -> str:
    """Move the first word of an action to its end.

    >>> verb_last("take mug 1 from shelf 2")
    'mug 1 from shelf 2 take'
    """
    first, blank, rest = action.partition(" ")
    return f"{rest} {first}" if blank else action


def _verb_first(action: str) -> str:
    rest, blank, last = action.rpartition(" ")
    return f"{last} {rest}" if blank else action


def with_verbs_last(trajectory: Trajectory) -> Trajectory:
    """Return a trajectory whose actions have their first word at the end."""
    return replace(trajectory, acts=tuple(map(verb_last, trajectory.acts)))


class VerbLastEnvironment:
    """An environment whose actions are written verb last; observations stay as they are."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode; return ``(task text, first observation)``."""
        return self._environment.reset(task)

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do the action with its last word put first."""
        return self._environment.step(_verb_first(action))


class _VerbLastAdmissible(VerbLastEnvironment):
    def __init__(self, environment: AdmissibleEnvironment) -> None:
        super().__init__(environment)
        self._lists = environment

    def admissible(self) -> list[str]:
        """Return the possible actions, verb last, sorted."""
        return sorted(map(verb_last, self._lists.admissible()))


def verb_last_environment(environment: Environment) -> VerbLastEnvironment:
    """Return ``environment`` verb last, with ``admissible`` if it has it."""
    if isinstance(environment, AdmissibleEnvironment):
        return _VerbLastAdmissible(environment)
    return VerbLastEnvironment(environment)
