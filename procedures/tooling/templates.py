"""Templates over tokens: what several texts share, with holes where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeAlias

from .values import Token, tokenise

__all__ = [
    "HOLE",
    "Hole",
    "TokenTemplate",
    "common",
    "fill_spans",
    "generalise",
    "match",
    "words_of",
]

LONGEST = 400
"""Most tokens of a text that is generalised or matched."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A place where texts differ; ``name`` once it is known what stands there."""

    name: str = ""


HOLE = Hole()
Piece: TypeAlias = str | Hole
TokenTemplate: TypeAlias = tuple[Piece, ...]


def generalise(template: Sequence[Piece], text: Sequence[str]) -> TokenTemplate | None:
    """Return the template that covers a template and one more text; None if a hole stays empty."""
    if len(template) > LONGEST or len(text) > LONGEST:
        return None
    left = [each if isinstance(each, Hole) else each.casefold() for each in template]
    right = [each.casefold() for each in text]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    result: list[Piece] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            result.extend(template[i1:i2])
            continue
        if i1 == i2 or j1 == j2:
            # Words that only one text has: the hole takes in a neighbour, or is none.
            return None
        if not result or result[-1] != HOLE:
            result.append(HOLE)
    return tuple(result)


def common(texts: Sequence[Sequence[str]]) -> TokenTemplate | None:
    """Return the template that covers all texts (one at least), or None."""
    template: TokenTemplate = tuple(texts[0])
    for text in texts[1:]:
        wider = generalise(template, text)
        if wider is None:
            return None
        template = wider
    return template


def match(
    template: Sequence[Piece], text: Sequence[str], *, exact: bool = True
) -> tuple[tuple[int, int], ...] | None:
    """Return the span (start, end) of tokens that each hole takes, or None.

    None too where holes could be filled in two ways: an ambiguous reading is no reading.

    Args:
        template: Words and holes; a hole takes one token at least.
        text: The tokens.
        exact: Only a single reading counts; otherwise the one with the shortest first holes.
    """
    if len(text) > LONGEST or len(text) < len(template):
        return None
    words = [each.casefold() for each in text]
    found: list[tuple[tuple[int, int], ...]] = []
    budget = [4_000]

    def search(i: int, j: int, spans: tuple[tuple[int, int], ...]) -> None:
        budget[0] -= 1
        if budget[0] < 0:
            return
        while i < len(template):
            piece = template[i]
            if isinstance(piece, Hole):
                rest = len(template) - i - 1
                for end in range(j + 1, len(words) - rest + 1):
                    search(i + 1, end, (*spans, (j, end)))
                    if len(found) >= (2 if exact else 1) or budget[0] < 0:
                        return
                return
            if j >= len(words) or words[j] != piece.casefold():
                return
            i, j = i + 1, j + 1
        if j == len(words):
            found.append(spans)

    search(0, 0, ())
    if not found or budget[0] < 0 or (exact and len(found) > 1):
        return None
    return found[0]


def fill_spans(text: str, tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the pieces of text that spans of tokens cover."""
    return [text[tokens[start].start : tokens[end - 1].end] for start, end in spans]


def words_of(text: str) -> list[str]:
    """Return the tokens of a text as plain words."""
    return [token.text for token in tokenise(text)]
