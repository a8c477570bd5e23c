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
from ...episodes.mentions import NAME
from ...episodes.templates import Template
from ...episodes.tokens import occurs, words_of
from .goals import Goal, Want
from .operators import Deed, Operator, kind_of
from .places import Places, Route
from .scene import Scene
from .task_interpretation import NearReader

__all__ = ["Call", "Outlook", "Planner"]

_MOST_BINDINGS = 400
"""Most ways to choose the things of a want; more are not weighed."""
_DEEPEST = 5
"""Longest chain of needs: take, open, go and a little more."""
_LEAST_CHANCE = 1e-6
_LIKELY = 0.5
"""Chance that it helps to do what may be in the way: one goes on to where nothing is, first."""
_TASKS = 256
"""Most tasks of which it is remembered how they are read."""


Reading = tuple[Goal, str, Mapping[str, str]]
"""What a task demands, in which wording it is, and what the slots of the task say."""


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
        kinds: Words of the names of things and places that were seen.
    """

    operators: tuple[Operator, ...]
    goals: tuple[Goal, ...]
    kinds: frozenset[str] = frozenset()

    @cached_property
    def by_text(self) -> Mapping[str, Operator]:
        """Operators by their texts."""
        return {operator.text: operator for operator in self.operators}

    @cached_property
    def exploring(self) -> frozenset[str]:
        """Texts of the operators that are done to see what there is and to go on."""
        enabling = [each for each in self.operators if each.enables]
        fetching = (n.operator for each in enabling for p in each.parameters for n in p.needs)
        return frozenset(e.text for e in self.operators if e.reveals or e.enables).union(fetching)

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
        """Whether a task is in one of the wordings, or in words that are near to them."""
        return bool(self._read(task))

    def wording_of(self, task: str) -> str:
        """Return the wording in which a task is; empty if in none."""
        exact = self._read_exactly(task)
        return exact[1] if exact else ""

    @cached_property
    def _near(self) -> NearReader:
        """Reads tasks that no wording reads."""
        kinds = (kind for each in self.operators for p in each.parameters for kind in p.kinds)
        return NearReader(self.goals, {*self.kinds, *(w for kind in kinds for w in words_of(kind))})

    @cached_property
    def _readings(self) -> dict[str, Sequence[Reading]]:
        return {}

    def _read(self, task: str) -> Sequence[Reading]:
        """Return what a task demands: its wording, and what its slots say.

        If no wording reads it, what it may demand, the likeliest first.
        """
        if task not in self._readings:
            if len(self._readings) >= _TASKS:
                self._readings.clear()
            exact = self._read_exactly(task)
            self._readings[task] = [exact] if exact else self._near.readings(task)
        return self._readings[task]

    def _read_exactly(self, task: str) -> Reading | None:
        line = task.replace("\n", " ")
        for wording, goal in self._goals:
            values = wording.read(line)
            if values is not None:
                said = dict(zip(wording.slots, values, strict=True))
                if goal.reads(said):
                    return goal, wording.text, said
        return None

    def begin(self, places: Places, history: History) -> History:
        """Return a history of which nothing was done yet, with a scene."""
        _, wording, said = next(iter(self._read(history.task)), (None, "", {}))
        asked = Fact(TASK, said)
        names = {name for goal, _, held in self._read(history.task) for name in goal.names(held)}
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
        asked = next(iter(self._read(history.task)), None)
        if asked is None:
            return {}
        goal, wording, said = asked
        calls = [(call.operator, call.arguments) for call in history.calls if call.worked]
        done, bound = goal.progress(calls, said)

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

    def _denied(self, history: History) -> tuple[frozenset[Call], str]:
        """Return calls that did not work, and what was told of them.

        Once something was done with their things, they may work.
        """
        vain: set[Call] = set()
        told: list[str] = []
        for call, facts in zip(history.calls, history.results[1:], strict=True):
            operator = self.by_text.get(call.operator)
            if call.worked and (operator is None or operator.worked(facts)):
                # From elsewhere, or with nothing in the way, other moves are possible.
                vain = {each for each in vain if each.operator in self.by_text}
                vain = {each for each in vain if not {*each.arguments} & {*call.arguments}}
            else:
                vain.add(Call(call.operator, call.arguments))
                told += (v for fact in facts for v in (fact.kind, *fact.fields.values()))
        return frozenset(vain), "\n".join(told)

    def _outlook(self, history: History, refused: frozenset[Call]) -> Outlook:
        because = "nobody showed what such a task demands"
        calls = [(call.operator, call.arguments) for call in history.calls if call.worked]
        vain, denials = self._denied(history)
        vain |= refused
        for goal, _, said in self._read(history.task):
            done, bound = goal.progress(calls, said)
            if done == len(goal.wants):
                because = "all that was shown for such a task is done"
                continue  # and the task is not: it may mean something else
            regression = _Regression(self, history, goal, said, bound, vain, denials)
            outlook = regression.outlook(goal.wants[done])
            if outlook.calls:
                return outlook
            because = outlook.because
        return Outlook(because=because)


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
        said: Mapping[str, str],
        bound: Mapping[int, str],
        vain: frozenset[Call],
        denials: str,
    ) -> None:
        self._operators = planner.by_text
        self._goal, self._bound = goal, bound
        self._said = said
        self._scene = cast("Scene", history.memory)
        self._places = self._scene.places
        self._routes = self._scene.routes()
        self._vain, self._denials = vain, denials
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
            return self._repair(call, depth)
        key = call, place
        if key not in self._plans:
            self._plans[key] = None  # what needs itself cannot be done
            self._plans[key] = self._steps(operator, call, place, depth)
        return self._plans[key]

    def _repair(self, call: Call, depth: int) -> _Plan | None:
        """Plan to do with a thing of a call that did not work what shows or opens things."""
        for operator in self._operators.values():
            if len(operator.parameters) != 1 or not (operator.reveals or operator.enables):
                continue
            for name in call.arguments:
                told = self._scene.where.get(name) == self._scene.here
                if told and Deed(operator.text, 0) not in self._scene.done.get(name, ()):
                    plan = self._plan(operator, (name,), "", depth + 1)
                    if plan is not None:
                        return _Plan(plan.cost + 1, plan.call)
        return None

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
        for plan, chance in self._enabling():
            plans.append((plan.cost / chance, len(plans), "", plan))
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

    def _enabling(self) -> Iterator[tuple[_Plan, float]]:
        """Yield what may have to be done to go on, with things that are told as what it takes."""
        for operator in self._operators.values():
            if not operator.enables:
                continue
            lists = [self._apt(operator, index) for index in range(len(operator.parameters))]
            for names in itertools.islice(itertools.product(*lists), _MOST_BINDINGS):
                deeds = (Deed(operator.text, index) for index in range(len(names)))
                pairs = zip(deeds, names, strict=True)
                if all(deed in self._scene.done.get(name, ()) for deed, name in pairs):
                    continue
                chance = self._use_of(operator, names)
                plan = self._plan(operator, names) if chance else None
                if plan is not None:
                    yield plan, chance

    def _apt(self, operator: Operator, index: int) -> list[str]:
        """Return the things that were told as arguments of an operator are, or fetched for it."""
        kind, after = f"{NAME}{index + 1} of {operator.text}", operator.parameters[index].after
        # What was unlocked is still to be opened, though nothing tells so again.
        enabling = {Deed(o.text, index) for o in self._operators.values() if o.enables}
        after |= enabling - {Deed(operator.text, index)} if not after else frozenset()
        return [
            name
            for name, told in sorted(self._scene.facts.items())
            if self._scene.last.get(name) in after or any(fact.kind == kind for fact in told)
        ]

    def _use_of(self, operator: Operator, names: Sequence[str]) -> float:
        """Return how likely it is of use to do something; 0 where nothing calls for it.

        What has to be fetched is fetched for what cannot be done without. Refusals say with what,
        and things that belong together are called alike.
        """
        fetched = [n for each, n in zip(operator.parameters, names, strict=True) if each.after]
        if not fetched:
            return _LIKELY
        rest = [name for name in names if name not in fetched]
        if not any(call.arguments and call.arguments[0] in rest for call in self._vain):
            return 0.0
        if all(occurs(name, self._denials) for name in fetched):
            return 1.0
        alike = {w for n in rest for w in words_of(n)} & {w for n in fetched for w in words_of(n)}
        return _LIKELY**2 if alike else _LIKELY**5

    def _moving(self) -> Iterator[tuple[_Plan, str]]:
        for way, route in self._scene.unexplored(self._routes):
            move = Call(self._places.moves[0], route.first)
            if move not in self._vain:
                yield _Plan(route.far, move), way
