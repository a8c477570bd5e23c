"""Find new names in text by their context: the words that known names stand between."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .clauses import clauses

EDGE = "^"
"""Stands for the edge of a clause among the neighbours of names."""
LONGEST_CLAUSE = 2_000
"""Characters; a longer clause is no sentence, and no names are looked for in it."""
_LONGEST = 4
"""Tokens; longer runs are no names."""


@dataclass(frozen=True, slots=True)
class Names:
    """The contexts of names in the text of a world.

    Attributes:
        before: Tokens right before a name; :data:`EDGE` for the beginning of a clause.
        after: Tokens right after one; :data:`EDGE` for the end.
        inside: Words that stand only within names, such as "of".
        words: Words that are no part of names.
    """

    before: frozenset[str]
    after: frozenset[str]
    words: frozenset[str]
    inside: frozenset[str] = frozenset()

    def discover(self, text: str, known_names: frozenset[str]) -> set[str]:
        """Return phrases of a text in the context of names that are not known.

        Args:
            text: An observation or a task.
            known_names: Known names.
        """
        phrases: set[str] = set()
        for clause in clauses(text):
            if len(clause) > LONGEST_CLAUSE:
                continue  # no sentence: a table, a file, noise
            phrases.update(
                phrase for phrase in self.runs(clause.split()) if phrase not in known_names
            )
        return phrases

    def runs(self, parts: list[str]) -> Iterator[str]:
        """Yield the runs of a clause's tokens that are in the context of names."""
        i = 0
        while i < len(parts):
            token_before = parts[i - 1] if i else EDGE
            j = i
            while j < len(parts) and j - i < _LONGEST and self._within(parts, i, j):
                j += 1
            while j > i and parts[j - 1] in self.inside:
                j -= 1
            token_after = parts[j] if j < len(parts) else EDGE
            if j > i and token_before in self.before and token_after in self.after:
                yield " ".join(parts[i:j])
                i = j
            else:
                i += 1

    def _within(self, parts: list[str], start: int, at: int) -> bool:
        token = parts[at]
        if token in self.inside:
            return at > start
        looks_like_name = token[0].isalpha() or (at > start and token.isdigit())
        return looks_like_name and token not in self.words and token not in self.before


def neighbours(parts: list[str], start: int, end: int) -> tuple[str, str]:
    """Return the tokens beside a span of a clause's tokens."""
    before = parts[start - 1] if start else EDGE
    return before, parts[end] if end < len(parts) else EDGE


def token_spans_of(clause: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Turn spans of characters of a clause into spans of its tokens."""
    blanks = [place for place, letter in enumerate(clause) if letter == " "]
    return [(bisect_left(blanks, start), bisect_left(blanks, end) + 1) for start, end in spans]
