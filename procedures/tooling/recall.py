"""The programs of a library's runs, kept up to date with the runs that are kept beside it."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from ..errors import MaclaError
from .buffer import EpisodeBuffer
from .kinds import Kinds
from .running import ToolProgram

__all__ = ["ProgramRecall"]

_LOG = logging.getLogger(__name__)
_LONGEST_TASK = 4_000


class ProgramRecall:
    """Which program a task is for. Thread-safe.

    A program is learned when a task asks for it, from the runs of its kind alone.

    Args:
        root: The library's folder.
        limit: Most runs that are kept beside it.
    """

    def __init__(self, root: Path, limit: int = 1000) -> None:
        self._buffer = EpisodeBuffer(root, limit)
        self._kinds = Kinds()
        self._lock = threading.RLock()

    def refresh(self) -> None:
        """Take in runs that were kept since, by whomever."""
        with self._lock:
            try:
                news, replaced = self._buffer.news()
            except MaclaError as error:
                _LOG.warning("runs cannot be read: %s", error)
                return
            if replaced:
                self._kinds = Kinds()
            for run in news:
                self._kinds.add(run)

    def reading(self, task: str) -> list[ToolProgram]:
        """Return the programs that read a task."""
        if len(task) > _LONGEST_TASK:
            return []
        with self._lock:
            return list(self._kinds.reading(task))

    def programs(self) -> list[ToolProgram]:
        """Return all programs."""
        with self._lock:
            return self._kinds.programs()
