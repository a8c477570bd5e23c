"""What a library was taught from: kept beside it, so that practice adds to what it holds.

Learning goes over all episodes at once. Who practises with a library must have those that it was
taught from, or what they showed would be replaced by what practice shows. How many there are stands
beside them, so that a file that was emptied or cut off is not taken for all of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import TrajectoryError
from ..library import Library
from ..local.state import LOCAL, make_parent
from ..proof.floor import Choices, FloorProof, prove_floor
from ..trajectories import Trajectory, read_trajectories, write_trajectories
from ..yaml_io import atomic_write
from .episode_buffer import IF_REMOVED, digest

__all__ = [
    "TAUGHT",
    "joined",
    "keep_taught",
    "lacking_taught",
    "read_floor",
    "read_taught",
    "read_without_plans",
]

TAUGHT = Path(LOCAL) / "demonstrations.jsonl"
"""The file in a library's folder; like all there, it is not for git."""
_COUNT = TAUGHT.with_suffix(".json")
"""Says how many episodes it holds, of which no plan is learned, and how far re-binding goes."""


def keep_taught(
    library: Path,
    episodes: Sequence[Trajectory],
    without_plans: Collection[str] = (),
    choices: Choices | None = None,
) -> None:
    """Keep the episodes that a library is taught from, in place of those before.

    Args:
        library: The library's folder.
        episodes: None at all for a library that begins empty.
        without_plans: Digests of those that plans are known to end wrongly.
        choices: Tells of one where programs have several candidates; see :func:`prove_floor`.

    Raises:
        TrajectoryError: The file cannot be written; it is as before.
    """
    make_parent(library / TAUGHT)
    (library / _COUNT).unlink(missing_ok=True)  # a kill may come between the two files
    write_trajectories(library / TAUGHT, episodes)
    notes = {
        "episodes": len(episodes),
        "without_plans": sorted(without_plans),
        "floor": prove_floor(episodes, *([choices] if choices else [])).to_document(),
    }
    atomic_write(library / _COUNT, json.dumps(notes).encode())


def lacking_taught(library: Library) -> str:
    """Say why what a library was taught from is not at hand; "" if it is."""
    file = library.path / TAUGHT
    if not file.exists():
        return f"it was taught from episodes that are not here ({TAUGHT})"
    wanted = _notes(library.path).get("episodes")
    if not isinstance(wanted, int):
        learned = library.settings.settings.get("learned")
        wanted = learned.get("episodes") if isinstance(learned, Mapping) else 0
    found = file.read_bytes().count(b"\n")
    if isinstance(wanted, int) and found < wanted:
        return f"of the {wanted} episodes that it was taught from {TAUGHT} holds only {found}"
    return ""


def read_taught(library: Library) -> list[Trajectory] | None:
    """Return what a library was taught from, or None where that is not all at hand.

    Raises:
        TrajectoryError: The file cannot be read.
    """
    file = library.path / TAUGHT
    if lacking_taught(library):
        return None
    if not file.stat().st_size:
        return []
    try:
        return list(read_trajectories(file))
    except TrajectoryError as error:
        raise TrajectoryError(f"{error}; {IF_REMOVED}") from error


def read_without_plans(library: Path) -> frozenset[str]:
    """Return digests of the episodes that plans are known to end wrongly."""
    noted = _notes(library).get("without_plans")
    return frozenset(map(str, noted)) if isinstance(noted, list) else frozenset()


def read_floor(library: Path) -> FloorProof:
    """Return how far the nearest of the episodes, re-bound, is trusted."""
    return FloorProof.from_document(_notes(library).get("floor"))


def _notes(library: Path) -> Mapping[str, Any]:
    try:
        notes = json.loads((library / _COUNT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return notes if isinstance(notes, dict) else {}


def joined(kept: Sequence[Trajectory], given: Sequence[Trajectory]) -> list[Trajectory]:
    """Return what was kept, and after it what is given and new."""
    known = {digest(episode) for episode in kept}
    return [*kept, *(episode for episode in given if digest(episode) not in known)]
