"""The planner: the next call, found from goals back to calls that are possible now.

The needs of a want come first: deeds that always came before, the way to its place, deeds that end
an unsuitable state. Where a thing is unknown, the planner explores places and other revealing
operators, the best chance for the cost first.
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

_MOST_BINDINGS = 400
"""Most combinations of things for a want; it bounds the time."""
_DEEPEST = 5
"""Longest chain of needs: take, open, go and a little more."""
_LEAST_CHANCE = 1e-6
"""Chance that is added to each sighting, so that a cost is never divided by 0."""
_HELP_CHANCE = 0.5
"""Chance that removing an obstacle helps: below 1, so that free ways come first."""

Reading = tuple[Goal, str, Mapping[str, str]]
"""A goal, the wording of the task, and slot → value."""


@dataclass(frozen=True, slots=True)
class Call:
    """An operator with arguments."""

    operator: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlook:
    """The possible next calls.

    Attributes:
        calls: The calls, the best first.
        exploring: Whether the calls look for something.
        because: Reason why there is no call; empty where there is one.
    """

    calls: tuple[Call, ...] = ()
    exploring: bool = False
    because: str = ""


@dataclass(frozen=True)
class Planner:
    """Operators and goals.

    Attributes:
        operators: The operators.
        goals: The goals of tasks.
    """

    operators: tuple[Operator, ...]
    goals: tuple[Goal, ...]

    @cached_property
    def by_text(self) -> Mapping[str, Operator]:
        """Operators by their texts."""
        return {operator.text: operator for operator in self.operators}

    @cached_property
    def exploring(self) -> frozenset[str]:
        """Texts of the operators that reveal things, remove obstacles, or fetch things for that."""
        enabling = [each for each in self.operators if each.enables]
        fetching = (n.operator for each in enabling for p in each.parameters for n in p.needs)
        return frozenset(e.text for e in self.operators if e.reveals or e.enables).union(fetching)

    @cached_property
    def _goals(self) -> Sequence[tuple[Template, Goal]]:
        """Wordings with their goals, those with the most fixed text first."""
        goals = ((Template(text), goal) for goal in self.goals for text in goal.wordings)
        return sorted(goals, key=lambda each: (-each[0].weight, each[0].text))

    @cached_property
    def wordings(self) -> tuple[Template, ...]:
        """Templates of tasks."""
        return tuple(Template(wording) for goal in self.goals for wording in goal.wordings)

    def reads(self, task: str) -> bool:
        """Whether a wording reads a task."""
        return self._read(task) is not None

    def wording_of(self, task: str) -> str:
        """Return the wording of a task; empty if it has none."""
        reading = self._read(task)
        return reading[1] if reading else ""

    def _read(self, task: str) -> Reading | None:
        line = task.replace("\n", " ")
        for wording, goal in self._goals:
            values = wording.read(line)
            if values is not None:
                slot_values = dict(zip(wording.slots, values, strict=True))
                if goal.reads(slot_values):
                    return goal, wording.text, slot_values
        return None

    def begin(self, places: Places, history: History) -> History:
        """Return a history without calls, with a scene."""
        goal, wording, slot_values = self._read(history.task) or (None, "", {})
        task_fact = Fact(TASK, slot_values)
        names = goal.names(slot_values) if goal else ()
        return History(history.task, task_fact, history.results[0], wording, Scene(places, names))

    def outlook(self, history: History, refused: frozenset[Call] = frozenset()) -> Outlook:
        """Return the possible next calls in a history with a scene.

        Args:
            history: The history.
            refused: Calls that the world does not allow now.
        """
        outlook = history.memo.get(("outlook", refused))
        if outlook is None:
            outlook = history.memo["outlook", refused] = self._outlook(history, refused)
        return cast("Outlook", outlook)

    def account(self, history: History) -> dict[str, object]:
        """Return the reading of a task and the rest of the plan: goal, said, things, plan."""
        reading = self._read(history.task)
        if reading is None:
            return {}
        goal, wording, slot_values = reading
        calls = [(call.operator, call.arguments) for call in history.calls if call.worked]
        wants_done, name_by_variable = goal.progress(calls, slot_values)

        def name(number: int) -> str:
            slot = goal.variables[number].slot
            return name_by_variable.get(number) or (f"some {slot_values[slot]}" if slot else "any")

        remaining = goal.wants[wants_done:]
        plan = [want.operator.format(*map(name, want.variables)) for want in remaining]
        for next_call in self.outlook(history).calls[:1]:
            if next_call.operator == remaining[0].operator:
                del plan[0]
            plan.insert(0, next_call.operator.format(*next_call.arguments))
        return {
            "goal": wording,
            "said": dict(slot_values),
            "things": {
                ascii_lowercase[n % 26]: value for n, value in sorted(name_by_variable.items())
            },
            "plan": plan,
        }

    def _denied(self, history: History) -> tuple[frozenset[Call], str]:
        """Return calls that failed, and the texts of their results.

        After another deed with its things a failed call may work, so that it is dropped.
        """
        failed_calls: set[Call] = set()
        denial_texts: list[str] = []
        for call, facts in zip(history.calls, history.results[1:], strict=True):
            operator = self.by_text.get(call.operator)
            if call.worked and (operator is None or operator.worked(facts)):
                # Failed moves may work from another place, or without the obstacle.
                failed_calls = {each for each in failed_calls if each.operator in self.by_text}
                failed_calls = {
                    each for each in failed_calls if not {*each.arguments} & {*call.arguments}
                }
            else:
                failed_calls.add(Call(call.operator, call.arguments))
                denial_texts += (v for fact in facts for v in (fact.kind, *fact.fields.values()))
        return frozenset(failed_calls), "\n".join(denial_texts)

    def _outlook(self, history: History, refused: frozenset[Call]) -> Outlook:
        reading = self._read(history.task)
        if reading is None:
            return Outlook(because="nobody showed what such a task demands")
        goal, _, slot_values = reading
        calls = [(call.operator, call.arguments) for call in history.calls if call.worked]
        wants_done, name_by_variable = goal.progress(calls, slot_values)
        if wants_done == len(goal.wants):
            return Outlook(because="all that was shown for such a task is done")
        failed_calls, denials = self._denied(history)
        failed_calls |= refused
        regression = _Regression(
            self, history, goal, slot_values, name_by_variable, failed_calls, denials
        )
        return regression.outlook(goal.wants[wants_done])


@dataclass(frozen=True, slots=True)
class _PlannedCalls:
    """The first call of a plan, and the number of its calls."""

    cost: float
    call: Call


class _Regression:
    """Planning from a goal back to possible calls, at one moment."""

    def __init__(
        self,
        planner: Planner,
        history: History,
        goal: Goal,
        slot_values: Mapping[str, str],
        name_by_variable: Mapping[int, str],
        failed_calls: frozenset[Call],
        denials: str,
    ) -> None:
        self._operators = planner.by_text
        self._goal, self._bound = goal, name_by_variable
        self._said = slot_values
        self._scene = cast("Scene", history.memory)
        self._places = self._scene.places
        self._routes = self._scene.routes()
        self._vain, self._denials = failed_calls, denials
        self._plans: dict[tuple[Call, str], _PlannedCalls | None] = {}

    def outlook(self, want: Want) -> Outlook:
        """Return the possible next calls for a want."""
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
        """Yield things for the arguments; None for a place that follows from another argument."""
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
        """Return arguments with the place of another argument in the gap; None if it is unknown."""
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
        self,
        operator: Operator,
        partial_arguments: tuple[str | None, ...],
        place: str = "",
        depth: int = 0,
    ) -> _PlannedCalls | None:
        """Return a plan for an operator, at a place if given; None where there is no way."""
        arguments = self._complete(operator, partial_arguments)
        if arguments is None or depth > _DEEPEST:
            return None
        call = Call(operator.text, arguments)
        if call in self._vain:
            return self._repair(call, depth)
        key = call, place
        if key not in self._plans:
            self._plans[key] = None  # a call that needs itself has no plan
            self._plans[key] = self._steps(operator, call, place, depth)
        return self._plans[key]

    def _repair(self, call: Call, depth: int) -> _PlannedCalls | None:
        """Return a plan that reveals or opens a thing of a failed call; None if there is none."""
        for operator in self._operators.values():
            if len(operator.parameters) != 1 or not (operator.reveals or operator.enables):
                continue
            for name in call.arguments:
                is_here = self._scene.where.get(name) == self._scene.here
                if is_here and Deed(operator.text, 0) not in self._scene.done.get(name, ()):
                    plan = self._plan(operator, (name,), "", depth + 1)
                    if plan is not None:
                        return _PlannedCalls(plan.cost + 1, plan.call)
        return None

    def _steps(
        self, operator: Operator, call: Call, place: str, depth: int
    ) -> _PlannedCalls | None:
        things = list(zip(operator.parameters, call.arguments, strict=True))
        for parameter, name in things:
            if parameter.after and self._scene.last.get(name) not in parameter.after:
                needed_plans = [self._deed(deed, name, depth) for deed in parameter.needs]
                plans = [plan for plan in needed_plans if plan is not None]
                if not plans:
                    return None
                best = min(plans, key=lambda plan: plan.cost)
                return _PlannedCalls(best.cost + 2, best.call)
        for route in self._ways(operator, call, place):
            if route is None:
                return None
            if route.far:
                move = Call(self._places.moves[0], route.first)
                return None if move in self._vain else _PlannedCalls(route.far + 1, move)
        for parameter, name in things:
            for state, mender in sorted(parameter.mends.items()):
                if self._scene.holds(state, name) and mender in self._operators:
                    plan = self._plan(self._operators[mender], (name,), "", depth + 1)
                    if plan is not None:
                        return _PlannedCalls(plan.cost + 1, plan.call)
        return _PlannedCalls(1, call)

    def _deed(self, deed: Deed, name: str, depth: int) -> _PlannedCalls | None:
        """Return a plan for a deed with a thing; other arguments have to be the place."""
        operator = self._operators.get(deed.operator)
        if operator is None:
            return None
        others = (each for i, each in enumerate(operator.parameters) if i != deed.index)
        if not all(each.at for each in others):
            return None
        arguments = tuple(
            name if i == deed.index else None for i in range(len(operator.parameters))
        )
        return self._plan(operator, arguments, "", depth + 1)

    def _ways(self, operator: Operator, call: Call, place: str) -> Iterator[Route | None]:
        """Yield the ways to the places that a call needs; None for an unknown way."""
        if place:
            yield self._way_to(place)
        for parameter, name in zip(operator.parameters, call.arguments, strict=True):
            if parameter.at:
                yield self._way_to(name)
            elif parameter.here and not parameter.after:
                yield self._routes.get(self._scene.where.get(name, -1))

    def _way_to(self, title: str) -> Route | None:
        """Return the way to a place, perhaps an unexplored one; None if there is none."""
        for place, route in self._routes.items():
            if self._scene.titles.get(place, "").casefold() == title.casefold():
                return route
        if self._places.by_name:
            for way, route in self._scene.unexplored(self._routes):
                if way.casefold() == title.casefold():
                    return route
        return None

    # ------------------------------------------------------------------ exploring
    def _explorations(self, operator: Operator, want: Want) -> list[_PlannedCalls]:
        """Return plans that explore, the least cost for the chance first."""
        kinds = self._missing(operator, want)
        plans: list[tuple[float, int, str, _PlannedCalls]] = []
        fetching_plans = self._needed(operator, want)
        for plan, name in itertools.chain(fetching_plans, self._revealing(), self._moving()):
            chance = 1.0
            if name and self._places.by_name:  # a name tells the kind of the place
                chance = self._places.sightings.chance(name, kinds) + _LEAST_CHANCE
            plans.append((plan.cost / chance, len(plans), name, plan))
        for plan, chance in self._enabling():
            plans.append((plan.cost / chance, len(plans), "", plan))
        return [plan for *_, plan in sorted(plans, key=lambda each: each[:2])]

    def _needed(self, operator: Operator, want: Want) -> Iterator[tuple[_PlannedCalls, str]]:
        """Yield plans for needs of known things, which serve the want in any case."""
        for index, parameter in enumerate(operator.parameters):
            for name in self._fitting(operator, want, index) if parameter.after else ():
                if name is not None and self._scene.last.get(name) not in parameter.after:
                    for deed in parameter.needs:
                        plan = self._deed(deed, name, 0)
                        if plan is not None:
                            yield plan, ""

    def _missing(self, operator: Operator, want: Want) -> set[str]:
        """Return the kinds of the things that are still unknown."""
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

    def _revealing(self) -> Iterator[tuple[_PlannedCalls, str]]:
        """Yield plans that reveal things, with the thing or place that they look into."""
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
                states_hold = all(self._scene.holds(state, name) for state in parameter.states)
                if states_hold and deed not in self._scene.done.get(name, ()):
                    plan = self._plan(operator, (name,))
                    if plan is not None:
                        yield plan, name

    def _enabling(self) -> Iterator[tuple[_PlannedCalls, float]]:
        """Yield plans that remove obstacles with known things, with the chance that they help."""
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
        """Return the things that are named like an operator's argument, or were fetched for it."""
        kind, after = f"{NAME}{index + 1} of {operator.text}", operator.parameters[index].after
        # An unlocked thing still has to be opened, though no result says so again.
        enabling = {Deed(o.text, index) for o in self._operators.values() if o.enables}
        after |= enabling - {Deed(operator.text, index)} if not after else frozenset()
        return [
            name
            for name, facts in sorted(self._scene.facts.items())
            if self._scene.last.get(name) in after or any(fact.kind == kind for fact in facts)
        ]

    def _use_of(self, operator: Operator, names: Sequence[str]) -> float:
        """Return the chance that an enabling call helps; 0 where nothing calls for it.

        A thing is fetched only for a failed call. The result of that call may name it, and things
        that belong together share words.
        """
        fetched = [n for each, n in zip(operator.parameters, names, strict=True) if each.after]
        if not fetched:
            return _HELP_CHANCE
        others = [name for name in names if name not in fetched]
        if not any(call.arguments and call.arguments[0] in others for call in self._vain):
            return 0.0
        if all(occurs(name, self._denials) for name in fetched):
            return 1.0
        shared_words = {w for n in others for w in words_of(n)} & {
            w for n in fetched for w in words_of(n)
        }
        return _HELP_CHANCE**2 if shared_words else _HELP_CHANCE**5

    def _moving(self) -> Iterator[tuple[_PlannedCalls, str]]:
        for way, route in self._scene.unexplored(self._routes):
            move = Call(self._places.moves[0], route.first)
            if move not in self._vain:
                yield _PlannedCalls(route.far, move), way
