"""Read YAML of untrusted origin, and write files atomically.

The reader walks libyaml's events, which is fast and yields plain data only: it refuses
duplicate keys, anchors, aliases, tags, several documents, deep nesting, binary content and
oversized files. Plain words follow YAML 1.2: only ``true``, ``false``, ``null`` and numbers
are not text, so ``on``, ``no`` and dates stay texts. Writing is in
:mod:`macla.procedures.documents.yaml_dump`, changing a file that people edited in
:mod:`macla.procedures.documents.yaml_update`.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from ..common.errors import LibraryError, SchemaError, reason
from ..local.regular import open_regular
from ..local.replacing import replacing

MAX_BYTES = 8 * 1_048_576
"""Largest file that is read, in bytes: boxes of tools with long results take more than one MB."""
MAX_DEPTH = 40
"""Deepest nesting of lists and mappings."""

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser, where PyYAML has it."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_MAX_DIGITS = 300
"""Longest number, in characters: converting long ones takes quadratic time."""
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_MEANING = frozenset({*(word[:1] for word in _WORDS), *"0123456789+-."})
"""First characters of plain words that may be no text."""
_NO_KEY = object()


def read_bytes(path: Path) -> bytes:
    """Return a file's content.

    Raises:
        LibraryError: It cannot be read, or is larger than :data:`MAX_BYTES`.
    """
    try:
        with open_regular(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            data = stream.read(
                min(size, MAX_BYTES) + 1
            )  # a buffer for the largest file would double the cost
            if len(data) > size:  # it grew meanwhile
                data += stream.read(MAX_BYTES + 1 - len(data))
    except OSError as error:
        raise LibraryError(f"cannot be read: {reason(error)}", file=path) from error
    if len(data) > MAX_BYTES:
        raise SchemaError(f"is larger than {MAX_BYTES} bytes", file=path)
    return data


def decode(data: bytes, file: Path | None = None) -> str:
    """Return the text of a YAML file, which must be printable UTF-8.

    Raises:
        SchemaError: The data are not printable UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SchemaError("is not UTF-8 text", file=file, line=line) from None
    if (bad := _UNPRINTABLE.search(text)) is not None:
        line = text.count("\n", 0, bad.start()) + 1
        raise SchemaError(
            f"holds the unprintable character U+{ord(bad[0]):04X}",
            file=file,
            line=line,
            hint="is it a binary file? In a quoted text, write an escape such as \\u0007",
        )
    return text


def load_yaml(data: bytes, file: Path | None = None) -> Any:
    """Read one YAML document of plain data.

    Args:
        data: The file's content.
        file: Its name, for messages.

    Raises:
        SchemaError: It is malformed or uses a forbidden feature; carries file and line.
    """
    return _Builder(file).build(decode(data, file))


def line_of(data: bytes, path: Sequence[str | int]) -> int | None:
    """Return the line (from 1) of the value at a path, or of the nearest value around it."""
    builder = _Builder(None, lines={})
    with contextlib.suppress(SchemaError):
        builder.build(decode(data))
    lines = builder.lines or {}
    keys = tuple(path)
    while keys and keys not in lines:
        keys = keys[:-1]
    return lines.get(keys)


def resolve_plain(text: str) -> Any:
    """Return the value of an unquoted word: null, a boolean, a number, or itself.

    Raises:
        ValueError: It is a number that is not finite or has too many digits.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _MEANING:
        return text
    if len(text) > _MAX_DIGITS:
        if _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text):
            raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(f"{text} is not a finite number")
        return value
    if text.lstrip("+-").lower() in (".inf", ".nan"):
        raise ValueError(f"{text} is not a finite number")
    return text


def _conflict(text: str) -> int | None:
    """Return the line, from 1, of the first merge conflict mark, or None."""
    numbered = enumerate(text.splitlines(), start=1)
    return next((number for number, line in numbered if line.startswith("<<<<<<< ")), None)


class _Builder:
    """Builds plain data from events, without recursion."""

    def __init__(
        self, file: Path | None, lines: dict[tuple[str | int, ...], int] | None = None
    ) -> None:
        self.file = file
        self.lines = lines
        self.stack: list[tuple[Any, Any]] = []  # (container, pending key) around the current one

    def build(self, text: str) -> Any:
        """Return the one document of a text."""
        loader = Loader(text)
        try:
            return self._build(loader)
        except yaml.YAMLError as error:
            if (conflict := _conflict(text)) is not None:
                raise SchemaError(
                    "holds the marks of a merge that is not done",
                    file=self.file,
                    line=conflict,
                    hint="keep what is right of both sides; after `macla git install` git merges "
                    "such files by keys",
                ) from None
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or getattr(error, "reason", "not YAML")
            if "nesting depth" in str(problem):  # PyYAML's own limit comes before ours
                raise SchemaError(
                    f"nests deeper than {MAX_DEPTH}",
                    file=self.file,
                    line=mark.line + 1 if mark else None,
                ) from None
            raise SchemaError(
                f"is not readable as YAML: {problem}",
                file=self.file,
                line=None if mark is None else mark.line + 1,
                hint="check indentation, quotes and brackets at this line",
            ) from None
        finally:
            loader.dispose()

    def _build(self, loader: Any) -> Any:
        next_event = loader.get_event
        root: Any = _NO_KEY
        container: Any = None
        key: Any = _NO_KEY
        stack = self.stack
        noting = self.lines is not None
        scalar, mapping, sequence = (
            yaml.ScalarEvent,
            yaml.MappingStartEvent,
            yaml.SequenceStartEvent,
        )
        mapping_end, sequence_end = yaml.MappingEndEvent, yaml.SequenceEndEvent
        while True:
            event = next_event()
            kind = type(event)
            if kind is scalar:
                if event.anchor is not None or event.tag is not None:
                    raise self._not_plain(event)
                value = event.value
                if not event.style and value[:1] in _MEANING:
                    try:
                        value = resolve_plain(value)
                    except ValueError as error:
                        raise self._error(str(error), event) from None
            elif kind is mapping or kind is sequence:
                if event.anchor is not None or event.tag is not None:
                    raise self._not_plain(event)
                if type(container) is dict and key is _NO_KEY:
                    raise self._error("a key must be a text", event)
                if noting:
                    self._note(container, key, event)
                stack.append((container, key))
                if len(stack) > MAX_DEPTH:
                    raise self._error(f"nests deeper than {MAX_DEPTH}", event)
                container = {} if kind is mapping else []
                key = _NO_KEY
                continue
            elif kind is mapping_end or kind is sequence_end:
                value = container
                container, key = stack.pop()
            elif kind is yaml.AliasEvent:
                raise self._error(f"the alias *{event.anchor} is not allowed", event)
            elif kind is yaml.DocumentStartEvent:
                if root is not _NO_KEY:
                    raise self._error("holds more than one document", event)
                continue
            elif kind is yaml.StreamEndEvent:
                if root is _NO_KEY:
                    raise SchemaError("is empty", file=self.file, line=1)
                return root
            else:
                continue
            if container is None:
                root = value
            elif type(container) is list:
                if noting and kind is scalar:
                    self._note(container, key, event)
                container.append(value)
            elif key is _NO_KEY:
                if type(value) is not str:
                    raise self._error(f"the key {value!r} must be a text", event, hint="quote it")
                if value in container:
                    raise self._error(f"the key {value[:80]!r} stands here twice", event)
                key = value
                if noting:
                    self._note(container, key, event)
            else:
                container[key] = value
                key = _NO_KEY

    def _not_plain(self, event: Any) -> SchemaError:
        if event.anchor is not None:
            return self._error(f"the anchor &{event.anchor} is not allowed", event)
        return self._error(f"the tag {event.tag!r} is not allowed", event)

    def _path(self) -> tuple[str | int, ...]:
        keys: list[str | int] = []
        for container, key in self.stack[1:]:
            keys.append(len(container) if type(container) is list else key)
        return tuple(keys)

    def _note(self, container: Any, key: Any, event: Any) -> None:
        """Note the line of a value, which is that of its key."""
        last: tuple[str | int, ...] = ()
        if type(container) is list:
            last = (len(container),)
        elif type(container) is dict and key is not _NO_KEY:
            last = (key,)
        outer = tuple(
            len(around) if type(around) is list else around_key
            for around, around_key in self.stack
            if around is not None
        )
        assert self.lines is not None, "asked for"  # noqa: S101
        self.lines.setdefault((*outer, *last), event.start_mark.line + 1)

    def _error(self, problem: str, event: Any, hint: str | None = None) -> SchemaError:
        return SchemaError(
            problem, file=self.file, line=event.start_mark.line + 1, path=self._path(), hint=hint
        )


def atomic_write(path: Path, data: bytes) -> None:
    """Replace a file's content in one step: readers see the old or the new, never a part.

    Raises:
        LibraryError: The folder cannot be written.
    """
    try:
        with replacing(path) as stream:
            stream.write(data)
    except OSError as error:
        raise LibraryError(f"cannot be written: {reason(error)}", file=path) from error
