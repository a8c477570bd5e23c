"""Boxes in words for people: within which limits a step was shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

_KEYS_OF: Final = "keys of "
"""Prefix of the kinds of facts that hold the keys of a result."""
_MOST_VALUES: Final = 4
"""Most values of a field that are named."""
_CONDITIONS: Final = ("equal", "equal_where_told", "once", "related", "some")
"""Keys of conditions that held each time."""

_EXAMPLES: Final = str.maketrans({"A": "Abc", "a": "abc", "9": "123"})
"""Sign of a shape → what such a run may look like."""
_NAMED_SHAPES: Final = {"random": "a random text", "secret": "a secret"}


def box_in_words(box: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each limit of a step: the task's values first, results' keys, relations.

    Args:
        box: A box of a program's document.
    """
    for slot, span in box.get("task", {}).items():
        yield f"{{{slot}}} of the task: {_range_in_words(span)}"
    told: Mapping[str, Mapping[str, Any]] = box.get("told", {})
    for kind, fields in told.items():
        if kind.startswith(_KEYS_OF):
            for span in fields.values():
                keys = _range_in_words(span)
                yield f"{kind.removeprefix(_KEYS_OF)} has exactly the keys {keys}"
    for key in _CONDITIONS:
        yield from map(str, box.get(key, ()))
    for place, span in box.get("limits", {}).items():
        yield f"{place}: {_range_in_words(span)}"
    for kind, fields in (*told.items(), *box.get("rows", {}).items()):
        if not kind.startswith(_KEYS_OF):
            for name, span in fields.items():
                if span != [""]:  # nothing was said
                    yield f"{name} of {kind}: {_range_in_words(span)}"
    for name, span in box.get("computed", {}).items():
        yield f"{name}: {_range_in_words(span)}"


def _range_in_words(span: Sequence[str] | Mapping[str, Any]) -> str:
    """Return the values of a field on one line."""
    if not isinstance(span, Mapping):
        return " or ".join(_values(span)) or "nothing"
    texts = [*_values(span.get("values", ()))]
    lower, upper = span.get("from", {}), span.get("to", {})
    for kind in dict.fromkeys((*lower, *upper)):
        ends = [_size(kind, side[kind]) if kind in side else "" for side in (lower, upper)]
        low, high = ends
        texts.append(f"{low} to {high}" if low and high else f"from {low}" if low else f"to {high}")
    if shapes := span.get("like"):
        texts.append(f"anything like {' or '.join(_values([*map(_example, shapes)]))}")
    return " or ".join(texts) or "nothing"


def _example(shape: str) -> str:
    """Return what a value of a shape may look like."""
    return _NAMED_SHAPES.get(shape) or shape.translate(_EXAMPLES)


def _values(values: Sequence[str]) -> Iterator[str]:
    shown = values if len(values) <= _MOST_VALUES else values[: _MOST_VALUES - 1]
    yield from (each or "nothing" for each in shown)
    if rest := len(values) - len(shown):
        yield f"{rest} more"


def _size(kind: str, size: float) -> str:
    """Return an end of a range; days are numbered there."""
    try:
        if "#" in kind:  # a quantity with its unit
            return kind.replace("#", f"{size:g}")
        return date.fromordinal(int(size)).isoformat() if kind == "date" else f"{size:g}"
    except (ValueError, OverflowError):  # a file may say anything
        return f"{size:g}"
