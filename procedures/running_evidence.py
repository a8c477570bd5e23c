"""Evidence that is summed as it comes: each row of a ledger is read once, however long it grows."""

from __future__ import annotations

from collections.abc import Mapping

from .failures import FailureMemory, FailureSettings, memories
from .ledger import CountKey, Ledger

__all__ = ["RunningCounts", "RunningFailures"]

_REMEMBERED = 5000
"""Latest rows among which situations that failed are looked for at first."""


class RunningCounts:
    """Sums of a ledger's successes and failures, kept up to date.

    Args:
        ledger: Where rows are added.
        replaced: Prefix of runs of which only one counts at a time.
        subject_kind: Only rows of this kind.
        subject: Only rows of this subject.
    """

    def __init__(
        self,
        ledger: Ledger,
        replaced: str = "",
        *,
        subject_kind: str | None = None,
        subject: str | None = None,
    ) -> None:
        self._ledger = ledger
        self._replaced = replaced
        self._only = (subject_kind, subject)
        self._lasting = _Sums()
        self._run = ""
        self._of_run = _Sums()
        self._upto = 0

    def counts(self, run: str = "") -> Mapping[CountKey, tuple[float, float]]:
        """Return the sums of all that counts now.

        Args:
            run: The run that counts among those that are ``replaced``.
        """
        ledger = self._ledger
        upto = ledger.revision()
        if upto > self._upto:
            # Read from the old mark: what is added meanwhile is above the new one.
            new = ledger.counts(
                *self._only, since=self._upto, upto=upto, without=self._replaced or None
            )
            self._lasting.add(new)
        if self._replaced and run:
            since = self._upto if run == self._run else 0
            if run != self._run:
                self._run, self._of_run = run, _Sums()
            if upto > since:
                self._of_run.add(ledger.counts(*self._only, since=since, upto=upto, run=run))
        self._upto = upto
        return {**self._lasting.sums, **self._both()} if run else dict(self._lasting.sums)

    def _both(self) -> dict[CountKey, tuple[float, float]]:
        lasting = self._lasting.sums
        return {key: _plus(value, lasting.get(key)) for key, value in self._of_run.sums.items()}


class RunningFailures:
    """What is remembered of situations that failed, kept up to date.

    Args:
        ledger: Where rows are added.
        settings: How failures are remembered.
    """

    def __init__(self, ledger: Ledger, settings: FailureSettings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._upto = max(0, ledger.revision() - _REMEMBERED)
        self._known: dict[tuple[str, str], FailureMemory] = {}

    def memories(self) -> Mapping[tuple[str, str], FailureMemory]:
        """Return (kind, id) → what is remembered now."""
        upto = self._ledger.revision()
        if upto > self._upto:
            new = [
                row
                for kind in ("procedure", "meta")
                for row in self._ledger.rows(kind, since=self._upto, upto=upto)
            ]
            self._known = memories(new, self._settings, self._known)
            self._upto = upto
        return self._known


class _Sums:
    """Successes and failures by key."""

    def __init__(self) -> None:
        self.sums: dict[CountKey, tuple[float, float]] = {}

    def add(self, new: Mapping[CountKey, tuple[float, float]]) -> None:
        for key, value in new.items():
            self.sums[key] = _plus(value, self.sums.get(key))


def _plus(one: tuple[float, float], other: tuple[float, float] | None) -> tuple[float, float]:
    return one if other is None else (one[0] + other[0], one[1] + other[1])
