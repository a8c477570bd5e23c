"""What passes between an agent and an environment, checked: what is wrong is one clear error.

The loop checks every answer, so that a wrong one never reaches the state, the ledger or a file.
Texts lose what no reader sees: control characters, escape sequences, lone surrogates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..procedures.common.errors import EnvironmentFailure
from ..procedures.episodes.trajectories import cleaned


def checked_action(environment: object, action: object) -> str:
    """Return the action that an agent gave to an environment's ``step``.

    Raises:
        EnvironmentFailure: It is no text.
    """
    if not isinstance(action, str):
        raise EnvironmentFailure(
            f"{type(environment).__name__}.step takes an action as text, not "
            f"{type(action).__name__}; the episode is where it was"
        )
    return action


def checked_reset(who: str, answer: object) -> tuple[str, str]:
    """Return ``(task text, observation)`` as ``reset`` must answer.

    Args:
        who: Name of the environment, for the error.
        answer: What it returned.

    Raises:
        EnvironmentFailure: It is anything else.
    """
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise _wrong(f"{who}.reset", "a tuple (task text, observation)", answer)
    task, observation = answer
    return (
        cleaned(checked_text(f"{who}.reset", "the task", task)),
        cleaned(checked_text(f"{who}.reset", "the observation", observation)),
    )


def checked_step(who: str, answer: object) -> tuple[str, float, bool, Mapping[str, Any]]:
    """Return ``(observation, reward, done, info)`` as ``step`` must answer.

    Raises:
        EnvironmentFailure: It is anything else: no text, a reward that is no finite number,
            ``done`` or ``info["won"]`` that is neither true nor false, no mapping as ``info``.
    """
    where = f"{who}.step"
    if not isinstance(answer, tuple) or len(answer) != 4:
        raise _wrong(where, "a tuple (observation, reward, done, info)", answer)
    observation, reward, done, info = answer
    try:
        number = float(reward)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(where, "a number as the reward", reward) from None
    if not math.isfinite(number):
        raise _wrong(where, "a finite reward", reward)
    if not isinstance(info, Mapping):
        raise _wrong(where, "a mapping as info", info)
    over = _truth(where, "done", done)
    if info.get("won") is not None:
        _truth(where, 'info["won"]', info["won"])
    text = cleaned(checked_text(where, "the observation", observation))
    return text, number, over, info


def checked_actions(who: str, answer: object) -> list[str]:
    """Return the actions as ``admissible`` must answer, each once, blank ones left out.

    Raises:
        EnvironmentFailure: It is no sequence of texts.
    """
    where = f"{who}.admissible"
    if isinstance(answer, str) or not isinstance(answer, Sequence):
        raise _wrong(where, "a sequence of texts", answer)
    texts = (checked_text(where, "each action", action) for action in answer)
    return list(dict.fromkeys(text for text in texts if text.strip()))


def checked_text(where: str, what: str, value: object) -> str:
    """Return a text.

    Raises:
        EnvironmentFailure: It is none.
    """
    if not isinstance(value, str):
        raise _wrong(where, f"text as {what}", value)
    return value


def solved(reward: float, done: bool, info: Mapping[str, Any]) -> bool:
    """Tell whether the task is solved: ``info["won"]``, or else a reward of 1 at the end."""
    won = info.get("won")
    return bool(won) if won is not None else done and reward >= 1.0


def short(text: str, limit: int = 200) -> str:
    """Cut what an environment wrote to what a message can hold."""
    return text if len(text) <= limit else text[:limit] + "…"


def _truth(where: str, what: str, value: object) -> bool:
    try:
        return bool(value)
    except Exception:  # such as an array of several values
        raise _wrong(where, f"true or false as {what}", value) from None


def _wrong(where: str, expected: str, value: object) -> EnvironmentFailure:
    try:
        shown = short(repr(value))
    except Exception:  # a repr of the user's own that fails
        shown = "that cannot be shown"
    return EnvironmentFailure(
        f"{where} must return {expected}, but returned {type(value).__name__} {shown}"
    )
