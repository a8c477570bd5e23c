"""Values in tasks, arguments and results: tokens, and the leaves of nested data."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

LONGEST_RESULT = 65_536
"""Longest result (characters) that is looked into; of longer ones only the status counts."""
_MOST_LEAVES = 500
"""Leaves of one value that are looked at; bounds the time."""
_TOKEN = re.compile(
    "\\w+(?:(?!['\u2019]s\\b)[-_./:@'\u2019&+#%=?~\\\\]+\\w+)*|['\u2019]s\\b|[^\\w\\s]"
)


class Token(NamedTuple):
    """A token and where it stands."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> tuple[Token, ...]:
    """Split text into words, with what is inside paths, addresses and codes, and single marks."""
    return tuple(Token(each[0], *each.span()) for each in _TOKEN.finditer(text))


_SIGNS = {"~": "~0", "/": "~1", "*": "~2", "!": "~3", "#": "~4"}


def text_of(value: Any) -> str:
    """Return a value as it stands in a text; a list of values is joined by commas."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(not isinstance(e, dict | list) for e in value):
        return ", ".join(text_of(each) for each in value)
    return json.dumps(value, ensure_ascii=False)


def parse_result(text: str) -> Any:
    """Return a tool's result as data: JSON, a Python literal as SQL tools print them, or text."""
    if len(text) > LONGEST_RESULT:
        return text
    stripped = text.strip()
    if not stripped or stripped[0] not in '[{("-0123456789tfn':
        return text
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        if stripped[0] not in "[({":
            return text
        try:
            value = _with_lists(ast.literal_eval(stripped))
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return text
    if isinstance(value, float) and not math.isfinite(value):
        return text
    return value if isinstance(value, dict | list | int | float) else text


def _with_lists(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_with_lists(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _with_lists(each) for key, each in value.items()}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"not a plain value: {type(value).__name__}")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (path, scalar), and the columns (``*``) of lists; a path is as for :func:`select`."""
    yield from islice(_leaves(value, path), _MOST_LEAVES)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}/{place(str(key))}")
    elif isinstance(value, list | tuple):
        if len(value) == 1:
            yield from _leaves(value[0], f"{path}/!")
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}/{index}")
        if value and all(isinstance(each, Mapping) for each in value):
            for key in value[0]:
                if all(key in each and _is_scalar(each[key]) for each in value):
                    yield f"{path}/*/{place(str(key))}", [each[key] for each in value]
        elif value and all(isinstance(e, list) and len(e) == len(value[0]) for e in value):
            for index in range(len(value[0])):
                if all(_is_scalar(each[index]) for each in value):
                    yield f"{path}/*/{index}", [each[index] for each in value]
        elif all(_is_scalar(each) for each in value):
            yield path, list(value)
    else:
        yield path, value


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def place(key: str) -> str:
    """Return a key as part of a path."""
    return "".join(_SIGNS.get(sign, sign) for sign in key)
