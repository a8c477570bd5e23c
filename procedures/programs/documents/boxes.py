"""Boxes as plain data for people: values by kind and field, relations, and pairs never shown."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ...common.errors import SchemaError
from ...episodes.history import TASK
from ..box import Box
from ..notation import condition_text, term_text
from ..notation_reading import read_term
from ..pairs import ANY, LESS, NOT_TOLD, TOLD
from ..program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    Known,
    Literal,
    OneOf,
    Shown,
    TaskSlot,
    Term,
    ToldField,
    Total,
)
from ..ranges import Range
from ..relations import COMPUTED, SOME_AT_LEAST, SOME_AT_MOST, WHERE_TOLD, Place, Relation
from .node import Node, filled

_Atom = tuple[str, str, str]
_SIGNS: Final[Mapping[str, Mapping[str, str]]] = {
    "equal": {"=": "="},
    "equal_where_told": {"=": WHERE_TOLD},
    "once": {"has": "has once"},
    "related": {"has": "has", ">=": ">=", ">": ">"},
    "some": {">=": SOME_AT_LEAST, "<=": SOME_AT_MOST},
}
"""Key → sign of its conditions → how the fields are related."""


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
        "chance": box.chance,
        "wordings": sorted(box.wordings) if box.wordings != frozenset(wordings) else [],
        "task": task_fields,
        "told": fields_by_kind,
        "rows": dict(rows),
        "computed": computed,
        "equal": _relations(box, "equal"),
        "equal_where_told": _relations(box, "equal_where_told"),
        "met": [
            condition_text(Comparison(_term(one), "=", _term(other)))
            for one, other in sorted(box.met)
        ],
        "once": _relations(box, "once"),
        "related": _relations(box, "related"),
        "limits": {
            term_text(_term(place)): _range(span) for place, span in sorted(box.limits.items())
        },
        "by_class": {
            condition_text(_condition(of)): {
                term_text(_term(place)): _range(span) for place, span in sorted(sized.items())
            }
            for of, sized in sorted(box.sizes_by_class.items())
        },
        "some": _relations(box, "some"),
        "never": sorted(
            [condition_text(_condition(one)), condition_text(_condition(other))]
            for one, other in box.pairs
        ),
        "signs": list(box.signs),
        "decimals": [sorted(counts) for counts in box.decimals],
        "results": sorted(box.results),
        "ahead_of": sorted(box.ahead_of),
        "reasons": list(box.reasons),
    }
    return filled(document)


def read_box(
    document: Mapping[str, Any],
    box: Box,
    wordings: Iterable[str],
    path: tuple[str | int, ...] = (),
) -> Box:
    """Read a box from the data of :func:`box_document`.

    Args:
        document: The data.
        box: The parts of the box in the step's document.
        wordings: All wordings of the program.
        path: Keys and indices that lead to the data, for errors.

    Raises:
        SchemaError: The data is no box.
        ConditionError: A condition does not parse.
    """
    node = Node(document, path)
    ranges = {(TASK, str(slot)): read_range(each) for slot, each in _below(node, "task").items()}
    for kind, fields in (*_below(node, "told").items(), *_below(node, "rows").items()):
        ranges |= {(kind, name): read_range(each) for name, each in fields.items()}
    ranges |= {
        _computed_place(each): read_range(each.value) for each in _nodes(node.get("computed", {}))
    }
    kinds = frozenset(_below(node, "told"))
    return Box(
        runs=document["runs"],
        needs=box.needs,
        provided=box.provided,
        sizes=box.sizes,
        wordings=frozenset(document.get("wordings", wordings)),
        kinds=kinds,
        ranges=ranges,
        relations=frozenset(
            _read_relation(each, signs)
            for key, signs in _SIGNS.items()
            for each in node.get(key).items()
        ),
        met=frozenset(
            (min(one, other), max(one, other))
            for each in node.get("met").items()
            for one, _, other in [_read_relation(each, _SIGNS["equal"])]
        ),
        limits=_read_sizes(node.get("limits", {})),
        sizes_by_class={
            _class(each): _read_sizes(each) for each in _nodes(node.get("by_class", {}))
        },
        pairs=frozenset(
            (_atom(one), _atom(other)) for one, other in map(Node.items, node.get("never").items())
        ),
        doubted=document.get("doubted", 0),
        chance=document.get("chance", False),
        signs=tuple(document.get("signs", ())),
        decimals=tuple(map(frozenset, document.get("decimals", ()))),
        results=frozenset(document.get("results", ())),
        ahead_of=frozenset(document.get("ahead_of", ())),
        reasons=tuple(document.get("reasons", ())),
    )


def _below(node: Node, key: str) -> Mapping[str, Any]:
    inner: Mapping[str, Any] = node.value.get(key, {})
    return inner


def _nodes(node: Node) -> Iterator[Node]:
    """Yield what stands below each key, which its path ends with."""
    return (node[key] for key in node.value)


def _key(node: Node) -> Node:
    """Return the key of a node as a node of its own, to be read."""
    return Node(node.path[-1], node.path)


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
    return filled(document)


def _size(size: float) -> float | int:
    return int(size) if size.is_integer() else size


def read_range(document: Any) -> Range:
    """Read the range of a field: a list of values, or a mapping."""
    if isinstance(document, list | tuple):
        return Range.closed(document)
    lower, upper = document.get("from", {}), document.get("to", {})
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


def _computed_place(node: Node) -> Place:
    match _key(node).term():
        case Total() | Arithmetic() as term:
            return COMPUTED, term_text(term)
    problem = (
        f"{node.path[-1]!r} should be a number of rows, a sum, or two figures with a sign between"
    )
    raise SchemaError(problem, path=node.path)


def _place(term: object, node: Node) -> Place:
    match term:
        case Total() | Arithmetic():
            return COMPUTED, term_text(term)
        case TaskSlot(slot):
            return TASK, slot
        case ToldField(kind, name):
            return kind, name
    raise SchemaError(f"{node.value!r} should be of task(…) and told(…, …)", path=node.path)


def _read_sizes(node: Node) -> dict[Place, Range]:
    return {_place(_key(each).term(), _key(each)): read_range(each.value) for each in _nodes(node)}


def _relations(box: Box, key: str) -> list[str]:
    sign_by_relation = {how: sign for sign, how in _SIGNS[key].items()}
    return sorted(
        condition_text(Comparison(_term(one), sign_by_relation[how], _term(other)))
        for one, how, other in box.relations
        if how in sign_by_relation
    )


def _read_relation(node: Node, signs: Mapping[str, str]) -> Relation:
    match node.condition():
        case Comparison(left, how, right) if how in signs:
            return _place(left, node), signs[how], _place(right, node)
    expected = f"told(…, …), {' or '.join(signs)}, and told(…, …)"
    raise SchemaError(f"{node.value!r} should be {expected}", path=node.path)


def _condition(atom: _Atom) -> Condition:
    kind, name, value = atom
    if not name and value in (TOLD, NOT_TOLD):
        return Shown(kind, now=False, negated=value == NOT_TOLD)
    if value == LESS:
        return Comparison(_term((kind, name)), "<", Literal("0"))
    return Known(_term((kind, name))) if value == ANY else OneOf(_term((kind, name)), (value,))


def _atom(node: Node) -> _Atom:
    match node.condition():
        case Shown(kind, False, negated):
            return kind, "", NOT_TOLD if negated else TOLD
        case Known(term, False):
            return (*_place(term, node), ANY)
        case OneOf(term, (value,)):
            return (*_place(term, node), value)
        case Comparison(term, "<", Literal("0")):
            return (*_place(term, node), LESS)
    expected = "told(…, …) = …, known(…) or ever shown(…)"
    raise SchemaError(f"{node.value!r} should be {expected}", path=node.path)


def _class(node: Node) -> _Atom:
    """Read the value of a field that sizes stand below."""
    key = _key(node)
    match key.condition():
        case OneOf(term, (value,)):
            return (*_place(term, key), value)
    raise SchemaError(f"{key.value!r} should be told(…, …) = …", path=key.path)
