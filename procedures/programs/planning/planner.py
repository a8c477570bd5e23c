"""The planner: what is to be done next, from goals back to what can be done now.

What a want needs is done first: what was always done before to its things, the way to where it can
be done, what ends a state in which it was never done. Where a thing is not known yet, places and
whatever else reveals things are looked into, the best chance for the cost first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import cast

from ...episodes.fact import Fact
from ...episodes.history import TASK, History
from ...episodes.templates import Template
from .goals import Goal, Want
from .operators import Deed, Operator, kind_of
from .places import Places, Route
from .scene import Scene

__all__ = ["Call", "Outlook", "Planner"]

_MOST_BINDINGS = 400
"""Most ways to choose the things of a want; more are not weighed."""
_DEEPEST = 5
"""Longest chain of needs: take, open, go and a little more."""
_LEAST_CHANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Call:
    """An operator with arguments."""

    operator: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlook:
    """What may be done next.

    Attributes:
        calls: The best first.
        exploring: Whether something is looked for.
        because: Why nothing can be done; empty where something can.
    """

    calls: tuple[Call, ...] = ()
    exploring: bool = False
    because: str = ""


@dataclass(frozen=True)
class Planner:
    """Operators and goals.

    Attributes:
        operators: What can be done.
        goals: What tasks demand.
    """

    operators: tuple[Operator, ...]
    goals: tuple[Goal, ...]

    @cached_property
    def by_text(self) -> Mapping[str, Operator]:
        """Operators by their texts."""
        return {operator.text: operator for operator in self.operators}

    @cached_property
    def _goals(self) -> Sequence[tuple[Template, Goal]]:
        """Goals by wordings, those first that say most themselves."""
        goals = ((Template(text), goal) for goal in self.goals for text in goal.wordings)
        return sorted(goals, key=lambda each: (-each[0].weight, each[0].text))

    @cached_property
    def wordings(self) -> tuple[Template, ...]:
        """How tasks are read."""
        return tuple(Template(wording) for goal in self.goals for wording in goal.wordings)

    def reads(self, task: str) -> bool:
        """Whether a task is in one of the wordings."""
        return self._read(task)[0] is not None

    def wording_of(self, task: str) -> str:
        """Return the wording in which a task is; empty if in none."""
        return self._read(task)[1]

    def _read(self, task: str) -> tuple[Goal | None, str, Mapping[str, str]]:
        """Return what a task demands, its wording, and what its slots say."""
        line = task.replace("\n", " ")
        for wording, goal in self._goals:
            values = wording.read(line)
            if values is not None:
                said = dict(zip(wording.slots, values, strict=True))
                if goal.reads(said):
                    return goal, wording.text, said
        return None, "", {}

    def begin(self, places: Places, history: History) -> History:
        """Return a history of which nothing was done yet, with a scene."""
        goal, wording, said = self._read(history.task)
        asked = Fact(TASK, said)
        names = goal.names(said) if goal is not None else ()
        return History(history.task, asked, history.results[0], wording, Scene(places, names))

    def outlook(self, history: History, refused: frozenset[Call] = frozenset()) -> Outlook:
        """Return what may be done next in a history with a scene.

        Args:
            history: What is known.
            refused: What cannot be done now, as the world tells.
        """
        outlook = history.memo.get(("outlook", refused))
        if outlook is None:
            outlook = history.memo["outlook", refused] = self._outlook(history, refused)
        return cast("Outlook", outlook)

    def account(self, history: History) -> dict[str, object]:
        """Say how a task is read, and what is left to do: goal, what its things are, plan."""
        goal, wording, said = self._read(history.task)
        if goal is None:
            return {}
        calls = [(call.operator, call.arguments) for call in history.calls if call.worked]
        done, bound = goal.progress(calls, history.asked.fields)

        def name(number: int) -> str:
            slot = goal.variables[number].slot
            return bound.get(number) or (f"some {said[slot]}" if slot else "any")

        left = goal.wants[done:]
        plan = [want.operator.format(*map(name, want.variables)) for want in left]
        for following in self.outlook(history).calls[:1]:
            if following.operator == left[0].operator:
                del plan[0]
            plan.insert(0, following.operator.format(*following.arguments))
        return {
            "goal": wording,
            "said": dict(said),
            "things": {ascii_lowercase[n % 26]: value for n, value in sorted(bound.items())},
            "plan": plan,
        }

    def _outlook(self, history: History, refused: frozenset[Call]) -> Outlook:
        goal = self._read(history.task)[0]
        if goal is None:
            return Outlook(because="nobody showed what such a task demands")
        calls = [(call.operator, call.arguments) for call in history.calls if call.worked]
        done, bound = goal.progress(calls, history.asked.fields)
        if done == len(goal.wants):
            return Outlook(because="all that was shown for such a task is done")
        failed = (Call(c.operator, c.arguments) for c in history.calls if not c.worked)
        vain = refused.union(call for call in failed if call.operator in self.by_text)
        return _Regression(self, history, goal, bound, vain).outlook(goal.wants[done])


@dataclass(frozen=True, slots=True)
class _Plan:
    """The first call of a plan, and what the plan costs, in calls."""

    cost: float
    call: Call


class _Regression:
    """Planning at one moment."""

    def __init__(
        self,
        planner: Planner,
        history: History,
        goal: Goal,
        bound: Mapping[int, str],
        vain: frozenset[Call],
    ) -> None:
        self._operators = planner.by_text
        self._goal, self._bound = goal, bound
        self._said = history.asked.fields
        self._scene = cast("Scene", history.memory)
        self._places = self._scene.places
        self._routes = self._scene.routes()
        self._vain = vain
        self._plans: dict[tuple[Call, str], _Plan | None] = {}

    def outlook(self, want: Want) -> Outlook:
        """Return what may be done next for a want."""
        operator = self._operators[want.operator]
        plans: dict[Call, float] = {}
        for arguments in self._bindings(operator, want):
            place = self._said.get(want.place, "")
            plan = self._plan(operator, arguments, place)
            if plan is not None and plan.cost < plans.get(plan.call, math.inf):
                plans[plan.call] = plan.cost
        if plans:
            return Outlook(tuple(sorted(plans, key=lambda call: (plans[call], call.arguments))))
        calls = tuple(dict.fromkeys(plan.call for plan in self._explorations(operator, want)))
        missing = "" if calls else f"nothing is left to look into for {want.operator!r}"
        return Outlook(calls, exploring=True, because=missing)

    # ------------------------------------------------------------------ things
    def _bindings(self, operator: Operator, want: Want) -> Iterator[tuple[str | None, ...]]:
        """Yield things for the arguments; None for a place that another argument tells."""
        lists = [self._fitting(operator, want, i) for i in range(len(want.variables))]
        ways = (way for way in itertools.product(*lists) if len(set(way)) == len(way))
        return itertools.islice(ways, _MOST_BINDINGS)

    def _fitting(self, operator: Operator, want: Want, index: int) -> Sequence[str | None]:
        number, parameter = want.variables[index], operator.parameters[index]
        free = number not in self._bound and not self._goal.variables[number].slot
        if free and parameter.at and any(each.here for each in operator.parameters):
            return (None,)
        return [
            name
            for name in self._scene.where
            if self._goal.binds(number, name, self._bound, self._said)
            and not (free and kind_of(name) not in parameter.kinds)
        ]

    def _complete(
        self, operator: Operator, arguments: tuple[str | None, ...]
    ) -> tuple[str, ...] | None:
        """Put in the place where another argument was told of."""
        if None not in arguments:
            return cast("tuple[str, ...]", arguments)
        pairs = zip(operator.parameters, arguments, strict=True)
        thing = next((name for each, name in pairs if each.here and name is not None), None)
        title = self._scene.titles.get(self._scene.where.get(thing or "", -1))
        if title is None:
            return None
        return tuple(title if name is None else name for name in arguments)

    # ------------------------------------------------------------------ needs
    def _plan(
        self, operator: Operator, given: tuple[str | None, ...], place: str = "", depth: int = 0
    ) -> _Plan | None:
        """Plan to do something, at a place if one is given; None where no way is known."""
        arguments = self._complete(operator, given)
        if arguments is None or depth > _DEEPEST:
            return None
        call = Call(operator.text, arguments)
        if call in self._vain:
            return None
        key = call, place
        if key not in self._plans:
            self._plans[key] = None  # what needs itself cannot be done
            self._plans[key] = self._steps(operator, call, place, depth)
        return self._plans[key]

    def _steps(self, operator: Operator, call: Call, place: str, depth: int) -> _Plan | None:
        things = list(zip(operator.parameters, call.arguments, strict=True))
        for parameter, name in things:
            if parameter.after and self._scene.last.get(name) not in parameter.after:
                before = [self._deed(deed, name, depth) for deed in parameter.needs]
                plans = [plan for plan in before if plan is not None]
                if not plans:
                    return None
                best = min(plans, key=lambda plan: plan.cost)
                return _Plan(best.cost + 2, best.call)
        for route in self._ways(operator, call, place):
            if route is None:
                return None
            if route.far:
                move = Call(self._places.moves[0], route.first)
                return None if move in self._vain else _Plan(route.far + 1, move)
        for parameter, name in things:
            for state, mender in sorted(parameter.mends.items()):
                if self._scene.holds(state, name) and mender in self._operators:
                    plan = self._plan(self._operators[mender], (name,), "", depth + 1)
                    if plan is not None:
                        return _Plan(plan.cost + 1, plan.call)
        return _Plan(1, call)

    def _deed(self, deed: Deed, name: str, depth: int) -> _Plan | None:
        """Plan to do something with a thing; other arguments have to be the place."""
        operator = self._operators.get(deed.operator)
        if operator is None:
            return None
        others = (each for i, each in enumerate(operator.parameters) if i != deed.index)
        if not all(each.at for each in others):
            return None
        given = tuple(name if i == deed.index else None for i in range(len(operator.parameters)))
        return self._plan(operator, given, "", depth + 1)

    def _ways(self, operator: Operator, call: Call, place: str) -> Iterator[Route | None]:
        """Yield the ways to where a call can be made; None for one that is not known."""
        if place:
            yield self._way_to(place)
        for parameter, name in zip(operator.parameters, call.arguments, strict=True):
            if parameter.at:
                yield self._way_to(name)
            elif parameter.here and not parameter.after:
                yield self._routes.get(self._scene.where.get(name, -1))

    def _way_to(self, title: str) -> Route | None:
        """Return the way to a place, which may be known by its name alone."""
        for place, route in self._routes.items():
            if self._scene.titles.get(place, "").casefold() == title.casefold():
                return route
        if self._places.by_name:
            for way, route in self._scene.unexplored(self._routes):
                if way.casefold() == title.casefold():
                    return route
        return None

    # ------------------------------------------------------------------ exploring
    def _explorations(self, operator: Operator, want: Want) -> list[_Plan]:
        """Return what reveals things, the best first: the least cost for the chance."""
        kinds = self._missing(operator, want)
        plans: list[tuple[float, int, str, _Plan]] = []
        needed = self._needed(operator, want)
        for plan, name in itertools.chain(needed, self._revealing(), self._moving()):
            chance = 1.0
            if name and self._places.by_name:  # a name says which kind of place it is
                chance = self._places.sightings.chance(name, kinds) + _LEAST_CHANCE
            plans.append((plan.cost / chance, len(plans), name, plan))
        return [plan for *_, plan in sorted(plans, key=lambda each: each[:2])]

    def _needed(self, operator: Operator, want: Want) -> Iterator[tuple[_Plan, str]]:
        """Yield what has to be done in any case with things that are known."""
        for index, parameter in enumerate(operator.parameters):
            for name in self._fitting(operator, want, index) if parameter.after else ():
                if name is not None and self._scene.last.get(name) not in parameter.after:
                    for deed in parameter.needs:
                        plan = self._deed(deed, name, 0)
                        if plan is not None:
                            yield plan, ""

    def _missing(self, operator: Operator, want: Want) -> set[str]:
        """Return the kinds of things of which none is known."""
        kinds: set[str] = set()
        for number, parameter in zip(want.variables, operator.parameters, strict=True):
            slot = self._goal.variables[number].slot
            binds = self._goal.binds
            if number in self._bound:
                continue
            if not slot and not parameter.at:
                kinds.update(parameter.kinds)
            elif slot in self._said and not any(
                binds(number, name, self._bound, self._said) for name in self._scene.where
            ):
                kinds.add(self._said[slot])
        return kinds

    def _revealing(self) -> Iterator[tuple[_Plan, str]]:
        """Yield what can be done to see what there is, and where or with what."""
        for operator in self._operators.values():
            if not operator.reveals:
                continue
            if not operator.parameters and self._scene.present is None:
                plan = self._plan(operator, ())
                if plan is not None:
                    yield plan, ""
            if len(operator.parameters) != 1:
                continue
            (parameter,) = operator.parameters
            deed = Deed(operator.text, 0)
            for name in sorted(self._scene.where):
                told = all(self._scene.holds(state, name) for state in parameter.states)
                if told and deed not in self._scene.done.get(name, ()):
                    plan = self._plan(operator, (name,))
                    if plan is not None:
                        yield plan, name

    def _moving(self) -> Iterator[tuple[_Plan, str]]:
        for way, route in self._scene.unexplored(self._routes):
            move = Call(self._places.moves[0], route.first)
            if move not in self._vain:
                yield _Plan(route.far, move), way
