"""A fact: what one line, or one object of JSON, tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["UNREAD", "Fact", "Scalar", "scalar_text"]

Scalar = str | int | float | bool | None
UNREAD = "\0"
"""Kind of a line that no template reads."""


def scalar_text(value: Scalar) -> str:
    """Return a value as a text, as JSON spells it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Fact:
    """One line, or one object of JSON.

    Attributes:
        kind: The line's template, or the path of the object.
        fields: Slot or key → value as it is spelled.
        raw: Key → value as it was given, where it is no text.
    """

    kind: str
    fields: Mapping[str, str] = field(hash=False)
    raw: Mapping[str, Scalar] = field(default_factory=dict, hash=False, compare=False)
