"""Tools of businesses that are told by what they are called and take: desks that read or change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import create_model

from .office import Office, Planted

__all__ = ["Desk", "desk_tools", "planted"]


@dataclass(frozen=True)
class Desk:
    """A tool that shows what a task planted.

    Attributes:
        name: Of the tool.
        description: What its schema says.
        takes: Argument → type, in order; the first one names what it is about.
        changes: Whether it changes something; each such call stands in the journal.
    """

    name: str
    description: str
    takes: Mapping[str, type]
    changes: bool = False


def planted(answers: Mapping[tuple[str, str], Any]) -> Planted:
    """Return what makes desks answer so: tool and first argument → a text, or JSON."""
    return Planted(
        rows=tuple(
            ("registers", f"{tool} {about}", {"shown": answer})
            for (tool, about), answer in answers.items()
        )
    )


def desk_tools(office: Office, desks: Mapping[str, Desk]) -> list[BaseTool]:
    """Return the desks as tools that work in an office."""
    return [_tool(office, desk) for desk in desks.values()]


def _tool(office: Office, desk: Desk) -> BaseTool:
    def answer(**args: Any) -> str:
        number = office.change(desk.name, args) if desk.changes else 0
        record = office.record("registers", f"{desk.name} {next(iter(args.values()))}")
        other = {"done": True, "number": f"N{number:05d}"} if desk.changes else {"error": "unknown"}
        shown = other if record is None else record["shown"]
        return shown if isinstance(shown, str) else json.dumps(shown)

    fields: Any = {name: (kind, ...) for name, kind in desk.takes.items()}
    tool = StructuredTool.from_function(
        answer,
        name=desk.name,
        description=desk.description,
        args_schema=create_model(desk.name, **fields),
    )
    tool.metadata = {"readOnlyHint": not desk.changes}
    return tool
