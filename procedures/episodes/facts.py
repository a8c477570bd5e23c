"""What a result tells: facts with fields, read from lines of text or from JSON alike."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .lines import lines_of
from .mentions import Mention, sentences_of
from .templates import Template

__all__ = ["LISTING", "UNREAD", "Fact", "Reader", "Scalar", "spelled"]

Scalar = str | int | float | bool | None
LISTING = "several names"
"""Kind of a sentence that lists several names."""
UNREAD = "\0"
"""Kind of a line that no template reads."""
_LONGEST_KEPT = 100_000
"""Longer results are not remembered: they hardly come again, and 20,000 of them are too much."""
_SEVERAL = 2
_RESULT = "result"
"""Kind of an object of JSON that no tool has given."""


def spelled(value: Scalar) -> str:
    """Return a value as a text, as JSON spells it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Fact:
    """One line, or one object of JSON.

    Attributes:
        kind: The line's template, or the path of the object.
        fields: Slot or key → value as it is spelled.
        raw: Key → value as it was given, where it is no text.
    """

    kind: str
    fields: Mapping[str, str] = field(hash=False)
    raw: Mapping[str, Scalar] = field(default_factory=dict, hash=False, compare=False)


class Reader:
    """Reads results as facts.

    Args:
        templates: Of lines; JSON needs none.
        mentions: Of names in running text.

    Attributes:
        templates: The heaviest first.
        mentions: Of names in running text.
        line: Reads one line, just as it is spelled, as facts.
    """

    def __init__(
        self, templates: Sequence[Template] = (), mentions: Sequence[Mention] = ()
    ) -> None:
        self.templates = tuple(sorted(templates, key=lambda t: (-t.weight, t.text)))
        self.mentions = tuple(mentions)
        self.line = lru_cache(50_000)(self._read_line)
        self._text = lru_cache(20_000)(self._read_text)

    def read(self, result: str, operator: str = "") -> tuple[Fact, ...]:
        """Return the facts of a result, in order.

        Args:
            result: Text, or an object or list of JSON.
            operator: The tool that answers so; kinds of JSON facts begin with it.
        """
        if len(result) > _LONGEST_KEPT:
            return self._read_text(result, operator)
        return self._text(result, operator)

    def __reduce__(
        self,
    ) -> tuple[type[Reader], tuple[tuple[Template, ...], tuple[Mention, ...]]]:
        """Readers are sent to other processes without what they remember."""
        return Reader, (self.templates, self.mentions)

    def _read_text(self, result: str, operator: str) -> tuple[Fact, ...]:
        if result.lstrip()[:1] in ("{", "["):
            try:
                return tuple(_facts_of(json.loads(result), operator or _RESULT))
            except (ValueError, RecursionError):
                pass
        if self.mentions:
            return tuple(self._read_prose(result))
        lines = (self.line(line) for line in lines_of(result))
        return tuple(fact for line in lines for fact in line)

    def _read_prose(self, text: str) -> Iterator[Fact]:
        """Yield the facts of each sentence; of one that lists several names these are the facts."""
        told: set[tuple[str, str]] = set()
        for sentence in sentences_of(text):
            names = [(mention.kind, mention.read(sentence)) for mention in self.mentions]
            if all(len(each) < _SEVERAL for _, each in names):
                yield from self.line(sentence)
            else:
                yield Fact(LISTING, {"1": sentence})
            for kind, name in ((kind, name) for kind, each in names for name in each):
                if (kind, name) not in told:
                    told.add((kind, name))
                    yield Fact(kind, {"name": name})

    def _read_line(self, line: str) -> tuple[Fact, ...]:
        """Return the facts of one line, spelled just as it is."""
        for template in self.templates:
            values = template.read(line)
            if values is not None:
                fields = dict(zip(template.slots, values, strict=True))
                items = (
                    Fact(f"each {{{slot}}} of {template.text}", {"item": item})
                    for slot in sorted(template.lists)
                    for item in fields[slot].split(", ")
                )
                special = (
                    Fact(each.text, dict(zip(each.slots, inner, strict=True)))
                    for each in template.special
                    if (inner := each.read(line)) is not None
                )
                return (Fact(template.text, fields), *special, *items)
        return (Fact(UNREAD, {"1": line}),)


def _facts_of(data: Any, kind: str) -> Iterator[Fact]:
    """Yield the object's own values as one fact, then those of what it holds."""
    if isinstance(data, list):
        for each in data:
            if isinstance(each, dict | list):
                yield from _facts_of(each, kind + "[]")
            else:
                yield _fact(kind + "[]", {"": each})
        return
    if not isinstance(data, dict):
        yield _fact(kind, {"": data})
        return
    inner: list[tuple[str, Any]] = []
    own: dict[str, Scalar] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat = dict(_flat(key, value, inner))
            own |= flat
        elif isinstance(value, list):
            inner.append((key, value))
        else:
            own[key] = value
    yield _fact(kind, own)
    for key, value in inner:
        yield from _facts_of(value, f"{kind}.{key}")


def _flat(path: str, data: Mapping[str, Any], inner: list[tuple[str, Any]]) -> Iterator[Any]:
    for key, value in data.items():
        name = f"{path}.{key}"
        if isinstance(value, dict):
            yield from _flat(name, value, inner)
        elif isinstance(value, list):
            inner.append((name, value))
        else:
            yield name, value


def _fact(kind: str, values: Mapping[str, Scalar]) -> Fact:
    told = {key: value for key, value in values.items() if value is not None}
    raw = {key: value for key, value in told.items() if not isinstance(value, str)}
    return Fact(kind, {key: spelled(value) for key, value in told.items()}, raw)
