"""Conversion between plain documents, as YAML gives them, and immutable values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from ..common.errors import ConditionError, SchemaError
from ..conditions.language import Condition, parse_condition

NOT_BEHAVIOUR = (
    *("version", "status", "evidence", "provenance", "locked", "shown"),
    *("accepted", "accepted_limits", "description"),
)
"""Keys of a document that are no part of its behaviour."""


KINDS = ("kinds", "type")
"""Keys of a parameter that hold its kinds."""


_DIGEST = 12
"""Hexadecimal digits of a digest; enough for the versions of one library."""

_REFERENCE = frozenset({"kind", "id", "of", "version", "status", "provenance"})


def is_reference(document: Mapping[str, Any]) -> bool:
    """Tell whether a document only refers to one stored elsewhere, as in a commit."""
    return set(document) <= _REFERENCE


def behaviour(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a document that defines its behaviour."""
    part = {key: value for key, value in document.items() if key not in NOT_BEHAVIOUR}
    if isinstance(plan := part.get("plan"), list | tuple):
        part["plan"] = [_unversioned(place) for place in plan]
    if isinstance(parameters := part.get("parameters"), Mapping):
        part["parameters"] = {name: _unordered(each) for name, each in parameters.items()}
    return part


def _unordered(parameter: Any) -> Any:
    """Return a parameter with its kinds sorted, since they are a set."""
    if not isinstance(parameter, Mapping) or not isinstance(
        kinds := parameter.get("kinds"), list | tuple
    ):
        return parameter
    return {**parameter, "kinds": sorted(map(str, kinds))}


def _unversioned(place: Any) -> Any:
    """Return a place of a plan without the version after its procedure's id."""
    if not isinstance(place, Mapping) or not isinstance(place.get("run"), str):
        return place
    return {**place, "run": place["run"].partition("@")[0]}


def behaves_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two documents have the same behaviour, with keys in the same order."""
    return json.dumps(thaw(behaviour(one))) == json.dumps(thaw(behaviour(other)))


def behaviour_digest(document: Mapping[str, Any]) -> str:
    """Return a short digest of a document's behaviour; the order of keys does not count."""
    text = json.dumps(thaw(behaviour(document)), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]


def does_the_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two documents have the same behaviour apart from kinds and types."""
    return behaves_alike(without_kinds(one), without_kinds(other))


def without_kinds(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a document without the kinds of things that it was done with."""
    bare: dict[str, Any] = thaw(document)
    for parameter in bare.get("parameters", {}).values():
        for key in KINDS:
            parameter.pop(key, None)
    return bare


_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})
"""The shared empty mapping: most steps have no arguments."""


def freeze(value: Any) -> Any:
    """Return an immutable copy: lists become tuples, mappings read-only views."""
    if isinstance(value, Mapping):
        frozen_items = {key: freeze(inner) for key, inner in value.items()}
        return MappingProxyType(frozen_items) if frozen_items else _NOTHING
    if isinstance(value, list | tuple):
        return tuple(freeze(inner) for inner in value)
    return value


def thaw(value: Any) -> Any:
    """Return a mutable copy: tuples become lists, mappings dictionaries."""
    if isinstance(value, Mapping):
        return {key: thaw(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [thaw(inner) for inner in value]
    return value


def frozen(instance: object, *names: str) -> None:
    """Freeze attributes of a frozen dataclass, for its ``__post_init__``."""
    for name in names:
        object.__setattr__(instance, name, freeze(getattr(instance, name)))


def condition(document: Mapping[str, Any], key: str) -> Condition | None:
    """Return the condition under a key, or None where there is none."""
    return _parse(document[key], key) if key in document else None


def conditions(document: Mapping[str, Any], key: str) -> tuple[Condition, ...]:
    """Return the list of conditions under a key."""
    return tuple(_parse(item, key, index) for index, item in enumerate(document.get(key, ())))


def _parse(value: object, *path: str | int) -> Condition:
    try:
        return parse_condition(value)
    except ConditionError as error:
        raise below(error, path) from None


def below(error: ConditionError, path: Sequence[str | int]) -> ConditionError:
    """Return the error with its path seen from an outer document."""
    # The message already carries the text and column: do not add them twice.
    moved = ConditionError(error.problem, path=(*path, *error.path), hint=error.hint)
    moved.text, moved.column = error.text, error.column
    return moved


@contextmanager
def reading(what: str, *path: str | int) -> Iterator[None]:
    """Turn the exceptions of a malformed document into a SchemaError, with full paths.

    A library checks documents against their schema first, so this concerns only documents
    made in memory.
    """
    try:
        yield
    except ConditionError as error:
        raise below(error, path) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not a {what}: {reason}", path=path) from None


def number(value: float) -> int | float:
    """Return a whole number without its decimal point, as people write it."""
    return value if isinstance(value, int) or not value.is_integer() else int(value)
