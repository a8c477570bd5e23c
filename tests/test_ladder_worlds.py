"""The worlds of the ladder are what they say they are, in every form."""

from __future__ import annotations

from random import Random

import pytest
from macla.evals.ladder.forms import (
    TEXT_FORMS,
    LadderEnvironment,
    demonstration,
    demonstrations,
    tasks_to_play,
)
from macla.evals.ladder.world import LadderTask, World, data_of, text_of
from macla.evals.ladder.worlds import DEVELOPMENT, SEALED

WORLDS = [*DEVELOPMENT, *SEALED]
SEEDS = range(40)


def named(worlds: list[type[World]]) -> list[object]:
    return [pytest.param(world, id=world.name) for world in worlds]


def test_every_second_world_is_sealed() -> None:
    assert len(DEVELOPMENT) == len(SEALED) >= 15
    assert len({world.name for world in WORLDS}) == len(WORLDS)
    assert not any(operator.name == "begin" for world in WORLDS for operator in world.operators)


@pytest.mark.parametrize("kind", named(WORLDS))
def test_the_expert_solves_every_episode_that_is_settled(kind: type[World]) -> None:
    world = kind()
    unsettled = 0
    for order in ("drawn", "right first"):
        for seed in SEEDS:
            demonstration(world, LadderTask(seed, "train", order))
            task = LadderTask(seed, "test", order)
            world.reset(task)
            unsettled += world.unsettled
            if not world.unsettled:
                shown = demonstration(world, task)
                assert len(shown.acts) < kind.horizon
    assert unsettled == (len(SEEDS) if kind.abstaining else 0)


@pytest.mark.parametrize("kind", named(WORLDS))
def test_actions_are_listed_and_read_back(kind: type[World]) -> None:
    world = kind()
    for seed in SEEDS:
        asked, first = world.reset(LadderTask(seed, "train"))
        assert asked.strip()
        assert text_of(first).strip()
        assert data_of(first)
        for wanted in world.expert():
            listed = world.possible()
            assert wanted in listed, (wanted, listed)
            for each in listed:
                assert world.read(world.written(each)) == each
            result = world.step(wanted)
            assert text_of(result).strip()
            assert data_of(result)


@pytest.mark.parametrize("kind", named(WORLDS))
def test_an_episode_follows_from_its_task(kind: type[World]) -> None:
    for part in ("train", "test"):
        first = [demonstration(kind(), LadderTask(s, part)) for s in range(4) if part == "train"]
        again = [demonstration(kind(), LadderTask(s, part)) for s in range(4) if part == "train"]
        assert first == again
    world = kind()
    assert len({world.reset(LadderTask(seed))[0] for seed in SEEDS}) > 1 or world.name in ONE_TASK


ONE_TASK = {world.name for world in WORLDS if "constant" in world.difficulty}


@pytest.mark.parametrize("kind", named(WORLDS))
def test_chance_seldom_solves_it(kind: type[World]) -> None:
    world, won, played = kind(), 0, 0
    environment = LadderEnvironment(world)
    for task in tasks_to_play(40):
        environment.reset(task)
        if world.unsettled:
            continue
        draw = Random(task.seed)
        for _ in range(kind.horizon):
            if world.over:
                break
            environment.step(draw.choice(environment.admissible()))
        won += world.solved
        played += 1
    assert won <= 0.3 * played, f"{won} of {played}"


@pytest.mark.parametrize("kind", named(WORLDS))
def test_nothing_is_done_in_vain_with_what_is_unsettled(kind: type[World]) -> None:
    if not kind.abstaining:
        return
    world = kind()
    world.reset(LadderTask(1))
    assert world.unsettled
    assert not world.solved, "doing nothing at all wins nothing"
    world.met = True
    assert world.solved
    world.end(won=False)
    assert not world.solved
    assert world.spoiled


@pytest.mark.parametrize("form", TEXT_FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("kind", named(WORLDS))
def test_demonstrations_can_be_played_again_in_every_form(kind: type[World], form) -> None:
    world = kind()
    base = LadderEnvironment(world)
    environment = form.offered(base)
    order = "right first" if form.shuffled else "drawn"
    for seed, shown in enumerate(demonstrations(world, form, 3)):
        asked, observation = environment.reset(LadderTask(seed, "train", order))
        assert (asked, observation) == (shown.task, shown.obs[0])
        for action, expected in zip(shown.acts, shown.obs[1:], strict=True):
            assert environment.step(action)[0] == expected
        assert world.solved


@pytest.mark.parametrize("kind", named(WORLDS))
def test_training_and_test_share_no_names(kind: type[World]) -> None:
    """What a task says in the test but not in training differs; the frame of words is shared."""
    world = kind()
    if world.name in ONE_TASK:
        return
    trained = {world.reset(LadderTask(seed, "train"))[0] for seed in SEEDS}
    tested = {world.reset(LadderTask(seed))[0] for seed in SEEDS}
    assert not trained & tested
