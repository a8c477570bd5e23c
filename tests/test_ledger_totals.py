"""Running totals of the ledger are what its rows sum to, whatever was written, by whom and when."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import forking
import pytest
import servers
import sqlalchemy as sa
from command_line import run as macla
from effort import MANY
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.common.errors import LedgerError
from macla.procedures.evidence import ledger_sql, ledger_totals
from macla.procedures.evidence.ledger import Ledger, Outcome

RUNS = ("a", "b", "a1", "", "learn:x", "learn:y", "inherit:p", "eval:1", "eval:2", "Learn:x")
FAMILIES = ("learn:", "inherit:", "from:", "eval:")
FORMAT_1 = """
CREATE TABLE macla_ledger (key VARCHAR(40) PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE macla_outcomes (id {serial}, run TEXT NOT NULL, step BIGINT NOT NULL,
  subject_kind TEXT NOT NULL, subject TEXT NOT NULL, version BIGINT NOT NULL,
  binding TEXT NOT NULL, outcome TEXT NOT NULL, successes {double} NOT NULL,
  failures {double} NOT NULL, at TEXT NOT NULL, context TEXT NOT NULL,
  CONSTRAINT macla_outcome_once UNIQUE (run, step, subject_kind, subject, version, binding));
CREATE INDEX macla_outcomes_by_subject ON macla_outcomes (subject_kind, subject, version, binding);
INSERT INTO macla_ledger VALUES ('format', '1')
"""
OLD_ROW = """
INSERT INTO macla_outcomes (run, step, subject_kind, subject, version, binding, outcome,
  successes, failures, at, context)
VALUES (:run, :step, :subject_kind, :subject, :version, :binding, :outcome,
  :successes, :failures, :at, '{}') ON CONFLICT DO NOTHING
"""


def outcome(run: str = "a", step: int = 0, **changes: Any) -> Outcome:
    values: dict[str, Any] = {
        "subject_kind": "procedure",
        "subject": "cool-with",
        "version": 3,
        "outcome": "success",
        "successes": 1.0,
        "failures": 0.0,
        "at": "2026-11-20T10:00:00Z",
    }
    return Outcome(run=run, step=step, **(values | changes))


def drawn(rng: Random) -> Outcome:
    """A row whose outcome is a function of its key, in halves, whose sums are exact."""
    run, step, version = rng.choice(RUNS), rng.randrange(6), rng.choice((1, 2))
    good = (len(run) + step + version) % 3 / 2
    return outcome(
        run,
        step,
        subject_kind=rng.choice(("procedure", "meta")),
        subject=rng.choice(("p", "q", "@search")),
        binding=rng.choice(("", "x|mug")),
        version=version,
        successes=good,
        failures=1 - good,
    )


url = servers.url


@contextmanager
def database(url: str) -> Iterator[sa.Connection]:
    engine = sa.create_engine(ledger_sql.url_of(url))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def make_format_1(url: str, rows: Collection[Outcome]) -> None:
    sqlite = ledger_sql.url_of(url).get_backend_name() == "sqlite"
    serial = "INTEGER PRIMARY KEY AUTOINCREMENT" if sqlite else "BIGSERIAL PRIMARY KEY"
    double = "DOUBLE" if sqlite else "DOUBLE PRECISION"
    with database(url) as connection:
        for statement in FORMAT_1.format(serial=serial, double=double).split(";"):
            connection.execute(sa.text(statement))
    write_as_format_1(url, rows)


def write_as_format_1(url: str, rows: Collection[Outcome]) -> None:
    values = [{k: v for k, v in row.to_json().items() if k != "context"} for row in rows]
    if values:
        with database(url) as connection:
            connection.execute(sa.text(OLD_ROW), values)


def family_of(run: str) -> str:
    return next((each for each in FAMILIES if run.startswith(each)), "")


Sums = dict[tuple[str, str, int, str], tuple[float, float]]


def sums_of(rows: Collection[Outcome]) -> Sums:
    sums: Sums = {}
    for row in rows:
        key = (row.subject_kind, row.subject, row.version, row.binding)
        good, bad = sums.get(key, (0.0, 0.0))
        sums[key] = (good + row.successes, bad + row.failures)
    return sums


def check(ledger: Ledger) -> None:
    """Compare all that the ledger sums with its rows."""
    rows = list(ledger.rows())
    assert ledger.verify() == ledger.total() == len(rows)
    assert ledger.counts() == sums_of(rows)
    assert ledger.counts("meta", "p") == sums_of(
        [r for r in rows if (r.subject_kind, r.subject) == ("meta", "p")]
    )
    for name in ("", "learn:x", "none"):
        live = [r for r in rows if not r.run.startswith("learn:") or r.run == name]
        assert ledger.counts(superseded=("learn:", name)) == sums_of(live)
        without = ("inherit:", "eval:", "a", "eval:1")
        expected = [r for r in live if family_of(r.run) not in without and r.run != "a"]
        assert ledger.counts(superseded=("learn:", name), without=without) == sums_of(expected)
    assert ledger.counts(run="learn:x") == sums_of([r for r in rows if r.run == "learn:x"])
    played = [r for r in rows if family_of(r.run) not in ("learn:", "from:")]
    assert ledger.episodes(without=("learn:", "from:")) == len({r.run for r in played})
    assert ledger.first_run(without=("learn:", "from:")) == (played[0].run if played else "")
    places: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        if row.subject_kind == "meta" and not row.run.startswith("eval:"):
            places[row.subject].append(number)
    spans = ledger.spans("meta", without=("eval:",))
    assert {name: uses for name, (uses, _, _) in spans.items()} == {
        name: len(each) for name, each in places.items()
    }
    for at, end in ((1, 0), (2, -1)):  # in the order of the places, whatever the ids are
        order = sorted(spans, key=lambda name: spans[name][at])
        assert order == sorted(places, key=lambda name: places[name][end])


def write_at_random(ledger: Ledger, rng: Random, times: int) -> None:
    for _ in range(times):
        rows = [drawn(rng) for _ in range(rng.randrange(12))]
        way = rng.randrange(4)
        if way == 0:
            ledger.merge(("here", row) for row in rows if not row.run.startswith("from:"))
        elif way == 1:  # sums of another machine, which its rows take the place of
            run = rng.choice(("from:a", "from:b", "from:elsewhere"))
            ledger.record(outcome(run, n, subject=row.subject) for n, row in enumerate(rows))
        else:
            ledger.record(rows)
        check(ledger)


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([(0, 1), (9, 3), (200, 500_000)]))
def test_totals_are_the_sums_of_rows_in_memory(rng: Random, sizes: tuple[int, int]) -> None:
    with pytest.MonkeyPatch.context() as patch, Ledger.memory() as ledger:
        patch.setattr(ledger_totals, "FEW", sizes[0])
        patch.setattr(ledger_totals, "AT_ONCE", sizes[1])
        write_at_random(ledger, rng, 6)


@pytest.mark.parametrize("few", [0, 20])
def test_totals_are_the_sums_of_rows(url: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_totals, "FEW", few)
    with Ledger.open(url) as ledger:
        check(ledger)
        write_at_random(ledger, Random(20261123), 60 if MANY else 15)


def test_stand_ins_that_are_dropped_are_in_no_total(url: str) -> None:
    with Ledger.open(url) as ledger:
        ledger.record([outcome("from:b", n) for n in range(3)])
        ledger.record([outcome("from:c", n, subject="other") for n in range(2)])
        assert ledger.merge([("here", outcome("b", 0))]) == 1
        assert ledger.counts() == {
            ("procedure", "cool-with", 3, ""): (1.0, 0.0),
            ("procedure", "other", 3, ""): (2.0, 0.0),
        }
        assert (ledger.total(), ledger.episodes()) == (3, 2)
        check(ledger)


def test_a_refused_merge_changes_no_total(url: str) -> None:
    with Ledger.open(url) as ledger:
        ledger.record([outcome("a", 1)])
        other = outcome("a", 1, successes=0.0, failures=1.0)
        with pytest.raises(LedgerError, match="another outcome"):
            ledger.merge([("here", outcome("a", 0)), ("there", other)])
        assert ledger.total() == 1
        check(ledger)


def test_a_ledger_of_format_1_is_read_as_it_is_and_brought_over_to_be_written(url: str) -> None:
    rng = Random(1)
    rows = [drawn(rng) for _ in range(80)]
    make_format_1(url, rows)
    with Ledger.open(url, read_only=True) as ledger:
        check(ledger)
        before = list(ledger.rows())
        assert ledger.counts(changed_since=len(before) - 1).items() <= ledger.counts().items()
        with Ledger.open(url) as writer:  # while the other one is open
            assert list(writer.rows()) == before
            check(writer)
            writer.record([outcome("new", n) for n in range(3)])
        check(ledger)
    with database(url) as connection:
        query = sa.text("SELECT value FROM macla_ledger WHERE key = 'format'")
        assert connection.execute(query).scalar() == "2"


def test_an_empty_ledger_of_format_1_is_brought_over(url: str) -> None:
    make_format_1(url, [])
    with Ledger.open(url) as ledger:
        assert ledger.counts() == {}
        assert ledger.record([outcome()]) == 1
        check(ledger)


def test_rows_that_an_earlier_macla_goes_on_to_write_count(url: str) -> None:
    make_format_1(url, [outcome("a", n) for n in range(5)])
    with Ledger.open(url) as ledger:
        before = ledger.revision()
        write_as_format_1(url, [outcome("a", 9), outcome("eval:1", 0), outcome("b", 0)])
        check(ledger)
        changed = ledger.counts(changed_since=before)
        assert changed == {("procedure", "cool-with", 3, ""): (8.0, 0.0)}
        before = ledger.revision()
        write_as_format_1(url, [outcome("c", 0, subject="other")])
        changed = ledger.counts(changed_since=before)
        assert changed == {("procedure", "other", 3, ""): (1.0, 0.0)}
        before = ledger.revision()
        ledger.record([outcome("d", 0, subject="new")])
        check(ledger)
        assert ledger.counts(changed_since=before) == {("procedure", "new", 3, ""): (1.0, 0.0)}


def test_a_total_that_is_wrong_is_told_and_can_be_made_anew(url: str) -> None:
    with Ledger.open(url) as ledger:
        ledger.record([outcome("a", n, binding=f"x|{n % 2}") for n in range(500)])
        for damage in (
            "UPDATE macla_totals SET successes = successes + 1 WHERE binding = 'x|1'",
            "DELETE FROM macla_totals WHERE binding = 'x|1'",
            "DELETE FROM macla_outcomes WHERE binding = 'x|1'",
        ):
            with database(url) as connection:
                connection.execute(sa.text(damage))
            with pytest.raises(LedgerError, match=r"procedure cool-with@3 \(x\|1\).*--sum-anew"):
                ledger.verify()
            ledger.sum_anew()
            check(ledger)
        with database(url) as connection:
            connection.execute(sa.text("UPDATE macla_runs SET runs = 7"))
        with pytest.raises(LedgerError, match="number of runs"):
            ledger.verify()


def test_totals_are_verified_and_made_anew_by_command(tmp_path: Path) -> None:
    path = tmp_path / "evidence.db"
    with Ledger.open(path) as ledger:
        ledger.record([outcome("a", n) for n in range(300)])
    assert "300 rows, whole" in macla("evidence", "verify", path).output
    with database(str(path)) as connection:
        connection.execute(sa.text("UPDATE macla_totals SET uses = 2"))
    done = macla("evidence", "verify", path)
    assert done.exit_code != 0
    assert "cool-with@3" in " ".join(done.stderr.split())
    assert macla("evidence", "verify", path, "--sum-anew").exit_code == 0
    assert macla("evidence", "verify", path).exit_code == 0


WRITER = """
import sys
from macla.procedures.evidence.ledger import Ledger, Outcome
url, name, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
def row(run, step, subject):
    return Outcome(run=run, step=step, subject_kind="procedure", subject=subject, version=1,
                   outcome="success", successes=1, failures=0, at="now")
with Ledger.open(url) as ledger:
    for s in range(steps):
        ledger.record([row(name, s, f"p{s % 5}"), row("shared", s, "p"), row("learn:a", s, "p")])
"""


def test_eight_writers_bring_a_ledger_over_and_write_at_once(url: str) -> None:
    make_format_1(url, [outcome("old", n) for n in range(2000)])
    steps = 25
    workers = [
        forking.popen([sys.executable, "-c", WRITER, url, f"w{n}", str(steps)]) for n in range(8)
    ]
    assert [worker.wait(timeout=120) for worker in workers] == [0] * 8
    with Ledger.open(url) as ledger:
        assert ledger.total() == 2000 + 10 * steps
        assert ledger.counts(subject="p") == {("procedure", "p", 1, ""): (2.0 * steps, 0.0)}
        check(ledger)


@pytest.mark.fault
def test_killed_while_it_is_brought_over_it_is_whole(tmp_path: Path) -> None:
    rng = Random(3)
    path = tmp_path / "evidence.db"
    make_format_1(str(path), [outcome(f"r{n // 10}", n, version=n % 50) for n in range(20_000)])
    code = (
        "import sys; from macla.procedures.evidence.ledger import Ledger; Ledger.open(sys.argv[1])"
    )
    with Ledger.open(path, read_only=True) as ledger:
        expected = ledger.counts()
        for _ in range(12 if MANY else 6):
            victim = forking.popen([sys.executable, "-c", code, str(path)])
            time.sleep(rng.uniform(0.02, 0.5))
            victim.kill()
            victim.wait(timeout=30)
            assert ledger.counts() == expected
    with Ledger.open(path) as ledger:
        assert ledger.verify() == 20_000
        assert ledger.counts() == expected
