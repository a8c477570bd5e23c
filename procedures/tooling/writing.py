"""Texts with places for values: how templates and patterns of plain texts are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..condition_patterns import escape
from .templates import common, match
from .values import Token, canonical, tokenise

__all__ = ["LONGEST", "escaped", "fine_tokens", "same", "text_pattern", "written"]

LONGEST = 2_000
"""Most characters of an answer that is composed, and of a pattern."""
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
    """Return what plain results share, as a pattern."""
    texts = [canonical(each) for each in values]
    tokens = [tokenise(each) for each in texts]
    if any(len(each) > 200 for each in tokens):
        return None
    template = common([[token.text for token in each] for each in tokens])
    if template is None:
        return None
    if not any(isinstance(piece, str) and piece[0].isalnum() for piece in template):
        return None
    spans = match(template, [token.text for token in tokens[0]], exact=False)
    if spans is None:
        return None
    pattern = written(texts[0], tokens[0], spans, ["*"] * len(spans))
    return pattern if pattern and len(pattern) <= LONGEST else None
