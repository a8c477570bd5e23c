"""The published logs: what three language models did on the tasks, turn by turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingDataError

__all__ = ["LOGS", "LoggedEpisode", "LoggedTurn", "read_logs"]

LOGS = (
    "traj_gpt-4_10_turns.json",
    "traj_gpt-3.5_10_turns.json",
    "traj_gpt-3.5_react_10_turns.json",
)
"""Files of logs, the best agent first."""
_EXECUTE = re.compile(r"\s*execute\[(.*?)(?:\][^\]]*)?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """One turn.

    Attributes:
        action: SQL, or ``submit``.
        observation: As logged; a description's types may be bytes.
        reward: As logged: intersection over union, without order.
        reached: Whether the turn reached the database; else the agent's own harness answered.
    """

    action: str
    observation: str
    reward: float
    reached: bool


@dataclass(frozen=True, slots=True)
class LoggedEpisode:
    """The turns of one agent on one task."""

    agent: str
    task_id: int
    query: str
    turns: tuple[LoggedTurn, ...]


def read_logs(folder: Path) -> Iterator[LoggedEpisode]:
    """Yield the episodes of all logs, file by file.

    Raises:
        MissingDataError: A file is not there.
        DataError: It is no such log.
    """
    for name in LOGS:
        file = folder / name
        try:
            table = json.loads(file.read_bytes())
            yield from (_episode(name, record) for record in table.values())
        except FileNotFoundError:
            raise MissingDataError(
                f"{file}: not there; InterCode publishes it with its code, under data/results"
            ) from None
        except (OSError, ValueError, RecursionError, AttributeError, KeyError, TypeError) as error:
            raise DataError(
                f"{file}: not a log of InterCode-SQL ({type(error).__name__}: {error})"
            ) from None


def _episode(name: str, record: dict[str, Any]) -> LoggedEpisode:
    history = record["turn_history"]
    turns = zip(history["actions"], history["observations"], history["rewards"], strict=True)
    agent = name.removeprefix("traj_").removesuffix("_10_turns.json")
    return LoggedEpisode(
        agent,
        int(record["task_id"]),
        str(record["query"]),
        tuple(_turn(str(action), str(told), float(reward)) for action, told, reward in turns),
    )


def _turn(action: str, observation: str, reward: float) -> LoggedTurn:
    reached = not observation.startswith(("No SQL code was found", "Format your SQL command"))
    reached = reached and "did not contain sql code" not in observation
    if match := _EXECUTE.match(action):
        action = match[1]
    return LoggedTurn(action.strip(), observation, reward, reached)
