"""What is known at a moment of an episode."""

from __future__ import annotations

import time

from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import Done, History


def _rows(number: int) -> tuple[Fact, ...]:
    return tuple(Fact("row", {"1": str(i)}) for i in range(number))


def test_a_copy_goes_on_alone() -> None:
    history = History("task", Fact("task", {}), _rows(2))
    other = history.copy()
    other.add(Done(None, "look", ()), (Fact("row", {"1": "new"}), Fact("line", {})))
    assert [fact.fields["1"] for fact in history.newest("row")] == ["0", "1"]
    assert [fact.fields["1"] for fact in other.newest("row")] == ["new"]
    assert history.single("line") is None
    assert other.single("line") == Fact("line", {})
    history.add(Done(None, "look", ()), (Fact("line", {"1": "a"}),))
    other.add(Done(None, "look", ()), (Fact("line", {"1": "b"}),))
    assert history.single("line", "before") is None
    assert other.single("line", "before") == Fact("line", {})


def test_a_fact_beside_many_rows_is_found_at_once() -> None:
    history = History("task", Fact("task", {}), (*_rows(200_000), Fact("line", {})))
    started = time.perf_counter()
    assert all(history.single("line") is not None for _ in range(2000))
    assert time.perf_counter() - started < 1
