"""A bounded memory of execution contexts per version, read from the ledger."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from ..evidence.ledger import Ledger, Outcome
from .execution_context import ExecutionContext

KEPT = 120
"""Most executions kept of one version, the latest, whether they worked or not.

Successes and failures share one bound. With a bound each they would soon come from different times,
and a change in between would pass for the difference. An execution takes at most 25 kB, so a
version 3 MB. Unlike in ``failures``, no execution is chosen by its content, since a contrast would
find the choice."""

_MOST_ROWS = 10 * KEPT
"""Most rows of a procedure, the latest, that are searched for executions of its versions."""


class ContextMemory:
    """Reads contexts from the ledger: a procedure's on first use, then with each new row.

    Args:
        ledger: The ledger.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._revision = 0
        self._read: set[str] = set()
        self._kept: dict[str, deque[ExecutionContext]] = {}

    def refresh(self) -> None:
        """Read the rows that were added since the last call."""
        revision = self._ledger.revision()
        if self._read and revision > self._revision:
            for row in self._ledger.rows("procedure", since=self._revision, upto=revision):
                if row.subject in self._read:
                    self._take_in(row)
        self._revision = revision

    def _take_in(self, row: Outcome) -> None:
        context = ExecutionContext.from_row(row)
        if context is not None and not self._told(context):
            self._kept.setdefault(context.ref, deque(maxlen=KEPT)).append(context)

    def _told(self, context: ExecutionContext) -> bool:
        """Tell whether a failure repeats an earlier failure of its episode.

        A repetition with the same entities is no further evidence: executions are compared as
        independent ones.
        """
        if context.worked:
            return False
        return not context.steps or any(
            each.run == context.run and each.binding == context.binding
            for each in self._kept.get(context.ref, ())
            if not each.worked
        )

    def forget_all_but(self, refs: Collection[str]) -> None:
        """Drop the executions of all other versions."""
        for ref in self._kept.keys() - set(refs):
            del self._kept[ref]
        self._read &= {_procedure_of(ref) for ref in refs}

    def successes(self, ref: str) -> Sequence[ExecutionContext]:
        """Return the executions of ``id@version`` that worked, oldest first."""
        return tuple(each for each in self._executions(ref) if each.worked)

    def failures(self, ref: str) -> Sequence[ExecutionContext]:
        """Return the executions of ``id@version`` that failed, oldest first."""
        return tuple(each for each in self._executions(ref) if not each.worked)

    def _executions(self, ref: str) -> Collection[ExecutionContext]:
        name = _procedure_of(ref)
        if name not in self._read:
            self._read.add(name)
            for row in self._ledger.rows("procedure", name, upto=self._revision, latest=_MOST_ROWS):
                self._take_in(row)
        return self._kept.get(ref, ())


def _procedure_of(ref: str) -> str:
    return ref.rpartition("@")[0]
