"""The format of a ledger: creation of its tables, and conversion from older formats.

Format 2 has running totals (:mod:`.ledger_totals`); format 1 had rows alone, and another index.
"""

from __future__ import annotations

import logging

import sqlalchemy as sa

from ..common.errors import LedgerError
from .ledger_sql import advice, writing
from .ledger_tables import BY_SUBJECT, LATEST, META, OUTCOMES, RUNS, TOTALS
from .ledger_totals import sum_anew

FORMAT = 2
"""Format of the tables that this macla writes."""
_LOG = logging.getLogger(__name__)
_MANY = 1_000_000
"""Rows from which a conversion is logged: it takes more than a few seconds."""
_TABLES = (META, OUTCOMES, TOTALS, RUNS)
_OLD_INDEX = "macla_outcomes_by_subject"
_READ_FORMAT = sa.select(META.c.value).where(META.c.key == "format")


def ensure_schema(engine: sa.Engine, *, read_only: bool, where: str) -> None:
    """Create the tables where they are missing, and convert those of an older format.

    A read-only ledger of an older format stays as it is, and can be read.

    Raises:
        LedgerError: The tables are of a newer format or foreign, or are missing from a
            read-only ledger.
    """
    with engine.connect() as connection:
        tables = set(sa.inspect(connection).get_table_names())
        version = _format(connection) if META.name in tables else None
    if version is None and not read_only:
        foreign_tables = tables - {each.name for each in _TABLES}
        if engine.dialect.name == "sqlite" and foreign_tables:
            raise LedgerError(
                f"{where} is an SQLite database of something else than macla; nothing was "
                "changed. Name another file for the ledger"
            )
        version = _create(engine)
    if version is None:
        raise LedgerError(
            f"{where} holds no macla ledger, and it was opened for reading only; remove it if it "
            "is an empty file"
        )
    if not version.isdecimal() or int(version) < 1:
        raise LedgerError(advice(where, f"malformed format number {version!r}"))
    if int(version) > FORMAT:
        raise LedgerError(
            f"{where} was written by a newer macla (format {version}, this one knows {FORMAT}); "
            "upgrade macla: pip install --upgrade macla"
        )
    if int(version) < FORMAT and not read_only:
        _bring_over(engine, where)


def _create(engine: sa.Engine) -> str | None:
    # One transaction, so that a process killed here leaves all or nothing. IF NOT EXISTS
    # and ON CONFLICT, because another process may do the same at the same time.
    with writing(engine) as connection:
        _make_tables(connection)
        connection.execute(
            sa.text(
                f"INSERT INTO {META.name} (key, value) "  # noqa: S608 (our own name)
                "VALUES ('format', :format), ('summed', '0') ON CONFLICT DO NOTHING"
            ),
            {"format": str(FORMAT)},
        )
        return _format(connection)


def _bring_over(engine: sa.Engine, where: str) -> None:
    """Convert a ledger of format 1 in one transaction; other writers wait, readers do not."""
    with writing(engine) as connection:
        if _format(connection) == str(FORMAT):
            return  # another process did it while this one waited
        rows = connection.execute(LATEST).scalar() or 0
        if rows >= _MANY:
            _LOG.warning(
                "%s has %s rows and is brought to format %s, which takes about a minute for each "
                "ten million; it is done once",
                *(where, f"{rows:,}", FORMAT),
            )
        connection.execute(sa.text(f"DROP INDEX IF EXISTS {_OLD_INDEX}"))
        _make_tables(connection)
        sum_anew(connection)
        connection.execute(sa.update(META).where(META.c.key == "format").values(value=str(FORMAT)))


def _make_tables(connection: sa.Connection) -> None:
    for table in _TABLES:
        connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
    connection.execute(sa.schema.CreateIndex(BY_SUBJECT, if_not_exists=True))


def _format(connection: sa.Connection) -> str | None:
    value = connection.execute(_READ_FORMAT).scalar_one_or_none()
    return None if value is None else str(value)
