"""What a ledger says of runs: which there are, which came first, what each one sums to."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from .ledger_rows import STAND_IN

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["LedgerRuns", "drop_stand_ins"]


class LedgerRuns:
    """The part of a ledger that is about runs."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[sa.Connection]: ...

    def episodes(self, *, without_runs: Sequence[str] = ()) -> int:
        """Return the number of runs that left evidence, those that start with these left out."""
        import sqlalchemy as sa

        from .ledger_sql import OUTCOMES

        query = sa.select(sa.func.count(OUTCOMES.c.run.distinct()))
        for prefix in without_runs:
            query = query.where(sa.not_(OUTCOMES.c.run.startswith(prefix, autoescape=True)))
        with self._reading() as connection:
            return int(connection.execute(query).scalar_one())

    def run_ids(self) -> list[str]:
        """Return the runs that left evidence, sorted."""
        import sqlalchemy as sa

        from .ledger_sql import OUTCOMES

        with self._reading() as connection:
            return sorted(connection.execute(sa.select(OUTCOMES.c.run).distinct()).scalars())

    def has_run(self, run: str) -> bool:
        """Say whether a run left evidence; found by an index."""
        import sqlalchemy as sa

        from .ledger_sql import OUTCOMES

        query = sa.select(OUTCOMES.c.id).where(OUTCOMES.c.run == run).limit(1)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    def first_run(self, *, without: Sequence[str] = ()) -> str:
        """Return the run of the oldest row; "" where there is none.

        Args:
            without: Leave out runs whose id starts with one of these.
        """
        import sqlalchemy as sa

        from .ledger_sql import OUTCOMES

        query = sa.select(OUTCOMES.c.run).order_by(OUTCOMES.c.id).limit(1)
        for prefix in without:
            query = query.where(sa.not_(OUTCOMES.c.run.startswith(prefix, autoescape=True)))
        with self._reading() as connection:
            return str(connection.execute(query).scalar() or "")

    def sums_of_runs(
        self, prefix: str
    ) -> dict[tuple[str, str, str, int, str], tuple[float, float]]:
        """Sum successes and failures by (run, subject kind, subject, version, binding).

        Args:
            prefix: Only runs whose id starts with this.
        """
        import sqlalchemy as sa

        from .ledger_sql import OUTCOMES

        own = OUTCOMES.c
        key = (own.run, own.subject_kind, own.subject, own.version, own.binding)
        query = sa.select(*key, sa.func.sum(own.successes), sa.func.sum(own.failures))
        with self._reading() as connection:
            if connection.dialect.name == "sqlite":  # by its index, which LIKE does not use
                after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
                begins = sa.and_(own.run >= prefix, own.run < after)
            else:
                begins = own.run.startswith(prefix, autoescape=True)
            rows = connection.execute(query.where(begins).group_by(*key)).all()
        return {(row[0], row[1], row[2], row[3], row[4]): (row[5], row[6]) for row in rows}


def drop_stand_ins(connection: sa.Connection) -> None:
    """Remove the sums that stand for another machine's rows where these rows are here now."""
    import sqlalchemy as sa

    from .ledger_sql import OUTCOMES

    begins = OUTCOMES.c.run.startswith(STAND_IN, autoescape=True)
    stand_ins = sa.select(OUTCOMES.c.run).distinct().where(begins)
    for run in connection.execute(stand_ins).scalars().all():
        own = sa.select(OUTCOMES.c.id).where(OUTCOMES.c.run == run.removeprefix(STAND_IN)).limit(1)
        if connection.execute(own).first() is not None:
            connection.execute(sa.delete(OUTCOMES).where(OUTCOMES.c.run == run))
