"""Texts with places for values: how templates and patterns of plain texts are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..condition_patterns import escape
from .templates import common, fill_spans, match
from .values import Token, canonical, tokenise

__all__ = [
    "LONGEST",
    "escaped",
    "fine_tokens",
    "holes_of",
    "same",
    "text_pattern",
    "text_without_figures",
    "written",
]

LONGEST = 2_000
"""Most characters of an answer that is composed, and of a pattern."""
_FIGURE = re.compile(r"0*[1-9]\d{0,20}(?:\.\d{1,20})?")
_FINE = re.compile(r"\w+|[^\w\s]")


def written(
    text: str, tokens: Sequence[Token], spans: Sequence[tuple[int, int]], names: Sequence[str]
) -> str:
    """Return a text with spans of its tokens replaced by names; the rest stands for itself."""
    parts: list[str] = []
    at = 0
    for (start, end), name in zip(spans, names, strict=True):
        parts += [escape(text[at : tokens[start].start]), name]
        at = tokens[end - 1].end
    return "".join([*parts, escape(text[at:])])


def escaped(value: Any) -> Any:
    """Return a value whose texts, however deep, stand for themselves in a template."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [escaped(each) for each in value]
    if isinstance(value, dict):
        return {key: escaped(each) for key, each in value.items()}
    return value


def same(left: Any, right: Any) -> bool:
    """Equality that tells true from 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right) and isinstance(left, str) == isinstance(right, str)


def fine_tokens(text: str) -> tuple[Token, ...]:
    """Split a text into words and signs, taking paths, addresses and codes apart."""
    return tuple(Token(each[0], *each.span()) for each in _FINE.finditer(text))


def text_pattern(values: Sequence[str]) -> str | None:
    """Return what plain results share, as a pattern; None where that is too little."""
    shared = _shared(values)
    if shared is None:
        return None
    text, tokens, spans, _ = shared
    pattern = written(text, tokens, spans, ["*"] * len(spans))
    return pattern if pattern and len(pattern) <= LONGEST else None


def text_without_figures(values: Sequence[str]) -> list[str]:
    """Return patterns of the plain results in which a figure, always above 0 so far, is 0."""
    shared = _shared(values)
    if shared is None:
        return []
    text, tokens, spans, columns = shared
    found: list[str] = []
    for place, column in enumerate(columns):
        if all(_FIGURE.fullmatch(each) for each in column):
            names = ["0" if i == place else "*" for i in range(len(spans))]
            found.append(written(text, tokens, spans, names))
    return [each for each in found if len(each) <= LONGEST]


def holes_of(values: Sequence[str]) -> list[tuple[str, tuple[str, ...]]] | None:
    """Return where plain results differ: the pattern with ``{value}`` there, and what stood there.

    None where they have too little in common, or too much differs.
    """
    shared = _shared(values)
    if shared is None:
        return None
    text, tokens, spans, columns = shared
    found: list[tuple[str, tuple[str, ...]]] = []
    for index, column in enumerate(columns):
        names = ["{value}" if i == index else "*" for i in range(len(spans))]
        found.append((written(text, tokens, spans, names), column))
    return found if all(len(pattern) <= LONGEST for pattern, _ in found) else None


def _shared(
    values: Sequence[str],
) -> tuple[str, Sequence[Token], Sequence[tuple[int, int]], list[tuple[str, ...]]] | None:
    """Return the first text, its tokens, the spans where texts differ, and what stands there."""
    texts = [canonical(each) for each in values]
    tokens = [tokenise(each) for each in texts]
    if any(len(each) > 200 for each in tokens):
        return None
    template = common([[token.text for token in each] for each in tokens])
    if template is None:
        return None
    if not any(isinstance(piece, str) and piece[0].isalnum() for piece in template):
        return None
    columns: list[list[str]] = []
    first: tuple[tuple[int, int], ...] | None = None
    for text, own in zip(texts, tokens, strict=True):
        spans = match(template, [token.text for token in own], exact=False)
        if spans is None:
            return None
        first = first if first is not None else spans
        columns.append(fill_spans(text, own, spans))
    return texts[0], tokens[0], first or (), list(zip(*columns, strict=True))
