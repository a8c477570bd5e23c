"""Goals, learned from the deeds that demonstrations of one wording have in common."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...episodes.templates import Template, literal_text
from ...episodes.tokens import occurs, words_of
from ..planning.goals import Goal, Variable, Want
from ..planning.operators import Deed, Operator, kind_of
from ..planning.places import Places
from .lessons import Lesson
from .operator_learning import walk

_MOSTLY = 0.9
"""Share of the demonstrations of a wording in which a slot has to say a thing."""
_LEAST = 3
"""Least demonstrations of a wording whose tasks another wording reads (the paper's n_min).

A single demonstration may end oddly."""
_NAMED = 0.5
"""Share of an operator's uses above which the task has to name its argument."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """A call that the task may demand, and the place of the call."""

    operator: str
    arguments: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class _Example:
    """A demonstration: its task, the demanded deeds, and the values of the task's slots."""

    task: str
    deeds: tuple[_Deed, ...]
    slots: tuple[str, ...]

    @property
    def operators(self) -> tuple[str, ...]:
        return tuple(deed.operator for deed in self.deeds)


def learn_goals(
    lessons: Sequence[Lesson], places: Places, operators: Sequence[Operator]
) -> list[Goal]:
    """Learn the goal of each wording: deeds with named things that serve no other deed.

    Args:
        lessons: The demonstrations.
        places: The places of the demonstrations.
        operators: The operators.
    """
    operator_by_text = {operator.text: operator for operator in operators}
    demanded = _demanded_operators(lessons, operator_by_text)
    groups: dict[str, list[_Example]] = defaultdict(list)
    for lesson in lessons:
        calls = [
            _Deed(call.operator, call.arguments, scene.titles.get(scene.here, ""))
            for scene, call, _ in walk(lesson, places)
        ]
        task = lesson.task.replace("\n", " ")
        deeds = [deed for deed in _last_deeds(calls, operator_by_text) if deed.operator in demanded]
        wording, slots = _with_slots(task, deeds)
        groups[wording].append(_Example(task, tuple(deeds), slots))
    wordings: dict[Goal, list[str]] = defaultdict(list)
    for wording, examples in sorted(groups.items()):
        if len(examples) < _LEAST and _is_read_by_another(wording, examples, groups):
            continue
        count_by_operators = Counter(each.operators for each in examples)
        usual_operators = max(
            count_by_operators, key=lambda sequence: (count_by_operators[sequence], sequence)
        )
        if usual_operators:
            goal = _common_goal(
                [each for each in examples if each.operators == usual_operators], operator_by_text
            )
            wordings[goal].append(wording)
    return [
        Goal(tuple(goal_wordings), goal.variables, goal.wants)
        for goal, goal_wordings in wordings.items()
    ]


def _is_read_by_another(
    wording: str, examples: Sequence[_Example], groups: Mapping[str, Sequence[_Example]]
) -> bool:
    """Whether another wording, with more demonstrations, reads the same values in these tasks."""
    other_templates = [
        Template(w) for w in groups if w != wording and len(groups[w]) > len(examples)
    ]
    readings = (
        [(example.slots, other.read(example.task)) for example in examples]
        for other in other_templates
    )
    return any(
        all(values is not None and set(slots) <= set(values) for slots, values in reading)
        for reading in readings
    )


def _demanded_operators(lessons: Sequence[Lesson], operators: Mapping[str, Operator]) -> set[str]:
    """Return the operators that a task may demand.

    They act on things that the task names. One that acts only on the place has to end a
    demonstration.
    """
    uses: Counter[str] = Counter()
    named_count: Counter[str] = Counter()
    for lesson in lessons:
        for text, arguments, _ in lesson.calls:
            uses[text] += 1
            named_count[text] += any(_word_for(name, lesson.task) for name in arguments)
    last_operators = {lesson.calls[-1][0] for lesson in lessons if lesson.calls}
    return {
        text
        for text, operator in operators.items()
        if named_count[text] > _NAMED * uses[text]
        and (text in last_operators or not all(each.at for each in operator.parameters))
    }


def _word_for(name: str, task: str) -> str:
    """Return the word of a task for a thing: its name, else its kind, else an empty text."""
    return next((word for word in (name, kind_of(name)) if occurs(word, task)), "")


def _with_slots(task: str, deeds: Sequence[_Deed]) -> tuple[str, tuple[str, ...]]:
    """Return a task with slots for its words for things and places, and the values of the slots."""
    names = (name for deed in deeds for name in (*deed.arguments, deed.place) if name)
    words = {_word_for(name, task) for name in names} - {""}
    spans: list[tuple[int, int]] = []
    for word in sorted(words, key=lambda word: (-len(word), word)):
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", task):
            if all(match.end() <= begin or match.start() >= end for begin, end in spans):
                spans.append(match.span())
    text, end_of_last = "", 0
    slots: list[str] = []
    for begin, end in sorted(spans):
        if task[begin:end] not in slots:
            slots.append(task[begin:end])
        text += literal_text(task[end_of_last:begin]) + f"{{{slots.index(task[begin:end]) + 1}}}"
        end_of_last = end
    return text + literal_text(task[end_of_last:]), tuple(slots)


def _last_deeds(deeds: Sequence[_Deed], operators: Mapping[str, Operator]) -> list[_Deed]:
    """Return deeds except those that a later deed needs, which the planner does anyway."""
    kept_deeds: list[_Deed] = []
    for number, deed in enumerate(deeds):
        names_by_deed = {Deed(deed.operator, i): name for i, name in enumerate(deed.arguments)}
        is_needed = (
            need in names_by_deed and names_by_deed[need] == name
            for later in deeds[number + 1 :]
            if later.operator in operators
            for parameter, name in zip(
                operators[later.operator].parameters, later.arguments, strict=True
            )
            for need in parameter.needs
        )
        if not any(is_needed):
            kept_deeds.append(deed)
    return kept_deeds


def _common_goal(examples: Sequence[_Example], operators: Mapping[str, Operator]) -> Goal:
    """Return the goal of demonstrations with the same operators: equal things are one variable."""
    columns: list[tuple[str, ...]] = []
    variables: list[Variable] = []
    wants: list[Want] = []
    for number, text in enumerate(examples[0].operators):
        columns_of_want: list[int] = []
        for index in range(len(operators[text].parameters)):
            column = tuple(each.deeds[number].arguments[index] for each in examples)
            if column not in columns:
                columns.append(column)
                variables.append(_variable(column, examples))
            columns_of_want.append(columns.index(column))
        place = ""
        if not any(parameter.at for parameter in operators[text].parameters):
            titles = tuple(each.deeds[number].place for each in examples)
            place = _variable(titles, examples).slot if all(titles) else ""
        wants.append(Want(text, tuple(columns_of_want), place))
    variable_numbers = sorted({number for want in wants for number in want.variables})
    wants = [
        Want(w.operator, tuple(map(variable_numbers.index, w.variables)), w.place) for w in wants
    ]
    return Goal((), tuple(variables[number] for number in variable_numbers), tuple(wants))


def _variable(column: Sequence[str], examples: Sequence[_Example]) -> Variable:
    """Return the variable of a column, with the slot that says its things, if one does."""
    for slot in range(max(len(each.slots) for each in examples)):
        slot_values = [each.slots[slot] if slot < len(each.slots) else "" for each in examples]
        name_matches = sum(a == b for a, b in zip(column, slot_values, strict=True))
        kind_matches = sum(b in (a, kind_of(a)) for a, b in zip(column, slot_values, strict=True))
        if kind_matches >= _MOSTLY * len(examples):
            if name_matches >= _MOSTLY * len(examples):
                return Variable(str(slot + 1), whole=True)
            return Variable(str(slot + 1), longest=max(len(words_of(word)) for word in slot_values))
    return Variable()
