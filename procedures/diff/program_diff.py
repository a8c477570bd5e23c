"""How two programs differ: each entry of their lists and mappings by name, steps in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from ..files.lazy_documents import NOT_IN_FILES
from ..programs.documents import ProgramFile
from .changes import Action, Change, Side
from .part_diff import list_changes, plain_changes, plain_side, single_change
from .part_words import compact, listed
from .program_words import Entry, entries_of

_FIRST = ("wordings", "lines", "known", "names", "places", "parameters", "steps")
_AT_THE_END = ("accepted", "accepted_limits", "locked")
_APART = frozenset(
    (*NOT_IN_FILES, "kind", "id", "version", "status", "description", "goal", *_AT_THE_END)
)
"""Keys of a document that stand first or last here, or are no part of what it does."""


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
    rest = (key for key in (*before, *after) if key not in _APART)
    for key in dict.fromkeys((*_FIRST, *rest)):
        yield from _entry_changes(key, before.get(key), after.get(key))
    for key in _AT_THE_END:
        yield from plain_changes(key, before.get(key), after.get(key))


def _entry_changes(section: str, before: Any, after: Any) -> Iterator[Change]:
    """Compare what stands at a key, entry by entry."""
    if before == after:
        return
    old, new = entries_of(section, before), entries_of(section, after)
    if section == "steps":
        yield from list_changes(
            section,
            old,
            new,
            cost=_cost,
            name=_heading,
            side=_entry_side,
            details=_details,
            parts=_details,
        )
        return
    old_by_name, new_by_name = ({each.name: each for each in side} for side in (old, new))
    for name in dict.fromkeys((*old_by_name, *new_by_name)):
        one, other = old_by_name.get(name), new_by_name.get(name)
        if one is None or other is None or one.value != other.value:
            yield _entry_change(section, one, other)
    if isinstance(after, Sequence) and {*old_by_name} == {*new_by_name} != set():
        orders = [listed(map(_heading, side), "then") for side in (old, new)]
        if [*old_by_name] != [*new_by_name]:
            yield Change(section, "moved", "", Side(orders[0]), Side(orders[1]))


def _entry_change(section: str, old: Entry | None, new: Entry | None) -> Change:
    entry = new or old
    before, after = (None if each is None else _entry_side(each) for each in (old, new))
    action: Action = "added" if old is None else "removed" if new is None else "changed"
    subject = "" if entry is None else entry.heading
    details = _details(old, new)
    # Without details the heading says it all, and it is what the sides say.
    return Change(section, action, subject if details else "", before, after, details=details)


def _details(old: Entry | None, new: Entry | None) -> tuple[Change, ...]:
    """Return what one entry says no longer, and what it says now."""
    before, after = (() if each is None else each.sayings for each in (old, new))
    details = [Change(of, "removed", "", Side(w), None) for of, w in before if (of, w) not in after]
    details += [Change(of, "added", "", None, Side(w)) for of, w in after if (of, w) not in before]
    if old is not None and new is not None and old.heading != new.heading and (before or after):
        details.insert(0, Change("", "changed", "", Side(old.heading), Side(new.heading)))
    return tuple(details)


def _entry_side(entry: Entry) -> Side:
    return Side(compact(entry.value), entry.words)


def _heading(entry: Entry) -> str:
    return entry.heading


def _cost(one: Entry, other: Entry) -> float:
    return 0.0 if one.name == other.name else inf
