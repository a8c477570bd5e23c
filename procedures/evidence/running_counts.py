"""Running counts of a ledger: only changed sums are read again, however long the ledger grows.

The library's content bounds the memory: the sums of a removed item are dropped, and read again if
it returns. Subjects of no library (``@search`` and the like) have one sum per binding, so the words
of the world bound their number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from types import MappingProxyType
from typing import get_args

from .failures import FailureMemory, FailureSettings, memories
from .ledger import CountKey, Ledger
from .ledger_rows import Counts, SubjectKind

_LATEST_ROWS = 5000
"""Latest rows that are first searched for failed situations; it bounds the start-up time."""


class RunningCounts:
    """Sums of a ledger's successes and failures, kept up to date.

    Args:
        ledger: The ledger.
        replaced: Family of runs of which only one counts at a time.
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
        self._upto = 0
        self._subjects: frozenset[str] | None = None

    def counts(
        self, run: str = "", subjects: Collection[str] | None = None
    ) -> Mapping[CountKey, Counts]:
        """Return the current sums as one live mapping, which later calls change.

        Args:
            run: The run of the family ``replaced`` that counts.
            subjects: Ids that the library holds, if known; evidence of other ids is left out, also
                from later calls, except for subjects that begin with ``@``.
        """
        # First, so that rows added while sums are read are read again the next time.
        revision = self._ledger.revision()
        if run != self._run:
            self._run, self._upto = run, 0
            self._sums.clear()
        if subjects is not None:
            self._hold(frozenset(subjects))
        if revision > self._upto:
            self._take_in(self._read(*self._only, changed_since=self._upto))
            self._upto = revision
        return self._view

    def _read(
        self, subject_kind: str | None, subject: str | None, changed_since: int = 0
    ) -> Mapping[CountKey, Counts]:
        superseded = (self._replaced, self._run) if self._replaced else None
        return self._ledger.counts(
            subject_kind, subject, superseded=superseded, changed_since=changed_since
        )

    def _take_in(self, sums: Mapping[CountKey, Counts]) -> None:
        subjects = self._subjects
        if subjects is None:
            self._sums.update(sums)
        else:
            self._sums.update((k, v) for k, v in sums.items() if _counts_here(k[1], subjects))

    def _hold(self, subjects: frozenset[str]) -> None:
        """Drop the sums of other subjects, and read those of new ones."""
        before, self._subjects = self._subjects, subjects
        if subjects == before:
            return
        for key in [key for key in self._sums if not _counts_here(key[1], subjects)]:
            del self._sums[key]
        # Few subjects return at once, and an index finds them.
        returned_subjects = sorted(subjects - before) if before is not None and self._upto else ()
        for kind, subject in product(get_args(SubjectKind), returned_subjects):
            self._take_in(self._read(kind, subject))


class RunningFailures:
    """Failure memories from a ledger, kept up to date.

    Args:
        ledger: The ledger.
        settings: Settings of the failure memory.
    """

    def __init__(self, ledger: Ledger, settings: FailureSettings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._upto = max(0, ledger.revision() - _LATEST_ROWS)
        self._known: dict[tuple[str, str], FailureMemory] = {}

    def memories(
        self, subjects: Collection[str] | None = None
    ) -> Mapping[tuple[str, str], FailureMemory]:
        """Return (kind, id) → current failure memory.

        Args:
            subjects: Ids that the library holds, if known; the memories of others are dropped.
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


def _counts_here(subject: str, subjects: Collection[str]) -> bool:
    """Tell whether the library holds a subject, or whether it belongs to no library (``@``)."""
    return subject in subjects or subject.startswith("@")
