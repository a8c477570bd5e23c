"""A deadline for calls that have none: a thread does them, and is left behind when time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context


class Deadline:
    """When work has to be done.

    Args:
        seconds: From now on.
    """

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._cancelled = threading.Event()

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self._until - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether nobody waits any more."""
        return self._cancelled.is_set() or not self.left

    def cancel(self) -> None:
        """Tell the work that nobody waits any more."""
        self._cancelled.set()


def in_time(work: Callable[[], None], deadline: Deadline) -> None:
    """Do some work, which is given up when its time is over or the wait is interrupted.

    A call into a foreign library cannot be stopped from outside. It goes on in a daemon thread,
    which looks at :attr:`Deadline.over` when it next can; what it brings is not used.

    Raises:
        TimeoutError: The time was over first.
        Exception: Whatever the work raised.
    """
    errors: list[BaseException] = []
    finished = threading.Event()
    context = copy_context()

    def run() -> None:
        try:
            context.run(work)
        except BaseException as error:
            errors.append(error)
        finally:
            finished.set()

    threading.Thread(target=run, name="macla-model", daemon=True).start()
    try:
        if not finished.wait(deadline.left):
            raise TimeoutError("no answer in time")
    finally:
        deadline.cancel()
    if errors:
        raise errors[0]
