"""The SQL side of the evidence ledger: engines, transactions and readable errors.

Only :mod:`.ledger` imports this, and only when a ledger is opened, because importing
SQLAlchemy takes longer than everything else that ``macla --help`` does.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import QueuePool, StaticPool

from ..common.errors import LedgerError, MissingExtraError
from ..common.text import fold_space
from .ledger_rows import key_of
from .ledger_tables import OUTCOMES

BUSY_SECONDS = 10.0
"""Seconds that a connection waits for a lock before it gives up."""
# Key of the lock that serialises the writers of one PostgreSQL schema: "macl" in ASCII.
_ADVISORY = 0x6D61636C

_DECIDING = ("outcome", "successes", "failures")
"""Columns that must be equal in two rows with one key."""
_MOST_RUNS = 500
"""Most runs in one query; databases limit the number of parameters."""


def url_of(target: str | Path) -> sa.URL:
    """Return the database URL of a path or URL; a bare path means an SQLite file.

    Raises:
        LedgerError: It is no URL, or of a database other than SQLite and PostgreSQL.
    """
    if isinstance(target, Path) or "://" not in target:
        return sa.URL.create("sqlite", database=str(target))
    try:
        url = sa.make_url(target)
    except ArgumentError:
        raise LedgerError(
            "the ledger's URL cannot be read; write e.g. sqlite:///evidence.db "
            "or postgresql://user@host/database"
        ) from None
    if url.get_backend_name() == "postgres":  # the spelling of many hosts
        url = url.set(drivername="postgresql")
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise LedgerError(
            f"the ledger knows SQLite and PostgreSQL, not {url.get_backend_name()!r} ({url})"
        )
    return url


def make_engine(url: sa.URL, *, read_only: bool) -> sa.Engine:
    """Return an engine for ``url``; nothing is connected or created yet.

    Raises:
        MissingExtraError: The PostgreSQL driver is not installed.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, read_only=read_only)
    try:
        return sa.create_engine(url, pool_pre_ping=True)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise MissingExtraError(
            f"a ledger at {url} needs the PostgreSQL driver: pip install 'macla[postgres]'"
        ) from error


def _sqlite_engine(url: sa.URL, *, read_only: bool) -> sa.Engine:
    memory = url.database in (None, "", ":memory:")
    path = Path(url.database or "")

    def connect() -> sqlite3.Connection:
        if memory:
            name, uri = ":memory:", False
        elif read_only:
            # WAL needs to write beside the file even for reading. In a folder where that is
            # forbidden nobody else writes either, and SQLite may take the file as it is.
            wal = path.with_name(path.name + "-wal")
            fixed = not os.access(path.parent, os.W_OK) and not wal.exists()
            name = f"file:{quote(str(path.resolve()))}?mode=ro" + "&immutable=1" * fixed
            uri = True
        else:
            name, uri = str(path), False
        connection = sqlite3.connect(
            name, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=uri
        )
        try:
            if not memory and not read_only:
                _use_wal(connection)
            # In WAL mode NORMAL loses nothing when a process is killed: committed pages
            # are with the operating system by then. Only a power cut or a crash of the
            # whole machine can take back the last commits, and never half of one. FULL
            # would add one fsync (milliseconds) to each action of an episode.
            connection.execute("PRAGMA synchronous=NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection

    engine = sa.create_engine(
        "sqlite://", creator=connect, poolclass=StaticPool if memory else QueuePool
    )

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # The driver's own transactions start at the first change only. Taking the write
        # lock at once means waiting for it (busy timeout) instead of failing half way.
        writes = connection.get_execution_options().get("macla_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _use_wal(connection: sqlite3.Connection) -> None:
    # Switching ignores the busy timeout when two processes create the file at the same
    # moment, hence the loop. Afterwards the file itself holds the mode.
    deadline = time.monotonic() + BUSY_SECONDS
    while not _try_wal(connection, last=time.monotonic() > deadline):
        time.sleep(0.01)


def _try_wal(connection: sqlite3.Connection, *, last: bool) -> bool:
    try:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if last or "locked" not in str(error):
            raise
        return False
    return True


@contextmanager
def reading(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Open a transaction that sees the ledger as of its first read."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":  # SQLite always does so
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Open a transaction that holds the ledger's only write lock; commit on leaving."""
    with engine.connect().execution_options(macla_writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            # Without the lock, ids could become visible out of order, and two writers with
            # the same keys in different order could wait for each other for ever.
            connection.execute(
                sa.text("SELECT pg_advisory_xact_lock(:key, hashtext(current_schema()))"),
                {"key": _ADVISORY},
            )
        yield connection


def refuse_contradictions(
    connection: sa.Connection, places: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Compare new rows with the stored ones of the same keys.

    Raises:
        LedgerError: One has another outcome; the message names its place.
    """
    runs = sorted({row["run"] for row in rows})
    decision_by_key: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for start in range(0, len(runs), _MOST_RUNS):
        in_chunk = OUTCOMES.c.run.in_(runs[start : start + _MOST_RUNS])
        for stored_row in connection.execute(sa.select(OUTCOMES).where(in_chunk)).mappings():
            decision_by_key[key_of(dict(stored_row))] = tuple(
                stored_row[name] for name in _DECIDING
            )
    for place, row in zip(places, rows, strict=True):
        if decision_by_key[key_of(row)] != tuple(row[name] for name in _DECIDING):
            raise LedgerError(
                f"{place}: another outcome of run {row['run']!r}, step {row['step']}, for "
                f"{row['subject_kind']} {row['subject']}@{row['version']} is known already; "
                "nothing was imported. Two different episodes must not share the id of a run"
            )


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn any database error inside into a :class:`LedgerError` with advice."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise LedgerError(advice(where, error)) from error


def advice(where: str, error: Exception | str) -> str:
    """Return a message with the fault of the ledger at ``where``, and advice."""
    cause: Any = getattr(error, "orig", None) or error
    text = fold_space(str(cause))
    low = text.lower()
    if "not a database" in low or "malformed" in low or "corrupt" in low:
        return (
            f"the ledger {where} is damaged ({text}); nothing was deleted. Save what is left "
            f"with `sqlite3 {where} .recover | sqlite3 recovered.db`, or move the file away to "
            "start with an empty ledger, then merge exported evidence into it"
        )
    if "locked" in low or "busy" in low:
        return (
            f"the ledger {where} stayed locked by another process for {BUSY_SECONDS:.0f} s "
            f"({text}); end that process or use PostgreSQL where many processes write"
        )
    if "readonly" in low or "read-only" in low or "unable to open" in low:
        return (
            f"the ledger {where} cannot be opened or written ({text}); check that the folder "
            "exists and that you may write there"
        )
    if "full" in low:
        return f"no space is left for the ledger {where} ({text}); free some and try again"
    if "disk i/o" in low:
        return (
            f"the ledger {where} cannot be read or written ({text}): SQLite says this of a disk or "
            "quota that is full, of a limit of file sizes (`ulimit -f`) and of a disk that fails; "
            "free some space and run the same command again, nothing is half written"
        )
    return f"the ledger {where} failed: {text}"
