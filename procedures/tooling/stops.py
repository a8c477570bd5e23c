"""Programs that are stopped: somebody said that they did wrong, and a person has to clear it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from ..common.clock import now
from ..evidence.ledger import Ledger, Outcome, OutcomeKind
from ..programs.documents import ProgramFile

_WHY = "because"
ACCEPTED = "accepted"
"""Why a program is cleared that a person accepted."""


def stopped_in(ledger: Ledger) -> dict[str, str]:
    """Return id → why, of the programs that are stopped: in whichever version."""
    reason_by_id: dict[str, str] = {}
    for name in ledger.spans("stop"):
        for row in ledger.rows("stop", name):
            if row.outcome is OutcomeKind.SUCCESS:
                reason_by_id.pop(name, None)
            else:
                reason_by_id[name] = str(row.context.get(_WHY, ""))
    return reason_by_id


def stop_before_acceptance(ledger: Ledger, name: str) -> str | None:
    """Return why a program had been stopped that an acceptance let act; None where none did."""
    because = cleared = None
    for row in ledger.rows("stop", name):
        why = str(row.context.get(_WHY, ""))
        is_cleared = row.outcome is OutcomeKind.SUCCESS
        cleared = because if is_cleared and why == ACCEPTED else None
        because = None if is_cleared else why
    return cleared


def stopping(file: ProgramFile, run: str, context: Mapping[str, Any]) -> Outcome:
    """Return the row that stops a program; once a run, however often it is said."""
    return _row(file, run, OutcomeKind.POSTCONDITION_FAILED, context)


def clearing(file: ProgramFile, why: str) -> Outcome:
    """Return the row that lets a stopped program act again."""
    return _row(file, f"cleared/{uuid.uuid4().hex}", OutcomeKind.SUCCESS, {_WHY: why})


def stopping_again(file: ProgramFile, why: str) -> Outcome:
    """Return the row that stops a program for the reason of before, as its clearing is undone."""
    run, outcome = f"undone/{uuid.uuid4().hex}", OutcomeKind.POSTCONDITION_FAILED
    return _row(file, run, outcome, {_WHY: why})


def _row(file: ProgramFile, run: str, outcome: OutcomeKind, context: Mapping[str, Any]) -> Outcome:
    return Outcome(
        run=run,
        step=0,
        subject_kind="stop",
        subject=file.id,
        version=file.version,
        outcome=outcome,
        successes=0.0,
        failures=0.0,
        at=now(),
        context=context,
    )
