"""The contexts of executions that are at hand: bounded, a version at a time, from the ledger."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from ..evidence.ledger import Ledger, Outcome
from .execution_context import ExecutionContext

__all__ = ["ContextMemory"]

KEPT = 120
"""Most executions kept of one version, the latest, whether they worked or not.

One bound for both: of successes more or fewer are kept to each failure, and with a bound each the
two would soon speak of different times, so that what changed meanwhile would pass for what makes
the difference. At most 25 kB each, so 3 MB a version. Those that tell the risk (``failures``) are
fewer and chosen for what they say; here nothing is chosen by what it says, or a contrast would find
the choice."""

_LOOKED_AT = 10 * KEPT
"""Most rows of a procedure, the latest, among which executions of its versions are looked for."""


class ContextMemory:
    """Reads contexts out of the ledger: of a procedure when it is asked for, then as rows come.

    Args:
        ledger: Where rows are.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._revision = 0
        self._read: set[str] = set()
        self._kept: dict[str, deque[ExecutionContext]] = {}

    def refresh(self) -> None:
        """Take in the rows that were added since the last time."""
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
        """Say whether a failure says nothing that the episode's failures have not said.

        Trying the same things again in one episode is no further evidence: executions are
        compared as if they were independent.
        """
        if context.worked:
            return False
        return not context.steps or any(
            each.run == context.run and each.binding == context.binding
            for each in self._kept.get(context.ref, ())
            if not each.worked
        )

    def forget_all_but(self, refs: Collection[str]) -> None:
        """Drop the executions of versions that are the library's no more."""
        for ref in self._kept.keys() - set(refs):
            del self._kept[ref]
        self._read &= {_procedure_of(ref) for ref in refs}

    def successes(self, ref: str) -> Sequence[ExecutionContext]:
        """Return the executions of ``id@version`` that worked, oldest first."""
        return tuple(each for each in self._executions(ref) if each.worked)

    def failures(self, ref: str) -> Sequence[ExecutionContext]:
        """Return those that failed, oldest first."""
        return tuple(each for each in self._executions(ref) if not each.worked)

    def _executions(self, ref: str) -> Collection[ExecutionContext]:
        name = _procedure_of(ref)
        if name not in self._read:
            self._read.add(name)
            for row in self._ledger.rows("procedure", name, upto=self._revision, latest=_LOOKED_AT):
                self._take_in(row)
        return self._kept.get(ref, ())


def _procedure_of(ref: str) -> str:
    return ref.rpartition("@")[0]
