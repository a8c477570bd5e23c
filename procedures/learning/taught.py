"""What a library was taught from: kept beside it, so that practice adds to what it holds.

Learning goes over all episodes at once. Who practises with a library must have those that it was
taught from, or what they showed would be replaced by what practice shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import TrajectoryError
from ..trajectories import Trajectory, read_trajectories, write_trajectories
from .episode_buffer import digest

__all__ = ["TAUGHT", "joined", "keep_taught", "read_taught"]

TAUGHT = Path(".macla") / "demonstrations.jsonl"
"""The file in a library's folder; like all there, it is not for git."""


def keep_taught(library: Path, episodes: Sequence[Trajectory]) -> None:
    """Keep the episodes that a library is taught from, in place of those before.

    Args:
        library: The library's folder.
        episodes: None at all for a library that begins empty.

    Raises:
        TrajectoryError: The file cannot be written; it is as before.
    """
    (library / TAUGHT).parent.mkdir(parents=True, exist_ok=True)
    write_trajectories(library / TAUGHT, episodes)


def read_taught(library: Path) -> list[Trajectory] | None:
    """Return what a library was taught from, or None where that is not at hand.

    Raises:
        TrajectoryError: The file cannot be read.
    """
    file = library / TAUGHT
    if not file.exists():
        return None
    if not file.stat().st_size:
        return []
    try:
        return list(read_trajectories(file))
    except TrajectoryError as error:
        raise TrajectoryError(
            f"{error}; remove the file, and practice refines what the library holds and learns "
            "nothing afresh"
        ) from error


def joined(kept: Sequence[Trajectory], given: Sequence[Trajectory]) -> list[Trajectory]:
    """Return what was kept, and after it what is given and new."""
    known = {digest(episode) for episode in kept}
    return [*kept, *(episode for episode in given if digest(episode) not in known)]
