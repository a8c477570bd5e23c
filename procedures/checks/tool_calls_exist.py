"""Whether tools that procedures and programs call exist, and take what they are given."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...schemas.meant import meant
from ..common.errors import DataError
from ..common.text import counted
from ..files.contents import Contents
from ..model.semantics import Issue
from ..programs.call_forms import ANSWER
from ..words.word_clusters import THETA_SIM, Similarity, equivalent_names

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
    schema_by_name: dict[str, Mapping[str, Any] | None] = {}
    for number, entry in enumerate(entries):
        description = entry.get("function", entry) if isinstance(entry, Mapping) else entry
        name = description.get("name") if isinstance(description, Mapping) else description
        if not isinstance(name, str) or not name:
            raise DataError(f"entry {number} of the list of tools has no name")
        schema = None
        if isinstance(description, Mapping):
            keys = ("parameters", "inputSchema", "input_schema", "args_schema")
            schema = next(
                (description[key] for key in keys if isinstance(description.get(key), Mapping)),
                None,
            )
        schema_by_name[name] = schema
    return schema_by_name


def unknown_tools(
    contents: Contents,
    tools: Tools,
    similarity: Similarity | None = None,
) -> Iterator[Issue]:
    """Yield an error for each call of a tool that is not there, or with arguments it lacks.

    A tool that is not there is a warning where a program only names it.

    Args:
        contents: The library.
        tools: The tools that there are.
        similarity: Of two names told as words; with it, arguments that mean the same are named.
    """
    for call in _calls(contents):
        if call.tool not in tools:
            path = ("steps", call.step, "tool")
            yield Issue("error", call.owner, path, _unknown(call.tool, tools))
            continue
        schema = tools[call.tool]
        equivalents = _equivalent_arguments(call.given, schema, similarity)
        for message in _misfits(call.tool, call.given, schema, equivalents):
            yield Issue("error", call.owner, ("steps", call.step, call.key), message)
    for file in contents.programs.values():
        if file.status != "retired" and file.tools is not None:
            for key, names in (("beside", file.tools.beside), ("idle", file.tools.idle)):
                for name in sorted(names - tools.keys()):
                    owner = ("program", file.id)
                    yield Issue("warning", owner, (key,), _unknown(name, tools))


def _unknown(tool: str, tools: Tools) -> str:
    advice = meant(tool, tools, f"{counted(len(tools), 'tool')} known")
    return f"unknown tool {tool!r}; {advice}"


@dataclass(frozen=True, slots=True)
class _Call:
    """A step that calls a tool, with these arguments; its file has them under ``key``."""

    owner: tuple[str, str]
    step: int
    tool: str
    given: tuple[str, ...]
    key: str


def _calls(contents: Contents) -> Iterator[_Call]:
    """Yield what is called by all that is not retired."""
    for procedure in contents.procedures.values():
        for index, step in enumerate(procedure.steps if procedure.status != "retired" else ()):
            if step.tool is not None:
                yield _Call(("procedure", procedure.id), index, step.tool, tuple(step.args), "args")
    for file in contents.programs.values():
        for index, each in enumerate(file.program.steps if file.status != "retired" else ()):
            if each.form is not None and each.form.tool != ANSWER:
                tool, keys = each.form.tool, each.form.keys
                yield _Call(("program", file.id), index, tool, keys, "with")


def _equivalent_arguments(
    arguments: Collection[str],
    schema: Mapping[str, Any] | None,
    similarity: Similarity | None,
) -> Mapping[str, str]:
    """Return given argument → the tool's argument that means the same."""
    properties = (schema or {}).get("properties")
    if similarity is None or not isinstance(properties, Mapping):
        return {}
    return equivalent_names(list(arguments), list(properties), similarity, THETA_SIM)


def _misfits(
    name: str,
    arguments: Collection[str],
    schema: Mapping[str, Any] | None,
    equivalents: Mapping[str, str],
) -> Iterator[str]:
    properties = (schema or {}).get("properties")
    if schema is None or not isinstance(properties, Mapping):
        return
    if schema.get("additionalProperties", False) is False:
        for key in arguments:
            if key not in properties:
                names = ", ".join(properties) or "none"
                advice = (
                    f"{equivalents[key]} means the same"
                    if key in equivalents
                    else f"it takes: {names}"
                )
                yield f"the tool {name!r} takes no argument {key!r}; {advice}"
    required = schema.get("required")
    for key in required if isinstance(required, list) else ():
        if key not in arguments and key not in equivalents.values():
            yield f"the tool {name!r} needs the argument {key!r}"
