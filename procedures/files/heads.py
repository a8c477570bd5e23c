"""Heads of documents: what lists and indexes need of each, without making the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..library.document_kinds import KINDS, Versioned
from ..model.procedure import MetaProcedure
from ..programs.documents import ProgramFile


class Head(NamedTuple):
    """The fields of a document that a list, an index and a register of programs need.

    Attributes:
        version: Its version.
        status: Its status.
        goal: Its goal; empty where it has several.
        purpose: What it is for, as people read it.
        wordings: Other texts of its goal.
        calls_tools: Whether it is a program that calls tools.
        runs: Demonstrations in which it was shown; of programs.
    """

    version: int
    status: str
    goal: str
    purpose: str
    wordings: tuple[str, ...] = ()
    calls_tools: bool = False
    runs: int = 0

    @classmethod
    def of(cls, item: Versioned) -> Head:
        """Return that of a document."""
        if isinstance(item, ProgramFile):
            wordings = tuple(each.text for each in item.wordings[1:])
            calls_tools = item.tools is not None
            return cls(
                item.version, item.status, item.goal, item.purpose, wordings, calls_tools, item.runs
            )
        wordings = () if isinstance(item, MetaProcedure) else item.wordings
        return cls(item.version, item.status, item.goal, item.goal, wordings)

    @classmethod
    def read(cls, kind: str, data: Mapping[str, Any]) -> Head | None:
        """Read that of a document that has been checked; None where only the document tells it.

        Args:
            kind: Its kind.
            data: It, as plain data.
        """
        if kind not in KINDS or "goal" not in data or "goals" in data:
            return None
        version, status = data["version"], data.get("status", KINDS[kind].status)
        goal, *wordings = map(_text, (data["goal"], *data.get("wordings", ())))
        steps = data.get("steps", ()) if kind == "program" else ()
        calls_tools = any("tool" in step or "say" in step for step in steps)
        boxes = (data.get("boxes") or {}).values() if kind == "program" else ()
        runs = max((box.get("runs", 0) for box in boxes), default=0)
        return cls(version, status, goal, goal, tuple(wordings), calls_tools, runs)


def _text(template: str | Mapping[str, Any]) -> str:
    return template if isinstance(template, str) else str(template["line"])
