"""InterCode-SQL as a suite of ``macla eval`` and ``macla learn``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...graph.protocols import Environment
from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from ..suites.suite_files import FiledSuite
from ..suites.suites import EvalTask, Progress, sampled
from .demonstrations import demonstrations
from .engines import open_engine
from .environment import SqlEnvironment
from .logs import read_logs
from .splits import allowed, split_tasks
from .tasks import DUMP, SqlTask, data_folder, read_tasks

__all__ = ["InterCodeSqlSuite"]


@dataclass(frozen=True, slots=True)
class InterCodeSqlSuite(FiledSuite):
    """Questions about databases.

    Attributes:
        data: The data root; None for the default.
        backend: ``sqlite``, or the URL of a MySQL or MariaDB server.
        protocol: ``ipr`` or ``intercode``.
        hold_out: Split whose tasks, and paraphrases of them, no demonstration shows; empty for
            none, and ``own`` holds nothing out.
        exclude_db: Databases that no demonstration shows, parted by commas.
    """

    data: str | None = None
    backend: str = "sqlite"
    protocol: str = "ipr"
    hold_out: str = ""
    exclude_db: str = ""

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Return the tasks of a split; with ``limit``, a random sample in the split's order.

        Of ``own``, those that a demonstration shows.
        """
        folder = data_folder(self.data)
        chosen = split_tasks(split, self._every() if split in _NAMED else (), folder)
        if split == "own":
            shown = {each.id for each in self.demonstrations(None, None, progress)[0]}
            chosen = [task for task in chosen if f"train/{task.id}" in shown]
        if limit is not None and limit < len(chosen):
            places = sampled(range(len(chosen)), limit, seed, "tasks")
            chosen = [chosen[place] for place in sorted(places)]
        prefix = split if split in _NAMED else "file"
        return [EvalTask(f"{prefix}/{task.id}", task, task.hardness) for task in chosen]

    def solution(self, task: EvalTask) -> Sequence[str]:
        """Return the right query, and that it is submitted."""
        return (task.reference.gold, "submit")

    def environment(self, *, show_admissible: bool) -> Environment:
        """Make an environment.

        Raises:
            DataError: Possible actions should be shown; there are infinitely many.
        """
        if show_admissible:
            raise DataError(
                "intercode-sql cannot list the possible actions: any SQL is one; give "
                "--world admissible=no when practising"
            )
        return SqlEnvironment(self.data, backend=self.backend, protocol=self.protocol)

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return demonstrations out of the logs, and the tasks that were left out."""
        tasks = self._to_learn()
        engine = open_engine("sqlite", data_folder(self.data) / DUMP)
        try:
            found: list[Trajectory] = []
            logs = read_logs(data_folder(self.data))
            for trajectory in demonstrations(engine, tasks, logs, self.protocol):
                found.append(trajectory)
                if progress is not None:
                    progress(len(found), len(tasks))
        finally:
            engine.close()
        chosen = sampled(found, episodes, seed or 0, "demonstrations")
        taken = {trajectory.id for trajectory in chosen}
        return chosen, [t.id for t in found if t.id not in taken]

    def facts(self) -> Mapping[str, str]:
        """Return engine and protocol."""
        backend = self.backend if self.backend == "sqlite" else self.backend.partition(":")[0]
        return {"engine": backend, "protocol": self.protocol}

    def _every(self) -> list[SqlTask]:
        return read_tasks(data_folder(self.data) / "tasks.json")

    def _to_learn(self) -> list[SqlTask]:
        """Return the tasks that may be learned from.

        Raises:
            DataError: A database that is to be left out is not there, or nothing remains.
        """
        tasks = self._every()
        left_out = [name.strip().lower() for name in self.exclude_db.split(",") if name.strip()]
        known = {task.database for task in tasks}
        if unknown := sorted(set(left_out) - known):
            raise DataError(
                f"no task is about the database {', '.join(unknown)[:200]}; exclude-db takes "
                f"names out of {', '.join(sorted(known))}, parted by commas"
            )
        held = []
        if self.hold_out and self.hold_out != "own":
            held = split_tasks(self.hold_out, tasks, data_folder(self.data))
        chosen = allowed(tasks, held, left_out)
        if not chosen:
            raise DataError("all tasks are left out, so there is nothing to learn from")
        return chosen


_NAMED = frozenset({"own", "gold", "db"})
