"""Values in tasks, arguments and results: tokens, kinds, JSON pointers, patterns of results."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from ..condition_patterns import escape

__all__ = [
    "LONGEST_RESULT",
    "Token",
    "canonical",
    "convert",
    "invariant_pattern",
    "kind_of",
    "leaves",
    "parse_result",
    "place",
    "result_pattern",
    "select",
    "text_of",
    "tokenise",
]

LONGEST_RESULT = 65_536
"""Longest result (characters) that is looked into; of longer ones only the status counts."""
_LONGEST_PATTERN = 2_000
_MOST_LEAVES = 500

_TOKEN = re.compile(
    "\\w+(?:(?!['\u2019]s\\b)[-_./:@'\u2019&+#%=?~\\\\]+\\w+)*|['\u2019]s\\b|[^\\w\\s]"
)
_MARK = re.compile(r"redacted_([a-z]+)_[0-9a-f]{8}")
_KINDS = (
    ("integer", re.compile(r"[-+]?\d{1,30}")),
    ("number", re.compile(r"[-+]?\d{1,30}\.\d{1,30}")),
    ("date", re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?")),
    ("email", re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")),
    ("url", re.compile(r"[a-z][a-z0-9+]*://\S+", re.I)),
    ("path", re.compile(r"\S*[/\\]\S*|[\w-]+\.[A-Za-z]\w{0,4}")),
    ("code", re.compile(r"(?=\S*\d)\S+")),
    ("word", re.compile(r"\S+")),
)


class Token(NamedTuple):
    """A token and where it stands."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> tuple[Token, ...]:
    """Split text into words, with what is inside paths, addresses and codes, and single marks."""
    return tuple(Token(each[0], *each.span()) for each in _TOKEN.finditer(text))


def kind_of(value: Any) -> str:
    """Name the kind of a value.

    Texts: ``integer``, ``number``, ``date``, ``email``, ``url``, ``path``, ``code`` (one word with
    a digit), ``word``, ``text``, ``empty``. Others: ``zero``, ``negative``, ``count`` (a whole
    number above 0), ``amount``, ``boolean``, ``null``, ``list``, ``object``.
    """
    if isinstance(value, str):
        return _kind_of_text(value.strip()[:300])
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        if value == 0:
            return "zero"
        if value < 0:
            return "negative"
        return "count" if isinstance(value, int) else "amount"
    if isinstance(value, Mapping):
        return "object"
    return "list" if len(value) else "empty"


@lru_cache(maxsize=8_192)
def _kind_of_text(text: str) -> str:
    if not text:
        return "empty"
    if mark := _MARK.fullmatch(text):
        return mark[1]
    return next((name for name, pattern in _KINDS if pattern.fullmatch(text)), "text")


_SIGNS = {"~": "~0", "/": "~1", "*": "~2", "!": "~3", "#": "~4"}
_NATIVE = frozenset({"zero", "negative", "count", "amount"})


def convert(value: Any, like: Any) -> Any:
    """Return a value in the type of another one: a text read from a task may stand for a number.

    Raises:
        ValueError: It cannot be one.
    """
    if isinstance(like, str):
        return text_of(value)
    if isinstance(like, bool) or like is None or not isinstance(like, int | float):
        return value
    if isinstance(value, str):
        return int(value) if isinstance(like, int) else float(value)
    return value


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
            value = _listed(ast.literal_eval(stripped))
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return text
    if isinstance(value, float) and not math.isfinite(value):
        return text
    return value if isinstance(value, dict | list | int | float) else text


def _listed(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _listed(each) for key, each in value.items()}
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
                if all(key in each and _scalar(each[key]) for each in value):
                    yield f"{path}/*/{place(str(key))}", [each[key] for each in value]
        elif value and all(isinstance(e, list) and len(e) == len(value[0]) for e in value):
            for index in range(len(value[0])):
                if all(_scalar(each[index]) for each in value):
                    yield f"{path}/*/{index}", [each[index] for each in value]
        elif all(_scalar(each) for each in value):
            yield path, list(value)
    else:
        yield path, value


def _scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def place(key: str) -> str:
    """Return a key as part of a path."""
    return "".join(_SIGNS.get(sign, sign) for sign in key)


def select(value: Any, path: str) -> Any:
    """Return what a path names: a JSON pointer in which three signs have a meaning of their own.

    ``*`` collects from every element of a list, ``!`` is the only element of a list of one, ``#``
    is the length of a list.

    Raises:
        LookupError: There is no such place.
    """
    return _select(value, path.split("/")[1:])


def _select(value: Any, parts: Sequence[str]) -> Any:
    if not parts:
        return value
    head, rest = parts[0], parts[1:]
    if head == "*":
        if not isinstance(value, list | tuple):
            raise LookupError("not a list")
        return [_select(each, rest) for each in value]
    if head == "#":
        if not isinstance(value, list | tuple):
            raise LookupError("not a list")
        return len(value)
    if head == "!":
        if not isinstance(value, list | tuple) or len(value) != 1:
            raise LookupError("not a list of one")
        return _select(value[0], rest)
    for sign, written in reversed(_SIGNS.items()):
        head = head.replace(written, sign)
    key = head
    if isinstance(value, Mapping):
        return _select(value[key], rest)
    if isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
        return _select(value[int(key)], rest)
    raise LookupError(f"no {key[:80]!r} here")


def canonical(value: Any) -> str:
    """Return a result as one line in which patterns are looked for; keys are sorted."""
    if isinstance(value, str):
        return " ".join(value.split()) if len(value) <= LONGEST_RESULT else ""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def result_pattern(values: Sequence[Any]) -> str | None:
    """Return a pattern of the shape that results share: their keys, not their values.

    A key more is no fault. None where they share nothing.
    """
    return _fitting(_shape(values))


def invariant_pattern(values: Sequence[Any]) -> str | None:
    """Return a pattern of all that is the same in results; None where nothing is."""
    return _fitting(_same(values))


def _fitting(pattern: str) -> str | None:
    while "**" in pattern:
        pattern = pattern.replace("**", "*")
    return None if pattern == "*" or len(pattern) > _LONGEST_PATTERN else pattern


def _shape(values: Sequence[Any]) -> str:
    if all(isinstance(each, Mapping) for each in values):
        common = set(values[0]).intersection(*values[1:])
        inner = "*".join(
            f"{_key(key)}: {_shape([each[key] for each in values])}" for key in sorted(common)
        )
        return "\\{*" + inner + "*}"
    if all(isinstance(each, list | tuple) for each in values):
        if any(not each for each in values):
            return "[*]"
        return "[" + _shape([each[0] for each in values]) + "*]"
    return "*"


def _same(values: Sequence[Any]) -> str:
    if all(isinstance(each, Mapping) for each in values):
        if any(each.keys() != values[0].keys() for each in values):
            return "*"
        inner = ", ".join(
            f"{_key(key)}: {_same([each[key] for each in values])}" for key in sorted(values[0])
        )
        return "\\{" + inner + "}"
    if all(isinstance(each, list | tuple) for each in values):
        if any(len(each) != len(values[0]) for each in values):
            return "[*]" if any(not each for each in values) else "[" + _opening(values) + "*]"
        return "[" + ", ".join(_same(column) for column in zip(*values, strict=True)) + "]"
    first = canonical(values[0])
    if all(type(each) is type(values[0]) and each == values[0] for each in values):
        return escape(
            first if not isinstance(values[0], str) else json.dumps(values[0], ensure_ascii=False)
        )
    return "*"


def _opening(values: Sequence[Any]) -> str:
    firsts = [each[0] for each in values]
    if all(isinstance(each, Mapping) for each in firsts):
        return "\\{"
    return "[" if all(isinstance(each, list) for each in firsts) else ""


def _key(key: object) -> str:
    return escape(json.dumps(str(key), ensure_ascii=False))
