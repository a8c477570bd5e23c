"""Objects of JSON whose keys are values, such as a record for each identifier, are lists of rows.

``{"A17": {"price": 3}, "B20": {"price": 5}}`` is read as ``[{"key": "A17", "price": 3}, …]``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..episodes.facts import OF_LIST
from ..programs.ranges import is_various

__all__ = ["KEY", "VALUE", "as_rows", "keyed_paths"]

KEY = "key"
"""Field of a row that holds its key."""
VALUE = "value"
"""Field of a row that holds what stood under its key, if that is no object."""
_DEEPEST = 40
"""Most levels that are looked into: deeper ones could exceed the recursion of Python."""
_OBJECTS = 3
"""Least objects that show that keys are other ones each time."""


def keyed_paths(results: Sequence[tuple[str, Any]]) -> frozenset[str]:
    """Return the paths of objects whose keys are values.

    Most of their keys are told once, and what stands under all of them is of one form.

    Args:
        results: Tool and data of each result; a path begins with the tool.
    """
    paths: frozenset[str] = frozenset()
    while True:  # what stands under such a key may be such an object itself
        objects: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for tool, data in results:
            for path, each in _objects(as_rows(data, tool, paths), tool):
                objects[path].append(each)
        further = {path for path, each in objects.items() if _has_keys_for_values(each)}
        if not further:
            return paths
        paths |= further


def as_rows(data: Any, path: str, paths: Collection[str], levels: int = _DEEPEST) -> Any:
    """Return data with lists of rows in the place of the objects at some paths.

    An object whose rows could not be told from others stays as it is.

    Args:
        data: A result, or part of it.
        path: Where it stands.
        paths: Of objects whose keys are values.
        levels: How many levels are looked into.
    """
    if not levels or not isinstance(data, dict | list):
        return data
    rows: Any = data
    if isinstance(data, dict) and path in paths and len(_forms(data)) <= 1 and _is_free(data):
        rows = [_row(key, each) for key, each in data.items()]
    if isinstance(rows, list):
        return [as_rows(each, path + OF_LIST, paths, levels - 1) for each in rows]
    return {key: as_rows(each, f"{path}.{key}", paths, levels - 1) for key, each in rows.items()}


def _row(key: str, value: Any) -> dict[str, Any]:
    return {**(value if isinstance(value, dict) else {VALUE: value}), KEY: key}


def _objects(
    data: Any, path: str, levels: int = _DEEPEST
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not levels:
        return
    if isinstance(data, dict):
        yield path, data
        for key, each in data.items():
            yield from _objects(each, f"{path}.{key}", levels - 1)
    elif isinstance(data, list):
        for each in data:
            yield from _objects(each, path + OF_LIST, levels - 1)


def _has_keys_for_values(objects: Sequence[Mapping[str, Any]]) -> bool:
    keys = [key for each in objects for key in each]
    forms = frozenset[type]().union(*map(_forms, objects))
    return (
        len(objects) >= _OBJECTS
        and len(forms) == 1
        and all(map(_is_free, objects))
        and is_various(keys)
    )


def _forms(rows: Mapping[str, Any]) -> frozenset[type]:
    """Return the types of what stands under the keys: numbers are of one, nothing is of none."""
    types = (type(row) for row in rows.values() if row is not None)
    return frozenset(float if each is int else each for each in types)


def _is_free(rows: Mapping[str, Any]) -> bool:
    """Whether rows can be made: none is a list, and none has a field for its key."""
    return not any(
        isinstance(row, list) or (isinstance(row, dict) and KEY in row) for row in rows.values()
    )
