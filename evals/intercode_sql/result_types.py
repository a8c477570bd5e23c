"""Which type MySQL gives the columns of an answer, so that SQLite's values can be read as such.

SQLite knows whole numbers, floats and texts; MySQL's client also gives decimals, dates and times,
and rewards compare rows as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from sqlglot import exp

from .schema import Table

__all__ = ["ValueType", "column_type", "result_types", "typed"]

Columns = dict[str, "ValueType | None"]
_DIVISION = 4
"""Decimal places that MySQL adds where it divides (``div_precision_increment``)."""
_DECLARED = re.compile(r"(\w+)(?:\((\d+)(?:,(\d+))?\))?")


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of values.

    Attributes:
        kind: ``integer``, ``decimal``, ``float``, ``text``, ``date`` or ``datetime``.
        scale: Decimal places: of decimals always, of floats where they are declared.
    """

    kind: str
    scale: int | None = None


_INTEGER = ValueType("integer")
_FLOAT = ValueType("float")
_TEXT = ValueType("text")


def column_type(declared: str) -> ValueType:
    """Return the type of a column from MySQL's words for it, such as ``decimal(19,4)``."""
    match = _DECLARED.match(declared)
    name = match[1].lower() if match else "text"
    scale = int(match[3]) if match and match[3] else None
    if name in ("decimal", "numeric"):
        return ValueType("decimal", scale or 0)
    if name in ("float", "double", "real"):
        return ValueType("float", scale)
    if name in ("date", "datetime", "timestamp"):
        return ValueType("date" if name == "date" else "datetime")
    return _INTEGER if name.endswith("int") else _TEXT


def result_types(query: exp.Expr, tables: Mapping[str, Table]) -> list[ValueType | None] | None:
    """Return the type of each column of a query's answer; None for what is not known.

    Args:
        query: As sqlglot parsed it.
        tables: By name in lower case.
    """
    try:
        return list(_Reader(tables).columns(query, {}).values())
    except (_UnknownError, RecursionError):
        return None


def typed(value: Any, kind: ValueType | None) -> Any:
    """Return one of SQLite's values as MySQL's client gives it."""
    if kind is None or value is None:
        return value
    try:
        return _READERS[kind.kind](value, kind.scale)
    except (ValueError, TypeError, InvalidOperation):
        return value


def _float(value: Any, scale: int | None) -> Any:
    number = float(value)
    return number if scale is None else round(number, scale)


def _decimal(value: Any, scale: int | None) -> Any:
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-(scale or 0)), ROUND_HALF_UP)


_READERS: dict[str, Callable[[Any, int | None], Any]] = {
    "integer": lambda value, _: value,
    "text": lambda value, _: value,
    "float": _float,
    "decimal": _decimal,
    "date": lambda value, _: date.fromisoformat(value),
    "datetime": lambda value, _: datetime.fromisoformat(value),
}


class _UnknownError(Exception):
    """The columns of a query cannot be told."""


class _Reader:
    """Reads a query from its outermost part inwards."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = tables

    def columns(self, query: exp.Expr, named: Mapping[str, Columns]) -> Columns:
        """Return the columns of a query's answer, in order; two of one name get other names.

        Args:
            query: A SELECT, a union, or one of these in brackets.
            named: Columns of the queries that WITH names.
        """
        named = dict(named)
        with_ = query.args.get("with_") or query.args.get("with")
        for each in with_.expressions if with_ else ():
            named[each.alias.lower()] = self.columns(each.this, named)
        if isinstance(query, exp.Subquery):
            return self.columns(query.this, named)
        if isinstance(query, exp.SetOperation):
            return _united(self.columns(query.left, named), self.columns(query.right, named))
        if not isinstance(query, exp.Select):
            raise _UnknownError
        sources = dict(self._sources(query, named))
        found: Columns = {}
        for item in query.expressions:
            for name, kind in _items(item, sources):
                found[name if name not in found else f"{name}#{len(found)}"] = kind
        return found

    def _sources(
        self, query: exp.Select, named: Mapping[str, Columns]
    ) -> Iterator[tuple[str, Columns]]:
        """Yield what a SELECT reads from: alias and columns."""
        first = query.args.get("from_") or query.args.get("from")
        joined = [join.this for join in query.args.get("joins") or ()]
        for source in ([first.this] if first else []) + joined:
            if isinstance(source, exp.Subquery):
                yield source.alias.lower(), self.columns(source.this, named)
            elif isinstance(source, exp.Table):
                name = source.name.lower()
                yield (source.alias or source.name).lower(), self._named(name, named)
            else:
                raise _UnknownError

    def _named(self, name: str, named: Mapping[str, Columns]) -> Columns:
        if name in named:
            return named[name]
        if name not in self._tables:
            raise _UnknownError
        return {each.name.lower(): column_type(each.type) for each in self._tables[name].columns}


def _united(one: Columns, other: Columns) -> Columns:
    return {
        name: kind if kind == twin else None
        for (name, kind), twin in zip(one.items(), other.values(), strict=False)
    }


def _items(
    item: exp.Expr, sources: Mapping[str, Columns]
) -> Iterator[tuple[str, ValueType | None]]:
    """Yield the columns that one item of a SELECT gives."""
    if isinstance(item, exp.Star):
        for columns in sources.values():
            yield from columns.items()
    elif isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
        if item.table.lower() not in sources:
            raise _UnknownError
        yield from sources[item.table.lower()].items()
    else:
        yield item.alias_or_name.lower(), _type(item, sources)


def _type(node: exp.Expr, sources: Mapping[str, Columns]) -> ValueType | None:
    """Return the type of an expression; None where it is not known."""
    if isinstance(node, (exp.Alias, exp.Paren, exp.Neg, exp.Distinct)):
        inner = node.expressions[0] if isinstance(node, exp.Distinct) else node.this
        return _type(inner, sources)
    if isinstance(node, exp.Column):
        places = [sources.get(node.table.lower(), {})] if node.table else sources.values()
        return next((c[node.name.lower()] for c in places if node.name.lower() in c), None)
    if isinstance(node, exp.Literal):
        return _literal(node)
    if isinstance(node, (exp.Max, exp.Min, exp.Abs)):
        return _type(node.this, sources)
    if isinstance(node, (exp.Count, exp.Length)):
        return _INTEGER
    if isinstance(node, (exp.Avg, exp.Sum)):
        return _aggregate(_type(node.this, sources), _DIVISION * isinstance(node, exp.Avg))
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul, exp.Div)):
        return _arithmetic(node, [_type(each, sources) for each in (node.left, node.right)])
    if isinstance(node, exp.Cast):
        return _cast(node.to)
    if isinstance(node, exp.Round):
        return _rounded(_type(node.this, sources), node.args.get("decimals"))
    return None


def _cast(to: exp.DataType) -> ValueType | None:
    if to.is_type(*exp.DataType.INTEGER_TYPES):
        return _INTEGER
    if to.is_type(exp.DataType.Type.DECIMAL):
        sizes = [each.name for each in to.expressions]
        return ValueType("decimal", int(sizes[1]) if len(sizes) > 1 and sizes[1].isdigit() else 0)
    if to.is_type(exp.DataType.Type.FLOAT, exp.DataType.Type.DOUBLE):
        return _FLOAT
    return _TEXT if to.is_type(*exp.DataType.TEXT_TYPES) else None


def _literal(node: exp.Literal) -> ValueType:
    if node.is_string:
        return _TEXT
    whole, _, fraction = node.name.partition(".")
    return ValueType("decimal", len(fraction)) if fraction and whole.isdigit() else _INTEGER


def _aggregate(kind: ValueType | None, added: int) -> ValueType | None:
    """Return the type of a sum or mean: exact numbers become decimals, texts floats."""
    if kind is None or kind.kind in ("date", "datetime"):
        return None
    if kind.kind in ("integer", "decimal"):
        return ValueType("decimal", (kind.scale or 0) + added)
    scale = kind.scale if kind.kind == "float" else None
    return ValueType("float", None if scale is None else scale + added)


def _arithmetic(node: exp.Expr, sides: Sequence[ValueType | None]) -> ValueType | None:
    kinds = [side for side in sides if side is not None]
    if len(kinds) < 2:
        return None
    if any(kind.kind not in ("integer", "decimal") for kind in kinds):
        return _FLOAT
    scales = [kind.scale or 0 for kind in kinds]
    if isinstance(node, exp.Div):
        return ValueType("decimal", scales[0] + _DIVISION)
    if all(kind == _INTEGER for kind in kinds):
        return _INTEGER
    return ValueType("decimal", sum(scales) if isinstance(node, exp.Mul) else max(scales))


def _rounded(kind: ValueType | None, places: exp.Expr | None) -> ValueType | None:
    if kind is None or kind.kind == "integer":
        return kind
    scale = int(places.name) if isinstance(places, exp.Literal) and places.name.isdigit() else 0
    if kind.kind == "decimal":
        return ValueType("decimal", min(scale, kind.scale or 0))
    return _FLOAT
