"""MySQL's queries in SQLite's words, and SQLite's errors in MySQL's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import ErrorLevel, SqlglotError

from .engines import denied, syntax_error
from .schema import Database

__all__ = [
    "INTERRUPTED",
    "Translated",
    "TranslationError",
    "mysql_error",
    "translated",
    "unfolds_too_far",
]

_CLAUSES: tuple[tuple[str, str], ...] = (
    ("expressions", "field list"),
    ("joins", "on clause"),
    ("where", "where clause"),
    ("group", "group statement"),
    ("having", "having clause"),
    ("order", "order clause"),
)
"""Parts of a SELECT, and what MySQL calls them in its errors."""
INTERRUPTED = "Query execution was interrupted, maximum statement execution time exceeded"
"""MySQL's error for what takes too long."""
_MOVES = 40_000
"""Most moves of the parser from token to token; the longest statement takes half of them."""
_TABLES = 5_000
"""Most tables of a query."""
_WITH = re.compile(r"\bWITH\b", re.IGNORECASE)
_NEAR = re.compile(r'near "(.*)": syntax error', re.DOTALL)
_NO_TABLE = re.compile(r"no such table: (?:main\.)?(\S+)")
_PROHIBITED = re.compile(r"access to (\w+)\.")
_NO_COLUMN = re.compile(r"no such column: (.+)")
_AMBIGUOUS = re.compile(r"ambiguous column name: (.+)")
_NO_FUNCTION = re.compile(r"(?:no such function: |unknown function: )(\w+)")


class _Quoting(SQLite):
    """SQLite with names in backticks: in double quotes, what is no name is read as a text."""

    class Tokenizer(SQLite.Tokenizer):
        IDENTIFIERS = ["`"]  # noqa: RUF012 (sqlglot's own form)


class _Reading(MySQL):
    """MySQL, read within a limit: joins without ON would take twice as long with each one more."""

    class Parser(MySQL.Parser):  # type: ignore[misc, valid-type]
        def reset(self) -> None:
            super().reset()
            self.moves = 0

        def _advance(self, times: int = 1) -> None:
            self.moves += 1
            if self.moves > _MOVES:
                raise _ReadingTooLongError
            super()._advance(times)


class _ReadingTooLongError(Exception):
    """sqlglot moves to and fro in a statement without end."""


class TranslationError(Exception):
    """MySQL would refuse the statement; the text is its error."""


@dataclass(frozen=True, slots=True)
class Translated:
    """A query for SQLite.

    Attributes:
        text: In SQLite's words.
        database: Name of the database in which it is asked.
        parsed: As sqlglot read it.
    """

    text: str
    database: str
    parsed: exp.Expr


def translated(statement: str, current: str, databases: Mapping[str, Database]) -> Translated:
    """Translate a query.

    Args:
        statement: In MySQL's words.
        current: Database in use.
        databases: All, by name.

    Raises:
        TranslationError: It is no query, or MySQL would not execute it.
    """
    try:
        parts = [part for part in sqlglot.parse(statement, read=_Reading) if part is not None]
    except SqlglotError as error:
        raise TranslationError(syntax_error(_rest(error, statement))) from None
    except RecursionError:
        raise TranslationError("Thread stack overrun; nest less deep") from None
    except _ReadingTooLongError:
        raise TranslationError(INTERRUPTED) from None
    if len(parts) != 1:
        raise TranslationError(syntax_error(parts[1].sql("mysql") if parts else statement))
    query = parts[0]
    if not isinstance(query, exp.Query):
        raise TranslationError(syntax_error(statement))
    for node in query.find_all(exp.In):
        limited = node.args.get("query")
        if isinstance(limited, exp.Subquery) and limited.this.args.get("limit"):
            raise TranslationError(
                "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'"
            )
    if _tables_unfolded(query) > _TABLES:
        raise TranslationError(INTERRUPTED)
    database = _place(query, current, databases)
    try:
        text = _rewritten(query, current).sql(dialect=_Quoting, unsupported_level=ErrorLevel.IGNORE)
    except (SqlglotError, RecursionError) as error:
        raise TranslationError(denied(str(error)[:80])) from None
    return Translated(text, database, query)


def unfolds_too_far(statement: str) -> bool:
    """Say whether a statement has more tables than may be, each name of WITH unfolded.

    A server would work it out before it looks at the clock, in as much memory as there is. What
    cannot be parsed is the server's own to refuse.
    """
    if _WITH.search(statement) is None:
        return False
    try:
        parts = sqlglot.parse(statement, read=_Reading)
    except (SqlglotError, RecursionError):
        return False
    except _ReadingTooLongError:
        return True
    return any(part is not None and _tables_unfolded(part) > _TABLES for part in parts)


def _tables_unfolded(query: exp.Expr) -> int:
    """Return how many tables a query has once each name of WITH is replaced by what it stands for.

    SQLite replaces them before it looks at the clock, and each may name the one before it twice.
    """
    within = {
        each.alias.lower(): [table.name.lower() for table in each.this.find_all(exp.Table)]
        for each in query.find_all(exp.CTE)
    }
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            sizes[name] = 1  # within itself, too
            sizes[name] = 1 + sum(map(size, within.get(name, ())))
        return sizes[name]

    return sum(size(table.name.lower()) for table in query.find_all(exp.Table))


def _rewritten(query: exp.Expr, current: str) -> exp.Expr:
    """Return a copy with what sqlglot leaves as it is and SQLite does not know."""
    query = query.copy()
    for node in list(query.find_all(exp.CurrentSchema, exp.CurrentDatabase)):
        node.replace(exp.Literal.string(current))
    for node in list(query.find_all(exp.Left)):
        one = exp.Literal.number(1)
        node.replace(exp.Substring(this=node.this, start=one, length=node.expression))
    for node in list(query.find_all(exp.Right)):  # to SQLite RIGHT is a word of joins
        parts = [node.this, node.expression]
        node.replace(exp.Anonymous(this="rightmost", expressions=parts))
    for node in query.find_all(exp.Count):
        several = node.this if isinstance(node.this, exp.Distinct) else None
        if several is not None and len(several.expressions) > 1:
            # NULL in one of them makes the joined text NULL, which is not counted, as in MySQL.
            joined = several.expressions[0]
            for each in several.expressions[1:]:
                sign = exp.DPipe(this=joined, expression=exp.Literal.string("\x1f"))
                joined = exp.DPipe(this=sign, expression=each)
            several.set("expressions", [joined])
    return query


def mysql_error(message: str, query: Translated) -> str:
    """Return what MySQL says where SQLite says ``message``."""
    if match := _NO_TABLE.match(message) or _PROHIBITED.match(message):
        name = match[1].rpartition(".")[2].lower()
        return f"Table '{query.database}.{name}' doesn't exist"
    if match := _NO_COLUMN.match(message):
        name = match[1].replace("`", "")
        return f"Unknown column '{name}' in '{_clause(query.parsed, name)}'"
    if match := _AMBIGUOUS.match(message):
        return f"Column '{match[1]}' in {_clause(query.parsed, match[1])} is ambiguous"
    if match := _NO_FUNCTION.match(message):
        return f"FUNCTION {query.database}.{match[1]} does not exist"
    if match := _NEAR.match(message):
        return syntax_error(match[1])
    if message == "incomplete input":
        return syntax_error("")
    if "misuse of aggregate" in message or "aggregate functions are not allowed" in message:
        return "Invalid use of group function"
    if "interrupted" in message:
        return INTERRUPTED
    if "do not have the same number of result columns" in message:
        return "The used SELECT statements have a different number of columns"
    return message


def _place(query: exp.Expr, current: str, databases: Mapping[str, Database]) -> str:
    """Return in which database a query is asked; names of it before its tables are taken off.

    Raises:
        TranslationError: A table is not there, or the tables lie in several databases.
    """
    inner = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    places: dict[str, list[exp.Table]] = {}
    for table in query.find_all(exp.Table):
        name = table.db.lower() or current
        if not table.db and table.name.lower() in inner:
            continue
        if name not in databases:
            raise TranslationError(f"Unknown database '{name}'")
        if table.name.lower() not in databases[name].tables:
            raise TranslationError(f"Table '{name}.{table.name.lower()}' doesn't exist")
        places.setdefault(name, []).append(table)
    own = [name for name in places if name != "information_schema"]
    if len(own) > 1:
        raise TranslationError(denied("SELECT over several databases"))
    place = own[0] if own else "information_schema" if places else current
    for table in places.get(place, ()):
        table.set("db", None)
    return place


def _clause(query: exp.Expr, name: str) -> str:
    """Return in which clause of the query a column stands first, in MySQL's words."""
    for select in query.find_all(exp.Select):
        for key, clause in _CLAUSES:
            part = select.args.get(key)
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expr) and _mentions(node, name, select):
                    return clause
    return "field list"


def _mentions(node: exp.Expr, name: str, select: exp.Select) -> bool:
    wanted = name.lower()
    return any(
        wanted in (column.name.lower(), f"{column.table}.{column.name}".lower())
        and column.find_ancestor(exp.Select) is select
        for column in node.find_all(exp.Column)
    )


def _rest(error: SqlglotError, statement: str) -> str:
    """Return the statement from where sqlglot could not go on."""
    for each in getattr(error, "errors", ()):
        start = str(each.get("highlight") or "")
        before = str(each.get("start_context") or "")
        at = statement.find(before + start)
        if start and at >= 0:
            return statement[at + len(before) :]
    return statement
