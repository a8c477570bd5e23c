"""Reading a dump of ``mysqldump``: CREATE DATABASE, USE, CREATE TABLE and INSERT, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingDataError
from .schema import Column, Database, Index, Table

__all__ = ["read_dump", "statements"]

_STATEMENT = re.compile(
    r"""(?: --[^\n]*(?:\n|\Z) | /\*.*?\*/ | '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*"
        | `[^`]*` | [^;] )+""",
    re.DOTALL | re.VERBOSE,
)
_COMMENT = re.compile(r"\A(?:\s+|--[^\n]*(?:\n|\Z)|/\*.*?\*/)+", re.DOTALL)
_USE = re.compile(r"USE\s+`?(\w+)`?\s*\Z", re.IGNORECASE)
_TABLE = re.compile(r"CREATE\s+TABLE\s+`(\w+)`\s*\((.*)\)[^)]*\Z", re.IGNORECASE | re.DOTALL)
_INSERT = re.compile(r"INSERT\s+INTO\s+`(\w+)`\s+VALUES\s*(.*)\Z", re.IGNORECASE | re.DOTALL)
_COLUMN = re.compile(r"`([^`]+)`\s+(\w+(?:\([^)]*\))?(?:\s+unsigned)?)(.*)", re.DOTALL)
_KEY = re.compile(r"(PRIMARY |UNIQUE )?KEY\s*(?:`[^`]*`\s*)?\((.*)\)", re.IGNORECASE)
_NAME = re.compile(r"`([^`]+)`")
_DEFAULT = re.compile(r"DEFAULT\s+(?:'((?:[^'\\]|\\.|'')*)'|(\w+))", re.IGNORECASE)
_VALUE = re.compile(
    r"""\s*(?: (?P<text>'(?:[^'\\]|\\.|'')*') | (?P<null>NULL)
        | (?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) | (?P<sign>[(),]) )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "b": "\b", "Z": "\x1a"}


@dataclass
class _Draft:
    """A table while its rows are read."""

    table: Table
    rows: list[tuple[Any, ...]] = field(default_factory=list)


def read_dump(file: Path) -> dict[str, Database]:
    """Return the databases of a dump by name, sorted.

    Raises:
        MissingDataError: There is no such file.
        DataError: It is no such dump; the message says which statement is at fault.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MissingDataError(
            f"{file}: not there; put InterCode's ic_spider_dbs.sql into this folder, or set "
            "MACLA_DATA to the folder above it"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{file}: cannot be read as text ({error}); download it again") from None
    drafts: dict[str, dict[str, _Draft]] = {}
    current: dict[str, _Draft] | None = None
    for statement in statements(text):
        if match := _USE.match(statement):
            current = drafts.setdefault(match[1].lower(), {})
        elif match := _TABLE.match(statement):
            if current is None:
                raise DataError(f"{file}: a table stands before any USE; download the dump again")
            current[match[1].lower()] = _Draft(_table(match[1].lower(), match[2]))
        elif match := _INSERT.match(statement):
            draft = (current or {}).get(match[1].lower())
            if draft is None:
                raise DataError(f"{file}: rows of {match[1]!r}, which is no table so far")
            draft.rows.extend(_rows(match[2], len(draft.table.columns), f"{file}: {match[1]}"))
    if not drafts:
        raise DataError(f"{file}: holds no database; it should be a dump made by mysqldump")
    return {
        name: Database(
            name,
            {key: replace(d.table, rows=tuple(d.rows)) for key, d in sorted(tables.items())},
        )
        for name, tables in sorted(drafts.items())
    }


def statements(text: str) -> Iterator[str]:
    """Yield the statements of a script without the comments before them."""
    for match in _STATEMENT.finditer(text):
        if statement := _COMMENT.sub("", match[0]).strip():
            yield statement


def _table(name: str, body: str) -> Table:
    columns: list[Column] = []
    primary: tuple[str, ...] = ()
    indexes: list[Index] = []
    for line in body.split("\n"):
        entry = line.strip().rstrip(",")
        if match := _COLUMN.match(entry):
            columns.append(_column(match[1], match[2], match[3]))
        elif match := _KEY.match(entry):
            names = tuple(_NAME.findall(match[2]))
            kind = (match[1] or "").strip().upper()
            if kind == "PRIMARY":
                primary = names
            else:
                indexes.append(Index(names, unique=kind == "UNIQUE"))
    keyed = tuple(replace(each, key=_key(each.name, primary, indexes)) for each in columns)
    return Table(name, keyed, primary, tuple(indexes), ())


def _column(name: str, kind: str, rest: str) -> Column:
    default = _DEFAULT.search(rest)
    value: str | None = None
    generated = False
    if default is not None:
        generated = default[2] is not None and default[2].upper() != "NULL"
        value = default[2] if generated else default[1]
    extra = "DEFAULT_GENERATED" if generated else ""
    if "AUTO_INCREMENT" in rest.upper():
        extra = "auto_increment"
    return Column(name, kind, "NOT NULL" not in rest.upper(), "", value, extra)


def _key(name: str, primary: tuple[str, ...], indexes: list[Index]) -> str:
    if name in primary:
        return "PRI"
    if any(index.unique and index.columns == (name,) for index in indexes):
        return "UNI"
    return "MUL" if any(index.columns[:1] == (name,) for index in indexes) else ""


def _rows(text: str, width: int, where: str) -> Iterator[tuple[Any, ...]]:
    """Read ``(1,'a',NULL),(2,'b',3.5)``."""
    row: list[Any] = []
    position = 0
    while position < len(text):
        match = _VALUE.match(text, position)
        if match is None:
            raise DataError(f"{where}: cannot read {text[position : position + 40]!r} as a value")
        position = match.end()
        if match["text"] is not None:
            row.append(_ESCAPE.sub(_unescaped, match["text"][1:-1]))
        elif match["null"] is not None:
            row.append(None)
        elif match["number"] is not None:
            number = match["number"]
            row.append(int(number) if number.lstrip("-").isdigit() else float(number))
        elif match["sign"] == ")":
            if len(row) != width:
                raise DataError(f"{where}: a row has {len(row)} values for {width} columns")
            yield tuple(row)
            row = []


def _unescaped(match: re.Match[str]) -> str:
    return "'" if match[1] is None else _ESCAPES.get(match[1], match[1])
