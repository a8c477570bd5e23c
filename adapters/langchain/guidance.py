"""How programs are shown to a model: as marked data, never as instructions."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Any

from ...procedures.checks.instructing import instructions_in, texts_in
from ...procedures.episodes.history import TASK
from ...procedures.episodes.tokens import magnitude, tokens
from ...procedures.programs.call_forms import argument_tree
from ...procedures.programs.documents import ProgramFile
from ...procedures.programs.program_conditions import TaskSlot

LONGEST = 6_000
"""Most characters of all programs that a model is shown at once."""
_CACHE_SIZE = 1024
"""Programs, and texts, whose parts are remembered; no answer depends on it."""
_LOG = logging.getLogger(__name__)
Renamed = Callable[[str, Mapping[str, Any]], Mapping[str, str]]


@lru_cache(maxsize=1)
def _template() -> Template:
    return Template((files(__package__) / "guidance.txt").read_text(encoding="utf-8").strip())


def shown(file: ProgramFile, task: str = "", renamed: Renamed | None = None) -> dict[str, Any]:
    """Return what a model is shown of a program: its goal and its calls.

    What tools answered (boxes, lines) is left out: it may hold anything.

    Args:
        file: The program.
        task: Values that it says are shown as well.
        renamed: From a tool and a call's arguments to the names that they probably have now.
    """
    calls: list[dict[str, Any]] = []
    for tool, args in _calls(_IdentityKey(file)):
        calls.append({"tool": tool, "args": args})
        new_names = renamed(tool, args) if renamed is not None else {}
        if new_names:
            calls[-1]["arguments_now"] = dict(new_names)
    document: dict[str, Any] = {"goal": file.goal, "calls": calls}
    if values := values_said(file, task):
        document["values"] = values
    return document


class _IdentityKey:
    """A program as a key: itself and no other, for its parts are many to compare."""

    def __init__(self, file: ProgramFile) -> None:
        self.file = file

    def __hash__(self) -> int:
        return id(self.file)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and self.file is other.file


@lru_cache(maxsize=_CACHE_SIZE)
def _calls(key: _IdentityKey) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return the tools that a program calls, each with its arguments."""
    steps = key.file.to_document().get("steps", ())  # what plans has none
    return tuple(
        (step["tool"], argument_tree(step.get("with", {}).items()))
        for step in steps
        if "tool" in step
    )


@lru_cache(maxsize=_CACHE_SIZE)
def _slots(key: _IdentityKey) -> Mapping[str, str]:
    """Return the slots of the task that a program reads, with the names of their parameters."""
    return {s.slot: name for s, name in key.file.all_names().items() if isinstance(s, TaskSlot)}


@lru_cache(maxsize=_CACHE_SIZE)
def _instruction(text: str) -> tuple[str, str] | None:
    return next(instructions_in(text), None)


def is_harmless(document: Mapping[str, Any], name: str) -> bool:
    """Whether no text that a model would be shown tries to instruct it; what does is logged.

    Goals and calls were learned from what users, pages and tools said, or come from a library of
    somebody else.

    Args:
        document: What would be shown.
        name: Of what, for the log.
    """
    for _, text in texts_in(document):
        if (instruction := _instruction(text)) is not None:
            what, words = instruction
            _LOG.warning("%s is not shown to the model: a text in it %s (%r)", name, what, words)
            return False
    return True


def values_said(file: ProgramFile, task: str) -> dict[str, str]:
    """Return the parameters that a task says: where a wording reads it, or without a doubt.

    A size counts if it is the only one of its type in the task, and one parameter's alone.
    """
    value_by_slot = file.begin(task, "").asked.fields
    sources = _slots(_IdentityKey(file))
    if value_by_slot:
        return {
            name: value_by_slot[slot] for slot, name in sources.items() if slot in value_by_slot
        }
    types: dict[str, set[str]] = defaultdict(set)
    for step in file.program.steps:
        for slot in sources:
            span = step.box.ranges.get((TASK, slot))
            for type_ in span.hulls if span else ():
                types[type_].add(slot)
    words: dict[str, list[str]] = defaultdict(list)
    for word in tokens(task):
        if (size := magnitude(word)) is not None:
            words[size[0]].append(word)
    return {
        sources[next(iter(slots))]: words[type_][0]
        for type_, slots in types.items()
        if len(slots) == len(words[type_]) == 1
    }


def guidance(
    programs: Sequence[ProgramFile], task: str = "", renamed: Renamed | None = None
) -> str | None:
    """Return the text that shows programs to a model, nearest first, or None without any.

    What does not fit into the room for them all, or tries to instruct, is left out; see
    :func:`shown` and :func:`is_harmless`.
    """
    lines: list[str] = []
    size = 0
    for file in programs:
        # The closing mark cannot occur inside: JSON escapes the signs it is made of.
        document = shown(file, task, renamed)
        line = json.dumps(document, ensure_ascii=False).replace(">", "\\u003e")
        if size + len(line) > LONGEST or not is_harmless(document, file.ref):
            continue
        size += len(line)
        lines.append(line)
    return _template().substitute(procedures="\n".join(lines)) if lines else None
