"""Evidence as it comes: of a ledger only what changed is read again, however long it grows.

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
        """Return the sums of all that counts now; they stay one mapping, which later calls change.

        Args:
            run: The run that counts among those that are ``replaced``.
            subjects: What the library holds, where that is known; evidence on anything else but
                what stands beside all libraries is left out, also from later calls.
        """
        # Asked for first: what is added while sums are read is read again the next time.
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
        held = self._subjects
        if held is None:
            self._sums.update(sums)
        else:
            self._sums.update((k, v) for k, v in sums.items() if _is_held(k[1], held))

    def _hold(self, subjects: frozenset[str]) -> None:
        """Drop what is not among these, and read what was not held before."""
        before, self._subjects = self._subjects, subjects
        if subjects == before:
            return
        for key in [key for key in self._sums if not _is_held(key[1], subjects)]:
            del self._sums[key]
        # Few come back at once, and the ledger finds them by an index.
        back = sorted(subjects - before) if before is not None and self._upto else ()
        for kind, subject in product(get_args(SubjectKind), back):
            self._take_in(self._read(kind, subject))


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
