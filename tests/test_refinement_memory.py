"""The contexts at hand: each execution is taken in once."""

from __future__ import annotations

from macla.procedures.evidence.ledger import Ledger, Outcome
from macla.procedures.refinement.execution_context import CONTEXT_KEY
from macla.procedures.refinement.memory import KEPT, ContextMemory
from test_refinement_contrast import execution


def row(run, *, worked=True):
    return Outcome(
        run=run,
        step=0,
        subject_kind="procedure",
        subject="sear-in",
        version=3,
        outcome="success" if worked else "aborted",
        successes=float(worked),
        failures=float(not worked),
        at="",
        context={CONTEXT_KEY: execution(run, worked=worked).to_json()},
    )


def test_what_another_process_adds_while_rows_are_read_is_taken_in_once(monkeypatch):
    with Ledger.open("sqlite://") as ledger:
        ledger.record([row("a")])
        memory = ContextMemory(ledger)
        revision = ledger.revision

        def meanwhile():
            found = revision()
            ledger.record([row("b")])  # the same row counts once, so only the first adds it
            return found

        monkeypatch.setattr(ledger, "revision", meanwhile)
        memory.refresh()
        monkeypatch.undo()
        memory.refresh()
        assert [each.run for each in memory.successes("sear-in@3")] == ["a", "b"]


def test_successes_and_failures_are_kept_of_the_same_times():
    """Three successes to each failure, until far more was played than is kept."""
    runs = [(f"{n:04}", n % 4 != 0) for n in range(4 * KEPT)]
    with Ledger.open("sqlite://") as ledger:
        ledger.record([row(run, worked=worked) for run, worked in runs])
        memory = ContextMemory(ledger)
        memory.refresh()
        good, bad = memory.successes("sear-in@3"), memory.failures("sear-in@3")
    assert len(good) + len(bad) == KEPT
    first = min(each.run for each in (*good, *bad))
    assert [each.run for each in good] == [run for run, ok in runs if run >= first and ok]
    assert [each.run for each in bad] == [run for run, ok in runs if run >= first and not ok]
