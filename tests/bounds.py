"""How long the code may take, in processor time, which a busy machine does not lengthen."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import scipy.optimize  # noqa: F401 (imported by learners on first use: no example pays for it)
from hypothesis import settings

__all__ = ["children_within", "hold_examples", "within"]

EXAMPLE_SECONDS = 2.0
"""Processor time of one example of a property, ten times what the slowest takes.

It finds what grows out of hand; speed belongs in benchmarks. A test without a deadline has none.
"""


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


def hold_examples(test: Any) -> None:
    """Hold each example of a property of Hypothesis to its time; leave any other test alone."""
    handle = getattr(test, "hypothesis", None)
    if handle is None or getattr(handle.inner_test, "is_held", False):
        return
    example = handle.inner_test
    warm = False

    @wraps(example)
    def held(*arguments: Any, **named: Any) -> None:
        nonlocal warm
        if not warm or settings.default.deadline is None:  # of the test that runs
            warm = True  # the first example, the simplest one, also imports what is needed
            return example(*arguments, **named)
        with within(EXAMPLE_SECONDS):
            return example(*arguments, **named)

    held.is_held = True  # the items of a parametrised test share it
    handle.inner_test = held


@contextmanager
def _bound(seconds: float, clock: Callable[[], float]) -> Iterator[None]:
    began = clock()
    yield
    took = clock() - began
    assert took < seconds, f"it took {took:.2f} s of processor time; the bound is {seconds:g} s"


def _of_children() -> float:
    import resource  # not everywhere

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
