"""How procedures are shown to a model: as marked data, never as instructions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Any

from ...procedures.model import Procedure
from ...procedures.model_documents import thaw
from ...procedures.tooling.values import kind_of, tokenise

__all__ = ["certain_values", "guidance", "shown"]

_LONGEST = 6_000
_WRITTEN = {
    **{kind: kind for kind in ("integer", "number", "date", "email", "url", "path", "code")},
    "count": "integer",
    "zero": "integer",
    "amount": "number",
}
"""Kind of a parameter → kind of the word that says it, of those that a task has few of."""
Renamed = Callable[[str, Mapping[str, Any]], Mapping[str, str]]


@lru_cache(maxsize=1)
def _template() -> Template:
    return Template((files(__package__) / "guidance.txt").read_text(encoding="utf-8").strip())


def shown(procedure: Procedure, task: str = "", renamed: Renamed | None = None) -> dict[str, Any]:
    """Return what a model is shown of a procedure: its goal and its calls.

    What tools answered (expectations, guards) is left out: it may hold anything.

    Args:
        procedure: The procedure.
        task: Values that it says with certainty are shown as well.
        renamed: From a tool and a call's arguments to the names that they probably have now.
    """
    calls: list[dict[str, Any]] = []
    for step in procedure.steps:
        if step.tool is not None:
            calls.append({"tool": step.tool, "args": thaw(step.args)})
            now = renamed(step.tool, step.args) if renamed is not None else {}
            if now:
                calls[-1]["arguments_now"] = dict(now)
    told: dict[str, Any] = {"goal": procedure.goal, "calls": calls}
    if values := certain_values(procedure, task):
        told["values"] = values
    return told


def certain_values(procedure: Procedure, task: str) -> dict[str, str]:
    """Return parameters whose values a task says in any words, without a doubt.

    A value counts if it is the only one of its kind in the task, and no other parameter is of
    that kind: the one figure, the one date, the one address. Words may be anything.
    """
    wanted = {
        name: kinds
        for name, parameter in procedure.parameters.items()
        if parameter.source == "task"
        and (kinds := {_WRITTEN[kind] for kind in parameter.kinds if kind in _WRITTEN})
    }
    words = [token.text for token in tokenise(task)]
    found: dict[str, str] = {}
    for name, kinds in wanted.items():
        fitting = [word for word in words if kind_of(word) in kinds]
        rivals = [other for other in wanted if other != name and wanted[other] & kinds]
        if len(fitting) == 1 and not rivals:
            found[name] = fitting[0]
    return found


def guidance(
    procedures: Sequence[Procedure], task: str = "", renamed: Renamed | None = None
) -> str | None:
    """Return the text that shows procedures to a model, nearest first, or None without any.

    See :func:`shown`.
    """
    lines: list[str] = []
    size = 0
    for procedure in procedures:
        # The closing mark cannot occur inside: JSON escapes the signs it is made of.
        told = shown(procedure, task, renamed)
        line = json.dumps(told, ensure_ascii=False).replace(">", "\\u003e")
        size += len(line)
        if size > _LONGEST:
            break
        lines.append(line)
    return _template().substitute(procedures="\n".join(lines)) if lines else None
