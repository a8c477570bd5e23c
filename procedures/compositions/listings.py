"""Results that list things, read as rows of items from brackets or lines."""

from __future__ import annotations

from functools import lru_cache

from .text_tokens import text_tokens

Row = tuple[str, ...]
_OPEN, _CLOSE = "([{", ")]}"


@lru_cache(20_000)
def rows_of(text: str) -> tuple[Row, ...]:
    """Return the rows of a result: the items of each innermost bracket, or of each line.

    >>> rows_of("[('id', 'int'), ('name', 'text')]")
    (('id', 'int'), ('name', 'text'))
    >>> rows_of("name | text")
    (('name', 'text'),)
    """
    if text[:1] not in _OPEN:
        lines = (tuple(_items(line)) for line in text.splitlines())
        return tuple(line for line in lines if line)
    rows: list[Row] = []
    items: list[str] | None = None
    for token in text_tokens(text):
        if token.text in _OPEN:
            items = []
        elif token.text in _CLOSE:
            if items:
                rows.append(tuple(items))
            items = None
        elif items is not None and (item := _item(token.text)):
            items.append(item)
    if items and len(items) > 1:  # cut behind its first item
        rows.append(tuple(items))
    return tuple(rows)


def is_cut(text: str) -> bool:
    """Whether a result ends before its brackets are closed."""
    opened = 0
    for token in text_tokens(text):
        opened += (token.text in _OPEN) - (token.text in _CLOSE)
    return opened > 0 or (text[:1] in _OPEN and text.count("'") % 2 == 1)


def _items(text: str) -> list[str]:
    return [item for token in text_tokens(text) if (item := _item(token.text))]


def _item(text: str) -> str:
    if text[:1] in "'\"":
        return text[1:-1]
    return text if text[:1].isalnum() or text[:1] == "_" else ""
