"""Fingerprints of an agent: marks of its instructions and of the descriptions of its tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Marks of an agent; an empty one is unknown.

    Attributes:
        instructions: Mark of the system prompt without names and days.
        exact: Mark with names; present if a value of a call comes from them.
        tools: Tool → mark of its name, description and arguments.
        days: Days of the system prompt, in order; other days make no other prompt.
    """

    instructions: str = ""
    exact: str = ""
    tools: Mapping[str, str] = field(default_factory=dict, hash=False)
    days: tuple[str, ...] = field(default=(), compare=False)

    def differs(self, other: Fingerprint) -> str | None:
        """Return how another one differs, as far as both are known; None if they agree."""
        marks = self.instructions, other.instructions
        if all(marks) and marks[0] != marks[1]:
            return "the instructions are others"
        for tool in sorted(self.tools.keys() & other.tools.keys()):
            if self.tools[tool] != other.tools[tool]:
                return f"{tool} is described otherwise"
        return None

    def to_document(self) -> dict[str, Any]:
        """Return it as plain data, without unknown marks."""
        document = {
            "instructions": self.instructions,
            "exact": self.exact,
            "tools": dict(self.tools),
            "days": list(self.days),
        }
        return {key: value for key, value in document.items() if value}

    @classmethod
    def from_document(cls, document: Mapping[str, Any] | str) -> Fingerprint:
        """Read it from plain data, or from a text of two marks (an older form)."""
        if isinstance(document, str):
            loose, exact, *_ = *(mark.rpartition(":")[2] for mark in document.split()), "", ""
            return cls(loose, exact)
        return cls(
            str(document.get("instructions", "")),
            str(document.get("exact", "")),
            {str(tool): str(mark) for tool, mark in document.get("tools", {}).items()},
            tuple(map(str, document.get("days", ()))),
        )


UNKNOWN = Fingerprint()
"""A fingerprint without marks: it differs from none."""


def tool_mark(description: Mapping[str, Any]) -> str:
    """Return the mark of a tool's description for a model."""
    text = json.dumps(description, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
