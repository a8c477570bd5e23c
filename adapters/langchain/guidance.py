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

__all__ = ["guidance", "shown"]

_LONGEST = 6_000
Renamed = Callable[[str, Mapping[str, Any]], Mapping[str, str]]


@lru_cache(maxsize=1)
def _template() -> Template:
    return Template((files(__package__) / "guidance.txt").read_text(encoding="utf-8").strip())


def shown(procedure: Procedure, renamed: Renamed | None = None) -> dict[str, Any]:
    """Return what a model is shown of a procedure: its goal and its calls.

    What tools answered (expectations, guards) is left out: it may hold anything.

    Args:
        procedure: What is shown.
        renamed: From a tool and a call's arguments to the names that they probably have now.
    """
    calls: list[dict[str, Any]] = []
    for step in procedure.steps:
        if step.tool is not None:
            calls.append({"tool": step.tool, "args": thaw(step.args)})
            now = renamed(step.tool, step.args) if renamed is not None else {}
            if now:
                calls[-1]["arguments_now"] = dict(now)
    return {"goal": procedure.goal, "calls": calls}


def guidance(procedures: Sequence[Procedure], renamed: Renamed | None = None) -> str | None:
    """Return the text that shows procedures to a model, or None without any; see :func:`shown`."""
    lines: list[str] = []
    size = 0
    for procedure in procedures:
        # The closing mark cannot occur inside: JSON escapes the signs it is made of.
        line = json.dumps(shown(procedure, renamed), ensure_ascii=False).replace(">", "\\u003e")
        size += len(line)
        if size > _LONGEST:
            break
        lines.append(line)
    return _template().substitute(procedures="\n".join(lines)) if lines else None
