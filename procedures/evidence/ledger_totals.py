"""Running totals of a ledger: sums of its rows, updated in the transaction that adds them.

A total is the sum of the rows of one key (subject kind, subject, version, binding) and one family
of runs, up to the *mark*: the last row that is in the totals. A writer adds the rows after the mark
to the totals once there are more than a few; a reader adds them to its own result. So the sums are
right whoever wrote the rows, also a process of an earlier macla. A ledger of format 1 is one whose
mark is 0.

Sums are doubles: whole numbers, halves and the like are exact; for others the last bits depend on
the order of addition.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from .ledger_rows import CountKey, family_of
from .ledger_tables import FAMILY, LATEST, META, OUTCOMES, RUNS, TOTALS, rows_of

Sums: TypeAlias = dict[CountKey, tuple[int, float, float]]
"""Key → number of rows, successes and failures."""

_KEY = ("subject_kind", "subject", "version", "binding")
_MARK = "summed"
FEW = 200
"""Rows that may stand after the mark: a reader adds so few as fast as a writer."""
AT_ONCE = 500_000
"""Most rows that one statement sums, so that the database sorts in memory."""

# Built once: building the query takes longer than executing it.
_READ_MARKS = sa.select(
    sa.select(META.c.value).where(META.c.key == _MARK).scalar_subquery(),
    LATEST.scalar_subquery(),
)


# -- reading ------------------------------------------------------------------------------


def sources(connection: sa.Connection) -> list[sa.FromClause]:
    """Return the sources that together hold the sums of all rows: totals, and rows after the mark.

    Both have the columns of the totals. They fit together only within one snapshot.
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
    """Sum the rows of all families of runs except some; see :meth:`Ledger.counts`."""
    mark, latest = _marks(connection)
    values = {
        "kind": subject_kind,
        "subject": subject,
        "without": list(without),
        "since": changed_since,
        "mark": mark,
        "latest": latest,
    }
    sums: Sums = {}
    for of_totals in (True, False):
        if mark if of_totals else latest > mark:
            query = _query_of_families(
                of_totals,
                kind=subject_kind is not None,
                subject=subject is not None,
                without=bool(without),
                changed=bool(changed_since),
            )
            _add(sums, connection.execute(query, values).all())
    return sums


@cache  # as of _READ_MARKS
def _query_of_families(
    of_totals: bool, *, kind: bool, subject: bool, without: bool, changed: bool
) -> sa.Select[Any]:
    """Return the query of the sums in the totals, or of those of the rows after the mark."""
    latest = sa.bindparam("latest", type_=sa.BigInteger)
    mark = sa.bindparam("mark", type_=sa.BigInteger)
    source = TOTALS if of_totals else _sums_of(*_between(mark, latest)).subquery("after")
    column = source.c
    key = [column[name] for name in _KEY]
    query = sa.select(*key, column.uses, column.successes, column.failures)
    if kind:
        query = query.where(column.subject_kind == sa.bindparam("kind"))
    if subject:
        query = query.where(column.subject == sa.bindparam("subject"))
    if without:
        query = query.where(column.family.not_in(sa.bindparam("without", expanding=True)))
    if changed:
        since = sa.bindparam("since", type_=sa.BigInteger)
        news = sa.select(*(OUTCOMES.c[name] for name in _KEY)).where(*_between(since, latest))
        query = query.where(sa.tuple_(*key).in_(news))
    return query


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
        query = query.where(sa.tuple_(*key).in_(_changed_keys(connection, changed_since)))
    result: Sums = {}
    _add(result, connection.execute(query).all())
    return result


def plus(sums: Sums, others: Sums) -> Sums:
    """Return the sums plus others."""
    result = dict(sums)
    _add(result, [(*key, *value) for key, value in others.items()])
    return result


def less(sums: Sums, others: Sums) -> Sums:
    """Return the sums minus others, without keys that have no rows left."""
    result = dict(sums)
    for key in sums.keys() & others.keys():
        uses, good, bad = (max(0, a - b) for a, b in zip(sums[key], others[key], strict=True))
        if uses:
            result[key] = (int(uses), float(good), float(bad))
        else:
            del result[key]
    return result


def runs_of_families(connection: sa.Connection, without: Collection[str]) -> int:
    """Return the number of runs with rows, without those of some families."""
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
    """Return the condition that a row's run is of a family; SQLite uses its index for it."""
    run = OUTCOMES.c.run
    if connection.dialect.name == "sqlite":
        return sa.and_(run >= family, run < family[:-1] + chr(ord(family[-1]) + 1))
    return sa.func.substr(run, 1, len(family)) == family


def _marks(connection: sa.Connection) -> tuple[int, int]:
    """Return the last row that is in the totals, and the last row; 0 for none."""
    marks = connection.execute(_READ_MARKS).one()
    return int(marks[0] or 0), int(marks[1] or 0)


def _changed_keys(connection: sa.Connection, since: int) -> sa.Select[Any]:
    """Return the keys of the rows after an id."""
    _, latest = _marks(connection)
    return sa.select(*(OUTCOMES.c[name] for name in _KEY)).where(*_between(since, latest))


def _add(sums: Sums, rows: Collection[Any]) -> None:
    for kind, subject, version, binding, uses, good, bad in rows:
        key = (kind, subject, version, binding)
        earlier = sums.get(key)
        if earlier is not None:
            uses, good, bad = earlier[0] + uses, earlier[1] + good, earlier[2] + bad
        sums[key] = (uses, good, bad)


# -- writing ------------------------------------------------------------------------------


def fold(connection: sa.Connection, *, few: int = 0) -> None:
    """Add the rows after the mark to the totals; the connection holds the write lock.

    Args:
        connection: Connection with the uncommitted rows.
        few: If there are fewer rows than this, they wait for the next call.
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
    """Recompute all totals from the rows; the connection holds the write lock."""
    for table in (TOTALS, RUNS):
        connection.execute(sa.delete(table))
    connection.execute(sa.delete(META).where(META.c.key == _MARK))
    connection.execute(sa.insert(META).values(key=_MARK, value="0"))
    fold(connection)


def sum_family_anew(connection: sa.Connection, family: str) -> None:
    """Recompute the totals of one family after some of its rows were removed.

    All rows must be in the totals, and the connection holds the write lock.
    """
    for table in (TOTALS, RUNS):
        connection.execute(sa.delete(table).where(table.c.family == family))
    begins = of_family(connection, family)
    rows = _sums_of(begins)
    connection.execute(sa.insert(TOTALS).from_select([c.name for c in TOTALS.c], rows))
    runs = sa.select(sa.literal(family), sa.func.count(OUTCOMES.c.run.distinct())).where(begins)
    connection.execute(sa.insert(RUNS).from_select(["family", "runs"], runs))


def difference(connection: sa.Connection) -> str:
    """Return the name of a total that differs from the sum of its rows, or ""."""
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

    It needs both bounds: with one alone the databases expect so many rows that they read all.
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
    is_old = sa.exists().where(before.c.run == fresh.c.run, before.c.id <= mark)
    return (
        sa.select(FAMILY.label("family"), sa.func.count().label("runs"))
        .select_from(fresh)
        .where(~is_old)
        .group_by(FAMILY)
    )


@cache
def _folding(dialect: str) -> tuple[str, ...]:
    """Return the statements that add the rows after ``mark`` up to ``upto`` to the totals.

    They are compiled for the driver: they run with every recorded row, and SQLAlchemy takes longer
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
    mark_update = (
        sa.update(META).values(value=value).where(META.c.key == sa.literal_column(f"'{_MARK}'"))
    )
    compiled = module.dialect(paramstyle=style)
    return tuple(str(each.compile(dialect=compiled)) for each in (totals, runs, mark_update))
