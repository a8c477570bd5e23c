"""Learn from one's own episodes: a bounded buffer, learning again when due, pruning to capacity.

The buffer is a JSON Lines file beside the library, appended to and synced after each episode, so
that nothing acknowledged is lost; half a line left by a crash is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import TrajectoryError
from ..ledger import Ledger
from ..library import Library
from ..trajectories import Trajectory, read_trajectories, write_trajectories
from ..utility import retention_utility
from .learner import learn
from .merging import Similarity
from .store import store

__all__ = ["OnlineLearner", "OnlineSettings", "prune"]


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """When to learn and how much to keep; the paper's values.

    Attributes:
        buffer: Most episodes kept (N_buffer).
        every: Learn again after this many new successful episodes.
        procedures: Capacity for procedures.
        metas: Capacity for meta-procedures.
    """

    buffer: int = 1000
    every: int = 10
    procedures: int = 200
    metas: int = 50


class OnlineLearner:
    """Takes finished episodes; learns again and prunes when that is due.

    Args:
        library: Where knowledge goes.
        ledger: Where evidence goes.
        demonstrations: Trajectories that are always learned from as well.
        similarity: Similarity of texts, for merging duplicates.
        settings: When and how much.
    """

    def __init__(
        self,
        library: Library,
        ledger: Ledger,
        *,
        demonstrations: Sequence[Trajectory] = (),
        similarity: Similarity | None = None,
        settings: OnlineSettings | None = None,
    ) -> None:
        self._library = library
        self._ledger = ledger
        self._demonstrations = list(demonstrations)
        self._similarity = similarity
        self._settings = settings or OnlineSettings()
        self._file = library.path / ".macla" / "episodes.jsonl"
        self._buffer = _read_buffer(self._file)[-self._settings.buffer :]
        self._new = 0

    @property
    def episodes(self) -> Sequence[Trajectory]:
        """The buffered episodes, oldest first."""
        return tuple(self._buffer)

    def add(self, episode: Trajectory) -> bool:
        """Take in one episode.

        Returns:
            Whether the library was learned again, so that knowledge should be loaded afresh.
        """
        self._buffer.append(episode)
        if len(self._buffer) > self._settings.buffer:
            self._buffer = self._buffer[-self._settings.buffer :]
            write_trajectories(self._file, self._buffer)
        else:
            _append(self._file, episode)
        self._new += episode.success
        if self._new < self._settings.every:
            return False
        self._new = 0
        return self.relearn()

    def relearn(self) -> bool:
        """Learn from demonstrations and buffer together, and prune; False if nothing succeeded."""
        told = [*self._demonstrations, *self._buffer]
        if not any(episode.success and episode.acts for episode in told):
            return False
        learned = learn(told, self._similarity)
        store(self._library, self._ledger, learned)
        prune(self._library, self._ledger, self._settings.procedures, self._settings.metas)
        return True


def prune(library: Library, ledger: Ledger, procedures: int, metas: int) -> list[str]:
    """Remove what is worth least until the library fits its capacities.

    The paper's utility: 0.5 reliability + 0.3 frequency + 0.2 recency. Locked files, trusted
    ones and procedures that a remaining plan runs are protected.

    Returns:
        Ids that were removed.
    """
    counts = ledger.counts()
    usage = ledger.usage()
    latest = max((last for _, last in usage.values()), default=0)
    most = max((uses for uses, _ in usage.values()), default=0)

    def worth(kind: str, name: str, version: int) -> float:
        good, bad = counts.get((kind, name, version, ""), (0.0, 0.0))
        uses, last = usage.get((kind, name), (0, 0))
        return retention_utility(
            (1.0 + good) / (2.0 + good + bad),
            uses / most if most else 0.0,
            last / latest if latest else 0.0,
        )

    ranked = sorted(library.metas.values(), key=lambda m: (worth("meta", m.id, m.version), m.id))
    removed = [
        meta.id
        for meta in ranked[: max(0, len(ranked) - metas)]
        if not meta.locked and meta.status != "trusted"
    ]
    used = {
        place.run
        for meta in library.metas.values()
        if meta.id not in removed
        for place in meta.plan
        if place.run is not None
    }
    order = sorted(
        library.procedures.values(), key=lambda p: (worth("procedure", p.id, p.version), p.id)
    )
    excess = len(order) - procedures
    for procedure in order:
        if excess <= 0:
            break
        if procedure.id in used or procedure.locked or procedure.status == "trusted":
            continue
        removed.append(procedure.id)
        excess -= 1
    if removed:
        library.delete(*removed)
    return removed


def _append(path: Path, episode: Trajectory) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(episode.to_document(), ensure_ascii=False) + "\n"
    with path.open("ab") as file:
        file.write(line.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())


def _read_buffer(path: Path) -> list[Trajectory]:
    """Read the buffer; what a crash left of a last line is cut off."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    if not whole:
        return []
    try:
        return list(read_trajectories(path))
    except TrajectoryError as error:
        raise TrajectoryError(f"{error}; remove the file to start an empty buffer") from error
