"""What a person accepts of a program: for each call the tool, where its values come from, when."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from ..naming import named_sources
from ..program import Program, Step
from ..sources import Source
from .sources import source_document
from .steps import step_document

__all__ = ["flow_marks"]

_ONLY_RESTRICTS = frozenset(("rivals", "steady", "needs", "provided", "sizes", "commit", "id"))
"""Keys by which a program leaves more to the model, and never does anything else."""


def flow_marks(program: Program) -> dict[str, str]:
    """Return step → mark of its call; another mark where the call is another one.

    It covers which tool is called, from where each argument comes, and the step's guard. What was
    shown there is no part of it: who accepts a flow lets the model's own decisions say in which
    situations it is right.
    """
    names: Mapping[Source, str] = {s: f"p{n}" for n, s in enumerate(named_sources(program))}
    return {step.id: _mark(step, names) for step in program.steps if step.form and step.form.tool}


def _mark(step: Step, names: Mapping[Source, str]) -> str:
    own = {source: f"p{number}" for number, source in enumerate(dict.fromkeys(step.sources))}
    free = {source: f"q{number}" for source, number in zip(names, range(len(names)), strict=True)}
    inner = {**free, **own}
    told = {
        "step": step_document(step, inner),
        "sources": [source_document(source, inner) for source in own],
    }
    text = re.sub(r"\bq\d+\b", "q", json.dumps(_bare(told), sort_keys=True))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _bare(each) for key, each in value.items() if key not in _ONLY_RESTRICTS}
    if isinstance(value, list):
        return [_bare(each) for each in value]
    return value
