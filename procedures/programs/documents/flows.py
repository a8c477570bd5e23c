"""What a person accepts of a program: for each call the tool, where its values come from, when."""

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
from ..program import Program, Step
from ..program_conditions import OneOf
from ..sources import Source
from .node import Node
from .source_documents import source_document
from .step_documents import step_document

__all__ = ["Flow", "flow_document", "flows", "read_flow"]

_ONLY_RESTRICTS = frozenset(
    ("rivals", "known", "steady", "some", "needs", "provided", "sizes", "commit", "id")
)
"""Keys by which a program leaves more to the model, and never does anything else."""
_DIGITS = 12
"""Hexadecimal digits of a mark: no two calls of a library have the same one by chance."""


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
        """Whether another flow is the same call, made in no situation in which this is not."""
        if self.call != other.call:
            return False
        return not self.when or (
            bool(other.when)
            and all(any(_implies(new, old) for old in self.when) for new in other.when)
        )


def flows(program: Program) -> dict[str, Flow]:
    """Return step → the call that it makes.

    What was shown there is no part of it: who accepts a flow lets the model's own decisions say in
    which situations it is right, within the guard that was accepted.
    """
    names = {s: f"p{number}" for number, s in enumerate(named_sources(program))}
    return {step.id: _flow(step, names) for step in program.steps if step.form and step.form.tool}


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


def _flow(step: Step, names: Mapping[Source, str]) -> Flow:
    own = {source: f"p{number}" for number, source in enumerate(dict.fromkeys(step.sources))}
    free = dict.fromkeys(names, "q")
    inner = {**free, **own}
    told = {
        "step": step_document(replace(step, guards=()), inner),
        "sources": [source_document(source, inner) for source in own],
    }
    call = _mark(json.dumps(_bare(told), sort_keys=True))
    known = {s: f"p{_mark(json.dumps(source_document(s, names), sort_keys=True))}" for s in names}
    when = (tuple(condition_text(each, known) for each in guard.when) for guard in step.guards)
    return Flow(call, tuple(when))


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def _implies(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    return all(any(each == other or _is_part(each, other) for each in new) for other in old)


def _is_part(new: str, old: str) -> bool:
    """Whether a condition lets pass some of the values that another one does."""
    try:
        one, other = read_condition(new), read_condition(old)
    except ConditionError:  # it names a source of the program: only the same text is the same
        return False
    if not isinstance(one, OneOf) or not isinstance(other, OneOf):
        return False
    return one.term == other.term and set(one.values) <= set(other.values)


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _bare(each) for key, each in value.items() if key not in _ONLY_RESTRICTS}
    if isinstance(value, list):
        return [_bare(each) for each in value]
    return value
