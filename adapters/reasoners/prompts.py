"""Prompts: files with a version, and beside each the JSON Schema of the answer.

A prompt file holds the system text, a line of three dashes, and the question with ``$names``. Text
that comes from an environment or a user stands between ``<data>`` and ``</data>``, which it cannot
close itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from ...procedures.episodes.trajectories import cleaned

_VERSIONS: Mapping[str, int] = {
    "abstract": 1,
    "act": 1,
    "contrast": 1,
    "distil_policy": 1,
    "parse_task": 3,
    "repair": 2,
    "segment": 2,
}
_TAG = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)
_LONGEST = 600
"""Most characters of one observation in a prompt."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of one version.

    Attributes:
        name: What it is for; a method of the reasoner.
        version: From 1; a change of wording makes the next.
        system: The system message; may be empty.
        question: The user's message, with ``$names``.
        schema: JSON Schema of the answer; empty for the repair prompt.
    """

    name: str
    version: int
    system: str
    question: Template
    schema: Mapping[str, Any]

    @property
    def label(self) -> str:
        """``name.vN``."""
        return f"{self.name}.v{self.version}"


@cache
def load_prompt(name: str) -> Prompt:
    """Load the current version of a prompt."""
    version = _VERSIONS[name]
    folder = files(__package__) / "prompts"
    text = (folder / f"{name}.v{version}.md").read_text(encoding="utf-8")
    system, divider, question = text.partition("\n---\n")
    if not divider:
        return Prompt(name, version, "", Template(text.strip()), {})
    schema = json.loads((folder / f"{name}.v{version}.schema.json").read_text(encoding="utf-8"))
    return Prompt(name, version, system.strip(), Template(question.strip()), schema)


def as_data(text: str, longest: int = _LONGEST) -> str:
    """Return text from outside as it may stand between the data marks: clipped, no mark in it."""
    return as_cut(_TAG.sub("(", cleaned(text)).strip(), longest)


def as_cut(text: str, longest: int) -> str:
    """Return a text, its end left out where it is too long."""
    return text if len(text) <= longest else f"{text[: longest - 2]} …"


def recorded(entries: Iterable[tuple[str, str]], *, first: int = 1) -> str:
    """Write actions and what followed them, numbered."""
    lines = [
        f"{number}. {as_data(action, 300)}\n   {as_data(observation)}"
        for number, (action, observation) in enumerate(entries, first)
    ]
    return "\n".join(lines) or "(nothing yet)"
