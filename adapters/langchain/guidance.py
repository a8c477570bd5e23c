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
from ...procedures.programs.conditions import TaskSlot
from ...procedures.programs.documents import ProgramFile
from ...procedures.programs.forms import argument_tree

__all__ = ["LONGEST", "guidance", "is_harmless", "shown", "values_said"]

LONGEST = 6_000
"""Most characters of all programs that a model is shown at once."""
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
    document = file.to_document()
    calls: list[dict[str, Any]] = []
    for step in document.get("steps", ()):  # what plans has none
        if "tool" in step:
            args = argument_tree(step.get("with", {}).items())
            calls.append({"tool": step["tool"], "args": args})
            now = renamed(step["tool"], args) if renamed is not None else {}
            if now:
                calls[-1]["arguments_now"] = dict(now)
    told: dict[str, Any] = {"goal": file.goal, "calls": calls}
    if values := values_said(file, task):
        told["values"] = values
    return told


def is_harmless(told: Mapping[str, Any], name: str) -> bool:
    """Whether no text that a model would be shown tries to instruct it; what does is logged.

    Goals and calls were learned from what users, pages and tools said, or come from a library of
    somebody else.

    Args:
        told: What would be shown.
        name: Of what, for the log.
    """
    for _, text in texts_in(told):
        for what, words in instructions_in(text):
            _LOG.warning("%s is not shown to the model: a text in it %s (%r)", name, what, words)
            return False
    return True


def values_said(file: ProgramFile, task: str) -> dict[str, str]:
    """Return the parameters that a task says: where a wording reads it, or without a doubt.

    A size counts if it is the only one of its type in the task, and one parameter's alone.
    """
    asked = file.begin(task, "").asked.fields
    sources = {s.slot: name for s, name in file.all_names().items() if isinstance(s, TaskSlot)}
    if asked:
        return {name: asked[slot] for slot, name in sources.items() if slot in asked}
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
        told = shown(file, task, renamed)
        line = json.dumps(told, ensure_ascii=False).replace(">", "\\u003e")
        if size + len(line) > LONGEST or not is_harmless(told, file.ref):
            continue
        size += len(line)
        lines.append(line)
    return _template().substitute(procedures="\n".join(lines)) if lines else None
