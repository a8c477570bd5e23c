"""Decisions that take the place of a model's message, with the ids and faults of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from langchain_core.messages import AIMessage
from referencing.exceptions import Unresolvable as ReferencingError

from ...procedures.evidence.ledger import OutcomeKind

CALLED = "macla-"
"""Begins the ids of calls that memory makes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do instead of calling the model.

    Where there is neither a message nor an outcome, the model is to judge what was never seen
    before; if it does just what the program would do, the program goes on after that.

    Attributes:
        message: The message in place of the model's, or None: the model is to be called.
        outcome: How the program's run has ended, where it has.
        because: Why, for people.
        unexpected: Ids of calls whose results were not of the form that was shown.
        other: Tools of calls that the program would not have made.
    """

    message: AIMessage | None = None
    outcome: OutcomeKind | None = None
    because: str = ""
    unexpected: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


def call_id(run: str, index: int) -> str:
    """Return the id of a program's call: the same when a node is run again."""
    return f"{CALLED}{run.removeprefix('run-')[:24]}-{index}"


def misfit(args: Mapping[str, Any], schema: Mapping[str, Any] | None) -> str | None:
    """Say why arguments cannot be those of a tool as it is now."""
    if schema is None or "properties" not in schema:
        return None
    properties = schema["properties"]
    missing = [key for key in schema.get("required", ()) if key not in args]
    if missing:
        return f"it now requires {missing[0]!r}"
    unknown = [] if schema.get("additionalProperties") else [k for k in args if k not in properties]
    if unknown:
        return f"it no longer takes {unknown[0]!r}"
    try:
        error = best_match(Draft202012Validator(dict(schema)).iter_errors(dict(args)))
    except (SchemaError, ReferencingError):
        return None  # not a schema that can be held against anything
    return None if error is None else f"{error.json_path}: {error.message[:200]}"
