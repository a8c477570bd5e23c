"""Episodes kept beside the library, as JSON Lines that several processes append to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout

from ..common.errors import LibraryError, LockError, TrajectoryError, reason
from ..episodes.trajectories import (
    MAX_LINE,
    Trajectory,
    find_problem,
    read_trajectories,
    write_trajectories,
)
from ..library.library import LOCK_TIMEOUT
from ..library.library_commit import locked
from ..local.machine_folder import make_parent
from .tool_episodes import ToolEpisode, require_plain

TURN = 120.0
"""Most seconds that a learner waits for others."""
_FILE = "tool-episodes.jsonl"
_POLL = 0.003
"""Seconds between two tries for the lock: short beside the time that one learner's turn takes."""


class EpisodeBuffer:
    """The latest episodes of tool calls of a library. Not thread-safe by itself.

    Args:
        root: The library's folder.
        limit: Most episodes kept; the file is cut to them when it holds twice as many.
    """

    def __init__(self, root: Path, limit: int) -> None:
        self._root = root
        self._file = root / ".macla" / _FILE
        self._limit = limit
        self._offset = 0
        self._inode = 0
        self._ids: set[str] = set()

    def load(self) -> list[ToolEpisode]:
        """Read everything; what a crash left of a last line is cut off."""
        self._offset = self._inode = 0
        self._ids = set()
        if not self._file.exists():
            return []
        try:
            with locked(self._root, LOCK_TIMEOUT):
                _cut_partial_line(self._file)
                return self._news()[0][-self._limit :]
        except OSError as error:
            raise TrajectoryError(f"{self._file}: cannot be read: {reason(error)}") from error

    def add(self, episodes: Iterable[ToolEpisode]) -> tuple[list[ToolEpisode], bool]:
        """Append episodes; one whose id is there already is not appended again.

        Returns:
            The episodes that are new to this object (other processes may have added some), and
            whether the file was replaced meanwhile, so that these are all that it holds.

        Raises:
            TrajectoryError: An episode cannot be kept; the file is as before.
        """
        episode_by_id = {episode.id: episode for episode in episodes}
        lines = {name: line_of(episode) for name, episode in episode_by_id.items()}
        try:
            with locked(self._root, LOCK_TIMEOUT):
                _cut_partial_line(
                    self._file
                )  # whoever wrote half a line is gone, or was refused the rest
                before, replaced = self._news()
                new = [name for name in lines if name not in self._ids]
                if not new:
                    return before, replaced
                with self._file.open("ab") as stream:
                    stream.write(b"".join(lines[name] for name in new))
                    stream.flush()
                    os.fsync(stream.fileno())
                    status = os.fstat(stream.fileno())
                self._offset, self._inode = status.st_size, status.st_ino
                self._ids.update(new)
                if len(self._ids) > 2 * self._limit:
                    latest = list(read_trajectories(self._file))[-self._limit :]
                    write_trajectories(self._file, latest)
                    self._offset, self._inode = self._file.stat().st_size, self._file.stat().st_ino
                    self._ids = {each.id for each in latest}
                stored = (episode_by_id[name].to_trajectory() for name in new)
                return [*before, *map(ToolEpisode.from_trajectory, stored)], replaced
        except OSError as error:
            raise TrajectoryError(f"{self._file}: cannot be written: {reason(error)}") from error

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn of learners: those of other processes wait until it is given back.

        Raises:
            LockError: Another one has it for longer than :data:`TURN` seconds.
            LibraryError: The folder cannot be written.
        """
        lock = FileLock(self._root / ".macla" / "learning.lock")
        try:
            make_parent(self._file)
            lock.acquire(TURN, poll_interval=_POLL)
        except Timeout:
            problem = f"is being learned into by another process for more than {TURN:g} seconds"
            raise LockError(problem, file=self._root, hint="wait for it, or stop it") from None
        except OSError as error:
            raise LibraryError(f"cannot be locked: {reason(error)}", file=self._root) from error
        try:
            yield
        finally:
            lock.release()

    def judge(self, concerns: Callable[[ToolEpisode], bool], *, success: bool) -> list[ToolEpisode]:
        """Keep a verdict on episodes: one that failed demonstrates nothing, and comes never again.

        Args:
            concerns: Tells which episodes the verdict is about.
            success: The verdict.

        Returns:
            The episodes, as they were, of which it was not known.

        Raises:
            TrajectoryError: The file cannot be read or written.
        """
        if not self._file.exists():
            return []
        try:
            with locked(self._root, LOCK_TIMEOUT):
                episodes = list(map(ToolEpisode.from_trajectory, read_trajectories(self._file)))
                contradicted = [
                    each for each in episodes if each.success != success and concerns(each)
                ]
                contradicted_ids = {each.id for each in contradicted}
                judged = (
                    replace(e, success=success) if e.id in contradicted_ids else e for e in episodes
                )
                if contradicted:
                    write_trajectories(self._file, [each.to_trajectory() for each in judged])
                return contradicted
        except OSError as error:
            raise TrajectoryError(f"{self._file}: cannot be written: {reason(error)}") from error

    def holds(self, ids: Collection[str]) -> bool:
        """Whether an episode with one of these ids is kept, whoever appended it.

        Raises:
            TrajectoryError: The file cannot be read.
        """
        if not self._file.exists():
            return False
        try:
            return any(episode.id in ids for episode in read_trajectories(self._file))
        except OSError as error:
            raise TrajectoryError(f"{self._file}: cannot be read: {reason(error)}") from error

    def news(self) -> tuple[list[ToolEpisode], bool]:
        """Return what was appended since, by whomever, without waiting for a lock.

        Returns:
            The episodes, and whether the file was replaced, so that these are all that it holds.

        Raises:
            TrajectoryError: The file cannot be read.
        """
        try:
            return self._news(whole=True)
        except OSError as error:
            raise TrajectoryError(f"{self._file}: cannot be read: {reason(error)}") from error

    def _news(self, *, whole: bool = False) -> tuple[list[ToolEpisode], bool]:
        """Read what was appended since; from the start where the file was replaced."""
        if not self._file.exists():
            return [], False
        status = self._file.stat()
        replaced = bool(self._inode) and (
            status.st_ino != self._inode or status.st_size < self._offset
        )
        if replaced:
            self._offset, self._ids = 0, set()
        if status.st_size == self._offset:
            self._inode = status.st_ino
            return [], replaced
        episodes: list[ToolEpisode] = []
        with self._file.open("rb") as stream:
            stream.seek(self._offset)
            data = stream.read()
        if whole:  # somebody may be writing a line
            data = data[: data.rfind(b"\n") + 1]
        for line in data.splitlines():
            episode = _parse_line(line, self._file)
            if episode.id not in self._ids:
                self._ids.add(episode.id)
                episodes.append(episode)
        self._offset, self._inode = self._offset + len(data), status.st_ino
        return episodes, replaced


def line_of(episode: ToolEpisode) -> bytes:
    """Return the line that holds an episode.

    Raises:
        TrajectoryError: It cannot be kept, or what it holds could not be read again.
    """
    try:
        for call in episode.calls:
            require_plain(call)
        document = episode.to_trajectory().to_document()
        problem = find_problem(document)
        line = json.dumps(document, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"episode {episode.id!r} cannot be kept: {error}") from error
    if problem is None and len(line) > MAX_LINE:
        problem = f"it is longer than {MAX_LINE} bytes"
    if problem is not None:
        raise TrajectoryError(f"episode {episode.id!r} cannot be kept: {problem}")
    return line


def _cut_partial_line(path: Path) -> None:
    """Cut off half a last line; costs nothing where there is none."""
    try:
        with path.open("rb") as stream:
            if not stream.seek(0, os.SEEK_END):
                return
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) == b"\n":
                return
            stream.seek(0)
            complete_bytes = stream.read().rfind(b"\n") + 1
    except FileNotFoundError:
        return
    os.truncate(path, complete_bytes)


def _parse_line(line: bytes, file: Path) -> ToolEpisode:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"{file}: a line is not JSON ({error}); remove it") from None
    problem = find_problem(document)
    if problem is not None:
        raise TrajectoryError(f"{file}: a line {problem}; remove it")
    return ToolEpisode.from_trajectory(Trajectory.from_document(document))
