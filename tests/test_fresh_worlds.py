"""Fresh worlds are what they say they are; of the held halves no test names or shows anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import pytest
from macla.evals.forms import FORMS
from macla.evals.fresh_worlds.__main__ import main
from macla.evals.fresh_worlds.parts import HELD, OPEN
from macla.evals.fresh_worlds.third.languages import CorreoReserva
from macla.evals.ladder.forms import LadderEnvironment, demonstration, tasks_to_play
from macla.evals.ladder.tools import conversation, play_tools
from macla.evals.ladder.world import LadderTask, World, data_of, text_of

SEEDS = range(40)
WORLDS = [
    *(pytest.param(kind, id=kind.name) for kinds in OPEN.values() for kind in kinds),
    *(
        pytest.param(kind, id=f"{part}-{number}")
        for part, kinds in HELD.items()
        for number, kind in enumerate(kinds)
    ),
]

LAST = WORLDS[-sum(len(HELD[part]) for part in HELD if part not in ("held", "held2")) :]
APART = [form for form in FORMS if form.shown or form.invented or form.verb_last]
"""Forms in which a demonstration is told or played otherwise: those of the other two differ from
``shown`` in what is listed, and in the order, and every order is played."""


@dataclass
class Outcome:
    """What came of the episodes of a world: all seeds, both parts and both orders.

    Attributes:
        asked: The tasks' texts by part.
        unsettled: Episodes that no expert can solve.
        wrong: Faults found.
    """

    asked: dict[str, set[str]] = field(default_factory=lambda: {"train": set(), "test": set()})
    unsettled: int = 0
    wrong: int = 0


@cache
def outcome(kind: type[World]) -> Outcome:
    """Play the episodes of a world, once for all that asks how they went."""
    world, found = kind(), Outcome()
    for order in ("drawn", "right first"):
        for part in ("train", "test"):
            for seed in SEEDS:
                task = LadderTask(seed, part, order)
                asked, first = world.reset(task)
                found.asked[part].add(asked)
                found.wrong += not (asked and text_of(first).strip() and data_of(first))
                found.unsettled += world.unsettled
                if not world.unsettled:
                    found.wrong += not played_as_listed_and_read_back(world)
    return found


@pytest.mark.parametrize("kind", WORLDS)
def test_the_expert_solves_every_episode_that_is_settled(kind: type[World]) -> None:
    assert outcome(kind).wrong == 0
    assert outcome(kind).unsettled == (len(SEEDS) if kind.abstaining else 0)


@pytest.mark.parametrize("kind", WORLDS[: -len(LAST)])
def test_what_the_expert_does_wins_in_every_form(kind: type[World]) -> None:
    world, lost = kind(), 0
    for seed in SEEDS[:6:2]:  # those with an odd seed may be unsettled
        task = LadderTask(seed)
        done = demonstration(world, task)
        for form in FORMS:
            (shown,) = form.told([done])
            environment = form.offered(LadderEnvironment(world))
            environment.reset(task)
            answers = tuple(environment.step(action)[0] for action in shown.acts)
            lost += answers != shown.obs[1:] or not world.won
        lost += not conversation(world, task) or not world.won
    assert lost == 0


def played_as_listed_and_read_back(world: World) -> bool:
    """Play an episode that was reset as the expert; say whether all was as it should be."""
    right, done, before = True, 0, None
    for wanted in world.expert():
        listed = world.possible()
        right &= wanted in listed and world.accepts(wanted) and not world.over
        if listed != before:  # what is listed is what decides between readings
            right &= all(world.read(world.written(each)) == each for each in listed)
            before = listed
        right &= bool(text_of(world.step(wanted)).strip())
        done += 1
    return right and world.won and done < world.horizon


@pytest.mark.parametrize("kind", LAST)
def test_demonstrations_of_the_last_sets_win_as_texts_and_as_tools(kind: type[World]) -> None:
    world, lost = kind(), 0
    for seed in range(61):
        for part in ("train", "test"):
            for order in ("drawn", "right first"):
                task = LadderTask(seed, part, order)
                done = demonstration(world, task)
                for form in APART:
                    (shown,) = form.told([done])
                    environment = form.offered(LadderEnvironment(world))
                    environment.reset(task)
                    answers = tuple(environment.step(action)[0] for action in shown.acts)
                    lost += answers != shown.obs[1:] or not world.won
                lost += not conversation(world, task) or not world.won
    assert lost == 0


@pytest.mark.parametrize("kind", WORLDS)
def test_chance_seldom_solves_it(kind: type[World]) -> None:
    world, won, played = kind(), 0, 0
    environment = LadderEnvironment(world)
    for seed in SEEDS:
        environment.reset(LadderTask(seed))
        if world.unsettled:
            continue
        draw = Random(seed)
        for _ in range(kind.horizon):
            if world.over:
                break
            environment.step(draw.choice(environment.admissible()))
        won, played = won + world.solved, played + 1
    assert won <= 0.3 * played


@pytest.mark.parametrize("kind", WORLDS)
def test_no_task_of_a_test_is_demonstrated(kind: type[World]) -> None:
    asked = outcome(kind).asked
    assert len(asked["train"] & asked["test"]) == 0


def test_the_parts_have_their_sizes_and_share_no_name() -> None:
    assert [len(kinds) for kinds in OPEN.values()] == [
        *(78, 24, 24, 8, 8, 8, 12, 14, 14, 12, 12, 12, 10, 12, 12)
    ]
    assert [len(kinds) for kinds in HELD.values()] == [12, 10, 8, 8, 8, 8, 6, 6, 6, 6, 6]
    parts = (*OPEN.values(), *HELD.values())
    assert len({kind.name for kinds in parts for kind in kinds}) == 344


@pytest.mark.parametrize("kind", WORLDS)
def test_an_episode_follows_from_its_task(kind: type[World]) -> None:
    used = kind()
    for seed in SEEDS[:10]:
        task = LadderTask(seed, "train")
        assert demonstration(used, task) == demonstration(kind(), task)


@pytest.mark.parametrize("part", HELD)
def test_a_held_half_is_neither_listed_nor_shown(
    part: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    option, worlds = f"--{part}", HELD[part]
    assert main([option, "--show", "0"]) == 2
    assert main([option, "--marks", str(tmp_path / "marks.jsonl")]) == 2
    assert "--marks would name" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
    assert main([worlds[0].name, "--show", "0"]) == 2
    assert main([option, "--list"]) == 0
    listed = capsys.readouterr().out.split()
    assert not any(kind.name in listed for kind in worlds)
    assert all(kind.name in listed for kinds in OPEN.values() for kind in kinds)


def test_what_only_a_result_tells_is_passed_on_after_acceptance() -> None:
    lessons = [LadderTask(seed, "train") for seed in range(16)]
    tests = tasks_to_play(3)
    assert play_tools(CorreoReserva, lessons, tests) == "000"
    assert "1" in play_tools(CorreoReserva, lessons, tests, accepted=True)
