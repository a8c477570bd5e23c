"""What was done before in the very same situation, and how the loop does it again."""

from __future__ import annotations

from macla.procedures.episodes.recall import Recall
from macla.procedures.trajectories import Trajectory

SHORT = Trajectory("fetch it", ("a hall", "a box", "done"), ("look", "open box"), True)
LONG = Trajectory("fetch it", ("a hall", "a cat", "gone", "done"), ("look", "wait", "go"), True)
FAILED = Trajectory("fetch it", ("a hall", "dark"), ("sleep",), False)
RECALL = Recall([FAILED, LONG, SHORT])


def test_the_shortest_success_comes_first() -> None:
    assert RECALL.next_action("fetch it", "a hall", []) == "look"
    assert RECALL.next_action("fetch it", "a hall", [("look", "a box", True)]) == "open box"


def test_another_observation_means_another_demonstration() -> None:
    assert RECALL.next_action("fetch it", "a hall", [("look", "a cat", True)]) == "wait"


def test_what_is_only_alike_is_not_recalled() -> None:
    assert RECALL.next_action("fetch that", "a hall", []) is None
    assert RECALL.next_action("fetch it", "a cellar", []) is None
    assert RECALL.next_action("fetch it", "a hall", [("look", "a dog", True)]) is None
    assert RECALL.next_action("fetch it", "a hall", [("sleep", "a box", True)]) is None


def test_nothing_is_recalled_after_the_end() -> None:
    done = [("look", "a box", True), ("open box", "done", True)]
    assert RECALL.next_action("fetch it", "a hall", done) is None
    assert Recall().next_action("fetch it", "a hall", []) is None
