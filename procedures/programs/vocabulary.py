"""What a program can be told: kinds of facts, and the fields of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..episodes.facts import KEYS_OF, LISTING, OBJECT, each_of, list_field
from ..episodes.history import EARLIER, INSTRUCTIONS, TASK
from ..episodes.mentions import Mention
from ..episodes.templates import Template
from .planning.places import PLACE

__all__ = ["Vocabulary"]

_ALWAYS = (EARLIER, INSTRUCTIONS, LISTING, PLACE, TASK)
"""Kinds of facts that no line reads, and that are told nevertheless."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What can be told to a program.

    Attributes:
        fields: Kinds of facts that its lines and names give → their fields.
        operators: What it does.
        places: What the results of its calls of tools are called after.
    """

    fields: Mapping[str, frozenset[str]]
    operators: frozenset[str]
    places: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        lines: Iterable[Template],
        mentions: Iterable[Mention],
        operators: Collection[str],
        wordings: Iterable[Template] = (),
        places: Iterable[str] = (),
    ) -> Vocabulary:
        """Return that of lines and names, and of what tasks list."""
        fields: dict[str, frozenset[str]] = {each.kind: frozenset(["name"]) for each in mentions}
        for line in lines:
            for kind, names in _told_by(line):
                fields[kind] = fields.get(kind, frozenset()).union(names)
        for wording in wordings:
            for slot in wording.lists:
                fields[each_of(slot)] = frozenset(wording.item_fields)
        return cls(fields, frozenset(operators), frozenset(places))

    def kind_fault(self, kind: str) -> str:
        """Say that nothing tells facts of a kind; empty if something may."""
        # JSON that a tool gives is called after it.
        kind = kind.removeprefix(KEYS_OF)
        json = kind[:1] in ("", "[", ".") or kind.startswith(
            (OBJECT, *self.operators, *self.places)
        )
        return "" if kind in self.fields or kind in _ALWAYS or json else f"no line reads {kind!r}"

    def field_fault(self, kind: str, name: str) -> str:
        """Say that facts of a kind lack a field; empty if they have it, or if nobody knows."""
        known = self.fields.get(kind)
        return "" if known is None or name in known else f"{kind!r} has no field {{{name}}}"


def _told_by(line: Template) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the kinds of facts that a line gives, with their fields."""
    own = [*line.slots, *(list_field(slot) for slot in line.lists if line.joint)]
    yield line.text, own
    if line.means:
        yield line.means, own
    for each in line.special:
        yield each.text, each.slots
    for slot in line.lists:
        yield each_of(slot, line.text), line.item_fields
