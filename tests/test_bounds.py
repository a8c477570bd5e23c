"""The bounds of time that other tests set."""

from __future__ import annotations

import gc
import subprocess
import sys
import time

import pytest
from bounds import children_within, hold_examples, within
from hypothesis import given
from hypothesis import strategies as st

BUSY = "import time\nwhile time.process_time() < 0.3: pass"


def spin(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_work_counts_and_waiting_does_not() -> None:
    with within(0.5):
        time.sleep(0.6)
    with pytest.raises(AssertionError, match=r"the bound is 0\.5 s"), within(0.5):
        spin(0.6)
    assert gc.isenabled()


def test_what_is_raised_inside_is_raised() -> None:
    with pytest.raises(ZeroDivisionError), within(0.1):
        _ = 1 // 0
    assert gc.isenabled()


def test_the_work_of_children_counts() -> None:
    with pytest.raises(AssertionError, match="the bound is"), children_within(0.2):
        subprocess.run([sys.executable, "-c", BUSY], check=True)


def test_an_example_of_a_property_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bounds.EXAMPLE_SECONDS", 0.05)

    @given(st.integers())
    def slow(number: int) -> None:
        spin(0.08)

    hold_examples(slow)
    with pytest.raises(AssertionError, match=r"the bound is 0\.05 s"):
        slow()
