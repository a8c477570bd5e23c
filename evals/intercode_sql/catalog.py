"""What MySQL tells about databases and tables: SHOW, DESCRIBE, USE and ``information_schema``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .engines import Answer, syntax_error
from .schema import Column, Database, Table

__all__ = ["Look", "information_schema", "look_up"]

_NAME = r"`?([\w$]+)`?"
_OF = rf"\s+(?:FROM|IN)\s+{_NAME}"
_LIKE = r"(?:\s+LIKE\s+(['\"])(.*?)\2)?"
_END = r"\s*;?\s*\Z"
_FLAGS = re.IGNORECASE | re.DOTALL
_USE = re.compile(rf"\s*USE\s+{_NAME}{_END}", _FLAGS)
_DATABASES = re.compile(rf"\s*SHOW\s+(?:DATABASES|SCHEMAS){_END}", _FLAGS)
_TABLES = re.compile(rf"\s*SHOW\s+(?:FULL\s+)?TABLES(?:{_OF})?{_LIKE}{_END}", _FLAGS)
_COLUMNS = re.compile(
    rf"\s*(?:SHOW\s+(?:FULL\s+)?(?:COLUMNS|FIELDS)\s+(?:FROM|IN)|DESC|DESCRIBE|EXPLAIN)\s+"
    rf"(?:{_NAME}\s*\.\s*)?{_NAME}(?:{_OF})?{_END}",
    _FLAGS,
)
_INFORMATION = "information_schema"
_DESCRIBED = ("Field", "Type", "Null", "Key", "Default", "Extra")


@dataclass(frozen=True, slots=True)
class Look:
    """An answer from the catalogue.

    Attributes:
        answer: What is told.
        use: Database that is in use from now on, or empty.
    """

    answer: Answer
    use: str = ""


def look_up(statement: str, databases: Mapping[str, Database], current: str) -> Look | None:
    """Answer a statement about the schema; None if it is no such statement."""
    if match := _USE.match(statement):
        name = match[1].lower()
        if name not in databases and name != _INFORMATION:
            return Look(Answer(error=f"Unknown database '{name}'"))
        return Look(Answer(), use=name)
    if _DATABASES.match(statement):
        rows = [(name,) for name in sorted([*databases, _INFORMATION, "performance_schema"])]
        return Look(Answer(rows, ("Database",)))
    if match := _TABLES.match(statement):
        name = (match[1] or current).lower()
        if name not in databases:
            return Look(Answer(error=f"Unknown database '{name}'"))
        like = _like(match[3]) if match[3] is not None else None
        tables = [t for t in databases[name].tables if like is None or like.match(t)]
        return Look(Answer([(table,) for table in tables], (f"Tables_in_{name}",)))
    if match := _COLUMNS.match(statement):
        name = (match[1] or match[3] or current).lower()
        if name not in databases:
            return Look(Answer(error=f"Unknown database '{name}'"))
        table = databases[name].tables.get(match[2].lower())
        if table is None:
            return Look(Answer(error=f"Table '{name}.{match[2].lower()}' doesn't exist"))
        return Look(Answer([column.described for column in table.columns], _DESCRIBED))
    if re.match(r"\s*(?:SHOW|DESC|DESCRIBE|EXPLAIN|USE)\b", statement, re.IGNORECASE):
        rest = re.sub(r"\A\s*\w+\s*", "", statement)
        return Look(Answer(error=syntax_error(rest)))
    return None


def information_schema(databases: Mapping[str, Database]) -> Database:
    """Return the views ``tables``, ``columns`` and ``key_column_usage`` as tables."""
    each = [(d.name, t) for d in databases.values() for t in d.tables.values()]
    tables = [("def", name, t.name, "BASE TABLE", "InnoDB", len(t.rows)) for name, t in each]
    columns = [
        ("def", name, t.name, c.name, place, c.default, c.described[2], c.kind, *c.described[1:4:2])
        for name, t in each
        for place, c in enumerate(t.columns, 1)
    ]
    keys = [
        ("def", name, "PRIMARY", name, t.name, column, place)
        for name, t in each
        for place, column in enumerate(t.primary, 1)
    ]
    schemata = [("def", name, "utf8mb4", "utf8mb4_general_ci") for name in databases]
    views = [
        _view(
            "tables", "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE ENGINE TABLE_ROWS#", tables
        ),
        _view(
            "columns",
            "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION# COLUMN_DEFAULT "
            "IS_NULLABLE DATA_TYPE COLUMN_TYPE COLUMN_KEY",
            columns,
        ),
        _view(
            "key_column_usage",
            "CONSTRAINT_CATALOG CONSTRAINT_SCHEMA CONSTRAINT_NAME TABLE_SCHEMA TABLE_NAME "
            "COLUMN_NAME ORDINAL_POSITION#",
            keys,
        ),
        _view(
            "schemata",
            "CATALOG_NAME SCHEMA_NAME DEFAULT_CHARACTER_SET_NAME DEFAULT_COLLATION_NAME",
            schemata,
        ),
    ]
    return Database(_INFORMATION, {view.name: view for view in views})


def _view(name: str, columns: str, rows: Sequence[tuple[object, ...]]) -> Table:
    """Make a table; a column whose name ends with # holds numbers."""
    made = tuple(
        Column(each.rstrip("#"), "int" if each.endswith("#") else "varchar(64)")
        for each in columns.split()
    )
    return Table(name, made, (), (), tuple(rows))


def _like(pattern: str) -> re.Pattern[str]:
    """Return a LIKE pattern as a regular expression."""
    parts = [{"%": ".*", "_": "."}.get(letter, re.escape(letter)) for letter in pattern]
    return re.compile("".join(parts) + r"\Z", re.IGNORECASE | re.DOTALL)
