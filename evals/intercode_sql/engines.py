"""Where SQL is executed: the contract of both engines, and what neither of them does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ...procedures.common.errors import DataError

__all__ = ["Answer", "AnswerTooLongError", "Engine", "Limits", "open_engine", "refusal"]

_READING = frozenset({"SELECT", "WITH", "SHOW", "DESC", "DESCRIBE", "EXPLAIN", "USE", "VALUES"})
_FIRST = re.compile(r"(?:\s|\(|--[^\n]*(?:\n|\Z)|#[^\n]*(?:\n|\Z)|/\*.*?\*/)*(\w+)", re.DOTALL)
_UNREAD = re.compile(
    r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`([^`]*)`"
    r"|--(?=[\s\0-\x1f]|\Z)[^\n]*|#[^\n]*|/\*(?!M?!|\+).*?(?:\*/|\Z)",
    re.DOTALL,
)
"""Texts, names and comments, whichever begins first: what looks like one of them within another is
none."""
_OUTSIDE = re.compile(
    r"\b(?:INTO\s+(?:OUTFILE|DUMPFILE|@)|LOAD_FILE\s*\(|LOAD_EXTENSION\s*\(|SLEEP\s*\("
    r"|BENCHMARK\s*\(|GET_LOCK\s*\(|FOR\s+UPDATE)|/\*(?:M?!|\+)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:ALTER|ANALYZE|ATTACH|BEGIN|CALL|COMMIT|CREATE|DELETE|DETACH|DO|DROP|EXECUTE|FLUSH|GRANT"
    r"|HANDLER|INSERT|INSTALL|KILL|LOAD|LOCK|MERGE|OPTIMIZE|PRAGMA|PREPARE|PURGE|RENAME|REPLACE"
    r"|RESET|REVOKE|ROLLBACK|SAVEPOINT|SET|SHUTDOWN|START|TRUNCATE|UNINSTALL|UNLOCK|UPDATE|VACUUM"
    r"|XA)\Z"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may take.

    Attributes:
        seconds: Time, more than 0.
        rows: Rows of its answer, at least 1.
        characters: Longest text or blob that it may make, at least 1,000.
        statement: Longest statement, in characters.
        answer: Most characters of all texts of its answer together; a little more than one row is
            held of what has more.
    """

    seconds: float = 5.0
    rows: int = 10_000
    characters: int = 1_000_000
    statement: int = 20_000
    answer: int = 20_000_000

    def taken(self, rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return the rows of an answer, read one by one.

        Raises:
            AnswerTooLongError: There are more than the limits allow; the rest was not read.
        """
        kept: list[tuple[Any, ...]] = []
        characters = 0
        for row in rows:
            kept.append(row)
            if len(kept) > self.rows:
                raise AnswerTooLongError(
                    f"The answer has more than {self.rows} rows; ask for fewer"
                )
            characters += sum(len(value) for value in row if isinstance(value, (str, bytes)))
            if characters > self.answer:
                raise AnswerTooLongError(
                    f"The answer has more than {self.answer} letters; ask for less"
                )
        return kept


class AnswerTooLongError(Exception):
    """An answer is longer than the limits allow; the text is what the agent is told."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a statement answered.

    Attributes:
        rows: Its rows; None where it has none to give, and where it failed.
        columns: Names of their columns.
        error: What the server says went wrong; empty if nothing did.
    """

    rows: list[tuple[Any, ...]] | None = None
    columns: tuple[str, ...] = ()
    error: str = ""

    @property
    def text(self) -> str:
        """The observation, as InterCode writes it."""
        return f"Error executing query: {self.error}" if self.error else str(self.rows)


class Engine(Protocol):
    """A server with all databases of the benchmark, one of them in use. Nothing is written."""

    @property
    def facts(self) -> dict[str, str]:
        """Name and version, for reports."""
        ...

    def use(self, database: str) -> None:
        """Start an episode in a database.

        Raises:
            DataError: There is none of this name.
        """
        ...

    def execute(self, statement: str) -> Answer:
        """Execute one statement; what goes wrong in it is an answer, too."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


def open_engine(backend: str, dump: Path, limits: Limits | None = None) -> Engine:
    """Open an engine.

    Args:
        backend: ``sqlite``, or the URL of a server that holds the databases, such as
            ``mysql://root@127.0.0.1:3306``.
        dump: The official dump, which SQLite is filled from.
        limits: Of every statement.

    Raises:
        DataError: There is no such backend.
        MissingDataError: The dump is not there.
        MissingExtraError: The extra ``intercode-sql`` is not installed.
    """
    if backend == "sqlite":
        from .sqlite import SqliteEngine

        return SqliteEngine.from_dump(dump, limits or Limits())
    if backend.partition(":")[0] in ("mysql", "mariadb", "mysql+pymysql", "mariadb+pymysql"):
        from .mysql import MysqlEngine

        return MysqlEngine(backend, limits or Limits())
    raise DataError(
        f"no backend {backend[:80]!r}; write sqlite, or the URL of a MySQL or MariaDB server such "
        "as mysql://user:password@127.0.0.1:3306"
    )


def refusal(statement: str, limits: Limits) -> str:
    """Return what a server without the right to write says to a statement; empty if it may pass.

    The text is MySQL's own: of a syntax error, or of a command that is denied.
    """
    if len(statement) > limits.statement:
        return f"Got a packet bigger than 'max_allowed_packet' bytes ({limits.statement})"
    try:
        statement.encode()
    except UnicodeEncodeError as error:  # half of a character
        wrong = "".join(
            f"\\x{byte:02X}" for byte in statement[error.start].encode("utf-8", "surrogatepass")
        )
        return f"Invalid utf8mb4 character string: '{wrong}'"
    first = _FIRST.match(statement)
    if first is None:
        return "Query was empty" if not statement.strip() else syntax_error(statement)
    verb = first[1].upper()
    if verb not in _READING:
        return denied(verb) if _VERB.match(verb) else syntax_error(statement)
    # A function is called by its name in backticks, too.
    read = _UNREAD.sub(lambda each: each[1] or ("''" if each[0][0] in "'\"" else " "), statement)
    if match := _OUTSIDE.search(read):
        return denied(re.sub(r"\W+", " ", match[0]).strip().upper() or "EXECUTABLE COMMENT")
    return ""


def denied(command: str) -> str:
    """Return MySQL's error 1142 for a user who may only read."""
    return f"{command} command denied to user 'agent'@'localhost'"


def syntax_error(rest: str) -> str:
    """Return MySQL's error 1064, with the text from where it goes wrong, of at most 80 letters."""
    return (
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL "
        f"server version for the right syntax to use near '{rest.lstrip()[:80]}' at line 1"
    )
