"""What a library was taught from: kept beside it, so that learning adds to what it holds.

Learning goes over all episodes at once, and what it finds takes the place of what the same episodes
taught before. Nothing else gives way: that episodes do not show a procedure is no evidence against
it. So the ids of what was learned here stand beside the episodes, and with them how many there are,
so that a file that was emptied or cut off is not taken for all of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..common.errors import TrajectoryError
from ..documents.yaml_io import atomic_write
from ..episodes.trajectories import Trajectory, read_trajectories, write_trajectories
from ..library.library import Library
from ..local.machine_folder import LOCAL, make_parent
from ..proof.floor import Choices, FloorProof, prove_floor
from .episode_buffer import IF_REMOVED, digest

__all__ = [
    "TAUGHT",
    "joined",
    "keep_taught",
    "lacking_taught",
    "learned_elsewhere",
    "note_learned",
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
    replacing: Collection[str] = (),
) -> None:
    """Keep the episodes that a library is taught from, in place of those before.

    What was noted as learned here stays noted, unless the episodes of before are not all at hand.

    Args:
        library: The library's folder.
        episodes: None at all for a library that begins empty.
        without_plans: Digests of those that plans are known to end wrongly.
        choices: Tells of one where programs have several candidates; see :func:`prove_floor`.
        replacing: Ids of what these episodes take the place of, wherever it was learned.

    Raises:
        TrajectoryError: The file cannot be written; it is as before.
    """
    make_parent(library / TAUGHT)
    before = _notes(library)
    here = _learned_here(before) if _holds_all(library, before) else frozenset[str]()
    # A kill may come between the two files: what is noted meanwhile holds for both.
    both = {len(episodes), before.get("episodes", 0)}
    number = min((each for each in both if isinstance(each, int)), default=0)
    until = {"episodes": number, "learned": None if here is None else sorted(here)}
    atomic_write(library / _COUNT, json.dumps(until).encode())
    write_trajectories(library / TAUGHT, episodes)
    notes = {
        "episodes": len(episodes),
        "learned": None if here is None else sorted({*here, *replacing}),
        "without_plans": sorted(without_plans),
        "floor": prove_floor(episodes, *([choices] if choices else [])).to_document(),
    }
    atomic_write(library / _COUNT, json.dumps(notes).encode())


def learned_elsewhere(library: Library) -> frozenset[str]:
    """Return ids of what was learned from episodes that are not here, or written by people.

    What is learned here takes the place of none of it.
    """
    items = frozenset((*library.procedures, *library.metas, *library.programs))
    if lacking_taught(library):
        return items
    here = _learned_here(_notes(library.path))
    return frozenset() if here is None else items - here


def note_learned(library: Path, ids: Iterable[str]) -> None:
    """Note what the kept episodes taught, besides what is noted already."""
    notes = _notes(library)
    here = _learned_here(notes)
    taught = frozenset(ids)
    if here is not None and not taught <= here:
        noted = {**notes, "learned": sorted(here | taught)}
        atomic_write(library / _COUNT, json.dumps(noted).encode())


def _learned_here(notes: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the ids that are noted; None where an earlier version of macla noted none."""
    noted = notes.get("learned")
    return frozenset(map(str, noted)) if isinstance(noted, list) else None


def _holds_all(library: Path, notes: Mapping[str, Any]) -> bool:
    """Tell whether the episodes of before are there, none cut off."""
    file, wanted = library / TAUGHT, notes.get("episodes", 0)
    return file.exists() and isinstance(wanted, int) and file.read_bytes().count(b"\n") >= wanted


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
