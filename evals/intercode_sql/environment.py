"""InterCode-SQL as a text world: actions are statements of SQL, and ``submit``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...graph.answers import checked_action
from ...procedures.common.errors import DataError, EnvironmentFailure
from .engines import Engine, Limits, open_engine
from .episode import MAX_STEPS, Episode
from .tasks import DUMP, SqlTask, data_folder

__all__ = ["BEGINNING", "SqlEnvironment"]

BEGINNING = "A MySQL database is connected."
"""The first observation, the same in every episode: nothing of the database is told."""


class SqlEnvironment:
    """One episode at a time.

    Args:
        data: The data root; None for the default.
        backend: ``sqlite``, or the URL of a server; see :func:`~.engines.open_engine`.
        protocol: ``ipr`` or ``intercode``.
        max_steps: At least 1.
        limits: Of every statement.
        engine: Instead of ``data`` and ``backend``: where statements are executed.

    Raises:
        DataError: There is no such backend.
        MissingDataError: The databases are not there.
        MissingExtraError: The extra ``intercode-sql`` is not installed.
    """

    def __init__(
        self,
        data: str | Path | None = None,
        *,
        backend: str = "sqlite",
        protocol: str = "ipr",
        max_steps: int = MAX_STEPS,
        limits: Limits | None = None,
        engine: Engine | None = None,
    ) -> None:
        self._engine = engine or open_engine(backend, data_folder(data) / DUMP, limits)
        self._protocol = protocol
        self._max_steps = max_steps
        self._episode: Episode | None = None

    @property
    def engine(self) -> Engine:
        """Where statements are executed."""
        return self._engine

    def begin(self, task: SqlTask) -> Episode:
        """Start an episode and return it, for agents that call tools."""
        self._episode = Episode(self._engine, task, self._protocol, self._max_steps)
        return self._episode

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode; return the question, and that a database is connected.

        Raises:
            DataError: ``task`` is no :class:`~.tasks.SqlTask`, or of an unknown database.
        """
        if not isinstance(task, SqlTask):
            raise DataError(f"an episode starts with an SqlTask, not {type(task).__name__}")
        return self.begin(task).question, BEGINNING

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``.

        Raises:
            EnvironmentFailure: No episode was started, it is over, or the action is no text.
        """
        if self._episode is None:
            raise EnvironmentFailure("no episode was started; call reset(task) first")
        turn = self._episode.step(checked_action(self, action))
        return turn.observation, turn.reward, turn.done, {"won": turn.won}
