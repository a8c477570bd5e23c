"""The work of learning grows with the length of what was shown, and not with its square."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from macla.procedures.episodes.action_operators import learn_grammar
from macla.procedures.redaction.single_use import single_use
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, in Python or in C."""
    count = 0

    def seen(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def test_a_long_action_is_told_apart_in_its_length() -> None:
    def grammar(count: int) -> int:
        # Words of its own: what one length left in a cache is no help to the other.
        action = " ".join(f"word{count}x{n}" for n in range(count))
        episodes = [("do it", ("a", "b"), (action,)), ("do it", ("a", "b"), ("open desk 1",))]
        return calls(lambda: learn_grammar(episodes))

    assert grammar(800) < 2.5 * grammar(400)


@pytest.mark.parametrize("sign", ["[", "a", "1", "[a1", "!"])
def test_results_without_a_code_are_read_once(sign: str) -> None:
    """A text of 200,000 signs is done at once: by squares it would take a quarter of an hour."""
    runs = [
        ToolEpisode(f"do {n}", (ToolCall("t", {}, sign * (200_000 // len(sign))),), id=str(n))
        for n in range(3)
    ]
    assert single_use(runs) == frozenset()
