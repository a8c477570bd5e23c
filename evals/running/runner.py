"""Running an evaluation: every task once, in this process or in several.

An episode is a pure function of library, task and seed, so how many processes there are changes
nothing but the time it takes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, redirect_stdout
from functools import partial
from multiprocessing.context import BaseContext
from typing import Any
from uuid import uuid4

from ...procedures.common.errors import EnvironmentFailure
from ..players.arms import Setting, open_arm, play_task
from ..reports.report import EvalReport
from ..suites.suites import EvalTask, Progress
from .episode import EpisodeOutcome
from .executors import ExecutorName, RayExecutor

__all__ = ["evaluate", "play_all"]

_GIVE_UP_AFTER = 10
"""Errors after which an evaluation stops if more than half of its episodes end by one."""


def evaluate(
    setting: Setting,
    split: str,
    *,
    limit: int | None = None,
    jobs: int = 1,
    executor: ExecutorName = "processes",
    progress: Progress | None = None,
) -> EvalReport:
    """Play the tasks of a split and report.

    Args:
        setting: Who plays, where and how.
        split: Name or path of the split.
        limit: How many of its tasks; see the suite.
        jobs: Processes, at least 1.
        executor: Whose processes; see :mod:`macla.evals.running.executors`.
        progress: Told after each episode.

    Raises:
        DataError: There is no such split, or something in it is not a task.
        LibraryError: The library cannot be used.
        EnvironmentFailure: More than half of the episodes ended by an error.
    """
    started = time.perf_counter()
    tasks = setting.suite.tasks(split, limit=limit, seed=setting.seed)
    library_hash = _library_hash(setting)
    outcomes = play_all(setting, tasks, jobs=jobs, executor=executor, progress=progress)
    return EvalReport(
        setting=setting,
        split=split,
        outcomes=tuple(outcomes),
        library_hash=library_hash,
        seconds=time.perf_counter() - started,
    )


def play_all(
    setting: Setting,
    tasks: Sequence[EvalTask],
    *,
    jobs: int = 1,
    executor: ExecutorName = "processes",
    progress: Progress | None = None,
) -> list[EpisodeOutcome]:
    """Play tasks and return their outcomes in the order of the tasks."""
    count = _ErrorCount(len(tasks))
    outcomes: dict[int, EpisodeOutcome] = {}
    with closing(_played(setting, tasks, jobs, executor)) as played:
        for place, outcome in played:
            count.add(outcome)
            outcomes[place] = outcome
            if progress is not None:
                progress(len(outcomes), len(tasks))
    count.finish()
    return [outcomes[place] for place in range(len(tasks))]


def _played(
    setting: Setting, tasks: Sequence[EvalTask], jobs: int, executor: ExecutorName
) -> Generator[tuple[int, EpisodeOutcome], None, None]:
    """Yield (place of a task, its outcome), whoever plays it, as each is done."""
    if executor == "ray":
        yield from _play_on_cluster(setting, tasks, jobs)
    elif jobs <= 1 or len(tasks) <= 1:
        yield from enumerate(_play_here(setting, tasks))
    else:
        yield from _play_in_processes(setting, tasks, jobs)


class _ErrorCount:
    """Ends an evaluation that is going nowhere."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._errors: list[EpisodeOutcome] = []

    def add(self, outcome: EpisodeOutcome) -> None:
        self._done += 1
        if outcome.error:
            self._errors.append(outcome)
        if len(self._errors) >= _GIVE_UP_AFTER and 2 * len(self._errors) > self._done:
            self._give_up()

    def finish(self) -> None:
        if 2 * len(self._errors) > self._total:
            self._give_up()

    def _give_up(self) -> None:
        first = self._errors[0]
        raise EnvironmentFailure(
            f"{len(self._errors)} of {self._done} episodes ended by an error, so there is no "
            f"result; the first was {first.id}: {first.error}"
        )


def _play_here(setting: Setting, tasks: Sequence[EvalTask]) -> Iterator[EpisodeOutcome]:
    environment = None
    with open_arm(setting, evaluated=_evaluated(tasks)) as arm:
        for task in tasks:
            # What an environment prints is no part of the result.
            with redirect_stdout(sys.stderr):
                outcome, environment = play_task(arm, setting, environment, task)
            yield outcome


def _evaluated(tasks: Sequence[EvalTask]) -> frozenset[str]:
    """Return the ids of what is played; ``game#2`` is a wording of ``game``."""
    names = {task.id for task in tasks}
    return frozenset(names | {name.rpartition("#")[0] or name for name in names})


# -- several processes -----------------------------------------------------------------

_worker: dict[str, Any] = {}
"""What a worker process keeps between its episodes."""


def _start_worker(setting: Setting, evaluated: frozenset[str]) -> None:
    opened = open_arm(setting, evaluated=evaluated)
    # Never left: the process ends by being told that there is no more work.
    _worker.update(setting=setting, opened=opened, arm=opened.__enter__(), environment=None)


def _play_in_worker(task: EvalTask) -> EpisodeOutcome:
    with redirect_stdout(sys.stderr):
        outcome, environment = play_task(
            _worker["arm"], _worker["setting"], _worker["environment"], task
        )
    _worker["environment"] = environment
    return outcome


def _play_on_cluster(
    setting: Setting, tasks: Sequence[EvalTask], jobs: int
) -> Iterator[tuple[int, EpisodeOutcome]]:
    evaluated = _opened_once(setting, tasks)
    with RayExecutor.connected(jobs) as cluster:
        play = partial(_play_unit, uuid4().hex, setting, evaluated)
        yield from cluster.completed(play, tasks)


def _opened_once(setting: Setting, tasks: Sequence[EvalTask]) -> frozenset[str]:
    """Open what is played with before several processes do; return the ids of what is played.

    What is wrong with the library is said once, and the index is in order before they read it.
    """
    evaluated = _evaluated(tasks)
    with open_arm(setting, evaluated=evaluated):
        pass
    return evaluated


def _play_unit(
    run: str, setting: Setting, evaluated: frozenset[str], task: EvalTask
) -> EpisodeOutcome:
    """Play a task of a run in whatever process this is; what it opened for the first stays open."""
    if _worker.get("run") != run:
        _start_worker(setting, evaluated)
        _worker["run"] = run
    return _play_in_worker(task)


def _play_in_processes(
    setting: Setting, tasks: Sequence[EvalTask], jobs: int
) -> Iterator[tuple[int, EpisodeOutcome]]:
    evaluated = _opened_once(setting, tasks)
    pool = ProcessPoolExecutor(
        min(jobs, len(tasks)),
        mp_context=_processes(),
        initializer=_start_process,
        initargs=(setting, evaluated, dict(os.environ)),
    )
    try:
        with _interrupts_ignored():  # by the workers: they are told to stop by this process
            futures = {pool.submit(_play_in_worker, task): at for at, task in enumerate(tasks)}
        for future in as_completed(futures):
            yield futures[future], _result(future)
    except BaseException:
        _stop(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_process(
    setting: Setting, evaluated: frozenset[str], environment: dict[str, str]
) -> None:
    # The process that forks may be older than this pool, and than changes of the environment.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.clear()
    os.environ.update(environment)
    _start_worker(setting, evaluated)


def _processes() -> BaseContext:
    """Return how workers are started: forked, where possible, from one that imports for all.

    The process that opened the library first has imported what they need.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    package = __name__.partition(".")[0]
    ours = sorted(name for name in sys.modules if name.partition(".")[0] == package)
    context.set_forkserver_preload([*ours, "chromadb"])
    return context


def _result(future: Future[EpisodeOutcome]) -> EpisodeOutcome:
    try:
        return future.result()
    except BrokenProcessPool:
        raise EnvironmentFailure(
            "a worker process died (killed, out of memory, or a crash in the environment); "
            "try again with --jobs 1 to see where"
        ) from None


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers, which may be in the middle of an episode."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _library_hash(setting: Setting) -> str:
    if setting.library is None:
        return "none"
    from ...procedures.library.library import Library

    return Library.open(setting.library).content_hash
