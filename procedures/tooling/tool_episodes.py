"""One run of a tool-calling agent, as an immutable value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..common.errors import TrajectoryError
from ..documents.plain_data import frozen, thaw
from ..episodes.trajectories import Trajectory, cleaned
from ..programs.fingerprints import UNKNOWN, Fingerprint

REDACTED = re.compile(r"redacted_[a-z]+_[0-9a-f]{8}")
"""The mark in the place of a secret."""
MAX_CALLS = 500
"""Most calls of a run that something is learned from: each may take what any one before it told."""
MAX_TASK = 4_000
"""Most signs of a task that something is learned from, or recalled for."""
_LONGEST_NAME = 256
"""Most characters of a tool's name."""
_DEEPEST = 40
"""Most levels to which arguments nest: deeper ones could exceed the recursion of readers."""
_HALF = re.compile("[\ud800-\udfff]")
_MOST = 2.0**1023
"""Largest number that every reader of JSON takes."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool and what came back.

    Attributes:
        tool: Its name.
        args: Plain JSON values.
        result: The result as text.
        ok: Whether it worked.
        turn: Calls issued together share a turn, counted from 0.
    """

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict, hash=False)
    result: str = ""
    ok: bool = True
    turn: int = 0

    def __post_init__(self) -> None:
        frozen(self, "args")

    @property
    def arguments(self) -> dict[str, Any]:
        """A copy of the arguments as plain dictionaries and lists."""
        return {key: thaw(value) for key, value in self.args.items()}


@dataclass(frozen=True, slots=True)
class ToolEpisode:
    """One run: the task, the calls, the final answer.

    Attributes:
        task: What was asked.
        calls: In the order in which they were issued.
        answer: The final text, if there is one.
        success: Whether the run counts as a demonstration.
        id: Unique name, so that the run counts once.
        source: Where it comes from.
        earlier: What the user said in the conversation before, where that was no task.
        under: Under what the agent worked: marks of its instructions and of the tools it called.
    """

    task: str
    calls: tuple[ToolCall, ...]
    answer: str | None = None
    success: bool = True
    id: str = ""
    source: str = ""
    earlier: tuple[str, ...] = ()
    under: Fingerprint = UNKNOWN

    def to_trajectory(self) -> Trajectory:
        """Return the episode as a trajectory: an action is a call as JSON."""
        info: dict[str, Any] = {
            "turns": [call.turn for call in self.calls],
            "ok": [call.ok for call in self.calls],
        }
        if self.answer is not None:
            info["answer"] = cleaned(self.answer)
        if self.earlier:
            info["earlier"] = [cleaned(each) for each in self.earlier]
        if under := self.under.to_document():
            info["under"] = under
        return Trajectory(
            task=cleaned(self.task) or "-",
            obs=("", *(cleaned(call.result) for call in self.calls)),
            acts=tuple(
                json.dumps({"tool": call.tool, "args": call.arguments}, ensure_ascii=True)
                for call in self.calls
            ),
            success=self.success,
            id=cleaned(self.id)[:2000],
            source=cleaned(self.source)[:2000],
            info=info,
        )

    @classmethod
    def from_trajectory(cls, trajectory: Trajectory) -> ToolEpisode:
        """Read an episode back.

        Raises:
            TrajectoryError: Its actions are no tool calls.
        """
        count = len(trajectory.acts)
        turns = list(trajectory.info.get("turns", range(count)))
        worked = list(trajectory.info.get("ok", [True] * count))
        calls: list[ToolCall] = []
        try:
            for act, result, turn, ok in zip(
                trajectory.acts, trajectory.obs[1:], turns, worked, strict=True
            ):
                call = json.loads(act)
                calls.append(
                    ToolCall(
                        str(call["tool"]), dict(call.get("args", {})), result, bool(ok), int(turn)
                    )
                )
        except (ValueError, KeyError, TypeError) as error:
            raise TrajectoryError(
                f"episode {trajectory.id!r} is no episode of tool calls: {error}; its actions must "
                'be JSON objects such as {"tool": "search", "args": {}}'
            ) from error
        answer = trajectory.info.get("answer")
        return cls(
            trajectory.task,
            tuple(calls),
            None if answer is None else str(answer),
            trajectory.success,
            trajectory.id,
            trajectory.source,
            tuple(map(str, trajectory.info.get("earlier", ()))),
            Fingerprint.from_document(thaw(trajectory.info.get("under", {}))),
        )


def require_learnable(episode: ToolEpisode) -> None:
    """Refuse a run from which nothing can be learned in a reasonable time.

    Raises:
        TrajectoryError: It has more than :data:`MAX_CALLS` calls, or its task has more than
            :data:`MAX_TASK` signs.
    """
    if len(episode.task) > MAX_TASK:
        signs = len(episode.task)
        raise TrajectoryError(f"has a task of {signs} signs, more than {MAX_TASK}: not learned")
    if len(episode.calls) > MAX_CALLS:
        raise TrajectoryError(f"has {len(episode.calls)} calls, more than {MAX_CALLS}: not learned")


def require_plain(call: ToolCall) -> None:
    """Refuse a call that cannot be written to a file and read again.

    Raises:
        TrajectoryError: Its tool has no name, or one that is too long or not printable; or its
            arguments nest too deep, or hold a number or text that is not plain.
    """
    name = call.tool
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise TrajectoryError(
            f"{name[:40]!r} is no name of a tool, which has 1 to {_LONGEST_NAME} printable signs"
        )
    waiting: list[tuple[Any, int]] = [(call.arguments, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise TrajectoryError(f"arguments of {name!r} nest deeper than {_DEEPEST}")
        if isinstance(value, dict):
            waiting += [(each, depth + 1) for pair in value.items() for each in pair]
        elif isinstance(value, list):
            waiting += [(each, depth + 1) for each in value]
        elif isinstance(value, str) and _HALF.search(value):
            raise TrajectoryError(f"an argument of {name!r} holds half a character")
        elif isinstance(value, int | float) and not -_MOST <= value <= _MOST:
            raise TrajectoryError(f"an argument of {name!r} is no finite number")


def worth_learning(episode: ToolEpisode) -> ToolEpisode | None:
    """Return an episode without the calls that did not work, or None if nothing is left."""
    calls = [call for call in episode.calls if call.ok]
    if not episode.success or not calls or len(episode.task) > MAX_TASK:
        return None
    turns = {turn: i for i, turn in enumerate(sorted({call.turn for call in calls}))}
    return replace(episode, calls=tuple(replace(call, turn=turns[call.turn]) for call in calls))
