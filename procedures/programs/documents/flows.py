"""Flows: the calls of a program as a person accepts them, with tool, sources and guards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...common.errors import ConditionError
from ..notation import condition_text
from ..notation_reading import read_condition
from ..parameter_names import named_sources
from ..program import Program, ProgramStep
from ..program_conditions import OneOf
from ..sources import Source
from .node import Node
from .source_documents import source_document
from .step_documents import step_document

_ONLY_RESTRICTS = frozenset(
    ("rivals", "known", "steady", "some", "needs", "provided", "sizes", "commit", "id")
)
"""Keys that only restrict a program: it hands over more, and does nothing else."""
_LIMITS = (
    *("goal", "wordings", "lines", "names", "known", "any_order", "boxes"),
    *("under", "types", "lists", "shared", "prose", "keyed", "classes", "words"),
    *("unfinished", "beside", "idle"),
)
"""Keys of a program that say which tasks and results it takes for those that were shown."""
_DIGITS = 12
"""Hexadecimal digits of a mark: enough that no two calls of a library share one by chance."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A call of a program, as a person accepts it.

    Attributes:
        call: Mark of the tool and of where each argument comes from.
        when: Lists of conditions, as texts; the call is made where all of one list hold. None: it
            is made wherever it can be.
    """

    call: str
    when: tuple[tuple[str, ...], ...] = ()

    def covers(self, other: Flow) -> bool:
        """Whether another flow is the same call, made only in situations of this one."""
        if self.call != other.call:
            return False
        return not self.when or (
            bool(other.when)
            and all(any(_implies(new, old) for old in self.when) for new in other.when)
        )


def flows(program: Program) -> dict[str, Flow]:
    """Return step → flow of its call.

    Boxes are no part of a flow: within the accepted guard the model's decisions say in which
    situations the call is right. What a person writes into them is another thing:
    :func:`limits_mark`.
    """
    names = {s: f"p{number}" for number, s in enumerate(named_sources(program))}
    return {step.id: _flow(step, names) for step in program.steps if step.form and step.form.tool}


def limits_mark(document: Mapping[str, Any]) -> str:
    """Return the mark of all that keeps a program from acting, beside the guards of its calls.

    Flows say what is called and for which reason. What restricts them was seen by the person who
    accepted them, too: a wider limit is another program.

    Args:
        document: The program as plain data, its parameters named in order of first use.
    """
    limits = {
        **{key: document[key] for key in _LIMITS if key in document},
        "parameters": _restrictions(document.get("parameters", {})),
        "steps": [
            {"id": step["id"], "limits": _restrictions(step)} for step in document.get("steps", ())
        ],
    }
    return _mark(json.dumps(limits, sort_keys=True))


def flow_document(flow: Flow) -> dict[str, Any]:
    """Return a flow as plain data."""
    when: list[Any] = [list(each) for each in flow.when]
    return {"call": flow.call} | ({"when": when[0] if len(when) == 1 else when} if when else {})


def read_flow(node: Node) -> Flow:
    """Read a flow.

    Raises:
        SchemaError: It is none.
    """
    guards = list(node.get("when").items())
    lists = all(isinstance(each.value, list) for each in guards)
    when = [each.texts() for each in guards] if lists else [node.get("when").texts()]
    return Flow(node["call"].text(), tuple(when))


def _flow(step: ProgramStep, names: Mapping[Source, str]) -> Flow:
    own_names = {source: f"p{number}" for number, source in enumerate(dict.fromkeys(step.sources))}
    other_names = dict.fromkeys(names, "q")
    all_names = {**other_names, **own_names}
    document = {
        "step": step_document(replace(step, guards=()), all_names),
        "sources": [source_document(source, all_names) for source in own_names],
    }
    call = _mark(json.dumps(_without_restrictions(document), sort_keys=True))
    mark_by_source = {
        s: f"p{_mark(json.dumps(source_document(s, names), sort_keys=True))}" for s in names
    }
    when = (
        tuple(condition_text(each, mark_by_source) for each in guard.when) for guard in step.guards
    )
    return Flow(call, tuple(when))


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def _implies(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    return all(any(each == other or _is_part(each, other) for each in new) for other in old)


def _is_part(new: str, old: str) -> bool:
    """Whether a condition allows a part of the values of another one."""
    try:
        one, other = read_condition(new), read_condition(old)
    except ConditionError:  # it names a source, so that only equal texts agree
        return False
    if not isinstance(one, OneOf) or not isinstance(other, OneOf):
        return False
    return one.term == other.term and set(one.values) <= set(other.values)


def _without_restrictions(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: _without_restrictions(each)
            for key, each in value.items()
            if key not in _ONLY_RESTRICTS
        }
    if isinstance(value, list):
        return [_without_restrictions(each) for each in value]
    return value


def _restrictions(value: Any) -> Any:
    """Return the parts of a document that only restrict, each at its place."""
    if isinstance(value, Mapping):
        parts = {
            key: each if key in _ONLY_RESTRICTS and key != "id" else _restrictions(each)
            for key, each in value.items()
        }
        return {key: each for key, each in parts.items() if each not in (None, [], {})}
    if isinstance(value, list):
        return [_restrictions(each) for each in value]
    return None
