"""Plans for generated games, made with full knowledge of where everything is."""

from __future__ import annotations

from .household import OPENABLE
from .problem import Problem
from .problem_text import Household, Item
from .tasks import TREATMENTS, Task

__all__ = ["plan"]


def plan(task: Task, home: Household, problem: Problem) -> list[str]:
    """Return commands that reach the goal of a task at the least expense of thought."""
    route = _Route(home, problem)
    wanted = [item for item in home.places if item.kind == task.thing]
    if task.task_type == "look_at_obj_in_light":
        lamp = next(item for item in home.places if item.kind == task.place)
        route.take(wanted[0])
        route.visit(home.places[lamp])
        route.commands.append(f"use {route.name(lamp)}")
        return route.commands
    target = next(each for each in home.receptacles if each.kind == task.place)
    if task.task_type == "pick_two_obj_and_place":
        missing = [item for item in wanted if home.places[item] != target]
        here_already = len(wanted) - len(missing)
        for item in missing[: 2 - here_already]:
            route.take(item)
            route.put(item, target)
        return route.commands
    route.take(wanted[0])
    if task.task_type in TREATMENTS:
        verb, _, appliance = TREATMENTS[task.task_type]
        route.treat(verb, wanted[0], next(e for e in home.receptacles if e.kind == appliance))
    route.put(wanted[0], target)
    return route.commands


class _Route:
    """Writes down commands, with the visits and opened doors that they need."""

    def __init__(self, home: Household, problem: Problem) -> None:
        self._home = home
        self._names = problem.names
        self._here: Item | None = None
        self._open = set(home.ajar)
        self.commands: list[str] = []

    def name(self, item: Item) -> str:
        return self._names[item.identifier.lower()]

    def visit(self, receptacle: Item, *, opened: bool = False) -> None:
        if self._here != receptacle:
            self.commands.append(f"go to {self.name(receptacle)}")
            self._here = receptacle
        if opened and receptacle.kind in OPENABLE and receptacle not in self._open:
            self.commands.append(f"open {self.name(receptacle)}")
            self._open.add(receptacle)

    def take(self, item: Item) -> None:
        receptacle = self._home.places[item]
        self.visit(receptacle, opened=True)
        self.commands.append(f"take {self.name(item)} from {self.name(receptacle)}")

    def treat(self, verb: str, item: Item, appliance: Item) -> None:
        self.visit(appliance)
        self.commands.append(f"{verb} {self.name(item)} with {self.name(appliance)}")

    def put(self, item: Item, receptacle: Item) -> None:
        self.visit(receptacle, opened=True)
        self.commands.append(f"move {self.name(item)} to {self.name(receptacle)}")
