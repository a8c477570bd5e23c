"""The buffer of finished episodes: a JSON Lines file beside the library.

Each episode is appended and synced, so that nothing acknowledged is lost. Half a line left by a
crash is dropped.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Sequence
from pathlib import Path

from ..common.errors import TrajectoryError
from ..episodes.trajectories import MAX_LINE, Trajectory, find_problem, read_trajectories

IF_REMOVED = (
    "restore the file, or remove it, and practice refines what the library holds and learns "
    "nothing afresh"
)
"""Advice about a file of episodes that is cut off."""
HELD = "held"
"""Key of a buffered episode's ``info``: hash of the library's content before it was taken in."""
TEACHES = "teaches"
"""Key of a buffered episode's ``info``: whether it is learned from."""


def kept(episodes: Sequence[Trajectory], limit: int) -> list[Trajectory]:
    """Return at most ``limit`` episodes, the latest; those that teach nothing go first."""
    excess = len(episodes) - limit
    remaining = []
    for episode in episodes:
        if excess > 0 and not (episode.success and episode.info.get(TEACHES, True)):
            excess -= 1
        else:
            remaining.append(episode)
    return remaining[-limit:]


def line_of(episode: Trajectory) -> bytes:
    """Return the line of an episode, which can be read again."""
    document = episode.to_document()
    problem = find_problem(document)
    if problem is None:
        try:
            line = json.dumps(document, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        except (ValueError, TypeError) as error:
            problem = str(error)
        else:
            if len(line) <= MAX_LINE:
                return line
            problem = f"it is longer than {MAX_LINE} bytes"
    raise TrajectoryError(f"episode {episode.id!r} cannot be kept: {problem}")


def digest(episode: Trajectory) -> str:
    """Return a hash of an episode's whole content."""
    return hashlib.sha256(line_of(episode)).hexdigest()


def append(path: Path, line: bytes) -> None:
    """Append a line, and wait until it is on disk; the caller holds the library's lock.

    An incomplete last line, which a crash left, is cut off first.
    """
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                file.truncate(len(_complete_lines(path)))
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _complete_lines(path: Path) -> bytes:
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def read_buffer(path: Path) -> list[Trajectory]:
    """Read the complete lines of the buffer; another process may be writing the last one."""
    number = sum(bool(line.strip()) for line in _complete_lines(path).split(b"\n"))
    if not number:
        return []
    try:
        return list(itertools.islice(read_trajectories(path), number))
    except TrajectoryError as error:
        raise TrajectoryError(f"{error}; {IF_REMOVED}") from error
