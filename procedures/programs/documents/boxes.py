"""Boxes as plain data for people: values by kind and field, relations, and pairs never shown."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ...common.errors import SchemaError
from ...episodes.history import TASK
from ..box import Box
from ..notation import condition_text, term_text
from ..notation_reading import read_condition, read_term
from ..pairs import ANY, NOT_TOLD, TOLD
from ..program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    Known,
    OneOf,
    Shown,
    TaskSlot,
    Term,
    ToldField,
    Total,
)
from ..ranges import Range
from ..relations import COMPUTED, SOME_AT_LEAST, SOME_AT_MOST, WHERE_TOLD, Place, Relation

__all__ = ["box_document", "read_box"]

_Atom = tuple[str, str, str]


def box_document(box: Box, wordings: Iterable[str]) -> dict[str, Any]:
    """Return a box as plain data, without the parts that stand in the step's document.

    Args:
        box: The box of a step.
        wordings: All wordings of the program.
    """
    if not box.runs:
        return {}
    fields_by_kind: dict[str, dict[str, Any]] = {kind: {} for kind in sorted(box.kinds)}
    computed: dict[str, Any] = {}
    task_fields: dict[str, Any] = {}
    rows: dict[str, dict[str, Any]] = defaultdict(dict)
    for (kind, name), value_range in sorted(box.ranges.items(), key=lambda each: each[0]):
        fields = (
            task_fields
            if kind == TASK
            else computed
            if kind == COMPUTED
            else fields_by_kind[kind]
            if kind in fields_by_kind
            else rows[kind]
        )
        fields[name] = _range(value_range)
    document: dict[str, Any] = {
        "runs": box.runs,
        "doubted": box.doubted,
        "wordings": sorted(box.wordings) if box.wordings != frozenset(wordings) else [],
        "task": task_fields,
        "told": fields_by_kind,
        "rows": dict(rows),
        "computed": computed,
        "equal": _relations(box, ("=",)),
        "equal_where_told": _relations(box, (WHERE_TOLD,)),
        "met": [
            condition_text(Comparison(_term(one), "=", _term(other)))
            for one, other in sorted(box.met)
        ],
        "once": _relations(box, ("has once",)),
        "related": _relations(box, ("has", ">=", ">")),
        "limits": {
            term_text(_term(place)): _range(span) for place, span in sorted(box.limits.items())
        },
        "by_class": {
            condition_text(_condition(of)): {
                term_text(_term(place)): _range(span) for place, span in sorted(sized.items())
            }
            for of, sized in sorted(box.sizes_by_class.items())
        },
        "some": _relations(box, (SOME_AT_LEAST, SOME_AT_MOST)),
        "never": sorted(
            [condition_text(_condition(one)), condition_text(_condition(other))]
            for one, other in box.pairs
        ),
        "signs": list(box.signs),
        "results": sorted(box.results),
    }
    return {key: value for key, value in document.items() if value}


def read_box(document: Mapping[str, Any], box: Box, wordings: Iterable[str]) -> Box:
    """Read a box from the data of :func:`box_document`.

    Args:
        document: The data.
        box: The parts of the box in the step's document.
        wordings: All wordings of the program.

    Raises:
        SchemaError: The data is no box.
        ConditionError: A condition does not parse.
    """
    ranges = {
        (TASK, str(slot)): _read_range(each)
        for slot, each in _mapping_below(document, "task").items()
    }
    for kind, fields in (
        *_mapping_below(document, "told").items(),
        *_mapping_below(document, "rows").items(),
    ):
        ranges |= {(kind, name): _read_range(each) for name, each in fields.items()}
    ranges |= {
        _computed_place(text): _read_range(each)
        for text, each in _mapping_below(document, "computed").items()
    }
    kinds = frozenset(_mapping_below(document, "told"))
    return Box(
        runs=document["runs"],
        needs=box.needs,
        provided=box.provided,
        sizes=box.sizes,
        wordings=frozenset(document.get("wordings", wordings)),
        kinds=kinds,
        ranges=ranges,
        relations=frozenset(
            _read_relation(text, key)
            for key in ("equal", "equal_where_told", "once", "related", "some")
            for text in document.get(key, ())
        ),
        met=frozenset(
            (one, other)
            for text in document.get("met", ())
            for one, _, other in [_read_relation(text, "equal")]
        ),
        limits={
            _place(read_term(text)): _read_range(span)
            for text, span in _mapping_below(document, "limits").items()
        },
        sizes_by_class={
            _atom(of): {_place(read_term(text)): _read_range(span) for text, span in sized.items()}
            for of, sized in _mapping_below(document, "by_class").items()
        },
        pairs=frozenset((_atom(one), _atom(other)) for one, other in document.get("never", ())),
        doubted=document.get("doubted", 0),
        signs=tuple(document.get("signs", ())),
        results=frozenset(document.get("results", ())),
    )


def _mapping_below(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner: Mapping[str, Any] = document.get(key, {})
    return inner


# ---------------------------------------------------------------------------- ranges
def _range(span: Range) -> list[str] | dict[str, Any]:
    if span == Range.closed(span.values):
        return sorted(span.values)
    document: dict[str, Any] = {
        "values": sorted(span.values),
        "from": {
            type_: _size(low)
            for type_, (low, _) in sorted(span.hulls.items())
            if math.isfinite(low)
        },
        "to": {
            type_: _size(high)
            for type_, (_, high) in sorted(span.hulls.items())
            if math.isfinite(high)
        },
        "like": sorted(span.shapes),
        "different": span.different,
        "signs": sorted(span.signs),
        "words": span.words,
    }
    return {key: value for key, value in document.items() if value}


def _size(size: float) -> float | int:
    return int(size) if size.is_integer() else size


def _read_range(document: Any) -> Range:
    if isinstance(document, list | tuple):
        return Range.closed(document)
    lower, upper = _mapping_below(document, "from"), _mapping_below(document, "to")
    return Range(
        frozenset(document.get("values", ())),
        {
            type_: (float(lower.get(type_, -math.inf)), float(upper.get(type_, math.inf)))
            for type_ in (*lower, *upper)
        },
        frozenset(document.get("like", ())),
        document.get("different", 0),
        frozenset(document.get("signs", ())),
        document.get("words", 0),
    )


# ---------------------------------------------------------------------------- relations
def _term(place: Place) -> Term:
    if place[0] == COMPUTED:
        return read_term(place[1])
    return TaskSlot(place[1]) if place[0] == TASK else ToldField(*place)


def _computed_place(text: str) -> Place:
    match read_term(text):
        case Total() | Arithmetic() as term:
            return COMPUTED, term_text(term)
    raise SchemaError(f"{text!r} should be a number of rows, a sum, a difference or a ratio")


def _place(term: object) -> Place:
    match term:
        case Total() | Arithmetic():
            return COMPUTED, term_text(term)
        case TaskSlot(slot):
            return TASK, slot
        case ToldField(kind, name):
            return kind, name
    raise SchemaError("should be of task(…) and told(…, …)")


def _relations(box: Box, which: Collection[str]) -> list[str]:
    return sorted(
        condition_text(Comparison(_term(one), how.partition(" ")[0], _term(other)))
        for one, how, other in box.relations
        if how in which
    )


def _read_relation(text: str, key: str) -> Relation:
    match read_condition(text):
        case Comparison(left, "has", right) if key == "once":
            return _place(left), "has once", _place(right)
        case Comparison(left, "=", right) if key == "equal_where_told":
            return _place(left), WHERE_TOLD, _place(right)
        case Comparison(left, ">=" | "<=" as how, right) if key == "some":
            return _place(left), SOME_AT_LEAST if how == ">=" else SOME_AT_MOST, _place(right)
        case Comparison(left, "=" | "has" | ">=" | ">" as how, right):
            return _place(left), how, _place(right)
    raise SchemaError(f"{text!r} should be told(…, …), =, has, >= or >, and told(…, …)")


def _condition(atom: _Atom) -> Condition:
    kind, name, value = atom
    if not name and value in (TOLD, NOT_TOLD):
        return Shown(kind, now=False, negated=value == NOT_TOLD)
    return Known(_term((kind, name))) if value == ANY else OneOf(_term((kind, name)), (value,))


def _atom(text: str) -> _Atom:
    match read_condition(text):
        case Shown(kind, False, negated):
            return kind, "", NOT_TOLD if negated else TOLD
        case Known(term, False):
            return (*_place(term), ANY)
        case OneOf(term, (value,)):
            return (*_place(term), value)
    raise SchemaError(f"{text!r} should be told(…, …) = …, known(…) or ever shown(…)")
