"""Objects of JSON whose keys are values, such as a record for each identifier, are lists of rows.

``{"A17": {"price": 3}, "B20": {"price": 5}}`` is read as ``[{"key": "A17", "price": 3}, …]``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..episodes.facts import OF_LIST
from ..episodes.tokens import occurs
from ..programs.ranges import is_various

__all__ = ["KEY", "VALUE", "as_rows", "keyed_paths"]

KEY = "key"
"""Field of a row that holds its key."""
VALUE = "value"
"""Field of a row that holds what stood under its key, if that is no object."""
_NAMED_KEYS = 3
"""Least different keys that tasks name; fewer may be fields that a task speaks of."""
_OTHER_KEYS = 0.5
"""Least mean share of the objects that lack a key."""


def keyed_paths(results: Sequence[tuple[int, str, Any]], tasks: Sequence[str]) -> frozenset[str]:
    """Return the paths of objects whose keys are values.

    What stands under all of their keys is of one form. Most keys are told in one run only; or most
    objects have other keys, and tasks name some, as entries of a menu or of a list of prices.

    Args:
        results: Number of the run, tool and data of each result; a path begins with the tool.
        tasks: Task of each run.
    """
    paths: frozenset[str] = frozenset()
    while True:  # what stands under such a key may be such an object itself
        objects: dict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
        for run, tool, data in results:
            with suppress(RecursionError):  # what is nested too deep is read as it is
                for path, each in [*_objects(as_rows(data, tool, paths), tool)]:
                    objects[path].append((run, each))
        further = {path for path, each in objects.items() if _has_keys_for_values(each, tasks)}
        if not further:
            return paths
        paths |= further


def as_rows(data: Any, path: str, paths: Collection[str]) -> Any:
    """Return data with lists of rows in the place of the objects at some paths.

    An object whose rows could not be told from others stays as it is.

    Args:
        data: A result, or part of it.
        path: Where it stands.
        paths: Of objects whose keys are values.

    Raises:
        RecursionError: The data is nested too deep.
    """
    rows: Any = data
    if isinstance(data, dict) and path in paths and len(_forms(data)) <= 1 and _is_free(data):
        rows = [_row(key, each) for key, each in data.items()]
    if isinstance(rows, list):
        return [as_rows(each, path + OF_LIST, paths) for each in rows]
    if isinstance(rows, dict):
        return {key: as_rows(each, f"{path}.{key}", paths) for key, each in rows.items()}
    return rows


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


def _has_keys_for_values(
    objects: Sequence[tuple[int, Mapping[str, Any]]], tasks: Sequence[str]
) -> bool:
    """Whether the objects at a path, each with the number of its run, have keys for values."""
    keys_by_run: dict[int, set[str]] = defaultdict(set)
    for run, each in objects:
        keys_by_run[run].update(each)
    if len(frozenset[type]().union(*(_forms(each) for _, each in objects))) != 1:
        return False
    if not all(_is_free(each) for _, each in objects):
        return False
    keys = [key for keys in keys_by_run.values() for key in keys]
    if is_various([str(sorted(keys)) for keys in keys_by_run.values()]) and is_various(keys):
        return True
    named_keys = {key for run, each in objects for key in each if occurs(key, tasks[run])}
    counts = Counter(key for _, each in objects for key in each)
    others = sum(count * (len(objects) - count) for count in counts.values())
    is_other = others >= _OTHER_KEYS * len(objects) * counts.total()
    return is_other and len(named_keys) >= _NAMED_KEYS


def _forms(rows: Mapping[str, Any]) -> frozenset[type]:
    """Return the types of what stands under the keys: numbers are of one, nothing is of none."""
    types = (type(row) for row in rows.values() if row is not None)
    return frozenset(float if each is int else each for each in types)


def _is_free(rows: Mapping[str, Any]) -> bool:
    """Whether rows can be made: none is a list, and none has a field for its key."""
    return not any(
        isinstance(row, list) or (isinstance(row, dict) and KEY in row) for row in rows.values()
    )
