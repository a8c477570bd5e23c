"""The databases on SQLite, in memory: MySQL's statements, answers and errors without a server."""

from __future__ import annotations

import re
import sqlite3
import time
import unicodedata
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingExtraError
from .catalog import information_schema, look_up
from .dump import read_dump
from .engines import Answer, AnswerTooLongError, Limits, denied, refusal
from .schema import Column, Database, Table

try:
    from .result_types import ValueType, column_type, result_types, typed
    from .translation import Translated, TranslationError, mysql_error, translated
except ImportError as error:  # sqlglot
    raise MissingExtraError(
        "SQL on SQLite needs sqlglot; install it with: pip install 'macla[intercode-sql]'"
    ) from error

__all__ = ["SqliteEngine"]

_COLLATION = "general_ci"
_READ_ONLY = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_FUNCTIONS_DENIED = frozenset(
    {"load_extension", "fts3_tokenizer", "zeroblob", "randomblob", "printf", "format"}
)
"""Those that reach outside, and those that make texts of any length in one call."""
_INSTRUCTIONS = 500
"""SQLite's instructions between two looks at the clock: one may be a function of long texts."""
_PATTERN = 200
"""Longest pattern of LIKE: matching takes exponential time in its wildcards."""


_LIMIT_LENGTH, _LIMIT_COLUMNS, _LIMIT_PATTERN = 0, 2, 8
"""SQLite's numbers for its limits of texts, of columns, and of patterns of LIKE."""
_COLUMNS = 200
"""Most columns of an answer: a row is held whole before it can be refused."""
_REPEATED = re.compile(r"[*+{]")
_NESTED = re.compile(r"\)\s*[*+{]|\\\d")
_REPETITIONS = 2
_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9a-fA-F",
}
"""The classes of POSIX, as they stand within brackets, in Python's signs."""
_CLASS = re.compile(r"\[:([a-z]+):\]")
_PACKET = 16_777_216
"""Longest text that a function makes; MySQL answers NULL beyond ``max_allowed_packet``."""
_SEARCHED = 500
"""Letters that a regular expression looks at: its time grows with their number, to the power of
the repetitions, and cannot be cut short."""


class SqliteEngine:
    """All databases of a dump; each is filled when it is used first.

    Args:
        databases: By name.
        limits: Of every statement.
    """

    def __init__(self, databases: Mapping[str, Database], limits: Limits | None = None) -> None:
        self._databases = databases
        self._information = information_schema(databases)
        self._limits = limits or Limits()
        self._connections: dict[str, sqlite3.Connection] = {}
        self._current = ""
        self._deadline = 0.0
        self._translated = lru_cache(maxsize=4_096)(self._translate)

    @classmethod
    def from_dump(cls, dump: Path, limits: Limits | None = None) -> SqliteEngine:
        """Read a dump; see :func:`~.dump.read_dump` for what it raises."""
        return cls(read_dump(dump), limits)

    @property
    def facts(self) -> dict[str, str]:
        """Name and version of the engine."""
        return {"engine": "sqlite", "engine_version": sqlite3.sqlite_version}

    def use(self, database: str) -> None:
        """Start an episode in a database."""
        if database.lower() not in self._databases:
            raise DataError(
                f"no database {database[:80]!r}; the dump holds {', '.join(self._databases)}"
            )
        self._current = database.lower()

    def execute(self, statement: str) -> Answer:
        """Execute one statement; what goes wrong in it is an answer, too."""
        if refused := refusal(statement, self._limits):
            return Answer(error=refused)
        look = look_up(statement, self._databases, self._current)
        if look is not None:
            self._current = look.use or self._current
            return look.answer
        try:
            query = self._translated(statement, self._current)
        except TranslationError as error:
            return Answer(error=str(error))
        return self._run(query)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    def _translate(self, statement: str, current: str) -> Translated:
        return translated(statement, current, self._everything)

    @property
    def _everything(self) -> dict[str, Database]:
        return {**self._databases, self._information.name: self._information}

    def _run(self, query: Translated) -> Answer:
        connection = self._connection(query.database)
        limits = self._limits
        self._deadline = time.monotonic() + limits.seconds
        try:
            cursor = connection.execute(query.text)
            names = tuple(each[0] for each in cursor.description or ())
            try:
                rows = limits.taken(cursor)
            finally:
                cursor.close()
        except AnswerTooLongError as error:
            return Answer(error=str(error))
        except sqlite3.Error as error:
            return Answer(error=mysql_error(str(error), query))
        except (sqlite3.Warning, ValueError, OverflowError, MemoryError) as error:
            return Answer(error=denied(str(error)[:80]))
        kinds = self._kinds(query)
        if kinds is not None and len(kinds) == len(names) and any(kinds):
            rows = [tuple(map(typed, row, kinds)) for row in rows]
        return Answer(rows, names)

    def _kinds(self, query: Translated) -> list[ValueType | None] | None:
        tables = self._everything[query.database].tables
        return result_types(query.parsed, {**self._information.tables, **tables})

    def _connection(self, name: str) -> sqlite3.Connection:
        connection = self._connections.get(name)
        if connection is None:
            connection = self._connections[name] = self._filled(self._everything[name])
        return connection

    def _filled(self, database: Database) -> sqlite3.Connection:
        # One engine serves one episode at a time, though maybe from several threads.
        connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        connection.create_collation(_COLLATION, _compared)
        for name, count, function in _FUNCTIONS:
            connection.create_function(name, count, function, deterministic=True)
        for table in database.tables.values():
            _fill(connection, "main", table)
        if database.name != self._information.name:
            connection.execute(f"ATTACH ':memory:' AS {self._information.name}")
            for table in self._information.tables.values():
                _fill(connection, self._information.name, table)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        if hasattr(connection, "setlimit"):  # from Python 3.11 on
            connection.setlimit(_LIMIT_LENGTH, self._limits.characters)
            connection.setlimit(_LIMIT_COLUMNS, _COLUMNS)
            connection.setlimit(_LIMIT_PATTERN, _PATTERN)
        connection.set_authorizer(_authorised)
        connection.set_progress_handler(self._late, _INSTRUCTIONS)
        return connection

    def _late(self) -> int:
        return int(time.monotonic() > self._deadline)


def _authorised(
    action: int, one: str | None, two: str | None, database: str | None, source: str | None
) -> int:
    """Allow to read tables and to call harmless functions, and nothing else."""
    if action not in _READ_ONLY:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and (one or "").lower().startswith(("sqlite_", "pragma_")):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (two or "").lower() in _FUNCTIONS_DENIED:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _fill(connection: sqlite3.Connection, schema: str, table: Table) -> None:
    keyed = [c for c in table.columns if (c.name,) == table.primary and c.type == "int"]
    columns = ", ".join(
        f"`{c.name}` INTEGER PRIMARY KEY" if c in keyed else f"`{c.name}` {_declared(c)}"
        for c in table.columns
    )
    connection.execute(f"CREATE TABLE {schema}.`{table.name}` ({columns})")
    places = ", ".join("?" * len(table.columns))
    connection.executemany(
        f"INSERT INTO {schema}.`{table.name}` VALUES ({places})",  # noqa: S608 (names of the dump)
        table.rows,
    )


def _declared(column: Column) -> str:
    """Return SQLite's type of a column, by whose affinity values are compared."""
    kind = column_type(column.type).kind
    if kind == "text":
        return f"TEXT COLLATE {_COLLATION}"
    return {"integer": "INTEGER", "float": "REAL", "decimal": "NUMERIC"}.get(kind, "TEXT")


@lru_cache(maxsize=65_536)
def _sort_key(text: str) -> str:
    """Return what ``utf8mb4_general_ci`` compares: no accents, no case, no blanks at the end."""
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(each for each in parts if not unicodedata.combining(each))
    return text.upper().rstrip(" ")


def _compared(one: str, other: str) -> int:
    one, other = _sort_key(one), _sort_key(other)
    return (one > other) - (one < other)


def _part(start: int, end: int) -> Any:
    """Return a function that reads a number out of a date's text."""

    def read(value: Any) -> int | None:
        text = "" if value is None else str(value)[start:end]
        return int(text) if text.isdigit() else None

    return read


def _regexp(pattern: Any, text: Any) -> bool | None:
    """MySQL's REGEXP, for patterns that cannot take long.

    Raises:
        ValueError: The pattern may take long, or is none.
    """
    if pattern is None or text is None:
        return None
    letters = _CLASS.sub(lambda name: _CLASSES.get(name[1], name[0]), str(pattern))
    repeated = _REPEATED.findall(letters)
    if len(repeated) > _REPETITIONS or len(letters) > _PATTERN or _NESTED.search(letters):
        raise ValueError("Timeout exceeded in regular expression match.")
    try:
        return re.search(letters, str(text)[:_SEARCHED], re.IGNORECASE) is not None
    except re.error as error:
        raise ValueError(f"Illegal regular expression: {error}") from None


def _repeat(text: Any, times: Any) -> str | None:
    """MySQL's REPEAT; NULL for what no packet holds."""
    if text is None or times is None or len(str(text)) * int(times) > _PACKET:
        return None
    return str(text) * int(times)


def _place_of(text: Any, sought: Any) -> int | None:
    """MySQL's LOCATE; SQLite's INSTR takes the product of both lengths, and cannot be cut short."""
    if text is None or sought is None:
        return None
    letters, signs = str(text), str(sought)
    small, least = letters.lower(), signs.lower()
    if len(small) == len(letters):  # as MySQL's collation has it; a place stays a place
        letters, signs = small, least
    return letters.find(signs) + 1


def _replace(text: Any, old: Any, new: Any) -> str | None:
    """MySQL's REPLACE; NULL for what no packet holds."""
    if text is None or old is None or new is None:
        return None
    letters, gone, signs = str(text), str(old), str(new)
    if not gone:
        return letters
    if len(letters) + letters.count(gone) * (len(signs) - len(gone)) > _PACKET:
        return None
    return letters.replace(gone, signs)


def _trim(text: Any, sign: Any = " ", *, left: bool = True, right: bool = True) -> str | None:
    """MySQL's TRIM: a text is taken off as a whole, as often as it stands there."""
    if text is None or sign is None:
        return None
    letters, gone = str(text), str(sign)
    if not gone:
        return letters
    start, end = 0, len(letters)
    while left and start + len(gone) <= end and letters.startswith(gone, start):
        start += len(gone)
    while right and start + len(gone) <= end and letters.endswith(gone, start, end):
        end -= len(gone)
    return letters[start:end]


def _padded(text: Any, size: Any, filling: Any, *, left: bool) -> str | None:
    """MySQL's LPAD and RPAD: what is longer is cut; NULL where there is nothing to fill with."""
    if text is None or size is None or filling is None or not 0 <= int(size) <= _PACKET:
        return None
    letters, signs = str(text)[: int(size)], str(filling)
    missing = int(size) - len(letters)
    if missing and not signs:
        return None
    rest = (signs * (missing // max(1, len(signs)) + 1))[:missing]
    return rest + letters if left else letters + rest


_FUNCTIONS: tuple[tuple[str, int, Any], ...] = (
    ("regexp", 2, _regexp),
    ("year", 1, _part(0, 4)),
    ("month", 1, _part(5, 7)),
    ("day", 1, _part(8, 10)),
    ("dayofmonth", 1, _part(8, 10)),
    ("rightmost", 2, lambda t, n: None if t is None or n is None else str(t)[-n:] if n > 0 else ""),
    ("reverse", 1, lambda text: None if text is None else str(text)[::-1]),
    ("repeat", 2, _repeat),
    ("instr", 2, _place_of),
    ("replace", 3, _replace),
    *(("trim", count, _trim) for count in (1, 2)),
    *(("ltrim", count, partial(_trim, right=False)) for count in (1, 2)),
    *(("rtrim", count, partial(_trim, left=False)) for count in (1, 2)),
    ("lpad", 2, lambda text, size: _padded(text, size, " ", left=True)),
    ("lpad", 3, lambda text, size, filling: _padded(text, size, filling, left=True)),
    ("rpad", 2, lambda text, size: _padded(text, size, " ", left=False)),
    ("rpad", 3, lambda text, size, filling: _padded(text, size, filling, left=False)),
)
