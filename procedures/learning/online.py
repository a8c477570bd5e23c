"""Learn from one's own episodes: a bounded buffer, learning again when due, pruning to capacity.

The buffer is a JSON Lines file beside the library, appended to and synced after each episode, so
that nothing acknowledged is lost; half a line left by a crash is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import TrajectoryError
from ..ledger import Ledger
from ..library import LOCK_TIMEOUT, Library
from ..library_commit import locked
from ..method import Method
from ..trajectories import (
    MAX_LINE,
    Trajectory,
    find_problem,
    read_trajectories,
    write_trajectories,
)
from ..utility import retention_utility
from ..yaml_io import atomic_write
from .learner import learn
from .merging import Similarity
from .store import DEMONSTRATIONS, store

__all__ = ["OnlineLearner", "OnlineSettings", "prune"]

_LEARNED = "learned.json"
"""Says up to which episode of the buffer was learned from."""


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """When to learn and how much to keep; the paper's values.

    Attributes:
        buffer: Most episodes learned from (N_buffer); the file is cut to them when it holds twice
            as many.
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
        self._buffer: list[Trajectory] = []
        self._lines = 0
        self._reload()
        self._new = self._count_new()

    @property
    def episodes(self) -> Sequence[Trajectory]:
        """The buffered episodes, oldest first."""
        return tuple(self._buffer)

    def add(self, episode: Trajectory) -> bool:
        """Take in one episode; one whose id is in the buffer already is not taken again.

        Returns:
            Whether the library was learned again, so that knowledge should be loaded afresh.

        Raises:
            TrajectoryError: The episode cannot be written; the buffer is as before.
        """
        if episode.id and any(episode.id == known.id for known in self._buffer):
            return False
        line = _line(episode)
        limit = self._settings.buffer
        with locked(self._library.path, LOCK_TIMEOUT):
            _append(self._file, line)
            self._lines += 1
            if self._lines > 2 * limit:
                # Others may have appended meanwhile.
                kept = _read_buffer(self._file)[-limit:]
                write_trajectories(self._file, kept)
                self._lines = len(kept)
        self._buffer = [*self._buffer, episode][-limit:]
        self._new += episode.success
        if self._new < self._settings.every:
            return False
        return self.relearn()

    def relearn(self) -> bool:
        """Learn from demonstrations and buffer together, and prune; False if nothing succeeded."""
        self._reload()
        told = [*self._demonstrations, *self._buffer]
        learned = None
        if any(episode.success and episode.acts for episode in told):
            method = Method.from_settings(self._library.settings.settings)
            learned = learn(
                told, self._similarity, method.theta_dup, method.theta_sim, method.k_vocab
            )
            store(self._library, self._ledger, learned)
            prune(self._library, self._ledger, self._settings.procedures, self._settings.metas)
        self._new = 0
        if self._buffer:
            mark = json.dumps({"up_to": _digest(self._buffer[-1])})
            atomic_write(self._file.with_name(_LEARNED), mark.encode())
        return learned is not None

    def _reload(self) -> None:
        """Take in what all processes have buffered."""
        if not self._file.exists():
            return
        with locked(self._library.path, LOCK_TIMEOUT):
            found = _read_buffer(self._file)
        self._lines = len(found)
        first = {episode.id or str(i): episode for i, episode in reversed([*enumerate(found)])}
        self._buffer = list(reversed(first.values()))[-self._settings.buffer :]

    def _count_new(self) -> int:
        """Count the buffered successes that came after what was learned from."""
        try:
            mark = json.loads(self._file.with_name(_LEARNED).read_bytes())["up_to"]
        except (OSError, ValueError, KeyError, TypeError):
            mark = None  # then all are new: at worst it is learned once more
        count = 0
        for episode in reversed(self._buffer):
            if mark is not None and _digest(episode) == mark:
                break
            count += episode.success
        return count


def prune(library: Library, ledger: Ledger, procedures: int, metas: int) -> list[str]:
    """Remove what is worth least until the library fits its capacities.

    The paper's utility: 0.5 reliability + 0.3 frequency + 0.2 recency. Locked files, trusted
    ones and procedures that a remaining plan runs are protected.

    Returns:
        Ids that were removed.
    """
    run = library.settings.settings.get("evidence_from", "")
    counts = ledger.counts(superseded=(DEMONSTRATIONS, str(run)))
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
    removed: list[str] = []
    excess = len(ranked) - metas
    for meta in ranked:
        if excess <= 0:
            break
        if meta.locked or meta.status == "trusted":
            continue
        removed.append(meta.id)
        excess -= 1
    used = {
        name
        for meta in library.metas.values()
        if meta.id not in removed
        for place in meta.plan
        for name in (place.run, place.follow)
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


def _line(episode: Trajectory) -> bytes:
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


def _digest(episode: Trajectory) -> str:
    return hashlib.sha256(_line(episode)).hexdigest()


def _append(path: Path, line: bytes) -> None:
    with path.open("ab") as file:
        file.write(line)
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
