"""Checks of names in a program that plans: operators, lines, fields, slots of the task.

A wrong name raises no error in play: its deed is just never done.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from ...common.errors import DanglingReferenceError, SchemaError
from ...episodes.mentions import Mention
from ...episodes.templates import Template
from ..planning.places import Places
from ..planning.planner import Planner
from ..vocabulary import Vocabulary
from .node import Node
from .planner_documents import read_operator

_SLOT = re.compile(r"\{(\w+)\}")


def check_references(
    document: Node,
    planner: Planner,
    places: Places,
    lines: Collection[Template],
    mentions: Collection[Mention],
) -> None:
    """Check the names in the parts of a program that plans.

    Args:
        document: Document of the program.
        planner: Its operators and goals.
        places: Its places.
        lines: Templates of results.
        mentions: Readers of names in running text.

    Raises:
        SchemaError: Two operators have one id or one text.
        DanglingReferenceError: A name refers to nothing.
    """
    operator_texts = [each.text for each in planner.operators]
    vocabulary = Vocabulary.of(lines, mentions, {*operator_texts, *places.moves})
    _check_operators(document["operators"], operator_texts, vocabulary)
    _check_goals(document["goals"], operator_texts)
    _check_places(document["places"], places, vocabulary)
    for node, mention in zip(document.get("names").items(), mentions, strict=True):
        _check_operator(mention.operator, vocabulary.operators, node["of"])


# ---------------------------------------------------------------------------- operators
def _check_operators(
    operators: Node, operator_texts: Collection[str], vocabulary: Vocabulary
) -> None:
    ids = [node["id"].text() for node in operators.items()]
    for number, (node, text) in enumerate(zip(operators.items(), operator_texts, strict=True)):
        if ids[number] in ids[:number]:
            problem = f"another operator is called {ids[number]!r} already"
            raise SchemaError(problem, path=node["id"].path, hint="give it an id of its own")
        if text in [*operator_texts][:number]:
            problem = f"another operator does {text!r} already"
            raise SchemaError(problem, path=node["do"].path, hint="put the two into one")
        _check_lines(node.get("answers"), vocabulary)
        arguments = node.get("arguments", {})
        for name in arguments.value:
            if name not in map(str, range(1, text.count("{}") + 1)):
                hint = "put it there, or remove what is said of it"
                problem = f"{node['do'].text()!r} has no argument {{{name}}}"
                raise DanglingReferenceError(problem, path=arguments[name].path, hint=hint)
            _check_argument(arguments[name], operator_texts, vocabulary)


def _check_argument(
    argument: Node, operator_texts: Collection[str], vocabulary: Vocabulary
) -> None:
    for deed in (*argument.get("needs").items(), *argument.get("after").items()):
        _check_operator(read_operator(deed.text())[0], operator_texts, deed)
    for state in (*argument.get("told").items(), *argument.get("unless").items()):
        _check_line(
            state["line"], {each: state["where"][each] for each in state["where"].value}, vocabulary
        )
        if "then" in state.value:
            _check_operator(state["then"].text(), operator_texts, state["then"])
            if state["then"].text().count("{}") != 1:
                problem = "should be an operator with one argument, the thing"
                raise SchemaError(problem, path=state["then"].path)


def _check_operator(operator: str, operator_texts: Iterable[str], node: Node) -> None:
    if operator not in operator_texts:
        problem = f"no operator does {operator!r}"
        hint = f"there are {', '.join(map(repr, sorted(operator_texts)))}"
        raise DanglingReferenceError(problem, path=node.path, hint=hint)


def _check_lines(lines: Node, vocabulary: Vocabulary) -> None:
    for line in lines.items():
        _check_line(line, {}, vocabulary)


def _check_line(line: Node, fields: Mapping[str, Node], vocabulary: Vocabulary) -> None:
    if fault := vocabulary.kind_fault(line.text()):
        hint = "spell it as it stands under lines, or add it there"
        raise DanglingReferenceError(fault, path=line.path, hint=hint)
    for name, node in fields.items():
        if fault := vocabulary.field_fault(line.text(), name):
            field_names = ", ".join(
                f"{{{each}}}" for each in sorted(vocabulary.fields[line.text()])
            )
            hint = f"it has {field_names}" if field_names else "it has none"
            raise DanglingReferenceError(fault, path=node.path, hint=hint)


# ---------------------------------------------------------------------------- goals
def _check_goals(goals: Node, operator_texts: Collection[str]) -> None:
    for goal in goals.items():
        for want in goal["do"].items():
            text = want if isinstance(want.value, str) else want["do"]
            _check_operator(read_operator(text.text())[0], operator_texts, text)
        for wording in goal["asked"].items():
            if not wording.text().strip():
                problem, hint = "is empty", "write how the task is asked, such as 'Greet {1}.'"
                raise SchemaError(problem, path=wording.path, hint=hint)
            slots = Template(wording.text()).slots
            for slot, node in _slots_used(goal):
                if slot not in slots:
                    problem = f"{wording.text()!r} has no slot {{{slot}}}"
                    hint = f"'{'.'.join(map(str, node.path))}' wants it: add it, or change that"
                    raise DanglingReferenceError(problem, path=wording.path, hint=hint)


def _slots_used(goal: Node) -> Iterator[tuple[str, Node]]:
    """Yield the slots of the task that a goal uses, each with its node."""
    things = goal.get("things", {})
    places = (want["at"] for want in goal["do"].items() if not isinstance(want.value, str))
    for node in (*(things[letter] for letter in things.value), *places):
        for slot in _SLOT.findall(node.text()):
            yield slot, node


# ---------------------------------------------------------------------------- places
def _check_places(node: Node, places: Places, vocabulary: Vocabulary) -> None:
    for move, text in zip(node["moves"].items(), places.moves, strict=True):
        if text.count("{}") != 1:
            problem = "should have {} once, for where it leads or with what"
            raise SchemaError(problem, path=move.path)
    for operator in node["told_by"].items():
        _check_operator(operator.text(), vocabulary.operators, operator)
    for one, other in places.back.items():
        for action in (one, other):
            if not any(_is_done_by(action, move) for move in places.moves):
                problem = f"{action!r} is none of the moves"
                hint = f"they are {', '.join(map(repr, places.moves))}"
                raise DanglingReferenceError(problem, path=node["back"][one].path, hint=hint)
    _check_lines(node.get("heads"), vocabulary)
    for each in (*node.get("ways").items(), *node.get("names").items()):
        _check_line(each["line"], {each["take"].field(): each["take"]}, vocabulary)


def _is_done_by(action: str, move: str) -> bool:
    before, _, behind = move.partition("{}")
    return action.startswith(before) and action.endswith(behind)
