"""Whether the tools that procedures call exist, and take the arguments that they are given."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..clusters import THETA_SIM, Similarity, equivalent_names
from ..errors import DataError
from ..library_files import Contents
from ..semantics import Issue

__all__ = ["Tools", "read_tools", "unknown_tools"]

Tools: TypeAlias = Mapping[str, Mapping[str, Any] | None]
"""Name of a tool → JSON Schema of its arguments, or None where only the name is known."""


def read_tools(document: Any) -> Tools:
    """Read a list of tools.

    Args:
        document: A list, also under a key ``tools``. An entry is a name, or a mapping with a
            ``name`` and perhaps the schema of its arguments under ``parameters``,
            ``inputSchema``, ``input_schema`` or ``args_schema``; an entry may also stand
            below ``function``, as chat models have it.

    Raises:
        DataError: It is something else.
    """
    entries = document.get("tools") if isinstance(document, Mapping) else document
    if not isinstance(entries, list):
        raise DataError("a list of tools is a JSON list of names or of objects with a name")
    found: dict[str, Mapping[str, Any] | None] = {}
    for number, entry in enumerate(entries):
        about = entry.get("function", entry) if isinstance(entry, Mapping) else entry
        name = about.get("name") if isinstance(about, Mapping) else about
        if not isinstance(name, str) or not name:
            raise DataError(f"entry {number} of the list of tools has no name")
        schema = None
        if isinstance(about, Mapping):
            keys = ("parameters", "inputSchema", "input_schema", "args_schema")
            schema = next((about[key] for key in keys if isinstance(about.get(key), Mapping)), None)
        found[name] = schema
    return found


def unknown_tools(
    contents: Contents,
    tools: Tools,
    similarity: Similarity | None = None,
    threshold: float = THETA_SIM,
) -> Iterator[Issue]:
    """Yield an error for each call of a tool that is not there, or with arguments it lacks.

    Args:
        contents: The library.
        tools: The tools that there are.
        similarity: Of two names told as words; with it, arguments that mean the same are named.
        threshold: θ_sim, in [-1, 1].
    """
    for procedure in contents.procedures.values():
        if procedure.status == "retired":
            continue
        for index, step in enumerate(procedure.steps):
            if step.tool is None:
                continue
            owner, path = ("procedure", procedure.id), ("steps", index, "tool")
            if step.tool not in tools:
                near = difflib.get_close_matches(step.tool, tools, n=1)
                advice = f"did you mean {near[0]!r}?" if near else f"{len(tools)} tools are known"
                yield Issue("error", owner, path, f"unknown tool {step.tool!r}; {advice}")
                continue
            schema = tools[step.tool]
            same = _same(step.args, schema, similarity, threshold)
            for message in _misfits(step.tool, step.args, schema, same):
                yield Issue("error", owner, ("steps", index, "args"), message)


def _same(
    given: Mapping[str, Any],
    schema: Mapping[str, Any] | None,
    similarity: Similarity | None,
    threshold: float,
) -> Mapping[str, str]:
    """Return given argument → the tool's argument that means the same."""
    properties = (schema or {}).get("properties")
    if similarity is None or not isinstance(properties, Mapping):
        return {}
    return equivalent_names(list(given), list(properties), similarity, threshold)


def _misfits(
    name: str,
    given: Mapping[str, Any],
    schema: Mapping[str, Any] | None,
    same: Mapping[str, str],
) -> Iterator[str]:
    properties = (schema or {}).get("properties")
    if schema is None or not isinstance(properties, Mapping):
        return
    if schema.get("additionalProperties", False) is False:
        for key in given:
            if key not in properties:
                known = ", ".join(properties) or "none"
                advice = f"{same[key]} means the same" if key in same else f"it takes: {known}"
                yield f"the tool {name!r} takes no argument {key!r}; {advice}"
    required = schema.get("required")
    for key in required if isinstance(required, list) else ():
        if key not in given and key not in same.values():
            yield f"the tool {name!r} needs the argument {key!r}"
