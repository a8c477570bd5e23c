"""Tools of businesses that are told by what they are called and take: desks that read or change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import create_model

from .office import Office, Planted

__all__ = ["Desk", "Fault", "desk_tools", "planted"]


@dataclass(frozen=True)
class Desk:
    """A tool that shows what a task planted.

    Attributes:
        name: Of the tool.
        description: What its schema says.
        takes: Argument → type, in order; the first one names what it is about.
        changes: Whether it changes something; each such call stands in the journal.
        optional: Argument → type of what may be left out; an answer may be planted for each value.
    """

    name: str
    description: str
    takes: Mapping[str, type]
    changes: bool = False
    optional: Mapping[str, type] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """A tool that fails, as tools do that raise.

    Attributes:
        text: What the agent is told.
    """

    text: str


def planted(
    answers: Mapping[tuple[str, str], Any] | Mapping[tuple[str, ...], Any],
) -> Planted:
    """Return what makes desks answer so: tool and first argument → a text, JSON, or a fault.

    A third text is the value of an optional argument, for instance a page.
    """
    return Planted(
        rows=tuple(
            (
                "registers",
                " ".join(place),
                {"fault": answer.text} if isinstance(answer, Fault) else {"shown": answer},
            )
            for place, answer in answers.items()
        )
    )


def desk_tools(office: Office, desks: Mapping[str, Desk]) -> list[BaseTool]:
    """Return the desks as tools that work in an office."""
    return [_tool(office, desk) for desk in desks.values()]


def _tool(office: Office, desk: Desk) -> BaseTool:
    def answer(**given: Any) -> str:
        args = {name: value for name, value in given.items() if value is not None}
        about = f"{desk.name} {next(iter(args.values()))}"
        chosen = " ".join([about, *(str(args[name]) for name in desk.optional if name in args)])
        record = office.record("registers", chosen) or office.record("registers", about)
        if record is not None and "fault" in record:
            raise ToolException(record["fault"])
        number = office.change(desk.name, args) if desk.changes else 0
        other = {"done": True, "number": f"N{number:05d}"} if desk.changes else {"error": "unknown"}
        shown = other if record is None else record["shown"]
        return shown if isinstance(shown, str) else json.dumps(shown)

    fields: Any = {name: (kind, ...) for name, kind in desk.takes.items()}
    fields |= {name: (kind | None, None) for name, kind in desk.optional.items()}
    tool = StructuredTool.from_function(
        answer,
        name=desk.name,
        description=desk.description,
        args_schema=create_model(desk.name, **fields),
        handle_tool_error=True,
    )
    tool.metadata = {"readOnlyHint": not desk.changes}
    return tool
