"""Clauses of a text, and the cues that recognise an instruction in one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ..common.text import CACHEABLE, REMEMBERED, mentions, phrase_pattern, tokens
from ..conditions.text_patterns import escape, unescape

_CLAUSE = re.compile(r"(?<=[.!?:;])\s+|\n+")
_SLOT = "{0}"
_MARK = "\0"
"""Stands for the entity in a clause."""


def clauses(text: str) -> tuple[str, ...]:
    """Split text into clauses of lower-case tokens, outer punctuation removed.

    >>> clauses("Directions: slice the onion. Then eat!")
    ('directions', 'slice the onion', 'then eat')
    """
    return _short_clauses(text) if len(text) <= CACHEABLE else _clauses(text)


def _clauses(text: str) -> tuple[str, ...]:
    clause_texts = []
    for part in _CLAUSE.split(text):
        words = list(tokens(part))
        while words and not words[-1][0].isalnum():
            words.pop()
        while words and not words[0][0].isalnum():
            words.pop(0)
        if words:
            clause_texts.append(" ".join(words))
    return tuple(clause_texts)


_short_clauses = lru_cache(maxsize=REMEMBERED)(_clauses)


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern over one clause with one entity, written as text.

    ``roast the {0}`` matches that clause alone. ``* the {0} *`` matches wherever the entity has
    that neighbour; a missing ``*`` ties it to the clause's edge. ``word`` is a word that the
    clause must hold anywhere.
    """

    text: str
    word: str | None = None

    @staticmethod
    def from_pattern(pattern: str, name: str, word: str | None = None) -> Cue:
        """Read a cue from a pattern in which the entity is a parameter of this name."""
        parts = pattern.split(" ")
        placeholder = "{" + name + "}"
        return Cue(
            " ".join(_SLOT if part == placeholder else unescape(part) for part in parts), word
        )

    def to_pattern(self, name: str) -> str:
        """Write the cue as a pattern in which the entity is a parameter of this name."""
        special = {_SLOT: "{" + name + "}", "*": "*"}
        return " ".join(special.get(part, escape(part)) for part in self.text.split(" "))

    def matches(self, clause: str, entity: str) -> bool:
        """Tell whether the clause, read with this entity, has the cue."""
        if self.word is not None:
            return self.word in clause.split() and mentions(clause, entity)
        pattern = _compiled(self.text, _MARK)
        return any(match == entity for match in _entities_in_slot(pattern, clause, entity))

    def entity(self, clause: str) -> str | None:
        """Return the text in the slot, known entity or not; None if the cue does not match."""
        if self.word is not None:
            return None
        match = _compiled(self.text).fullmatch(clause)
        return match.group(1) if match else None


def _entities_in_slot(pattern: re.Pattern[str], clause: str, entity: str) -> list[str]:
    """Return the entity once for each of its occurrences that fits the slot."""
    entities = []
    for match in phrase_pattern(entity).finditer(clause):
        marked = clause[: match.start()] + _MARK + clause[match.end() :]
        if pattern.fullmatch(marked):
            entities.append(entity)
    return entities


@lru_cache(maxsize=4096)
def _compiled(text: str, slot: str = r"[^.,;:!?]+?") -> re.Pattern[str]:
    """Compile a cue; the slot is anything without punctuation, a wildcard any words."""
    parts = text.split(" ")
    prefix = suffix = ""
    if len(parts) > 1 and parts[0] == "*":
        prefix, parts = r"(?:.* )?", parts[1:]
    if len(parts) > 1 and parts[-1] == "*":
        suffix, parts = r"(?: .*)?", parts[:-1]
    pieces = {_SLOT: f"({slot})", "*": r".+?"}
    body = " ".join(pieces.get(part, re.escape(part)) for part in parts)
    return re.compile(prefix + body + suffix)
