"""Evidence that is summed as it comes: each row of a ledger is read once, however long it grows.

What is kept in memory is bounded by what the library holds: what left it is dropped, and read again
should it come back. Beside it stand the subjects that no library holds (``@search`` and the like),
one sum for each thing that they can be about: these are as many as the world's words allow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from types import MappingProxyType
from typing import TypeAlias, get_args

from .failures import FailureMemory, FailureSettings, memories
from .ledger import CountKey, Ledger
from .ledger_rows import SubjectKind

__all__ = ["RunningCounts", "RunningFailures"]

Counts: TypeAlias = tuple[float, float]

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
        self._sums: dict[CountKey, Counts] = {}
        self._view = MappingProxyType(self._sums)
        self._run = ""
        # Of the run alone, and what all others have where the run has something too.
        self._of_run: dict[CountKey, Counts] = {}
        self._beside: dict[CountKey, Counts] = {}
        self._upto = 0
        self._subjects: frozenset[str] | None = None

    def counts(
        self, run: str = "", subjects: Collection[str] | None = None
    ) -> Mapping[CountKey, Counts]:
        """Return the sums of all that counts now; they stay one mapping, which later calls change.

        Args:
            run: The run that counts among those that are ``replaced``.
            subjects: What the library holds, where that is known; evidence on anything else but
                what stands beside all libraries is left out, also from later calls.
        """
        if subjects is not None:
            self._hold(frozenset(subjects))
        if run != self._run:
            self._leave_run()
        ledger, since = self._ledger, self._upto
        upto = ledger.revision()
        if upto > since:
            # Read from the old mark: what is added meanwhile is above the new one.
            self._add_lasting(self._read(since, upto))
        if self._replaced and run:
            begun = since if run == self._run else 0
            if upto > begun:
                self._add_of_run(ledger.counts(*self._only, since=begun, upto=upto, run=run))
            self._run = run
        self._upto = upto
        return self._view

    def _read(self, since: int, upto: int) -> Mapping[CountKey, Counts]:
        without = self._replaced or None
        return self._ledger.counts(*self._only, since=since, upto=upto, without=without)

    def _held(self, key: CountKey) -> bool:
        return self._subjects is None or _is_held(key[1], self._subjects)

    def _add_lasting(self, new: Mapping[CountKey, Counts]) -> None:
        for key, value in new.items():
            if not self._held(key):
                continue
            own = self._of_run.get(key)
            if own is None:
                self._sums[key] = _plus(value, self._sums.get(key))
            else:
                self._beside[key] = _plus(value, self._beside.get(key))
                self._sums[key] = _plus(own, self._beside[key])

    def _add_of_run(self, new: Mapping[CountKey, Counts]) -> None:
        for key, value in new.items():
            if not self._held(key):
                continue
            if key not in self._of_run and key in self._sums:
                self._beside[key] = self._sums[key]
            self._of_run[key] = _plus(value, self._of_run.get(key))
            self._sums[key] = _plus(self._of_run[key], self._beside.get(key))

    def _leave_run(self) -> None:
        for key in self._of_run:
            if key in self._beside:
                self._sums[key] = self._beside[key]
            else:
                del self._sums[key]
        self._of_run, self._beside, self._run = {}, {}, ""

    def _hold(self, subjects: frozenset[str]) -> None:
        """Drop what is not among these, and read what was not held before."""
        if subjects == self._subjects:
            return
        back = subjects - (self._subjects if self._subjects is not None else subjects)
        self._subjects = subjects
        for sums in (self._sums, self._of_run, self._beside):
            for key in [key for key in sums if not self._held(key)]:
                del sums[key]
        # Few come back at once, and the ledger finds them by an index.
        upto, without = self._upto, self._replaced or None
        for kind, subject in product(get_args(SubjectKind), sorted(back) if upto else ()):
            self._add_lasting(self._ledger.counts(kind, subject, upto=upto, without=without))
            if self._run:
                self._add_of_run(self._ledger.counts(kind, subject, upto=upto, run=self._run))


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

    def memories(
        self, subjects: Collection[str] | None = None
    ) -> Mapping[tuple[str, str], FailureMemory]:
        """Return (kind, id) → what is remembered now.

        Args:
            subjects: What the library holds, where that is known; anything else is forgotten.
        """
        if subjects is not None:
            self._known = {k: memory for k, memory in self._known.items() if k[1] in subjects}
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


def _is_held(subject: str, subjects: Collection[str]) -> bool:
    """Tell whether the library holds a subject, or it is one that stands beside all libraries."""
    return subject in subjects or subject.startswith("@")


def _plus(one: Counts, other: Counts | None) -> Counts:
    return one if other is None else (one[0] + other[0], one[1] + other[1])
