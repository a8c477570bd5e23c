"""The contexts at hand: each execution is taken in once."""

from __future__ import annotations

from macla.procedures.ledger import Ledger, Outcome
from macla.procedures.refinement.context import CONTEXT_KEY
from macla.procedures.refinement.memory import ContextMemory
from test_refinement_contrast import execution


def row(run):
    return Outcome(
        run=run,
        step=0,
        subject_kind="procedure",
        subject="sear-in",
        version=3,
        outcome="success",
        successes=1,
        failures=0,
        at="",
        context={CONTEXT_KEY: execution(run, worked=True).to_json()},
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
