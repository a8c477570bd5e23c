"""In random tool worlds with distractors, memory does what the model would do, or asks it."""

from __future__ import annotations

import pytest
from macla.evals.tool_caution import RandomWorld, run_world
from macla.evals.tool_caution.arms import Arm
from macla.evals.tool_caution.playing import KINDS, play_arm


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_memory_never_does_something_else(first: int) -> None:
    results = [run_world(seed, runs=8) for seed in range(first, first + 10)]
    assert [text for each in results for text in each.wrong] == []
    assert sum(each.model_calls for each in results) < sum(
        each.model_calls_without for each in results
    )


@pytest.mark.parametrize(
    ("seed", "why"),
    [
        (164, "two rows have the currency that is passed on"),
        (221, "a list of one in the first demonstration, of two in others"),
        (260, "refused for either of two reasons, told in words"),
        (272, "refused for either of two reasons, as a record"),
    ],
)
def test_worlds_in_which_it_once_did(seed: int, why: str) -> None:
    assert run_world(seed).wrong == (), why


def test_the_worlds_are_worth_asking() -> None:
    """Most of them have rules that memory cannot see, and runs in which these say no."""
    worlds = [RandomWorld(seed) for seed in range(100)]
    assert sum(bool(world.rules) for world in worlds) > 50
    refused = sum(
        world.expected(world.situation())[1] == "That is not possible." for world in worlds
    )
    assert 15 < refused < 85


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_nothing_wrong_is_done_and_nobody_is_overruled(socket_enabled: None) -> None:
    arm = Arm("accepted", {"audit": 0}, accepted=1)
    played = play_arm(
        arm, seed=3, passes=2, reworded=False, look_alikes=True, attempts=4, changes=False
    )
    assert [stage.wrong for stage in played.passes] == [()] * 2
    assert played.passes[1].saved > 0.4
    assert (played.planted, played.reached) == (4, 0)
    assert played.corrected >= 5
    assert played.undaunted == 0
    assert played.files == len(KINDS)
