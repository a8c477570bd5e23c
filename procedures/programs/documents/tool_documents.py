"""Use of tools as plain data: types of arguments, lists, calls that are no end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...common.errors import DanglingReferenceError
from ..call_forms import UNCLEAR, ToolUse
from ..fingerprints import Fingerprint
from ..program import ProgramStep
from .node import Node

_NAMES = {
    "bool": "flag",
    "float": "number",
    "int": "integer",
    "NoneType": "nothing",
    "str": "text",
    UNCLEAR: UNCLEAR,
}
_TYPES = {name: type_ for type_, name in _NAMES.items()}


def tools_document(tools: ToolUse, steps: Sequence[ProgramStep]) -> dict[str, Any]:
    """Return the use of tools as keys of the program's document."""
    types: dict[str, dict[str, Any]] = {}
    for (tool, path), names in sorted(tools.types.items()):
        types.setdefault(tool, {})[path] = sorted(_NAMES[name] for name in names)
    classes: dict[str, dict[str, Any]] = {}
    for (kind, name), values in sorted(tools.classes.items()):
        classes.setdefault(kind, {})[name] = sorted(values)
    ids = {step.operator: step.id for step in reversed(steps)}
    return {
        "under": tools.under.to_document(),
        "types": types,
        "lists": sorted(tools.lists),
        "shared": sorted(tools.shared),
        "prose": sorted(tools.prose),
        "classes": classes,
        "words": {
            kind: {name: list(places) for name, places in sorted(fields.items())}
            for kind, fields in sorted(tools.words.items())
        },
        "keyed": sorted(tools.keyed),
        "unfinished": sorted([ids[each] for each in calls] for calls in tools.unfinished),
        "beside": sorted(tools.beside),
        "idle": sorted(tools.idle),
    }


def read_tools(node: Node, steps: Sequence[ProgramStep]) -> ToolUse:
    """Read the use of tools.

    Raises:
        DanglingReferenceError: It names a step that does not exist.
    """
    operators = {step.id: step.operator for step in steps}
    for item in node.get("unfinished").items():
        for name in item.texts():
            if name not in operators:
                raise DanglingReferenceError(f"there is no step {name!r}", path=item.path)
    return ToolUse(
        {
            (tool, path): frozenset(_TYPES[name] for name in names)
            for tool, paths in node.get("types", {}).value.items()
            for path, names in paths.items()
        },
        frozenset(node.get("lists").texts()),
        frozenset(node.get("shared").texts()),
        frozenset(node.get("prose").texts()),
        {
            (kind, name): frozenset(values)
            for kind, fields in node.get("classes", {}).value.items()
            for name, values in fields.items()
        },
        {
            kind: {name: tuple(places) for name, places in fields.items()}
            for kind, fields in node.get("words", {}).value.items()
        },
        frozenset(
            tuple(operators[name] for name in item.texts())
            for item in node.get("unfinished").items()
        ),
        frozenset(node.get("beside").texts()),
        frozenset(node.get("idle").texts()),
        Fingerprint.from_document(node.get("under", {}).value),
        frozenset(node.get("keyed").texts()),
    )
