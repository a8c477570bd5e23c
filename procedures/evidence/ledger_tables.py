"""The tables of the evidence ledger: rows, and their sums.

Only the other parts of the ledger import this, and only when a ledger is opened, because importing
SQLAlchemy takes longer than everything else that ``macla --help`` does.
"""

from __future__ import annotations

import sqlalchemy as sa

from .ledger_rows import FAMILIES

_metadata = sa.MetaData()

META = sa.Table(
    "macla_ledger",
    _metadata,
    sa.Column("key", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

OUTCOMES = sa.Table(
    "macla_outcomes",
    _metadata,
    # AUTOINCREMENT/BIGSERIAL: ids rise in the order of commits, so the largest one is
    # a change marker.
    sa.Column(
        "id",
        sa.BigInteger().with_variant(sa.Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    sa.Column("run", sa.Text, nullable=False),
    sa.Column("step", sa.BigInteger, nullable=False),
    sa.Column("subject_kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("binding", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("successes", sa.Double, nullable=False),
    sa.Column("failures", sa.Double, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("context", sa.Text, nullable=False),
    sa.UniqueConstraint(
        "run", "step", "subject_kind", "subject", "version", "binding", name="macla_outcome_once"
    ),
    sqlite_autoincrement=True,
)
LATEST = sa.select(sa.func.max(OUTCOMES.c.id))
"""The last row; built once, as to build a query takes longer than to execute it."""
# The subject comes first: a kind has millions of rows, which are read by id. SQLite, which counts
# no values, would use an index that begins with the kind even for the latest few rows of a kind.
BY_SUBJECT = sa.Index("macla_outcomes_of_subject", OUTCOMES.c.subject, OUTCOMES.c.subject_kind)

TOTALS = sa.Table(
    "macla_totals",
    _metadata,
    sa.Column("subject_kind", sa.Text, primary_key=True),
    sa.Column("subject", sa.Text, primary_key=True),
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("binding", sa.Text, primary_key=True),
    sa.Column("family", sa.Text, primary_key=True),
    sa.Column("uses", sa.BigInteger, nullable=False),
    sa.Column("successes", sa.Double, nullable=False),
    sa.Column("failures", sa.Double, nullable=False),
    sa.Column("first_id", sa.BigInteger, nullable=False),
    sa.Column("last_id", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

RUNS = sa.Table(
    "macla_runs",
    _metadata,
    sa.Column("family", sa.Text, primary_key=True),
    sa.Column("runs", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Literal text on purpose: with parameters, PostgreSQL would not see that the grouped and the
# selected expression are the same. SQLite's LIKE ignores case, so it is of no use.
_CASES = (f"WHEN substr(run, 1, {len(each)}) = '{each}' THEN '{each}'" for each in FAMILIES)
FAMILY: sa.ColumnElement[str] = sa.literal_column(f"CASE {' '.join(_CASES)} ELSE '' END", sa.Text)
"""The family of a row's run."""


def rows_of(
    subject_kind: str | None, subject: str | None, run: str | None
) -> list[sa.ColumnElement[bool]]:
    """Return the conditions for the rows of a kind, a subject and a run; None means any."""
    filters = (("subject_kind", subject_kind), ("subject", subject), ("run", run))
    conditions = []
    for name, value in filters:
        # Beside a run as an expression, so that SQLite uses the index of the run, which has few
        # rows, and not that of the subject, which has many.
        column = OUTCOMES.c[name] if run is None or name == "run" else OUTCOMES.c[name].concat("")
        if value is not None:
            conditions.append(column == value)
    return conditions


_FIELDS = [column.name for column in OUTCOMES.columns if column.name != "id"]


def insert_new(connection: sa.Connection, rows: list[dict[str, object]]) -> int:
    """Add the rows with new keys; return their number."""
    # The driver is called directly: SQLAlchemy takes longer over a row than SQLite does.
    place = "?" if connection.dialect.name == "sqlite" else "%s"
    statement = (
        f"INSERT INTO {OUTCOMES.name} ({', '.join(_FIELDS)}) "  # noqa: S608 (our own names)
        f"VALUES ({', '.join([place] * len(_FIELDS))}) ON CONFLICT DO NOTHING"
    )
    values = [tuple(row[name] for name in _FIELDS) for row in rows]
    return connection.exec_driver_sql(statement, values).rowcount
