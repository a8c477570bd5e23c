"""Write plain data as YAML that is easy to read and to diff.

Mappings keep their order, one key per line. Parameters, bindings and lists of plain words
stand on one line where they fit. Texts are quoted only where a YAML reader (1.1 or 1.2)
could misread them. The same data always gives the same text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..common.errors import SchemaError
from .yaml_io import MAX_DEPTH

WIDTH = 100
"""Longest line (characters) with a list or mapping in brackets."""
_LONGEST_KEY = 1_000
"""Longest key (characters); libyaml reads keys up to 1024."""

_FLOW_KEYS = frozenset(
    {"with", "evidence", "capacity", "counts", "replay", "there", "goal", "few", "lists", "sizes"}
)
"""Mappings under these keys stand on one line where they fit."""
_FLOW_CHILDREN = frozenset({"parameters", "clusters", "lines", "wordings", "rivals"})
"""Entries below these keys stand on one line where they fit."""
_BLOCK_KEYS = frozenset(
    {"preconditions", "postconditions", "prefer", "steps", "plan", "wordings"}
    | {"lines", "known", "when", "provided", "rivals", "kinds"}
)
"""Lists under these keys have one item per line, however short."""

_BLOCK_PLAIN = re.compile(r"[A-Za-z_](?:[!-~ \u00a1-\u1fff\u2030-\ud7ff]*[!-9;-~])?")
_FLOW_PLAIN = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_ .@/()<>+*=!'~-]*[A-Za-z0-9_.@/()<>+*=!'~-])?")
_RESERVED = re.compile(r"null|true|false|yes|no|on|off", re.IGNORECASE)
_ESCAPED = re.compile("[\x7f-\xa0\xad\u2000-\u200f\u2028-\u202f\u2066-\u2069\ufeff\ufffe\uffff]")


def dump_yaml(document: Mapping[str, Any]) -> str:
    """Return a document as text, ending in a line break.

    Raises:
        SchemaError: It holds what YAML cannot, such as a number that is not finite.
    """
    text = "\n".join(block_lines(document)) + "\n"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise SchemaError("a text holds half a surrogate pair") from None
    return text


def scalar(value: Any, *, in_flow: bool = False) -> str:
    """Return a single value as YAML text."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, str):
        return _text(value, _FLOW_PLAIN if in_flow else _BLOCK_PLAIN)
    raise SchemaError(f"{type(value).__name__} cannot be written as YAML")


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise SchemaError(f"{value} is not a finite number")
    text = repr(value)
    # YAML 1.1 wants a point in every float: 1e-05 would be a text there.
    return text if "." in text else text.replace("e", ".0e")


def _text(text: str, plain: re.Pattern[str]) -> str:
    if (
        plain.fullmatch(text)
        and ": " not in text
        and " #" not in text
        and not _RESERVED.fullmatch(text)
    ):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    if "\\" in quoted and text.isprintable() and "'" not in text and not _ESCAPED.search(text):
        return f"'{text}'"  # a condition full of double quotes is easier to read so
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def flow(value: Any, depth: int = 0) -> str:
    """Return a value in brackets, on one line."""
    if depth > MAX_DEPTH:
        raise SchemaError(f"nests deeper than {MAX_DEPTH}")
    if isinstance(value, Mapping):
        inner = (f"{_key(key, in_flow=True)}: {flow(v, depth + 1)}" for key, v in value.items())
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(item, depth + 1) for item in value)}]"
    return scalar(value, in_flow=True)


def _key(key: Any, *, in_flow: bool = False) -> str:
    if not isinstance(key, str) or len(key) > _LONGEST_KEY:
        raise SchemaError(f"a key must be a text of at most {_LONGEST_KEY} characters")
    return scalar(key, in_flow=in_flow)


def _is_plain_word(value: Any) -> bool:
    if not isinstance(value, str):
        return not isinstance(value, Mapping | list | tuple)
    return _FLOW_PLAIN.fullmatch(value) is not None


def _in_brackets(value: Any, key: str, parent: str, room: int) -> str | None:
    """Return a value on one line, if it should and can be; else None."""
    if not value:
        return flow(value)
    if parent == "types":
        return None  # a set, as below
    if isinstance(value, Mapping):
        if key not in _FLOW_KEYS and parent not in _FLOW_CHILDREN:
            return None
        if isinstance(value.get("kinds"), list | tuple) and value["kinds"]:
            return None  # a set: one item per line, so that two additions are two lines
    elif key in _BLOCK_KEYS or not all(map(_is_plain_word, value)):
        return None
    text = flow(value)
    return text if len(text) <= room else None


def block_lines(value: Any, *, key: str = "", parent: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the lines of a list or mapping without indent; of a scalar, its one line."""
    if depth > MAX_DEPTH:
        raise SchemaError(f"nests deeper than {MAX_DEPTH}")
    if isinstance(value, Mapping) and value:
        for name, inner in value.items():
            yield from _entry(f"{_key(name)}:", inner, name, key, depth)
    elif isinstance(value, list | tuple) and value:
        for item in value:
            if isinstance(item, Mapping | list | tuple):
                short = _in_brackets(item, "", key, WIDTH - 2 * depth - 2)
                if short is not None:
                    yield f"- {short}"
                    continue
                mark = "- "
                if isinstance(item, list | tuple):
                    yield "-"
                    mark = "  "
                for line in block_lines(item, key="", parent=key, depth=depth + 1):
                    yield mark + line
                    mark = "  "
            else:
                yield f"- {scalar(item)}"
    elif isinstance(value, Mapping | list | tuple):
        yield flow(value)
    else:
        yield scalar(value)


def _entry(head: str, value: Any, key: str, parent: str, depth: int) -> Iterator[str]:
    if not isinstance(value, Mapping | list | tuple):
        yield f"{head} {scalar(value)}"
        return
    short = _in_brackets(value, key, parent, WIDTH - 2 * depth - len(head) - 1)
    if short is not None:
        yield f"{head} {short}"
        return
    yield head
    for line in block_lines(value, key=key, parent=parent, depth=depth + 1):
        yield f"  {line}"
