"""Fresh worlds are what they say they are; of the held halves no test names or shows anything."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from macla.evals.forms import FORMS
from macla.evals.fresh_worlds import (
    dev,
    eighth,
    eighth_held,
    eleventh,
    eleventh_held,
    fifteenth,
    fifth,
    fifth_held,
    fourteenth,
    fourteenth_held,
    fourth,
    held,
    held2,
    seventh,
    seventh_held,
    sixth,
    sixth_held,
    tenth,
    third,
    thirteenth,
    thirteenth_held,
    twelfth,
    twelfth_held,
)
from macla.evals.fresh_worlds.__main__ import main
from macla.evals.fresh_worlds.third.languages import CorreoReserva
from macla.evals.ladder.forms import LadderEnvironment, demonstration, tasks_to_play
from macla.evals.ladder.tools import conversation, play_tools
from macla.evals.ladder.world import LadderTask, World, data_of, text_of

SEEDS = range(40)
WORLDS = [
    *(pytest.param(kind, id=kind.name) for kind in dev.WORLDS),
    *(pytest.param(kind, id=f"held-{number}") for number, kind in enumerate(held.WORLDS)),
    *(pytest.param(kind, id=f"held2-{number}") for number, kind in enumerate(held2.WORLDS)),
    *(pytest.param(kind, id=kind.name) for kind in third.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in fourth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in fifth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in sixth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in seventh.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in eighth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in tenth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in eleventh.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in twelfth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in thirteenth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in fourteenth.WORLDS),
    *(pytest.param(kind, id=kind.name) for kind in fifteenth.WORLDS),
    *(pytest.param(kind, id=f"fifth-held-{n}") for n, kind in enumerate(fifth_held.WORLDS)),
    *(pytest.param(kind, id=f"sixth-held-{n}") for n, kind in enumerate(sixth_held.WORLDS)),
    *(pytest.param(kind, id=f"seventh-held-{n}") for n, kind in enumerate(seventh_held.WORLDS)),
    *(pytest.param(kind, id=f"eighth-held-{n}") for n, kind in enumerate(eighth_held.WORLDS)),
    *(pytest.param(kind, id=f"eleventh-held-{n}") for n, kind in enumerate(eleventh_held.WORLDS)),
    *(pytest.param(kind, id=f"twelfth-held-{n}") for n, kind in enumerate(twelfth_held.WORLDS)),
    *(pytest.param(k, id=f"thirteenth-held-{n}") for n, k in enumerate(thirteenth_held.WORLDS)),
    *(pytest.param(k, id=f"fourteenth-held-{n}") for n, k in enumerate(fourteenth_held.WORLDS)),
]


@pytest.mark.parametrize("kind", WORLDS)
def test_the_expert_solves_every_episode_that_is_settled(kind: type[World]) -> None:
    world, unsettled, wrong = kind(), 0, 0
    for order in ("drawn", "right first"):
        for part in ("train", "test"):
            for seed in SEEDS:
                task = LadderTask(seed, part, order)
                asked, first = world.reset(task)
                wrong += not (asked and text_of(first).strip() and data_of(first))
                unsettled += world.unsettled
                if not world.unsettled:
                    wrong += not played_as_listed_and_read_back(world)
    assert wrong == 0
    assert unsettled == (len(SEEDS) if kind.abstaining else 0)


@pytest.mark.parametrize("kind", WORLDS)
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
    arguments = {operator.name: operator.arguments for operator in world.operators}
    right, done = True, 0
    for wanted in world.expert():
        listed = world.possible()
        right &= wanted in listed and world.accepts(wanted) and not world.over
        right &= all(world.read(world.written(each)) == each for each in listed)
        right &= all(tuple(each.values) == arguments[each.operator] for each in listed)
        right &= bool(text_of(world.step(wanted)).strip())
        done += 1
    return right and world.won and done < world.horizon


LAST = (
    *(*fifth_held.WORLDS, *sixth_held.WORLDS, *seventh_held.WORLDS),
    *(*eighth_held.WORLDS, *eleventh_held.WORLDS, *twelfth_held.WORLDS),
    *(*thirteenth_held.WORLDS, *fourteenth_held.WORLDS),
)


@pytest.mark.parametrize("kind", WORLDS[-len(LAST) :])
def test_demonstrations_of_the_last_sets_win_as_texts_and_as_tools(kind: type[World]) -> None:
    world, lost = kind(), 0
    for seed in range(61):
        for part in ("train", "test"):
            for order in ("drawn", "right first"):
                task = LadderTask(seed, part, order)
                done = demonstration(world, task)
                for form in FORMS:
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
    world = kind()
    trained = {world.reset(LadderTask(seed, "train"))[0] for seed in SEEDS}
    shared = trained & {world.reset(LadderTask(seed))[0] for seed in SEEDS}
    assert len(shared) == 0


def test_the_parts_have_their_sizes_and_share_no_name() -> None:
    assert (len(dev.WORLDS), len(held.WORLDS), len(held2.WORLDS)) == (78, 12, 10)
    assert (len(third.WORLDS), len(fourth.WORLDS)) == (24, 24)
    assert (len(fifth.WORLDS), len(fifth_held.WORLDS)) == (8, 8)
    assert (len(sixth.WORLDS), len(sixth_held.WORLDS)) == (8, 8)
    assert (len(seventh.WORLDS), len(seventh_held.WORLDS)) == (8, 8)
    assert (len(eighth.WORLDS), len(eighth_held.WORLDS)) == (12, 8)
    assert len(tenth.WORLDS) == 14
    assert (len(eleventh.WORLDS), len(eleventh_held.WORLDS)) == (14, 6)
    assert (len(twelfth.WORLDS), len(twelfth_held.WORLDS)) == (12, 6)
    assert (len(thirteenth.WORLDS), len(thirteenth_held.WORLDS)) == (12, 6)
    assert (len(fourteenth.WORLDS), len(fourteenth_held.WORLDS)) == (12, 6)
    assert len(fifteenth.WORLDS) == 10
    halves = (fifth, fifth_held, sixth, sixth_held, seventh, seventh_held, eighth, eighth_held)
    last = (tenth, eleventh, eleventh_held, twelfth, twelfth_held, thirteenth, thirteenth_held)
    last += (fourteenth, fourteenth_held, fifteenth)
    parts = (dev, held, held2, third, fourth, *halves, *last)
    assert len({kind.name for part in parts for kind in part.WORLDS}) == 314


@pytest.mark.parametrize("kind", WORLDS)
def test_an_episode_follows_from_its_task(kind: type[World]) -> None:
    used = kind()
    for seed in SEEDS[:10]:
        task = LadderTask(seed, "train")
        assert demonstration(used, task) == demonstration(kind(), task)


@pytest.mark.parametrize(
    ("option", "worlds"),
    [
        ("--held", held.WORLDS),
        ("--held2", held2.WORLDS),
        ("--fifth-held", fifth_held.WORLDS),
        ("--sixth-held", sixth_held.WORLDS),
        ("--seventh-held", seventh_held.WORLDS),
        ("--eighth-held", eighth_held.WORLDS),
        ("--eleventh-held", eleventh_held.WORLDS),
        ("--twelfth-held", twelfth_held.WORLDS),
        ("--thirteenth-held", thirteenth_held.WORLDS),
        ("--fourteenth-held", fourteenth_held.WORLDS),
    ],
    ids=[
        *("one", "two", "fifth", "sixth", "seventh", "eighth", "eleventh", "twelfth"),
        *("thirteenth", "fourteenth"),
    ],
)
def test_a_held_half_is_neither_listed_nor_shown(
    option: str,
    worlds: tuple[type[World], ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert main([option, "--show", "0"]) == 2
    assert main([option, "--marks", str(tmp_path / "marks.jsonl")]) == 2
    assert "--marks would name" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
    assert main([worlds[0].name, "--show", "0"]) == 2
    assert main([option, "--list"]) == 0
    listed = capsys.readouterr().out
    assert not any(kind.name in listed for kind in worlds)
    assert all(
        kind.name in listed for kind in (*dev.WORLDS, *third.WORLDS, *fourth.WORLDS, *fifth.WORLDS)
    )


def test_what_only_a_result_tells_is_passed_on_after_acceptance() -> None:
    lessons = [LadderTask(seed, "train") for seed in range(16)]
    tests = tasks_to_play(3)
    assert play_tools(CorreoReserva, lessons, tests) == "000"
    assert "1" in play_tools(CorreoReserva, lessons, tests, accepted=True)
