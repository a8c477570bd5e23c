"""Goals, learned from what demonstrations of each wording of a task have in common."""

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

__all__ = ["learn_goals"]

_MOSTLY = 0.9
"""Share of the demonstrations of a wording in which a thing is what a slot says."""
_LEAST = 3
"""Demonstrations that make a wording one of its own where another one reads its tasks, as the
paper's n_min: of a single one that ended oddly nothing is known."""
_NAMED = 0.5
"""Share of its uses in which the task names what an operator acts on."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """A call that may be what the task demands, and the place where it was made."""

    operator: str
    arguments: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class _Shown:
    """A demonstration: its task, what was demanded, and what the slots of the task say."""

    task: str
    deeds: tuple[_Deed, ...]
    slots: tuple[str, ...]

    @property
    def operators(self) -> tuple[str, ...]:
        return tuple(deed.operator for deed in self.deeds)


def learn_goals(
    lessons: Sequence[Lesson], places: Places, operators: Sequence[Operator]
) -> list[Goal]:
    """Learn what each wording demands: what is done with what it names, and serves nothing else.

    Args:
        lessons: The demonstrations.
        places: How places are known.
        operators: What can be done.
    """
    known = {operator.text: operator for operator in operators}
    wanted = _wanted(lessons, known)
    groups: dict[str, list[_Shown]] = defaultdict(list)
    for lesson in lessons:
        calls = [
            _Deed(call.operator, call.arguments, scene.titles.get(scene.here, ""))
            for scene, call, _ in walk(lesson, places)
        ]
        task = lesson.task.replace("\n", " ")
        deeds = [deed for deed in _last(calls, known) if deed.operator in wanted]
        wording, slots = _masked(task, deeds)
        groups[wording].append(_Shown(task, tuple(deeds), slots))
    wordings: dict[Goal, list[str]] = defaultdict(list)
    for wording, shown in sorted(groups.items()):
        if len(shown) < _LEAST and _read_elsewhere(wording, shown, groups):
            continue
        usual = Counter(each.operators for each in shown)
        most = max(usual, key=lambda sequence: (usual[sequence], sequence))
        if most:
            goal = _common([each for each in shown if each.operators == most], known)
            wordings[goal].append(wording)
    return [Goal(tuple(same), goal.variables, goal.wants) for goal, same in wordings.items()]


def _read_elsewhere(
    wording: str, shown: Sequence[_Shown], groups: Mapping[str, Sequence[_Shown]]
) -> bool:
    """Whether a wording of more demonstrations reads the tasks of this one, and the same things."""
    others = [Template(w) for w in groups if w != wording and len(groups[w]) > len(shown)]
    read = ([(each.slots, other.read(each.task)) for each in shown] for other in others)
    return any(
        all(values is not None and set(slots) <= set(values) for slots, values in each)
        for each in read
    )


def _wanted(lessons: Sequence[Lesson], operators: Mapping[str, Operator]) -> set[str]:
    """Return the operators that a task may demand.

    They act on what the task names; on no more than the place, only if they end a demonstration.
    """
    uses: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for lesson in lessons:
        for text, arguments, _ in lesson.calls:
            uses[text] += 1
            named[text] += any(_said(name, lesson.task) for name in arguments)
    last = {lesson.calls[-1][0] for lesson in lessons if lesson.calls}
    return {
        text
        for text, operator in operators.items()
        if named[text] > _NAMED * uses[text]
        and (text in last or not all(each.at for each in operator.parameters))
    }


def _said(name: str, task: str) -> str:
    """Return what a task says of a thing: its name, else its kind; empty if neither."""
    return next((word for word in (name, kind_of(name)) if occurs(word, task)), "")


def _masked(task: str, deeds: Sequence[_Deed]) -> tuple[str, tuple[str, ...]]:
    """Return a task with slots for what it says of things and places, and what these hold."""
    names = (name for deed in deeds for name in (*deed.arguments, deed.place) if name)
    words = {_said(name, task) for name in names} - {""}
    spans: list[tuple[int, int]] = []
    for word in sorted(words, key=lambda word: (-len(word), word)):
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", task):
            if all(match.end() <= begin or match.start() >= end for begin, end in spans):
                spans.append(match.span())
    out, at = "", 0
    slots: list[str] = []
    for begin, end in sorted(spans):
        if task[begin:end] not in slots:
            slots.append(task[begin:end])
        out += literal_text(task[at:begin]) + f"{{{slots.index(task[begin:end]) + 1}}}"
        at = end
    return out + literal_text(task[at:]), tuple(slots)


def _last(deeds: Sequence[_Deed], operators: Mapping[str, Operator]) -> list[_Deed]:
    """Leave out what a later deed with the same thing needs: the planner does it anyway."""
    out: list[_Deed] = []
    for number, deed in enumerate(deeds):
        own = {Deed(deed.operator, i): name for i, name in enumerate(deed.arguments)}
        needed = (
            need in own and own[need] == name
            for later in deeds[number + 1 :]
            if later.operator in operators
            for parameter, name in zip(
                operators[later.operator].parameters, later.arguments, strict=True
            )
            for need in parameter.needs
        )
        if not any(needed):
            out.append(deed)
    return out


def _common(shown: Sequence[_Shown], operators: Mapping[str, Operator]) -> Goal:
    """Return what demonstrations of one wording have in common: what is equal in all of them."""
    columns: list[tuple[str, ...]] = []
    variables: list[Variable] = []
    wants: list[Want] = []
    for number, text in enumerate(shown[0].operators):
        mine: list[int] = []
        for index in range(len(operators[text].parameters)):
            column = tuple(each.deeds[number].arguments[index] for each in shown)
            if column not in columns:
                columns.append(column)
                variables.append(_variable(column, shown))
            mine.append(columns.index(column))
        place = ""
        if not any(parameter.at for parameter in operators[text].parameters):
            titles = tuple(each.deeds[number].place for each in shown)
            place = _variable(titles, shown).slot if all(titles) else ""
        wants.append(Want(text, tuple(mine), place))
    used = sorted({number for want in wants for number in want.variables})
    wants = [Want(w.operator, tuple(map(used.index, w.variables)), w.place) for w in wants]
    return Goal((), tuple(variables[number] for number in used), tuple(wants))


def _variable(column: Sequence[str], shown: Sequence[_Shown]) -> Variable:
    """Return the slot that says the things of a column, if one does."""
    for slot in range(max(len(each.slots) for each in shown)):
        said = [each.slots[slot] if slot < len(each.slots) else "" for each in shown]
        whole = sum(a == b for a, b in zip(column, said, strict=True))
        kinds = sum(b in (a, kind_of(a)) for a, b in zip(column, said, strict=True))
        if kinds >= _MOSTLY * len(shown):
            if whole >= _MOSTLY * len(shown):
                return Variable(str(slot + 1), whole=True)
            return Variable(str(slot + 1), longest=max(len(words_of(word)) for word in said))
    return Variable()
