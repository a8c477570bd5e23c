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


def as_rows(data: Any, path: str, paths: Collection[str]) -> Any:
    """Return data with lists of rows in the place of the objects at some paths.

    Args:
        data: A result, or part of it.
        path: Where it stands.
        paths: Of objects whose keys are values.
    """
    if isinstance(data, list):
        return [as_rows(each, path + OF_LIST, paths) for each in data]
    if not isinstance(data, dict):
        return data
    if path in paths:
        return [as_rows(_row(key, each), path + OF_LIST, paths) for key, each in data.items()]
    return {key: as_rows(each, f"{path}.{key}", paths) for key, each in data.items()}


def _row(key: str, value: Any) -> dict[str, Any]:
    return {**(value if isinstance(value, dict) else {VALUE: value}), KEY: key}


def _objects(data: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(data, dict):
        yield path, data
        for key, each in data.items():
            yield from _objects(each, f"{path}.{key}")
    elif isinstance(data, list):
        for each in data:
            yield from _objects(each, path + OF_LIST)


def _has_keys_for_values(objects: Sequence[Mapping[str, Any]]) -> bool:
    keys = [key for each in objects for key in each]
    rows = [each[key] for each in objects for key in each]
    is_one_form = len({dict if isinstance(row, dict) else type(row) for row in rows}) == 1
    is_free = not any(
        isinstance(row, list) or (isinstance(row, dict) and KEY in row) for row in rows
    )
    return is_one_form and is_free and is_various(keys)
