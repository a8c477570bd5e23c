"""Queries of a ledger about runs: the first one, the sums of each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from .ledger_rows import STAND_IN

if TYPE_CHECKING:
    import sqlalchemy as sa


class LedgerRuns:
    """The part of a ledger that is about runs."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[sa.Connection]: ...

    def episodes(self, *, without: Collection[str] = ()) -> int:
        """Return the number of runs with evidence, without those of some families."""
        from .ledger_totals import runs_of_families

        with self._reading() as connection:
            return runs_of_families(connection, without)

    def has_run(self, run: str) -> bool:
        """Tell whether a run has evidence; an index finds it."""
        import sqlalchemy as sa

        from .ledger_tables import OUTCOMES

        query = sa.select(OUTCOMES.c.id).where(OUTCOMES.c.run == run).limit(1)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    def first_run(self, *, without: Collection[str]) -> str:
        """Return the run of the oldest row, or "".

        Args:
            without: Leave out the runs of these families.
        """
        import sqlalchemy as sa

        from .ledger_tables import OUTCOMES
        from .ledger_totals import sources

        with self._reading() as connection:
            firsts = [
                connection.execute(
                    sa.select(sa.func.min(source.c.first_id)).where(
                        source.c.family.not_in(list(without))
                    )
                ).scalar()
                for source in sources(connection)
            ]
            first = min((each for each in firsts if each is not None), default=None)
            query = sa.select(OUTCOMES.c.run).where(OUTCOMES.c.id == first)
            return str(connection.execute(query).scalar() or "")

    def sums_of_runs(
        self, family: str
    ) -> dict[tuple[str, str, str, int, str], tuple[float, float]]:
        """Sum successes and failures by (run, subject kind, subject, version, binding).

        Args:
            family: Only runs of this family.
        """
        import sqlalchemy as sa

        from .ledger_tables import OUTCOMES
        from .ledger_totals import of_family

        columns = OUTCOMES.c
        key = (columns.run, columns.subject_kind, columns.subject, columns.version, columns.binding)
        query = sa.select(*key, sa.func.sum(columns.successes), sa.func.sum(columns.failures))
        with self._reading() as connection:
            query = query.where(of_family(connection, family)).group_by(*key)
            rows = connection.execute(query).all()
        return {(row[0], row[1], row[2], row[3], row[4]): (row[5], row[6]) for row in rows}


def drop_stand_ins(connection: sa.Connection) -> None:
    """Remove the sums of another machine's rows that are now here themselves.

    All rows must be in the running totals, and they are afterwards.
    """
    import sqlalchemy as sa

    from .ledger_tables import OUTCOMES, RUNS
    from .ledger_totals import of_family, sum_family_anew

    if not connection.execute(sa.select(RUNS.c.runs).where(RUNS.c.family == STAND_IN)).scalar():
        return
    run = OUTCOMES.c.run
    stand_ins = sa.select(run).distinct().where(of_family(connection, STAND_IN))
    obsolete_runs = [
        each
        for each in connection.execute(stand_ins).scalars().all()
        if connection.execute(
            sa.select(OUTCOMES.c.id).where(run == each.removeprefix(STAND_IN)).limit(1)
        ).first()
    ]
    if obsolete_runs:
        for each in obsolete_runs:
            connection.execute(sa.delete(OUTCOMES).where(run == each))
        sum_family_anew(connection, STAND_IN)
