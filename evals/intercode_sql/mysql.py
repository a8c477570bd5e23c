"""The databases on a MySQL or MariaDB server, read and never written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ...procedures.common.errors import DataError, EnvironmentFailure, MissingExtraError
from .dump import read_dump, statements
from .engines import Answer, AnswerTooLongError, Limits, refusal

try:
    import pymysql
    from pymysql.cursors import SSCursor

    from .translation import INTERRUPTED, unfolds_too_far
except ImportError as error:
    raise MissingExtraError(
        "a MySQL server needs PyMySQL and sqlglot: pip install 'macla[intercode-sql]'"
    ) from error

__all__ = ["MysqlEngine", "load_databases"]

_CONNECT_SECONDS = 10
_MEMORY = 500_000_000
"""Bytes that a session may take on a MariaDB server."""
_MOST_BYTES = 100_000_000
"""Bytes of a row that is held before it can be refused: four a letter, and some."""
_GONE = 2013
"""Error of a connection that ended while an answer was waited for."""
_LOST = frozenset({0, 2006, 2013, 2014, 2055})
"""Errors after which a connection cannot be used any more."""
_WORD = re.compile(
    r"""'(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `[^`]*` | \w+""", re.DOTALL | re.VERBOSE
)
_CREATED = re.compile(r"((?:CREATE\s+TABLE|INSERT\s+INTO|REFERENCES)\s+)`(\w+)`", re.IGNORECASE)


class _Bounded(pymysql.Connection):
    """A connection that holds no packet of more than :data:`_MOST_BYTES`."""

    _held = 0

    def _read_packet(self, *given: Any, **more: Any) -> Any:
        self._held = 0
        return super()._read_packet(*given, **more)  # type: ignore[no-untyped-call]

    def _read_bytes(self, num_bytes: int) -> Any:
        self._held += num_bytes
        if self._held > _MOST_BYTES:
            this: Any = self
            if this._result is not None:
                this._result.unbuffered_active = False  # else a cursor reads on as it is closed
            this._force_close()
            raise pymysql.OperationalError(0, "The row is too long; ask for less")
        return super()._read_bytes(num_bytes)  # type: ignore[misc]


class MysqlEngine:
    """A server that holds the databases; :func:`load_databases` puts them there.

    Each statement runs in a session that is read only, with a limit of time. The server should
    have been started with ``--lower-case-table-names=1``; on one that was not, names of tables
    are put into lower case before they are asked for.

    Args:
        url: Such as ``mysql://root@127.0.0.1:3306``.
        limits: Of every statement.

    Raises:
        DataError: The URL is none.
        EnvironmentFailure: The server does not answer.
    """

    def __init__(self, url: str, limits: Limits | None = None) -> None:
        self._url = url
        self._limits = limits or Limits()
        self._current = ""
        self._connection = self._connected()
        (version, folds), *_ = self._rows("SELECT VERSION(), @@lower_case_table_names")
        self._version = str(version)
        names = self._rows("SELECT DISTINCT table_name FROM information_schema.tables")
        self._tables = frozenset(str(name).lower() for (name,) in names)
        self._exact = int(folds) == 0

    @property
    def facts(self) -> dict[str, str]:
        """Name and version of the server."""
        name = "mariadb" if "mariadb" in self._version.lower() else "mysql"
        return {"engine": name, "engine_version": self._version.partition("-")[0]}

    def use(self, database: str) -> None:
        """Start an episode in a database."""
        name = database.lower()
        if name != self._current:
            try:
                self._connection.select_db(name)
            except pymysql.MySQLError:
                raise DataError(
                    f"the server has no database {name[:80]!r}; load InterCode's dump into it: "
                    "python -m macla.evals.intercode_sql.mysql URL"
                ) from None
            self._current = name

    def execute(self, statement: str) -> Answer:
        """Execute one statement; what goes wrong in it is an answer, too.

        Raises:
            EnvironmentFailure: The server is gone.
        """
        if refused := refusal(statement, self._limits):
            return Answer(error=refused)
        if unfolds_too_far(statement):
            return Answer(error=INTERRUPTED)
        asked = self._folded(statement) if self._exact else statement
        try:
            with self._connection.cursor(SSCursor) as cursor:
                cursor.execute(asked)
                if cursor.description is None:
                    ((database,),) = self._rows("SELECT DATABASE()")  # after USE
                    self._current = str(database or "")
                    return Answer()
                names = tuple(str(each[0]) for each in cursor.description)
                try:
                    rows = self._limits.taken(iter(cursor.fetchone, None))
                except AnswerTooLongError as error:
                    self._hang_up()
                    return Answer(error=str(error))
        except pymysql.MySQLError as error:
            code, text = (*error.args, "", "")[:2]
            if code in _LOST:
                self._reconnect()
            if code == _GONE and "timed out" in str(text):
                return Answer(error=INTERRUPTED)
            return Answer(error=_in_mysql_words(str(text) or str(error)))
        except (UnicodeError, ValueError) as error:
            return Answer(error=f"Incorrect string value: {str(error)[:80]}")
        if names[:2] == ("Field", "Type"):
            rows = [(row[0], _WIDTH.sub(r"\1", str(row[1])), *row[2:]) for row in rows]
        return Answer([tuple(row) for row in rows], names)

    def close(self) -> None:
        """Close the connection."""
        if self._connection.open:
            self._connection.close()

    def _folded(self, statement: str) -> str:
        """Put names of tables, and what could be aliases of them, into lower case."""

        def lower(match: re.Match[str]) -> str:
            word = match[0]
            name = word.strip("`").lower()
            is_name = name in self._tables or _ALIAS.match(name)
            return word.lower() if is_name and word[:1] not in "'\"" else word

        return _WORD.sub(lower, statement)

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self._connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    def _hang_up(self) -> None:
        """Leave a query that is still sending: its rows would be read to the last one."""
        sending: Any = self._connection
        sending._result.unbuffered_active = False
        self._reconnect()

    def _reconnect(self) -> None:
        """Go on in the same database with a new connection."""
        self.close()
        self._connection = self._connected()
        if self._current:
            self._connection.select_db(self._current)

    def _connected(self) -> pymysql.Connection[Any]:
        connection = _connect(self._url, read_timeout=self._limits.seconds + 1)
        with connection.cursor() as cursor:
            modes = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"
            cursor.execute(f"SET SESSION sql_mode = '{modes}'")
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
            seconds = self._limits.seconds
            cursor.execute("SELECT VERSION() LIKE '%MariaDB%'")
            if cursor.fetchone() == (1,):
                cursor.execute(f"SET SESSION max_statement_time = {seconds:g}")
                cursor.execute(f"SET SESSION max_session_mem_used = {_MEMORY}")
            else:
                cursor.execute(f"SET SESSION max_execution_time = {seconds * 1000:.0f}")
        return connection


_ALIAS = re.compile(r"[a-z]\d*\Z")
"""Aliases that are put into lower case, such as ``T1``."""


def load_databases(url: str, dump: Path) -> list[str]:
    """Put the databases of a dump onto a server, except those that it has; return what was made.

    Nothing is dropped or changed. Names of tables are written in lower case.

    Raises:
        DataError: The URL is none, or the dump cannot be read.
        EnvironmentFailure: The server does not answer, or refuses.
    """
    connection = _connect(url, read_timeout=600)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW DATABASES")
            there = {str(name).lower() for (name,) in cursor.fetchall()}
            missing = [name for name in read_dump(dump) if name not in there]
            cursor.execute("SET SESSION foreign_key_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'")
            current = ""
            for statement in statements(dump.read_text(encoding="utf-8")):
                if use := re.match(r"USE\s+`?(\w+)`?\s*\Z", statement, re.IGNORECASE):
                    current = use[1].lower()
                    if current in missing:
                        cursor.execute(f"CREATE DATABASE IF NOT EXISTS `{current}` {_CHARSET}")
                        cursor.execute(f"USE `{current}`")
                elif current in missing and _CREATED.match(statement):
                    # What looks like it within the rows is text.
                    names = 1 if statement[:6].upper() == "INSERT" else 0
                    cursor.execute(_CREATED.sub(_in_lower_case, statement, count=names))
        connection.commit()
    except pymysql.MySQLError as error:
        raise EnvironmentFailure(
            f"{_shown(url)} refuses the databases: {error}; may this user create databases?"
        ) from None
    finally:
        connection.close()
    return missing


def _in_mysql_words(error: str) -> str:
    """Return an error of MariaDB as MySQL says it."""
    error = error.replace("your MariaDB server", "your MySQL server")
    error = _CLAUSE.sub(lambda match: match[1] + _CLAUSES[match[2]] + match[3], error)
    if match := re.match(r"Table '([^']*)' doesn't exist\Z", error):
        return f"Table '{match[1].lower()}' doesn't exist"
    return error


_CLAUSES = {
    "SELECT": "field list",
    "ON": "on clause",
    "WHERE": "where clause",
    "GROUP BY": "group statement",
    "HAVING": "having clause",
    "ORDER BY": "order clause",
}
_CLAUSE = re.compile(rf"((?:Unknown column|Column) '.*' in '?)({'|'.join(_CLAUSES)})\b('?)")
_WIDTH = re.compile(r"\b(\w*int)\(\d+\)")
"""Whole numbers have a width in MariaDB's descriptions, and none in those of MySQL 8."""


def _in_lower_case(match: re.Match[str]) -> str:
    return f"{match[1]}`{match[2].lower()}`"


_CHARSET = "CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"


def _connect(url: str, *, read_timeout: float) -> pymysql.Connection[Any]:
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        parts = None
    if parts is None or not parts.host:
        raise DataError(
            "the URL of the server cannot be read, or names no host; write "
            "mysql://user:password@host:3306"
        )
    try:
        return _Bounded(
            host=parts.host,
            port=parts.port or 3306,
            user=parts.username or "root",
            password=parts.password or "",
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=read_timeout,
            local_infile=False,
        )
    except (pymysql.MySQLError, OSError) as error:
        raise EnvironmentFailure(
            f"{_shown(url)} does not answer: {error}; is the server running, and is the user right?"
        ) from None


def _shown(url: str) -> str:
    """Return a URL without its password."""
    return make_url(url).render_as_string(hide_password=True)


def main() -> None:
    """Put the official databases onto a server."""
    import argparse

    from .tasks import DUMP, data_folder

    parser = argparse.ArgumentParser(description=load_databases.__doc__)
    parser.add_argument("url")
    parser.add_argument("--data", default=None, help="the data root")
    given = parser.parse_args()
    made = load_databases(given.url, data_folder(given.data) / DUMP)
    print(f"made {len(made)} databases: {', '.join(made) or 'all were there'}")


if __name__ == "__main__":
    main()
