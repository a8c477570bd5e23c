"""A fact: the content of one line, or of one JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

Scalar = str | int | float | bool | None
UNREAD = "\0"
"""Kind of a line that no template reads."""


def scalar_text(value: Scalar) -> str:
    """Return a value as text, in the spelling of JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Fact:
    """The content of one line, or of one JSON object.

    Attributes:
        kind: The line's template, or the path of the object.
        fields: Slot or key → value as text.
        raw: Key → original value, where it is no text.
    """

    kind: str
    fields: Mapping[str, str] = field(hash=False)
    raw: Mapping[str, Scalar] = field(default_factory=dict, hash=False, compare=False)
