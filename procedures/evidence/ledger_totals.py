"""Running totals of a ledger: what its rows sum to, kept in the transaction that adds them.

A total is the sum of the rows of one key (subject kind, subject, version, binding) and one family
of runs, as far as the *mark*: the last row that is in the totals. Who writes adds the rows after
the mark, once there are more than a few, and who reads adds those that it finds there. So the sums
are right whoever wrote the rows, a process of an earlier macla as well, and a ledger of format 1 is
one whose mark is 0.

Sums are of doubles: whole numbers, halves and the like are exact; of others the last bits depend on
which rows were added together.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from .ledger_rows import family_of
from .ledger_tables import FAMILY, META, OUTCOMES, RUNS, TOTALS, rows_of

__all__ = [
    "Sums",
    "difference",
    "fold",
    "less",
    "of_families",
    "of_family",
    "of_run",
    "plus",
    "runs_of_families",
    "sources",
    "sum_anew",
    "sum_family_anew",
]

CountKey: TypeAlias = tuple[str, str, int, str]
Sums: TypeAlias = dict[CountKey, tuple[int, float, float]]
"""Key → number of rows, successes and failures."""

_KEY = ("subject_kind", "subject", "version", "binding")
_MARK = "summed"
FEW = 200
"""Rows that who reads adds up as fast as who writes: so few may stand after the mark."""
AT_ONCE = 500_000
"""Most rows that are summed by one statement, so that the database sorts in memory."""

# Made once: to make them takes longer than to execute them.
_READ_MARKS = sa.select(
    sa.select(META.c.value).where(META.c.key == _MARK).scalar_subquery(),
    sa.select(sa.func.max(OUTCOMES.c.id)).scalar_subquery(),
)


# -- what is read ------------------------------------------------------------------------


def sources(connection: sa.Connection) -> list[sa.FromClause]:
    """Return what together has the sums of all rows: the totals, and the rows after the mark.

    Both have the columns of the totals. Only within one snapshot do they fit together.
    """
    mark, latest = _marks(connection)
    after = [_sums_of(*_between(mark, latest)).subquery("after")] if latest > mark else []
    return [*([TOTALS] if mark else []), *after]


def of_families(
    connection: sa.Connection,
    subject_kind: str | None = None,
    subject: str | None = None,
    *,
    without: Collection[str] = (),
    changed_since: int = 0,
) -> Sums:
    """Sum the rows of all families of runs but some; see :meth:`Ledger.counts`."""
    changed = _changed(connection, changed_since) if changed_since else None
    found: Sums = {}
    for source in sources(connection):
        column = source.c
        query: Any = sa.select(
            *(column[name] for name in _KEY), column.uses, column.successes, column.failures
        )
        for name, value in (("subject_kind", subject_kind), ("subject", subject)):
            if value is not None:
                query = query.where(column[name] == value)
        if without:
            query = query.where(column.family.not_in(list(without)))
        if changed is not None:
            query = query.where(sa.tuple_(*(column[name] for name in _KEY)).in_(changed))
        _add(found, connection.execute(query).all())
    return found


def of_run(
    connection: sa.Connection,
    run: str,
    subject_kind: str | None = None,
    subject: str | None = None,
    *,
    changed_since: int = 0,
) -> Sums:
    """Sum the rows of one run, which an index finds."""
    column = OUTCOMES.c
    key = [column[name] for name in _KEY]
    sums = (sa.func.count(), sa.func.sum(column.successes), sa.func.sum(column.failures))
    query: Any = sa.select(*key, *sums).where(*rows_of(subject_kind, subject, run)).group_by(*key)
    if changed_since:
        query = query.where(sa.tuple_(*key).in_(_changed(connection, changed_since)))
    found: Sums = {}
    _add(found, connection.execute(query).all())
    return found


def plus(sums: Sums, others: Sums) -> Sums:
    """Return the sums with others added."""
    found = dict(sums)
    _add(found, [(*key, *value) for key, value in others.items()])
    return found


def less(sums: Sums, others: Sums) -> Sums:
    """Return the sums without what others have of them; what nothing is left of is left out."""
    found = dict(sums)
    for key in sums.keys() & others.keys():
        uses, good, bad = (max(0, a - b) for a, b in zip(sums[key], others[key], strict=True))
        if uses:
            found[key] = (int(uses), float(good), float(bad))
        else:
            del found[key]
    return found


def runs_of_families(connection: sa.Connection, without: Collection[str] = ()) -> int:
    """Return the number of runs that left rows, but for those of some families."""
    mark, latest = _marks(connection)
    counted: list[sa.Select[str, int]] = []
    if mark:
        counted.append(sa.select(RUNS.c.family, RUNS.c.runs))
    if latest > mark:
        counted.append(_new_runs(mark, latest))
    return sum(
        int(runs)
        for query in counted
        for family, runs in connection.execute(query).all()
        if family not in without
    )


def of_family(connection: sa.Connection, family: str) -> sa.ColumnElement[bool]:
    """Return the condition that a row's run is of a family; SQLite finds these by its index."""
    run = OUTCOMES.c.run
    if connection.dialect.name == "sqlite":
        return sa.and_(run >= family, run < family[:-1] + chr(ord(family[-1]) + 1))
    return sa.func.substr(run, 1, len(family)) == family


def _marks(connection: sa.Connection) -> tuple[int, int]:
    """Return the last row that is in the totals, and the last row; 0 for none."""
    found = connection.execute(_READ_MARKS).one()
    return int(found[0] or 0), int(found[1] or 0)


def _changed(connection: sa.Connection, since: int) -> sa.Select[Any]:
    """Return the keys of the rows after an id."""
    _, latest = _marks(connection)
    return sa.select(*(OUTCOMES.c[name] for name in _KEY)).where(*_between(since, latest))


def _add(found: Sums, rows: Collection[Any]) -> None:
    for kind, subject, version, binding, uses, good, bad in rows:
        key = (kind, subject, version, binding)
        known = found.get(key)
        if known is not None:
            uses, good, bad = known[0] + uses, known[1] + good, known[2] + bad
        found[key] = (uses, good, bad)


# -- what is written ---------------------------------------------------------------------


def fold(connection: sa.Connection, *, few: int = 0) -> None:
    """Add the rows after the mark to the totals; the connection holds the write lock.

    Args:
        connection: Has the rows, and nothing is committed yet.
        few: Where there are fewer rows than this, they are left for the next time.
    """
    mark, latest = _marks(connection)
    if latest - mark < few:
        return
    while mark < latest:
        upto = min(latest, mark + AT_ONCE)
        for statement in _folding(connection.dialect.name):
            connection.exec_driver_sql(statement, {"mark": mark, "upto": upto})
        mark = upto


def sum_anew(connection: sa.Connection) -> None:
    """Make all totals from the rows; the connection holds the write lock."""
    for table in (TOTALS, RUNS):
        connection.execute(sa.delete(table))
    connection.execute(sa.delete(META).where(META.c.key == _MARK))
    connection.execute(sa.insert(META).values(key=_MARK, value="0"))
    fold(connection)


def sum_family_anew(connection: sa.Connection, family: str) -> None:
    """Make the totals of one family from its rows, of which some were removed.

    All rows are in the totals, and the connection holds the write lock.
    """
    for table in (TOTALS, RUNS):
        connection.execute(sa.delete(table).where(table.c.family == family))
    begins = of_family(connection, family)
    rows = _sums_of(begins)
    connection.execute(sa.insert(TOTALS).from_select([c.name for c in TOTALS.c], rows))
    runs = sa.select(sa.literal(family), sa.func.count(OUTCOMES.c.run.distinct())).where(begins)
    connection.execute(sa.insert(RUNS).from_select(["family", "runs"], runs))


def difference(connection: sa.Connection) -> str:
    """Say in which total the rows sum to something else; "" where in none."""
    mark, _ = _marks(connection)
    if not mark:
        return ""
    rows = {_name(row): row[5:] for row in connection.execute(_sums_of(OUTCOMES.c.id <= mark))}
    totals = {_name(row): row[5:] for row in connection.execute(sa.select(TOTALS))}
    for name in rows.keys() | totals.keys():
        one, other = rows.get(name), totals.get(name)
        if one is None or other is None or not all(map(math.isclose, one, other)):
            return f"the running total of {name}"
    runs = {row.family: row.runs for row in connection.execute(sa.select(RUNS))}
    query = sa.select(OUTCOMES.c.run).distinct().where(OUTCOMES.c.id <= mark)
    for run in connection.execute(query).scalars():
        family = family_of(run)
        runs[family] = runs.get(family, 0) - 1
    return "the number of runs" if any(runs.values()) else ""


def _name(row: Any) -> str:
    kind, subject, version, binding, family = row[:5]
    more = [f" ({binding})" if binding else "", f" in runs {family}" if family else ""]
    return f"{kind} {subject}@{version}{''.join(more)}"


def _between(mark: Any, upto: Any) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions of the rows after one id, up to another.

    Both bounds: with one alone the databases take so many rows for likely that they read all.
    """
    return OUTCOMES.c.id > mark, OUTCOMES.c.id <= upto


def _sums_of(*where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Sum rows by key and family, with the columns of the totals."""
    column = OUTCOMES.c
    key = [column[name] for name in _KEY]
    query = sa.select(
        *key,
        FAMILY.label("family"),
        sa.func.count().label("uses"),
        sa.func.sum(column.successes).label("successes"),
        sa.func.sum(column.failures).label("failures"),
        sa.func.min(column.id).label("first_id"),
        sa.func.max(column.id).label("last_id"),
    )
    return query.where(*where).group_by(*key, FAMILY)


def _new_runs(mark: Any, upto: Any) -> sa.Select[str, int]:
    """Count the runs, by family, whose first row is after the mark."""
    before = OUTCOMES.alias("before")
    fresh = sa.select(OUTCOMES.c.run).distinct().where(*_between(mark, upto)).subquery("fresh")
    known = sa.exists().where(before.c.run == fresh.c.run, before.c.id <= mark)
    return (
        sa.select(FAMILY.label("family"), sa.func.count().label("runs"))
        .select_from(fresh)
        .where(~known)
        .group_by(FAMILY)
    )


@cache
def _folding(dialect: str) -> tuple[str, ...]:
    """Return the statements that add the rows after ``mark`` up to ``upto`` to the totals.

    As the driver takes them: they go with every row that is recorded, and SQLAlchemy takes longer
    over them than SQLite does.
    """
    module: Any = {"sqlite": sqlite, "postgresql": postgresql}[dialect]
    style = "named" if dialect == "sqlite" else "pyformat"
    insert = module.insert
    mark, upto = (sa.bindparam(name, type_=sa.BigInteger) for name in ("mark", "upto"))
    rows = _sums_of(*_between(mark, upto))
    totals = insert(TOTALS).from_select([column.name for column in TOTALS.c], rows)
    new = totals.excluded
    totals = totals.on_conflict_do_update(
        index_elements=list(TOTALS.primary_key.columns),
        set_={
            **{n: TOTALS.c[n] + new[n] for n in ("uses", "successes", "failures")},
            "last_id": new.last_id,
        },
    )
    runs = insert(RUNS).from_select(["family", "runs"], _new_runs(mark, upto))
    runs = runs.on_conflict_do_update(
        index_elements=[RUNS.c.family], set_={"runs": RUNS.c.runs + runs.excluded.runs}
    )
    value = sa.cast(upto, sa.Text)
    kept = sa.update(META).values(value=value).where(META.c.key == sa.literal_column(f"'{_MARK}'"))
    compiled = module.dialect(paramstyle=style)
    return tuple(str(each.compile(dialect=compiled)) for each in (totals, runs, kept))
