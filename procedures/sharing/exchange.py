"""Evidence between a library's ledger and its ``library.lock``: taken up, and written.

What other machines counted stands in the ledger as sums under a run of theirs (``from:…``). Where
their own rows come in by ``macla evidence``, these take the place of the sums, so nothing counts
twice.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..common.clock import now
from ..common.errors import LedgerError, LibraryError
from ..documents.plain_data import behaviour_digest
from ..documents.yaml_io import atomic_write
from ..evidence.ledger import Ledger, Outcome
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED, STAND_IN
from ..files.notes import DOES, notes_of
from ..library.document_kinds import Versioned
from ..library.library import Library
from ..local.machine_folder import local_path
from ..local.regular import open_regular
from .committed_lock import known_lock
from .lock_file import ATTRIBUTES, GENERATED, LOCK, LockFile, Note, NoteKey, SumKey

_LOG = logging.getLogger(__name__)

_PREFIXES = (DEMONSTRATIONS, INHERITED, STAND_IN)
_EVIDENCE = "evidence.db"
_MARK_FILE = "lock-taken"
_ROUNDING = 1e-5
"""Differences below this come from writing counts to six places."""
_UNION = (
    f"{LOCK} merge=union -diff linguist-generated=true",
    "types/*.yaml merge=union",
)
"""Git attributes: a merge keeps the lines of both sides, and diffs hide the lock file."""


def open_evidence(root: Path, *, read_only: bool = False) -> Ledger:
    """Open the ledger of a library, with what its lock file says of other machines' evidence.

    Args:
        root: The library's folder.
        read_only: Write nothing; where there is no ledger, one in memory starts from the lock file.

    Raises:
        LibraryError: The machine-local files may not be believed.
        LedgerError: The ledger cannot be opened.
    """
    place = local_path(root, _EVIDENCE)
    if not place.exists() and read_only:
        ledger = Ledger.memory()
        take_up(ledger, known_lock(root))
        return ledger
    if not place.exists() or _mark(root) != _kept_mark(root):
        try:
            with Ledger.open(place) as ledger:
                take_up(ledger, known_lock(root))
            _keep_mark(root)
        except (LedgerError, LibraryError):
            if not read_only:
                raise  # else what is there is read: nothing can be written here
    return Ledger.open(place, read_only=read_only)


def _mark(root: Path) -> str:
    """Return a digest of a lock file; "" where there is none."""
    try:
        with open_regular(root / LOCK) as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


def _kept_mark(root: Path) -> str:
    try:
        return local_path(root, _MARK_FILE).read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def _keep_mark(root: Path) -> None:
    """Note that what the lock file says now is in the ledger."""
    if _mark(root) == _kept_mark(root):
        return
    try:
        atomic_write(local_path(root, _MARK_FILE), _mark(root).encode())
    except OSError as error:
        raise LibraryError(f"cannot be written: {error.strerror}", file=root / LOCK) from None


def take_up(ledger: Ledger, lock: LockFile | None) -> int:
    """Record what a lock file has more of than the ledger; return how many rows were new."""
    if lock is None or not lock.sums:
        return 0
    # What we counted ourselves, and what is here row by row, is not taken up as sums.
    stand_ins = {key[0] for key in lock.sums if key[0].startswith(STAND_IN)}
    present = {run for run in stand_ins if ledger.has_run(run.removeprefix(STAND_IN))}
    return top_up(ledger, {key: sums for key, sums in lock.sums.items() if key[0] not in present})


def top_up(ledger: Ledger, sums: Mapping[SumKey, tuple[float, float]]) -> int:
    """Record what a ledger lacks of these sums; return how many rows were new."""
    runs = {key[0] for key in sums}
    recorded = ledger.sums_of_runs(INHERITED) | ledger.sums_of_runs(STAND_IN)
    for run in runs:
        if not run.startswith((INHERITED, STAND_IN)):
            recorded |= {(run, *key): counts for key, counts in ledger.counts(run=run).items()}
    at = now()
    rows = [
        row
        for key, target in sums.items()
        for row in _missing_rows(ledger, key, target, recorded.get(key), at)
    ]
    return ledger.record(rows) if rows else 0


def _missing_rows(
    ledger: Ledger,
    key: SumKey,
    sums: tuple[float, float],
    recorded: tuple[float, float] | None,
    at: str,
) -> list[Outcome]:
    """Return the row that a ledger lacks of a sum, if it lacks any."""
    before = (0.0, 0.0) if recorded is None else recorded
    good, bad = (max(0.0, a - b) for a, b in zip(sums, before, strict=True))
    if recorded is not None and good + bad < _ROUNDING:
        return []
    run, kind, subject, version, binding = key
    rows = ledger.rows(kind, subject, run=run) if recorded is not None else ()
    steps = [row.step for row in rows if (row.version, row.binding) == (version, binding)]
    step = max(steps, default=-1) + 1
    return [Outcome.of_sums(run, key[1:], (good, bad), at, step=step)]


def write_lock(
    library: Library,
    ledger: Ledger,
    rejected: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[str]:
    """Write the lock file of a library anew; return the names of the files that it needs.

    Beside it stands a line in ``.gitattributes`` by which plain git merges it.

    Args:
        library: Which; what it does not hold any more is left out.
        ledger: Its evidence.
        rejected: The proposals that were rejected, by id; by default those that it names now.

    Raises:
        LibraryError: A file cannot be written.
    """
    root = library.path
    before = known_lock(root)
    take_up(ledger, before)
    if before is not None and before.faults and not before.is_cut:
        lines = ", ".join(map(str, before.faults[:5]))
        _LOG.warning("%s was changed by hand (line %s): it is written anew", root / LOCK, lines)
    if before is not None and before.is_cut:
        _LOG.warning(
            "%s was emptied or cut off: it is written anew, of what the last commit has of it and "
            "this machine knows",
            root / LOCK,
        )
    if rejected is None:
        rejected = before.rejected if before is not None else {}
    does_of = notes_of(root).digests()
    notes: dict[NoteKey, Note] = {}
    for kind, item in library.items():
        noted = does_of(kind, item.id, item.version)
        does = noted[0] if len(noted) == 1 else next(_digest_candidates(item, noted), "")
        if note := {**item.provenance, **({DOES: does} if does else {})}:
            notes[kind, item.id, item.version, item.status] = note
    _write(root / LOCK, LockFile(_sums(library, ledger), rejected, notes).to_bytes())
    attributes = root / ATTRIBUTES
    content = attributes.read_bytes() if attributes.is_file() else b""
    missing = [each for each in _UNION if f"{each.split()[0]} merge=".encode() not in content]
    if missing:
        gap = b"" if not content or content.endswith(b"\n") else b"\n"
        _write(attributes, content + gap + "".join(f"{line}\n" for line in missing).encode())
    if ledger.where == str(local_path(root, _EVIDENCE)):
        _keep_mark(root)  # all that it says is in there
    return list(GENERATED)


def _digest_candidates(item: Versioned, noted: Sequence[str]) -> Iterator[str]:
    """Yield the digest of what a document does, if it was noted, and then those that were."""
    current = behaviour_digest(item.to_document())
    yield from (digest for digest in noted if digest == current)
    yield from noted


def _write(file: Path, data: bytes) -> None:
    try:
        if not file.is_file() or file.read_bytes() != data:
            atomic_write(file, data)
    except OSError as error:
        raise LibraryError(f"cannot be written: {error.strerror}", file=file) from None


def _sums(library: Library, ledger: Ledger) -> dict[SumKey, tuple[float, float]]:
    """Return the sums that count, as far as they say something about what a library holds."""
    versions = {item.id: item.version for _, item in library.items()}

    def counts(kind: str, subject: str, version: int, binding: str) -> bool:
        if subject.startswith("@") or kind == "reading":
            return True
        return subject in versions and (version in (0, versions[subject]) or not binding)

    counts_by_key: dict[SumKey, tuple[float, float]] = {}
    run = str(library.settings.settings.get("evidence_from", ""))
    if run:
        counts_by_key |= {(run, *key): sums for key, sums in ledger.counts(run=run).items()}
    for prefix in (INHERITED, STAND_IN):
        counts_by_key |= ledger.sums_of_runs(prefix)
    if own_run := ledger.first_run(without=_PREFIXES):
        own_counts = ledger.counts(without=_PREFIXES)
        counts_by_key |= {(STAND_IN + own_run, *key): sums for key, sums in own_counts.items()}
    kinds = ("procedure", "meta", "program", "binding", "reading")
    return {k: s for k, s in counts_by_key.items() if k[1] in kinds and counts(*k[1:])}
