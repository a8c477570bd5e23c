"""Who does units of work: this machine's processes, or a cluster of Ray.

A unit is a pure function of the library's version, a task and a seed, so that one whose worker died
is done again elsewhere, and results are put together by the place of the unit and not by when they
came. Evidence has keys that make a row count once, whoever records it, how often.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, Literal, TypeAlias, TypeVar

from ...procedures.common.errors import EnvironmentFailure, MaclaError, MissingExtraError
from ...procedures.common.independent_work import Each, here

__all__ = ["ExecutorName", "RayExecutor", "each_of"]

ExecutorName: TypeAlias = Literal["processes", "ray"]
_RETRIES = 3
"""Times that a unit is done again whose worker died."""
_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


class RayExecutor:
    """A connection to a cluster; made by :meth:`connected`."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    @classmethod
    @contextmanager
    def connected(cls, jobs: int) -> Iterator[RayExecutor]:
        """Connect to the cluster that ``$RAY_ADDRESS`` names, or start one on this machine.

        Args:
            jobs: Processes of a cluster that is started here.

        Raises:
            MissingExtraError: Ray is not installed.
            MaclaError: The cluster does not answer.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            import ray
        except ModuleNotFoundError as error:
            raise MissingExtraError("--jobs ray needs Ray: pip install 'macla[ray]'") from error
        with redirect_stdout(sys.stderr):  # what Ray tells is no part of a result
            yield from cls._opened(ray, jobs)

    @classmethod
    def _opened(cls, ray: Any, jobs: int) -> Iterator[RayExecutor]:
        address = os.environ.get("RAY_ADDRESS")
        started: dict[str, Any] = {} if address else {"num_cpus": jobs, "include_dashboard": False}
        try:
            ray.init(log_to_driver=False, logging_level="ERROR", **started)
        except Exception as error:  # so Ray says that a node did not start in time
            where = f"the cluster at {address}" if address else "a cluster on this machine"
            raise MaclaError(
                f"{where} cannot be used: {error}; look at `ray status`, or leave ray out of --jobs"
            ) from error
        try:
            yield cls(ray)
        finally:
            ray.shutdown()

    def each(self, work: Callable[[_Item], _Made], items: Sequence[_Item]) -> Iterable[_Made]:
        """Do something with each item; see :class:`~.common.independent_work.Each`."""
        results: dict[int, _Made] = dict(self.completed(work, items))
        return [results[number] for number in range(len(items))]

    def completed(
        self, work: Callable[[_Item], _Made], items: Sequence[_Item]
    ) -> Iterator[tuple[int, _Made]]:
        """Yield (place of an item, what came of it) as the cluster gets done.

        Raises:
            MaclaError: As ``work`` does.
            EnvironmentFailure: A unit ends its worker each time.
        """
        ray = self._ray
        unit, shared = ray.remote(max_retries=_RETRIES)(_unit), ray.put(work)
        places = {unit.remote(shared, item): number for number, item in enumerate(items)}
        left = list(places)
        while left:
            done, left = ray.wait(left, num_returns=1)
            for each in done:
                yield places[each], self._result(each, places[each])

    def _result(self, reference: Any, place: int) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayError as error:
            raise EnvironmentFailure(
                f"unit {place} ended its worker {_RETRIES + 1} times (killed, out of memory, or a "
                f"crash in the environment): {type(error).__name__}"
            ) from error


def _unit(work: Callable[[_Item], _Made], item: _Item) -> _Made:
    return work(item)


@contextmanager
def each_of(executor: ExecutorName, jobs: int) -> Iterator[Each]:
    """Yield what does units of work.

    Args:
        executor: ``processes`` stands for this process alone: what is learned here is one unit.
        jobs: Processes of a cluster that is started on this machine.
    """
    if executor == "processes":
        yield here
        return
    with RayExecutor.connected(jobs) as ray:
        yield ray.each
