"""How procedures are shown to a model: as marked data, never as instructions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Any

from ...procedures.model import Procedure
from ...procedures.model_documents import thaw

__all__ = ["guidance", "shown"]

_LONGEST = 6_000


@lru_cache(maxsize=1)
def _template() -> Template:
    return Template((files(__package__) / "guidance.txt").read_text(encoding="utf-8").strip())


def shown(procedure: Procedure) -> dict[str, Any]:
    """Return what a model is shown of a procedure: its goal and its calls.

    What tools answered (expectations, guards) is left out: it may hold anything.
    """
    calls = [
        {"tool": step.tool, "args": thaw(step.args)}
        for step in procedure.steps
        if step.tool is not None
    ]
    return {"goal": procedure.goal, "calls": calls}


def guidance(procedures: Sequence[Procedure]) -> str | None:
    """Return the text that shows procedures to a model, or None without any."""
    lines: list[str] = []
    size = 0
    for procedure in procedures:
        # The closing mark cannot occur inside: JSON escapes the signs it is made of.
        line = json.dumps(shown(procedure), ensure_ascii=False).replace(">", "\\u003e")
        size += len(line)
        if size > _LONGEST:
            break
        lines.append(line)
    return _template().substitute(procedures="\n".join(lines)) if lines else None
