"""How two programs differ: lines, parameters by name, steps by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from ..files.lazy_documents import NOT_IN_FILES
from ..programs.documents import ProgramFile
from .changes import Change, Side
from .part_diff import list_changes, plain_changes, plain_side, single_change, word_changes
from .part_words import compact

_Step = Mapping[str, Any]
_WORDS = ("wordings", "lines", "known")
_AT_THE_END = ("accepted", "locked")
_KEYS_WITH_A_FORM = frozenset(
    (*_WORDS, *_AT_THE_END, *NOT_IN_FILES, "kind", "id", "version", "status", "description", "goal")
) | {"names", "places", "parameters", "steps"}
"""Keys of a document that have a form of their own here."""


def program_changes(old: ProgramFile | None, new: ProgramFile | None) -> Iterator[Change]:
    """Yield what is different, in the order of the document's keys; None: there is none."""
    before: Mapping[str, Any] = {} if old is None else old.to_document()
    after: Mapping[str, Any] = {} if new is None else new.to_document()
    if old is not None and new is not None:
        yield from single_change("id", old.id, new.id, Side)
        yield from single_change("version", old.version, new.version, lambda v: Side(str(v)))
        yield from single_change("status", old.status, new.status, Side)
    for key in ("description", "goal"):
        yield from single_change(key, before.get(key), after.get(key), plain_side)
    for key in _WORDS:
        yield from word_changes(
            key, "", map(compact, before.get(key, ())), map(compact, after.get(key, ()))
        )
    yield from plain_changes("names", before.get("names"), after.get("names"))
    yield from plain_changes("places", before.get("places"), after.get("places"))
    yield from _parameters(before.get("parameters", {}), after.get("parameters", {}))
    steps: list[Sequence[_Step]] = [side.get("steps", ()) for side in (before, after)]
    yield from list_changes(
        "steps", *steps, cost=_cost, name=_name, side=plain_side, details=_details
    )
    rest = dict.fromkeys(key for key in (*before, *after) if key not in _KEYS_WITH_A_FORM)
    for key in (*rest, *_AT_THE_END):
        yield from plain_changes(key, before.get(key), after.get(key))


def _parameters(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            yield from single_change("parameters", before, after, plain_side, name)
        elif before != after:
            details = _details(before, after)
            sides = plain_side(before), plain_side(after)
            yield Change("parameters", "changed", name, *sides, details=details)


def _details(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    return tuple(
        change
        for key in dict.fromkeys((*before, *after))
        for change in plain_changes(key, before.get(key), after.get(key))
    )


def _cost(one: _Step, other: _Step) -> float:
    return 0.0 if _name(one) == _name(other) else inf


def _name(step: _Step) -> str:
    return str(step["id"])
