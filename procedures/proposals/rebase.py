"""Three-way merging of documents: key by key, and list entry by list entry.

``base`` is what a change was made from, ``ours`` what it makes of it, ``theirs`` what stands in
the library now. Steps are recognised by what they do and places of a plan by what they run, so
that a guard that a person edited and a step that a refinement adds beside it do not collide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from ..documents.plain_data import behaves_alike, thaw
from ..programs.documents import program_from_document
from .proposal import Document

_UNORDERED = (
    *("kinds", "preconditions", "postconditions", "distinct", "expect", "locked"),
    *("wordings", "lines", "known", "where", "needs", "provided", "rivals"),
)
"""Lists whose entries may be added and removed in any order."""
_TYPES = "types"
"""Mapping of an ontology whose lists are such sets."""
_THEIRS = ("locked",)
"""Keys that only people change."""
_MARK = ("accepted_limits",)
"""Place of what follows from the limits of a program that a person accepted."""
_ABSENT: Any = object()

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """One place that both sides changed.

    Attributes:
        path: Keys from the document's root.
        base: What stood there; None if nothing did.
        ours: What the proposal wants.
        theirs: What stands there now.
    """

    path: Path
    base: Any
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        where = ".".join(map(str, self.path)) or "the whole document"
        return (
            f"{where}: it was {_excerpt(self.base)}, is now {_excerpt(self.theirs)}, and the "
            + (f"proposal wants {_excerpt(self.ours)}")
        )


@dataclass(frozen=True, slots=True)
class Merged:
    """The result of a merge.

    Attributes:
        document: The result; where there is a conflict, what stands in the library.
        conflicts: Places that both sides changed.
    """

    document: dict[str, Any]
    conflicts: tuple[Conflict, ...]


def merge_documents(
    base: Document, ours: Document, theirs: Document, *, renumber: bool = True
) -> Merged:
    """Merge a change into what stands now.

    With ``renumber`` the version is the library's where behaviour stays, else higher, and what the
    change wants if it can be; without, it is the higher of the two, so that plans which name it
    still do.
    """
    old, new, current = thaw(base), thaw(ours), thaw(theirs)
    free = ("version", "evidence", "provenance")
    conflicts: list[Conflict] = []
    behaviours = [{k: v for k, v in each.items() if k not in free} for each in (old, new, current)]
    merged = _mapping(behaviours[0], behaviours[1], behaviours[2], (), conflicts)
    if [conflict.path for conflict in conflicts] == [_MARK]:
        sides = [program_from_document(each) for each in (new, current)]
        if not any(side.has_other_limits() for side in sides):
            # Each side keeps to what was accepted there, and so does what both say together.
            accepted = program_from_document(merged).with_acceptance_of(sides[0])
            merged[_MARK[0]] = accepted.accepted_limits
            conflicts.clear()
    for key in _THEIRS:
        merged.pop(key, None)
        if key in current:
            merged[key] = current[key]
    provenance = {**current.get("provenance", {}), **_differences(old, new, "provenance")}
    if "version" not in {**current, **new}:
        pass  # a list of kinds
    elif behaves_alike(merged, current):
        merged["version"] = current["version"]
    else:
        merged["version"] = max(current["version"] + renumber, new["version"])
    if provenance:
        merged["provenance"] = provenance
    evidence = new.get("evidence") if behaves_alike(merged, new) else current.get("evidence")
    if evidence is not None:
        merged["evidence"] = evidence
    return Merged(_ordered(merged, new, current), tuple(conflicts))


def _differences(old: dict[str, Any], new: dict[str, Any], key: str) -> dict[str, Any]:
    before = old.get(key, {})
    return {name: value for name, value in new.get(key, {}).items() if before.get(name) != value}


def _ordered(merged: dict[str, Any], *models: Mapping[str, Any]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for model in models for name in model))
    names += [name for name in merged if name not in names]
    return {name: merged[name] for name in names if name in merged}


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _is_set(path: Path) -> bool:
    """Say whether a list is a set: by its own name, or as one of the types of an ontology."""
    return bool(path) and (path[-1] in _UNORDERED or path[-2:-1] == (_TYPES,))


def _same(one: Any, other: Any) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return _key(one) == _key(other)


def _value(base: Any, ours: Any, theirs: Any, path: Path, conflicts: list[Conflict]) -> Any:
    if _same(ours, theirs) or _same(ours, base):
        return theirs
    if _same(theirs, base):
        return ours
    sides = (base, ours, theirs)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return _mapping(base if isinstance(base, dict) else {}, ours, theirs, path, conflicts)
    if (
        isinstance(ours, list)
        and isinstance(theirs, list)
        and (base is _ABSENT or isinstance(base, list))
    ):
        return _sequence([] if base is _ABSENT else base, ours, theirs, path, conflicts)
    conflicts.append(Conflict(path, *(None if side is _ABSENT else side for side in sides)))
    return theirs


def _mapping(
    base: dict[str, Any],
    ours: dict[str, Any],
    theirs: dict[str, Any],
    path: Path,
    conflicts: list[Conflict],
) -> dict[str, Any]:
    names = list(theirs)
    for index, name in enumerate(ours):
        if name not in theirs:
            before = [other for other in list(ours)[:index] if other in names]
            names.insert(names.index(before[-1]) + 1 if before else 0, name)
    merged: dict[str, Any] = {}
    for name in names:
        base_value, our_value, their_value = (
            side.get(name, _ABSENT) for side in (base, ours, theirs)
        )
        value = _value(base_value, our_value, their_value, (*path, name), conflicts)
        if value is not _ABSENT:
            merged[name] = value
    return merged


def _identity(item: Any) -> str:
    """Return what an entry of a list is recognised by, though its details change."""
    if isinstance(item, dict):
        if "id" in item and "do" in item:  # a program's step: two may do the same
            return f"id {item['id']}"
        for key in ("do", "tool", "run", "follow"):
            if isinstance(item.get(key), str):
                return f"{key} {item[key].partition('@')[0] if key == 'run' else item[key]}"
    return _key(item)


def _sequence(
    base: list[Any], ours: list[Any], theirs: list[Any], path: Path, conflicts: list[Conflict]
) -> list[Any]:
    merged: list[Any] = []
    at = (0, 0, 0)
    for stop in [*_anchors(base, ours, theirs), (len(base), len(ours), len(theirs))]:
        region = [side[a:b] for side, a, b in zip((base, ours, theirs), at, stop, strict=True)]
        merged += _region(region, (*path, len(merged)), path, conflicts)
        if stop[0] < len(base):
            base_entry, our_entry, their_entry = base[stop[0]], ours[stop[1]], theirs[stop[2]]
            merged.append(
                _value(base_entry, our_entry, their_entry, (*path, len(merged)), conflicts)
            )
        at = (stop[0] + 1, stop[1] + 1, stop[2] + 1)
    if _is_set(path):  # both sides may have added the same, at two places
        merged = list({_key(item): item for item in merged}.values())
    return merged


def _anchors(
    base: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]
) -> list[tuple[int, int, int]]:
    """Return the entries that all three have, in order."""
    names = [[_identity(item) for item in side] for side in (base, ours, theirs)]
    to_ours, to_theirs = (_matches(names[0], side) for side in names[1:])
    return [(i, to_ours[i], to_theirs[i]) for i in sorted(to_ours.keys() & to_theirs.keys())]


def _matches(one: list[str], other: list[str]) -> dict[int, int]:
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return {block.a + n: block.b + n for block in blocks for n in range(block.size)}


def _region(region: list[list[Any]], at: Path, path: Path, conflicts: list[Conflict]) -> list[Any]:
    base, ours, theirs = region
    if _same(ours, theirs) or _same(ours, base):
        return theirs
    if _same(theirs, base):
        return ours
    if _is_set(path):
        base_keys, our_keys = {_key(item) for item in base}, {_key(item) for item in ours}
        remaining = [
            item for item in theirs if _key(item) in our_keys or _key(item) not in base_keys
        ]
        remaining_keys = {_key(item) for item in remaining}
        added = [i for i in ours if _key(i) not in base_keys and _key(i) not in remaining_keys]
        return [*remaining, *added]
    if len(base) == len(ours) == len(theirs):
        return [
            _value(base_entry, our_entry, their_entry, (*at[:-1], int(at[-1]) + n), conflicts)
            for n, (base_entry, our_entry, their_entry) in enumerate(
                zip(base, ours, theirs, strict=True)
            )
        ]
    conflicts.append(Conflict(at, base or None, ours, theirs))
    return theirs


def _excerpt(value: Any) -> str:
    text = "absent" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:119]}…"
