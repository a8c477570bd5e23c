"""What a program does, as far as a person accepts it: calls, where values come from, and when."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..naming import named_sources
from ..sources import Source
from .sources import source_document
from .steps import step_document

if TYPE_CHECKING:
    from .program_file import ProgramFile

__all__ = ["acts_mark"]

_ONLY_RESTRICTS = frozenset(
    ("rivals", "always", "steady", "needs", "provided", "sizes", "commit", "known")
)
"""Keys by which a program leaves more to the model, and never does anything else."""


def acts_mark(file: ProgramFile) -> str:
    """Return a mark of what a program does; another one where it does something else.

    It covers the steps in their order: which tool is called, from where each argument comes, and
    when. What an answer says, how things are called, and what was shown are no part of it: who
    accepts a flow lets the model's own decisions say in which situations it is right.
    """
    program = file.program
    names: Mapping[Source, str] = {s: f"p{n}" for n, s in enumerate(named_sources(program))}
    steps = []
    for step in program.steps:
        document = step_document(step, names)
        if "say" in document:
            document = {"when": document.get("when", [])}
        steps.append(document)
    used = {s: name for s, name in names.items() if f"{{{name}}}" in json.dumps(steps)}
    sources = {name: source_document(source, names) for source, name in used.items()}
    text = json.dumps(_bare({"steps": steps, "sources": sources}), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _bare(each) for key, each in value.items() if key not in _ONLY_RESTRICTS}
    if isinstance(value, list):
        return [_bare(each) for each in value]
    return value
