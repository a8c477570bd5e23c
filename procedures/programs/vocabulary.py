"""Vocabularies: the kinds of facts that a program can be told, and their fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..episodes.facts import KEYS_OF, LISTING, OBJECT, each_of, list_field
from ..episodes.history import EARLIER, INSTRUCTIONS, TASK
from ..episodes.mentions import Mention
from ..episodes.templates import Template
from .planning.places import PLACE

_ALWAYS = (EARLIER, INSTRUCTIONS, LISTING, PLACE, TASK)
"""Kinds of facts that exist without a line."""
_ITEM = re.compile(r"each (.+?) of (.*)")
"""The kind of an item of a list in a tool's result."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The kinds of facts that a program can be told.

    Attributes:
        fields: Kind of facts of its lines and names → their fields.
        operators: Its operators.
        places: Prefixes of the kinds of its tools' results.
        shared: Kinds that several of its tools tell.
        lists: Fields of its tools' results whose items are facts.
    """

    fields: Mapping[str, frozenset[str]]
    operators: frozenset[str]
    places: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        lines: Iterable[Template],
        mentions: Iterable[Mention],
        operators: Collection[str],
        wordings: Iterable[Template] = (),
        places: Iterable[str] = (),
        shared: Iterable[str] = (),
        lists: Iterable[str] = (),
    ) -> Vocabulary:
        """Return the vocabulary of lines, names and lists of tasks."""
        fields: dict[str, frozenset[str]] = {each.kind: frozenset(["name"]) for each in mentions}
        for line in lines:
            for kind, names in _kinds_of_line(line):
                fields[kind] = fields.get(kind, frozenset()).union(names)
        for wording in wordings:
            for slot in wording.lists:
                fields[each_of(slot)] = frozenset(wording.item_fields)
        return cls(fields, *map(frozenset, (operators, places, shared, lists)))

    def kind_fault(self, kind: str) -> str:
        """Return that no line tells facts of a kind; empty if something may."""
        # The kinds of a tool's JSON begin with its name.
        kind = kind.removeprefix(KEYS_OF)
        if kind not in self.fields and (item := _ITEM.fullmatch(kind)) and item[1] in self.lists:
            kind = item[2]
        json = kind[:1] in ("", "[", ".") or kind.startswith(
            (OBJECT, *self.operators, *self.places)
        )
        known = kind in self.fields or kind in _ALWAYS or kind in self.shared
        return "" if known or json else f"no line reads {kind!r}"

    def field_fault(self, kind: str, name: str) -> str:
        """Return that facts of a kind lack a field; empty if they have it, or may have it."""
        known_fields = self.fields.get(kind)
        return (
            ""
            if known_fields is None or name in known_fields
            else f"{kind!r} has no field {{{name}}}"
        )


def _kinds_of_line(line: Template) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the kinds of facts that a line gives, with their fields."""
    slots = [*line.slots, *(list_field(slot) for slot in line.lists if line.lists_anew)]
    yield line.text, slots
    if line.means:
        yield line.means, slots
    for each in line.special:
        yield each.text, each.slots
    for slot in line.lists:
        yield each_of(slot, line.text), line.item_fields
