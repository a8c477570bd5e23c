"""The file of a practice: a line for each episode, synced before the next one begins."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from ...procedures.common.errors import LibraryError, LockError
from ...procedures.local.machine_folder import make_parent

__all__ = ["Played", "PracticeLog", "read_played"]


@dataclass(frozen=True, slots=True)
class Played:
    """One episode of practice and what was known after it.

    Attributes:
        id: The task.
        won: Whether it was solved.
        steps: Actions done.
        fallback: Those that no procedure chose.
        experiments: Those that were experiments.
        procedures: Procedures in the library after it.
        metas: Meta-procedures in the library after it.
        mean: Mean over procedures of their posterior means, in (0, 1); 0 without any.
        sd: Mean of their posterior standard deviations.
        learned: Whether the library changed because of it.
        refined: Changes put forward because of what failed in it, each with what became of it.
        seconds: Of playing and of learning.
        error: What the environment did wrong, or "".
    """

    id: str
    won: bool
    steps: int
    fallback: int
    experiments: int
    procedures: int
    metas: int
    mean: float
    sd: float
    learned: bool
    seconds: tuple[float, float]
    error: str = ""
    refined: tuple[str, ...] = ()


class PracticeLog:
    """The file ``.macla/practice.jsonl`` of a library, while one practice writes it."""

    def __init__(self, library: Path) -> None:
        self.file = library / ".macla" / "practice.jsonl"

    @contextmanager
    def alone(self, timeout: float = 0) -> Iterator[None]:
        """Keep practices out: what is learned beside one would be lost at its next lesson.

        Args:
            timeout: Seconds to wait for one that is under way.

        Raises:
            LockError: Another practice is under way in this library.
        """
        make_parent(self.file)
        lock = FileLock(self.file.with_suffix(".lock"))
        try:
            lock.acquire(timeout)
        except Timeout:
            raise LockError(
                "another practice is under way in this library",
                file=self.file,
                hint="wait for it to end, or stop it; each practice needs a library of its own",
            ) from None
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def opened(self) -> Iterator[tuple[Played, ...]]:
        """Keep other practices out, and yield the episodes so far; half a last line is cut off.

        Raises:
            LockError: Another practice is under way in this library.
            LibraryError: A line is not an episode of practice.
        """
        with self.alone():
            played = tuple(read_played(self.file))
            self._mend()
            yield played

    def append(self, played: Played) -> None:
        """Add an episode, and wait until it is on disk."""
        line = json.dumps(asdict(played), ensure_ascii=False).encode() + b"\n"
        with self.file.open("ab") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())

    def _mend(self) -> None:
        if self.file.exists():
            whole = self.file.read_bytes().rfind(b"\n") + 1
            os.truncate(self.file, whole)


def read_played(file: Path) -> Iterator[Played]:
    """Yield the episodes of a practice file; what a crash left of a last line is passed over.

    Raises:
        LibraryError: A line is not an episode of practice.
    """
    if not file.exists():
        return
    *lines, _ = file.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            lists = {name: tuple(entry[name]) for name in ("seconds", "refined") if name in entry}
            yield Played(**{**entry, **lists})
        except (ValueError, TypeError, KeyError) as error:  # noqa: PERF203 (it ends the loop)
            raise LibraryError(
                f"line {number} is not an episode of practice ({error})",
                file=file,
                hint="remove the line; the episode itself is kept in episodes.jsonl beside it",
            ) from None
