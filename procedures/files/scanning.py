"""Reading a library's folder: what is on disk now, each file read once for each of its contents."""

from __future__ import annotations

import math
import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ..common.errors import LibraryError, reason
from ..documents.yaml_io import load_yaml, read_bytes
from ..library.document_kinds import FOLDERS, VERSIONED, Document
from ..library.library_commit import refuse_link
from ..model.procedure import Ontology
from .contents import Change, Contents, Key
from .lazy_documents import NOT_IN_FILES, Entry, Looks, Packed, Stamp, stamp_of, without_notes
from .meaning import ALONE, issues_alone
from .notes import notes_of
from .parsed import read_parsed, write_parsed
from .parsing import file_of, parse_data, together

_LIBRARIES = 8
"""Libraries that are remembered."""
_MANY_FILES = 100
"""Files from which it pays to keep for the next process what they say."""
_FRESH_PART = 20
"""The part of a library's files that may be read anew by each process."""
_FEW_FILES = 500
"""So many files are looked at each time."""
_TIME_FACTOR = 20.0
"""A look at more takes at most this part of the time: a change by hand, in place, is seen later."""

Sink: TypeAlias = Callable[[LibraryError], None]


@dataclass(slots=True)
class _Scan:
    """The result of the last look at a library.

    Attributes:
        entries: The documents.
        contents: The same; None before, and where a file is broken.
        marks: What differs when files come, go or are replaced.
        took: How long the look took (seconds).
        at: When it ended, on the monotonic clock.
        consistent: The contents that were checked last.
        fresh: Files read since they were kept for other processes.
    """

    entries: dict[Key, Entry] = field(default_factory=dict)
    contents: Contents | None = None
    marks: object = None
    took: float = 0.0
    at: float = -math.inf
    consistent: Contents | None = None
    fresh: int = 0


_scans: OrderedDict[Path, _Scan] = OrderedDict()
_lock = threading.Lock()


def raise_first(error: LibraryError) -> None:
    """Let the first fault end the reading."""
    raise error


def load(root: Path, sink: Sink = raise_first) -> Contents | None:
    """Read all files of a library; each by itself, references not checked.

    A file is read again only when its stamp has changed. Of a large library not even the stamps
    are looked at each time, as long as no file came, went or was replaced.

    Args:
        root: The library's folder, resolved.
        sink: What to do with a fault; the default raises it.

    Returns:
        What could be read, or None where not even ``library.yaml`` could.
    """
    if not (root / "library.yaml").exists():
        hint = "give the folder of a library, or make one with `macla learn`"
        sink(LibraryError("is not a library: it has no library.yaml", file=root, hint=hint))
        return None
    scan, marks = _scan_of(root), _marks(root)
    began = time.monotonic()
    if scan.contents is not None and scan.marks == marks and _is_recent(scan, began):
        return scan.contents
    faults: list[LibraryError] = []

    def note_fault(error: LibraryError) -> None:
        faults.append(error)
        sink(error)

    entries = dict(_entries(root, scan, note_fault))
    unchanged = scan.contents is not None and not faults and _are_same(entries, scan.entries)
    contents = scan.contents if unchanged else _contents(entries)
    scan.entries, scan.marks = entries, marks
    scan.contents = None if faults else contents
    scan.at = time.monotonic()
    scan.took = scan.at - began
    return contents


def consistent(root: Path) -> Contents | None:
    """Return the contents of a library that were found to be consistent last, if any were."""
    return _scan_of(root).consistent


def note_consistent(root: Path, contents: Contents) -> None:
    """Note that contents that were loaded are consistent."""
    scan = _scan_of(root)
    scan.consistent = contents
    if scan.contents is contents:
        _keep(root, scan)


def note_written(root: Path, contents: Contents, change: Change) -> None:
    """Note what was just written, under the lock, so that it need not be read.

    Args:
        root: The library's folder.
        contents: What it holds now, which is consistent.
        change: What of it was written or removed.
    """
    scan = _scan_of(root)
    for key, item in change.items():
        if item is None:
            scan.entries.pop(key, None)
            continue
        kind, name = key
        entry = contents.of_kind(kind).entries[name] if kind in FOLDERS else Entry(kind, item)
        entry.stamp = stamp_of(file_of(root, kind, name).stat())
        scan.entries[key] = entry
        scan.fresh += 1
    scan.contents = scan.consistent = contents
    scan.marks = _marks(root)
    _keep(root, scan)


def note_clean(root: Path, contents: Contents, look: Looks, keys: Collection[Key]) -> None:
    """Note in which documents nothing was found.

    Args:
        root: The library's folder.
        contents: What was looked at.
        look: What for.
        keys: The documents in which it was looked for, and not found.
    """
    scan = _scan_of(root)
    for key in keys:
        entry = contents.entry(key)
        if entry is not None and not entry.clean & look:
            entry.clean |= look
            scan.fresh += 1
    if scan.contents is contents and scan.consistent is contents:
        _keep(root, scan)


def _keep(root: Path, scan: _Scan) -> None:
    """Keep what is known for the next process, where that is much more than is kept."""
    if scan.fresh >= max(_MANY_FILES, len(scan.entries) // _FRESH_PART):
        scan.fresh = 0
        write_parsed(root, dict(scan.entries))  # a copy: another thread may note what it wrote


def forget(root: Path) -> None:
    """Look at all files of a library anew the next time."""
    _scan_of(root).at = -math.inf


def _scan_of(root: Path) -> _Scan:
    with _lock:
        scan = _scans.setdefault(root, _Scan())
        _scans.move_to_end(root)
        if len(_scans) > _LIBRARIES:
            _scans.popitem(last=False)
        return scan


def _is_recent(scan: _Scan, now: float) -> bool:
    return len(scan.entries) > _FEW_FILES and now - scan.at < _TIME_FACTOR * scan.took


def _are_same(entries: dict[Key, Entry], others: dict[Key, Entry]) -> bool:
    return len(entries) == len(others) and all(
        others.get(key) is entry for key, entry in entries.items()
    )


def _marks(root: Path) -> object:
    """Return what differs after every change by macla, and when files come, go or are replaced."""
    places = (".macla/generation", "library.yaml", "ontology.yaml", *FOLDERS.values())
    marks: list[Stamp | None] = []
    for name in places:
        try:
            marks.append(stamp_of(os.stat(root / name)))
        except OSError:  # noqa: PERF203 - what is not there is a mark too
            marks.append(None)
    return marks


def _entries(root: Path, scan: _Scan, sink: Sink) -> Iterator[tuple[Key, Entry]]:
    """Yield the documents of all files; those that changed are read."""
    places = list(_places(root, sink))
    before = scan.entries
    if sum(key not in before for key, _, _ in places) >= _MANY_FILES:
        parsed_entries = read_parsed(root)
        if not before and parsed_entries:
            scan.consistent = _contents(parsed_entries)
        before = {**parsed_entries, **before}
    for key, path, status in places:
        entry = before.get(key)
        try:
            if entry is None or entry.stamp != stamp_of(status) or not entry.is_settled:
                entry = _read_entry(Path(path), key[0], root, status)
                scan.fresh += 1
                if (
                    len(places) > _FEW_FILES
                    and key[0] in ALONE
                    and not issues_alone(entry.document)
                ):
                    entry.clean |= Looks.MEANING
                    entry.drop()  # few of so many are used
            yield key, entry
        except LibraryError as error:
            sink(error)


def _contents(entries: dict[Key, Entry]) -> Contents | None:
    if ("library", "") not in entries:
        return None
    ontology = entries.get(("ontology", ""))
    return together(
        entries["library", ""].document,
        Ontology() if ontology is None else ontology.document,
        ((kind, name, entry) for (kind, name), entry in entries.items() if kind in FOLDERS),
    )


def _places(root: Path, sink: Sink) -> Iterator[tuple[Key, str, os.stat_result]]:
    """Yield key, file and status of every document, in order of folders and names."""
    for kind in ("library", "ontology"):
        path = file_of(root, kind, "")
        try:
            yield (kind, ""), str(path), path.lstat()
        except FileNotFoundError:
            continue
        except OSError as error:
            sink(LibraryError(f"cannot be read: {reason(error)}", file=path))
    for kind, name in FOLDERS.items():
        folder = root / name
        try:
            refuse_link(folder)
            with os.scandir(folder) as directory:
                files = {
                    file_name.name: file_name
                    for file_name in directory
                    if file_name.name.endswith(".yaml")
                }
        except FileNotFoundError:
            continue  # Git keeps no empty folders
        except LibraryError as error:
            sink(error)
            continue
        except OSError as error:
            sink(LibraryError(f"cannot be read: {reason(error)}", file=folder))
            continue
        for file_name in sorted(files):
            if file_name.startswith("."):
                continue
            try:
                status = files[file_name].stat(follow_symlinks=False)
                yield (kind, file_name.removesuffix(".yaml")), files[file_name].path, status
            except OSError as error:
                fault = f"cannot be read: {reason(error)}"
                sink(LibraryError(fault, file=Path(files[file_name].path)))


def _read_entry(path: Path, kind: str, root: Path, status: os.stat_result) -> Entry:
    """Read and check one file by itself.

    Raises:
        LibraryError: It does not fit; carries file, line and path.
    """
    stamp = stamp_of(status)
    linked = stat.S_ISLNK(status.st_mode)
    if linked:
        try:
            if not Path(os.path.realpath(path)).is_relative_to(root):
                raise LibraryError("is a link that leads out of the library", file=path)
            status = path.stat()
        except OSError as error:
            raise LibraryError(f"cannot be read: {reason(error)}", file=path) from error
    if not stat.S_ISREG(status.st_mode):
        raise LibraryError("is not a regular file", file=path)
    content = read_bytes(path)
    data = load_yaml(content, path)
    document: Document = parse_data(data, content, kind, path)
    earlier = any(getattr(document, key, None) for key in NOT_IN_FILES)
    notes = notes_of(root)
    document = notes.onto(kind, document)
    if linked:  # its own stamp does not say when the target changes
        return Entry(kind, document, earlier=earlier)
    if kind == "types":  # a set: a merge leaves its lines in another order, or twice
        data = document.to_document()
    packed = Packed.of(data if earlier else without_notes(data))
    return Entry(
        kind,
        document,
        stamp=stamp,
        seen=time.time(),
        packed=packed,
        notes=notes if kind in VERSIONED else None,
        earlier=earlier,
    )
