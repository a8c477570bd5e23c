"""Two worlds with the same tasks and other moves in one library: each is played its own way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from macla.evals.foreign_worlds import demonstrations
from macla.evals.foreign_worlds.house import House, HouseByName
from macla.evals.one_library import steps
from macla.procedures.episodes.templates import Template
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.grouping import ways_apart
from macla.procedures.programs.learning.proposing import propose_for_kinds
from macla.procedures.programs.program import Program

HOUSES = ("foreign/House", "foreign/HouseByName")


def shown(*acts: str) -> Trajectory:
    return Trajectory("Fetch it.", ("A room.", *("Done." for _ in acts)), acts, success=True)


def test_parts_are_told_by_what_not_all_do() -> None:
    north, east = shown("take lamp", "north"), shown("take rope", "north", "east")
    walk, both = shown("take lamp", "walk to the hall"), shown("take rope")
    assert ways_apart([north, walk, east, both]) == [[north, east], [walk]]
    assert ways_apart([both, both]) == []
    assert ways_apart([both, both, north, east]) == []  # some only do more than others


def test_each_house_is_played_by_its_own_program(tmp_path: Path) -> None:
    told = steps.learned(str(tmp_path / "one"), HOUSES, ())
    assert told["programs"] == 2
    played = steps.played(str(tmp_path / "one"), HOUSES, (), 8)
    assert {name: sum(each["won"] for each in played[name]) for name in HOUSES} == dict.fromkeys(
        HOUSES, 8
    )


def test_worlds_without_a_plan_say_why_once() -> None:
    reasons: list[str] = []
    told = [
        replace(each, task=f"{'so ' * number}{each.task}")
        for world in (House, HouseByName)
        for number, each in enumerate(demonstrations(world, 8))
    ]
    propose_for_kinds(told, refused=reasons.append)
    assert reasons == ["8 of 8 tasks are worded as no other"]


def test_the_form_that_says_more_itself_is_more_legible() -> None:
    def reader(line: str) -> ProgramFile:
        return ProgramFile("read", Program(()), (Template(line),), (Template("Fetch it."),))

    said, slots = reader("You are in {1} of inn."), reader("You {1} {2} {3} {4} {5}.")
    told = "You are in hall of inn."
    assert said.legibility(told) > slots.legibility(told) > reader("A room.").legibility(told)
