"""Store the demonstrations that a library was taught from, so that learning adds to them.

Learning reads all episodes at once and replaces only what the same episodes taught before: a
procedure that episodes do not show is not refuted by them. So the ids of what was learned here are
stored beside the episodes. The number of episodes is stored too; it reveals a file that was emptied
or cut off.
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

TAUGHT = Path(LOCAL) / "demonstrations.jsonl"
"""The file in a library's folder; like all there, it is not for git."""
_COUNT = TAUGHT.with_suffix(".json")
"""File of notes: number of episodes, learned ids, episodes without plans, proof of the floor."""


def keep_taught(
    library: Path,
    episodes: Sequence[Trajectory],
    without_plans: Collection[str] = (),
    choices: Choices | None = None,
    replacing: Collection[str] = (),
) -> None:
    """Store the episodes that a library is taught from, in place of the earlier ones.

    The noted ids stay, unless some earlier episodes are missing.

    Args:
        library: The library's folder.
        episodes: The episodes; none for a library that begins empty.
        without_plans: Digests of episodes whose plans are known to end wrongly.
        choices: Returns where programs have several candidates; see :func:`prove_floor`.
        replacing: Ids that these episodes replace, wherever they were learned.

    Raises:
        TrajectoryError: The file cannot be written; it is as before.
    """
    make_parent(library / TAUGHT)
    earlier_notes = _notes(library)
    learned_ids = (
        _learned_here(earlier_notes) if _holds_all(library, earlier_notes) else frozenset[str]()
    )
    # The process may be killed between the two writes, so the interim notes fit both files.
    episode_counts = {len(episodes), earlier_notes.get("episodes", 0)}
    common_count = min((each for each in episode_counts if isinstance(each, int)), default=0)
    interim_notes = {
        "episodes": common_count,
        "learned": None if learned_ids is None else sorted(learned_ids),
    }
    atomic_write(library / _COUNT, json.dumps(interim_notes).encode())
    write_trajectories(library / TAUGHT, episodes)
    notes = {
        "episodes": len(episodes),
        "learned": None if learned_ids is None else sorted({*learned_ids, *replacing}),
        "without_plans": sorted(without_plans),
        "floor": prove_floor(episodes, *([choices] if choices else [])).to_document(),
    }
    atomic_write(library / _COUNT, json.dumps(notes).encode())


def learned_elsewhere(library: Library) -> frozenset[str]:
    """Return ids learned from episodes that are not here, or written by people.

    Learning here replaces none of them.
    """
    items = frozenset((*library.procedures, *library.metas, *library.programs))
    if lacking_taught(library):
        return items
    learned_ids = _learned_here(_notes(library.path))
    return frozenset() if learned_ids is None else items - learned_ids


def note_learned(library: Path, ids: Iterable[str]) -> None:
    """Add ids that the stored episodes taught to the notes."""
    notes = _notes(library)
    learned_ids = _learned_here(notes)
    new_ids = frozenset(ids)
    if learned_ids is not None and not new_ids <= learned_ids:
        new_notes = {**notes, "learned": sorted(learned_ids | new_ids)}
        atomic_write(library / _COUNT, json.dumps(new_notes).encode())


def _learned_here(notes: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the noted ids; None where an earlier version of macla noted none."""
    noted = notes.get("learned")
    return frozenset(map(str, noted)) if isinstance(noted, list) else None


def _holds_all(library: Path, notes: Mapping[str, Any]) -> bool:
    """Tell whether the file holds as many episodes as the notes say."""
    file, line_count = library / TAUGHT, notes.get("episodes", 0)
    return (
        file.exists()
        and isinstance(line_count, int)
        and file.read_bytes().count(b"\n") >= line_count
    )


def lacking_taught(library: Library) -> str:
    """Return why a library's demonstrations are not all at hand, as a message; "" if they are."""
    file = library.path / TAUGHT
    if not file.exists():
        return f"it was taught from episodes that are not here ({TAUGHT})"
    expected = _notes(library.path).get("episodes")
    if not isinstance(expected, int):
        learned_settings = library.settings.settings.get("learned")
        expected = learned_settings.get("episodes") if isinstance(learned_settings, Mapping) else 0
    line_count = file.read_bytes().count(b"\n")
    if isinstance(expected, int) and line_count < expected:
        return (
            f"of the {expected} episodes that it was taught from {TAUGHT} holds only {line_count}"
        )
    return ""


def read_taught(library: Library) -> list[Trajectory] | None:
    """Return a library's demonstrations, or None where they are not all at hand.

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
    """Return digests of the episodes whose plans are known to end wrongly."""
    noted = _notes(library).get("without_plans")
    return frozenset(map(str, noted)) if isinstance(noted, list) else frozenset()


def read_floor(library: Path) -> FloorProof:
    """Return the stored proof of the floor."""
    return FloorProof.from_document(_notes(library).get("floor"))


def _notes(library: Path) -> Mapping[str, Any]:
    try:
        notes = json.loads((library / _COUNT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return notes if isinstance(notes, dict) else {}


def joined(episodes: Sequence[Trajectory], additions: Sequence[Trajectory]) -> list[Trajectory]:
    """Return the episodes, followed by those additions that are not among them."""
    digests = {digest(episode) for episode in episodes}
    return [*episodes, *(episode for episode in additions if digest(episode) not in digests)]
