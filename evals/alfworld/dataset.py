"""The demonstrations and agent logs that come with the benchmark data, as trajectories."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingDataError, TrajectoryError
from ...procedures.episodes.trajectories import Trajectory, find_problem, read_trajectories
from .games import data_root

__all__ = ["agent_logs", "expert_episodes", "human_goals", "parse_log", "read_agent_logs"]

_TASK = "\nYour task is to: "
_THOUGHT = re.compile(r"(?:think|actionpath)\b", re.IGNORECASE)


def expert_episodes(root: str | Path | None = None) -> Iterator[Trajectory]:
    """Stream the expert's episodes on the train games, in file order.

    Args:
        root: The data root, see :func:`~.games.data_root`.

    Raises:
        MissingDataError: The file is not there.
        TrajectoryError: A line is not an episode.

    """
    return iter(read_trajectories(_data_file("expert.jsonl", root)))


def agent_logs(root: str | Path | None = None) -> Iterator[Trajectory]:
    """Stream the logs of a language model's runs, successes and failures, in file order.

    They are in the older dialect, and without the words ``You arrive at loc 6.``

    Raises:
        MissingDataError: The file is not there.
        TrajectoryError: A line is not such a log.

    """
    return read_agent_logs(_data_file("agent_logs.jsonl", root))


def read_agent_logs(path: str | Path) -> Iterator[Trajectory]:
    """Stream the logs in a file of JSON lines with ``name``, ``result``, ``run`` and ``traj``.

    Raises:
        TrajectoryError: A line is not such a log; the message names file and line.

    """
    file = Path(path)
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _read_log(line, f"{file}:{number}")
    except OSError as error:
        raise TrajectoryError(
            f"{file}: cannot be read ({error.strerror}); check the path"
        ) from None


def human_goals(root: str | Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return game id to the goal as people phrased it, in three to six ways, each one tidy line.

    To play with one, put it into the game: ``dataclasses.replace(game, task=goal)``.

    Raises:
        MissingDataError: The file is not there.
        DataError: It is not such a table.

    """
    file = _data_file("human_goals.json", root)
    try:
        table = json.loads(file.read_bytes())
        return {
            name: tuple([_tidy(goal) for goal in goals if goal.strip()])
            for name, goals in table.items()
        }
    except (ValueError, RecursionError, AttributeError, TypeError):
        raise DataError(
            f"{file}: not a table of game ids with lists of goals; unpack the data again"
        ) from None


def parse_log(text: str, *, where: str = "log") -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Split a log's text into task, observations and actions.

    Turns start with ``>``. Thoughts (``Think:``, ``ActionPath:``) and empty commands are left
    out together with the answer to them, if there is one (``OK.``). There is one observation
    more than there are actions, the first before any action.

    Raises:
        TrajectoryError: The text has no task, or an action has no answer.

    """
    head, *turns = ("\n" + text).split("\n> ")
    first, found, task = head.strip("\n").partition(_TASK)
    if not found or not task.strip():
        raise TrajectoryError(f"{where}: no line {_TASK.strip()!r} after the first observation")
    observations, actions = [first.strip()], []
    for turn in turns:
        action, _, answer = turn.partition("\n")
        if not action.strip() or _THOUGHT.match(action):
            continue
        if not answer.strip():
            raise TrajectoryError(
                f"{where}: the action {action[:80]!r} has no answer; the log is cut short"
            )
        actions.append(action.strip())
        observations.append(answer.strip())
    return task.strip(), tuple(observations), tuple(actions)


def _tidy(text: str) -> str:
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split())


def _read_log(line: bytes, where: str) -> Trajectory:
    try:
        entry: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"{where}: not a line of JSON ({type(error).__name__})") from None
    if not isinstance(entry, dict):
        raise TrajectoryError(f"{where}: a JSON {type(entry).__name__}, not a log's object")
    wrong = [key for key in ("name", "run", "traj") if not isinstance(entry.get(key), str)]
    if entry.get("result") not in (False, True):  # the data write false as 0 at times
        wrong.append("result")
    if wrong:
        raise TrajectoryError(
            f"{where}: {', '.join(wrong)} missing or of the wrong type; a log has name, run and "
            "traj (text) and result (true or false)"
        )
    task, observations, actions = parse_log(entry["traj"], where=where)
    name = f"{entry['name']}#{entry['run']}"
    episode = Trajectory(task, observations, actions, bool(entry["result"]), id=name)
    problem = find_problem(episode.to_document())
    if problem is not None:
        raise TrajectoryError(f"{where}: {problem}")
    return episode


def _data_file(name: str, root: str | Path | None) -> Path:
    file = data_root(root) / "alfworld" / name
    if not file.is_file():
        raise MissingDataError(
            f"{file}: not there; set MACLA_DATA to the folder that holds 'alfworld'"
        )
    return file
