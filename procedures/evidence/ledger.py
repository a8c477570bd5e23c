"""The evidence ledger: the outcome of each use of a procedure, plan or program.

The ledger is an append-only table in SQLite (WAL mode, one file, no server) or PostgreSQL (where
many machines write). One row is one outcome under a unique key (run, step, subject kind, subject,
version, binding). Recording it again changes nothing, so a retried node never counts twice. Counts
are sums over rows. The database keeps them as running totals, updated in the transaction that adds
the rows (:mod:`.ledger_totals`), so that reading them costs time per key and not per row.

When :meth:`Ledger.record` returns, its rows survive the death of the process (see
:mod:`.ledger_sql` for the one limit: a power cut).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..common.closable import Closing
from ..common.errors import LedgerError, reason
from ..local.machine_folder import make_parent
from ..local.replacing import remove_beside, replacing
from .ledger_rows import (
    FAMILIES,
    STAND_IN,
    CountKey,
    Outcome,
    OutcomeKind,
    SubjectKind,
    family_of,
    read_lines,
    row_of,
)
from .ledger_runs import LedgerRuns, drop_stand_ins

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["CountKey", "Ledger", "Outcome", "OutcomeKind", "SubjectKind"]

_CHUNK = 5_000
"""Rows per statement or page; it bounds memory."""


class Ledger(Closing, LedgerRuns):
    """An open ledger. Thread-safe; the same database may be opened any number of times.

    Use it as a context manager or call :meth:`close`. Do not carry an open ledger across
    ``os.fork``: open one in each process. Every method raises
    :class:`~macla.procedures.common.errors.LedgerError` with advice when the database is
    damaged, locked for more than 10 s, not writable, out of reach or closed.
    """

    def __init__(self, engine: sa.Engine, where: str, *, read_only: bool, shared: bool) -> None:
        """Use :meth:`open` or :meth:`memory` instead."""
        self._engine: sa.Engine | None = engine
        self._where = where
        self._read_only = read_only
        # One connection shared by all threads (in memory) needs readers to queue as well.
        self._reads = threading.RLock() if shared else None
        self._writes = self._reads or threading.RLock()

    @classmethod
    def open(cls, target: str | Path, *, read_only: bool = False) -> Ledger:
        """Open a ledger, and create it (and its folder) where there is none.

        A ledger of an older format is converted in one transaction. A read-only one stays as it
        is, and its counts are summed over all rows.

        Args:
            target: Path of an SQLite file, or a URL (``sqlite:///…``, ``postgresql://…``).
            read_only: Never create or change anything.

        Raises:
            LedgerError: It is damaged, locked, not writable, no ledger, or of a newer macla.
            MissingExtraError: The PostgreSQL driver is not installed.
        """
        from . import ledger_sql as sql
        from .ledger_format import ensure_schema

        url = sql.url_of(target)
        memory = url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")
        where = str(url)
        if url.get_backend_name() == "sqlite" and not memory:
            path = Path(str(url.database))
            where = str(path)
            if read_only and not path.is_file():
                raise LedgerError(f"there is no ledger at {where}")
            try:
                if not read_only:
                    make_parent(path)
            except OSError as error:
                raise LedgerError(
                    f"the folder of the ledger {where} cannot be made: {error.strerror}; "
                    "choose one that you may write to"
                ) from error
        with sql.explained(where):
            engine = sql.make_engine(url, read_only=read_only)
            try:
                ensure_schema(engine, read_only=read_only, where=where)
            except BaseException:
                engine.dispose()
                raise
        return cls(engine, where, read_only=read_only, shared=memory)

    @property
    def where(self) -> str:
        """Path or URL of the database, for messages and comparisons."""
        return self._where

    @classmethod
    def memory(cls) -> Ledger:
        """Return an empty ledger that lives and dies with this object."""
        return cls.open("sqlite://")

    def close(self) -> None:
        """Close all connections; closing twice is harmless."""
        with self._writes:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()

    def record(self, outcomes: Iterable[Outcome]) -> int:
        """Add outcomes in one transaction: all of them or, if this raises, none.

        Rows whose key is there already, or came earlier in the same call, are ignored.

        Returns:
            Number of new rows. They are committed when this returns.
        """
        if self._read_only:
            raise LedgerError(f"the ledger {self._where} was opened for reading only")
        from . import ledger_sql as sql
        from . import ledger_totals as totals
        from .ledger_tables import insert_new

        rows = map(row_of, outcomes)
        new_count = 0
        with self._writes, sql.explained(self._where):
            chunk = list(islice(rows, _CHUNK))
            if not chunk:
                return 0
            with sql.writing(self._open_engine()) as connection:
                while chunk:
                    new_count += insert_new(connection, chunk)
                    chunk = list(islice(rows, _CHUNK))
                if new_count:
                    totals.fold(connection, few=totals.FEW)
        return new_count

    def merge(self, outcomes: Iterable[tuple[str, Outcome]]) -> int:
        """Add outcomes of another ledger in one transaction: all of them or, if this raises, none.

        The sums afterwards depend neither on the order nor on repetition, because two rows
        with one key and different outcomes are refused.

        Args:
            outcomes: Outcomes, each with its place (for example file and line), for messages.

        Returns:
            Number of new rows. They are committed when this returns.

        Raises:
            LedgerError: A row contradicts one with the same key; the message names its place.
        """
        if self._read_only:
            raise LedgerError(f"the ledger {self._where} was opened for reading only")
        from . import ledger_sql as sql
        from .ledger_tables import insert_new
        from .ledger_totals import fold

        # Sums that another ledger holds for a third one are in its library.lock, too.
        own_outcomes = (each for each in outcomes if not each[1].run.startswith(STAND_IN))
        new_count = 0
        with self._writes, sql.explained(self._where), sql.writing(self._open_engine()) as writer:
            while chunk := list(islice(own_outcomes, _CHUNK)):
                rows = [row_of(outcome) for _, outcome in chunk]
                new = insert_new(writer, rows)
                if new < len(rows):
                    sql.refuse_contradictions(writer, [place for place, _ in chunk], rows)
                new_count += new
            fold(writer)
            drop_stand_ins(writer)
        return new_count

    def counts(
        self,
        subject_kind: str | None = None,
        subject: str | None = None,
        *,
        changed_since: int = 0,
        run: str | None = None,
        superseded: tuple[str, str] | None = None,
        without: str | Collection[str] = (),
    ) -> dict[CountKey, tuple[float, float]]:
        """Sum successes and failures for each (subject_kind, subject, version, binding).

        The cost grows with the keys, and with the rows of the runs that are named.

        Args:
            subject_kind: Only this kind.
            subject: Only this id; with the kind, found by an index.
            changed_since: Only keys with rows after this :meth:`revision`, with their full sums: a
                caller with cached counts replaces its own by these.
            run: Only this run.
            superseded: ``(family, run)``: of all runs of the family only this one counts.
            without: Families, or single runs, to leave out.
        """
        from . import ledger_totals as totals

        excluded = {without} if isinstance(without, str) else set(without)
        families = excluded.intersection(FAMILIES)
        subject_filter = (subject_kind, subject)
        with self._reading() as connection:

            def of_run(name: str) -> totals.Sums:
                return totals.of_run(connection, name, *subject_filter, changed_since=changed_since)

            if run is not None:
                sums = of_run(run)
            else:
                hidden_families = {*families, superseded[0]} if superseded else families
                sums = totals.of_families(
                    connection,
                    *subject_filter,
                    without=hidden_families,
                    changed_since=changed_since,
                )
                for excluded_run in excluded - families:
                    if family_of(excluded_run) not in hidden_families:
                        sums = totals.less(sums, of_run(excluded_run))
                if superseded and superseded[1].startswith(superseded[0]):
                    sums = totals.plus(sums, of_run(superseded[1]))
        return {key: (good, bad) for key, (_, good, bad) in sums.items()}

    def rows(
        self,
        subject_kind: str | None = None,
        subject: str | None = None,
        *,
        run: str | None = None,
        since: int = 0,
        upto: int | None = None,
        latest: int | None = None,
    ) -> Iterator[Outcome]:
        """Yield outcomes in the order of their addition.

        Rows that are added meanwhile are yielded, too, unless ``upto`` sets the last revision. No
        lock is held between rows. An index finds the rows of a subject or a run; those of a kind
        are found by reading all rows from ``since`` on.

        Args:
            subject_kind: Only this kind.
            subject: Only this id.
            run: Only this run.
            since: Only rows that were added after this :meth:`revision`.
            upto: Only rows up to this revision.
            latest: Number of the last of these rows to yield, besides rows added meanwhile.
        """
        import sqlalchemy as sa

        from .ledger_tables import OUTCOMES, rows_of

        query = sa.select(OUTCOMES).where(*rows_of(subject_kind, subject, run))
        query = query.order_by(OUTCOMES.c.id).limit(_CHUNK)
        if upto is not None:
            query = query.where(OUTCOMES.c.id <= upto)
        if latest is not None:
            last = query.with_only_columns(OUTCOMES.c.id).order_by(None).limit(1).offset(latest)
            with self._reading() as connection:
                before = connection.execute(last.order_by(OUTCOMES.c.id.desc())).scalar()
            since = max(since, before or 0)
        while True:
            with self._reading() as connection:
                page = connection.execute(query.where(OUTCOMES.c.id > since)).all()
            for row in page:
                since = row.id
                yield self._outcome(row)
            if len(page) < _CHUNK:
                return

    def spans(
        self, subject_kind: str, *, without: Collection[str] = ()
    ) -> dict[str, tuple[int, int, int]]:
        """Return subject → (number of rows, id of the first row, id of the last).

        Args:
            subject_kind: Only this kind.
            without: Leave out the runs of these families.
        """
        import sqlalchemy as sa

        from .ledger_totals import sources

        spans: dict[str, tuple[int, int, int]] = {}
        with self._reading() as connection:
            for source in sources(connection):
                column = source.c
                places = (sa.func.min(column.first_id), sa.func.max(column.last_id))
                query = sa.select(column.subject, sa.func.sum(column.uses), *places)
                query = query.where(
                    column.subject_kind == subject_kind, column.family.not_in(list(without))
                )
                for subject, uses, first, last in connection.execute(
                    query.group_by(column.subject)
                ):
                    rows, earliest, latest = spans.get(subject, (0, int(first), int(last)))
                    span = (rows + int(uses), min(earliest, int(first)), max(latest, int(last)))
                    spans[subject] = span
        return spans

    def total(self) -> int:
        """Return the number of rows."""
        import sqlalchemy as sa

        from .ledger_totals import sources

        with self._reading() as connection:
            queries = [sa.select(sa.func.sum(source.c.uses)) for source in sources(connection)]
            return sum(int(connection.execute(query).scalar() or 0) for query in queries)

    def revision(self) -> int:
        """Return a number that rises whenever a row is added; 0 without rows. Cheap."""
        from .ledger_tables import LATEST

        with self._reading() as connection:
            return int(connection.execute(LATEST).scalar() or 0)

    def verify(self) -> int:
        """Check the whole database, every row and every running total; return the number of rows.

        Opening checks only the format, which is fast; this method reads everything.

        Raises:
            LedgerError: A page, an index or a row is damaged, or a total differs from the sum of
                its rows, which :meth:`sum_anew` repairs.
        """
        import sqlalchemy as sa

        from .ledger_sql import advice
        from .ledger_totals import difference

        if self._open_engine().dialect.name == "sqlite":
            with self._reading() as connection:
                faults = connection.execute(sa.text("PRAGMA integrity_check(1)")).scalar_one()
            if faults != "ok":
                raise LedgerError(advice(self._where, f"malformed: {faults}"))
        rows = sum(1 for _ in self.rows())
        with self._reading() as connection:
            fault = difference(connection)
        if fault:
            raise LedgerError(
                f"the ledger {self._where} is damaged: {fault} is not what its rows say. The rows "
                f"are whole; sum them anew with `macla evidence verify {self._where} --sum-anew`"
            )
        return rows

    def sum_anew(self) -> None:
        """Recompute all running totals from the rows, in one transaction that reads all of them."""
        from . import ledger_sql as sql
        from .ledger_totals import sum_anew

        if self._read_only:
            raise LedgerError(f"the ledger {self._where} was opened for reading only")
        with self._writes, sql.explained(self._where), sql.writing(self._open_engine()) as writer:
            sum_anew(writer)

    def export_jsonl(self, path: str | Path) -> int:
        """Write every row as one line of JSON; return the number of lines.

        The file appears complete or not at all.
        """
        target = Path(path)
        line_count = 0
        try:
            remove_beside(target)
            with replacing(target) as file:
                for outcome in self.rows():
                    if outcome.run.startswith(STAND_IN):
                        continue  # sums of another machine, which are not rows of ours
                    line = json.dumps(outcome.to_json(), ensure_ascii=False) + "\n"
                    file.write(line.encode())
                    line_count += 1
        except OSError as error:
            raise LedgerError(f"evidence cannot be written to {target}: {reason(error)}") from error
        return line_count

    def import_jsonl(self, path: str | Path) -> int:
        """Merge exported evidence; return the number of new rows.

        Files may be merged in any order and any number of times. The error names a bad line, or
        one that contradicts a row; the ledger is then unchanged.
        """
        try:
            with Path(path).open("rb") as file:
                return self.merge(read_lines(file, Path(path)))
        except OSError as error:
            raise LedgerError(f"evidence cannot be read from {path}: {error}") from error

    def _open_engine(self) -> sa.Engine:
        if self._engine is None:
            raise LedgerError(f"the ledger {self._where} is closed")
        return self._engine

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        from .ledger_sql import explained, reading

        engine = self._open_engine()
        with self._reads or nullcontext(), explained(self._where), reading(engine) as connection:
            yield connection

    def _outcome(self, row: sa.Row[Any]) -> Outcome:
        values = dict(row._mapping)
        number = values.pop("id")
        try:
            values["context"] = json.loads(values["context"])
            return Outcome(**values)
        except (ValueError, TypeError, LedgerError) as error:
            from .ledger_sql import advice

            fault = f"malformed row {number}: {error}"
            raise LedgerError(advice(self._where, fault)) from error
