"""Operators and goals of a program that plans, as plain data.

Things of a goal have letters. In the needs of a thing ``{it}`` stands for the thing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import Any

from ...common.errors import SchemaError
from ..planning.goals import Goal, Variable, Want
from ..planning.operators import Deed, Operator, OperatorParameter, State
from ..planning.planner import Planner
from .node import Node, filled

_HOLE = re.compile(r"\{\{|\}\}|\{(\w*)\}")
_SLOT = re.compile(r"(kind of )?\{(\w+)\}(?: in (\d+) words)?")
_IT = "it"
_ANY = "any"


def planner_document(planner: Planner) -> dict[str, Any]:
    """Return operators and goals as plain data."""
    return {
        "operators": [_operator_document(each) for each in planner.operators],
        "goals": [_goal_document(each) for each in planner.goals],
    }


def read_planner(document: Node) -> Planner:
    """Read operators and goals; :mod:`.references` checks whether they fit together.

    Raises:
        SchemaError: A goal demands a deed with things that it does not name.
    """
    operators = tuple(_read_operator_document(each) for each in document["operators"].items())
    goals = tuple(_read_goal(each) for each in document["goals"].items())
    return Planner(operators, goals)


def _text_with_names(text: str, names: Sequence[str]) -> str:
    """Return an operator's text with names in its holes."""
    remaining_names = iter(names)
    return _HOLE.sub(lambda m: m[0] if m[1] is None else f"{{{next(remaining_names)}}}", text)


def read_operator(text: str) -> tuple[str, list[str]]:
    """Return an operator's text with ``{}`` in its holes, and the names that stood in them."""
    names = [m[1] for m in _HOLE.finditer(text) if m[1] is not None]
    return _HOLE.sub(lambda m: m[0] if m[1] is None else "{}", text), names


# ---------------------------------------------------------------------------- operators
def _operator_document(operator: Operator) -> dict[str, Any]:
    numbers = [str(n) for n in range(1, len(operator.parameters) + 1)]
    arguments = dict(zip(numbers, map(_parameter_document, operator.parameters), strict=True))
    document = {"id": operator.id, "do": _text_with_names(operator.text, numbers)}
    return document | filled(
        {
            "reveals": operator.reveals,
            "enables": operator.enables,
            "answers": sorted(operator.answers),
            "arguments": filled(arguments),
        }
    )


def _parameter_document(parameter: OperatorParameter) -> dict[str, Any]:
    document = {
        "at": parameter.at,
        "here": parameter.here,
        "needs": [_deed_text(each) for each in parameter.needs],
        "after": [_deed_text(each) for each in sorted(parameter.after - {*parameter.needs})],
        "told": [_state_document(each) for each in sorted(parameter.states)],
        "unless": [
            {**_state_document(state), "then": by} for state, by in sorted(parameter.mends.items())
        ],
        "kinds": dict(parameter.kinds),
    }
    return filled(document)


def _deed_text(deed: Deed) -> str:
    holes = read_operator(deed.operator)[1]
    return _text_with_names(
        deed.operator, [_IT if n == deed.index else "" for n in range(len(holes))]
    )


def _state_document(state: State) -> dict[str, Any]:
    return {"line": state.kind, "where": {state.field: f"{{{_IT}}}", **dict(state.fixed)}}


def _read_operator_document(node: Node) -> Operator:
    text, numbers = read_operator(node["do"].text())
    if numbers != [str(n) for n in range(1, len(numbers) + 1)]:
        raise SchemaError("arguments should be numbered: {1}, {2}, …", path=node["do"].path)
    arguments = node.get("arguments", {})
    parameters = tuple(_read_parameter(arguments.get(number, {})) for number in numbers)
    return Operator(
        node["id"].text(),
        text,
        parameters,
        reveals=node.flag("reveals"),
        enables=node.flag("enables"),
        answers=frozenset(node.get("answers").texts()),
    )


def _read_parameter(node: Node) -> OperatorParameter:
    needs = tuple(_read_deed(each) for each in node.get("needs").items())
    return OperatorParameter(
        at=node.flag("at"),
        here=node.flag("here"),
        needs=needs,
        after=frozenset(needs).union(_read_deed(each) for each in node.get("after").items()),
        states=frozenset(_read_state(each) for each in node.get("told").items()),
        mends={_read_state(each): each["then"].text() for each in node.get("unless").items()},
        kinds=dict(node.get("kinds", {}).value),
    )


def _read_deed(node: Node) -> Deed:
    text, names = read_operator(node.text())
    if names.count(_IT) != 1:
        raise SchemaError("should have {it} once, for the thing", path=node.path)
    return Deed(text, names.index(_IT))


def _read_state(node: Node) -> State:
    where = {key: node["where"][key].text() for key in node["where"].value}
    fields = [key for key, value in where.items() if value == f"{{{_IT}}}"]
    if len(fields) != 1:
        raise SchemaError("should have {it} once, for the thing", path=node["where"].path)
    fixed = ((key, value) for key, value in sorted(where.items()) if key != fields[0])
    return State(node["line"].text(), fields[0], tuple(fixed))


# ---------------------------------------------------------------------------- goals
def _goal_document(goal: Goal) -> dict[str, Any]:
    letters = [name for name, _ in zip(_letters(), goal.variables, strict=False)]
    return {
        "asked": list(goal.wordings),
        "things": dict(zip(letters, map(_variable_text, goal.variables), strict=True)),
        "do": [_want_document(each, letters) for each in goal.wants],
    }


def _letters() -> Iterator[str]:
    return map(
        "".join, itertools.chain(*(itertools.product(ascii_lowercase, repeat=n) for n in (1, 2)))
    )


def _variable_text(variable: Variable) -> str:
    if not variable.slot:
        return _ANY
    if variable.whole:
        return f"{{{variable.slot}}}"
    words = f" in {variable.longest} words" if variable.longest > 1 else ""
    return f"kind of {{{variable.slot}}}{words}"


def _want_document(want: Want, letters: Sequence[str]) -> str | dict[str, Any]:
    text = _text_with_names(want.operator, [letters[number] for number in want.variables])
    return {"do": text, "at": f"{{{want.place}}}"} if want.place else text


def _read_goal(node: Node) -> Goal:
    things = node.get("things", {})
    letters = list(things.value)
    return Goal(
        node["asked"].texts(),
        tuple(_read_variable(things[letter]) for letter in letters),
        tuple(_read_want(each, letters) for each in node["do"].items()),
    )


def _read_variable(node: Node) -> Variable:
    text = node.text()
    if text == _ANY:
        return Variable()
    match = _SLOT.fullmatch(text)
    if match is None:
        raise SchemaError("should be any, {1} or kind of {1}", path=node.path)
    kind, slot, words = match.groups()
    return Variable(slot, whole=True) if kind is None else Variable(slot, longest=int(words or 1))


def _read_want(node: Node, letters: Sequence[str]) -> Want:
    plain = isinstance(node.value, str)
    text, names = read_operator(node.text() if plain else node["do"].text())
    unknown = [name for name in names if name not in letters]
    if unknown:
        raise SchemaError(f"no thing is called {{{unknown[0]}}}", path=node.path)
    place = "" if plain else node["at"].text().strip("{}")
    return Want(text, tuple(map(letters.index, names)), place)
