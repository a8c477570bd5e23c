"""How long the code may take, in processor time, which a busy machine does not lengthen."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["children_within", "within"]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Assert that what is done inside takes this process less than some seconds.

    Nothing is collected meanwhile: that would take as long as all earlier tests left things.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with _bound(seconds, time.process_time):
            yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def children_within(seconds: float) -> Iterator[None]:
    """Assert the same of the child processes that are started and waited for inside."""
    with _bound(seconds, _of_children):
        yield


@contextmanager
def _bound(seconds: float, clock: Callable[[], float]) -> Iterator[None]:
    began = clock()
    yield
    took = clock() - began
    assert took < seconds, f"it took {took:.2f} s of processor time; the bound is {seconds:g} s"


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
