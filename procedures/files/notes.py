"""Notes of where versions come from, which stand beside a document and not in its file.

A file says what is done, and changes only where that does. From what it was learned, how it was
proved and what it is a variant of are notes: kept on this machine, one line a version, and in
``library.lock`` for clones. Without them a document does the same; it counts as a person's own.
A note also has a digest of what its version does, so that it shows where a file was changed and
kept its version, and with it evidence of something else.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ..common.errors import LibraryError, reason
from ..documents.plain_data import behaviour_digest
from ..library.document_kinds import Document, Versioned
from ..local.machine_folder import LOCAL, local_folder, local_path
from ..sharing.committed_lock import known_lock
from ..sharing.lock_file import LOCK, Note, NoteKey
from .lazy_documents import Stamp, stamp_of

_NAME = "notes.jsonl"
DOES = "does"
"""Key of a note: a digest of what its version does."""
_LIBRARIES = 8
"""Libraries whose notes are remembered."""


class Notes:
    """Notes by kind and id, of each version in each status."""

    def __init__(self, notes: Mapping[NoteKey, Note] | None = None) -> None:
        self._by_id: dict[tuple[str, str], dict[tuple[int, str], Note]] = {}
        for key, note in (notes or {}).items():
            self.add(key, note)

    def add(self, key: NoteKey, note: Note) -> None:
        """Take one in; it is the latest of its id."""
        kind, name, version, status = key
        note_by_version = self._by_id.setdefault((kind, name), {})
        note_by_version.pop((version, status), None)
        note_by_version[version, status] = note

    def get(self, key: NoteKey) -> Note | None:
        """Return the note of a version, or of the one that a person made it from."""
        kind, name, version, status = key
        note_by_version = self._by_id.get((kind, name))
        if not note_by_version:
            return None
        if (note := note_by_version.get((version, status))) is not None:
            return note
        latest_version = max((each for each, _ in note_by_version if each <= version), default=None)
        return next(
            (note_by_version[v, s] for v, s in reversed(note_by_version) if v == latest_version),
            None,
        )

    def does(self, kind: str, name: str, version: int) -> str | None:
        """Return the digest of what a version does; None where nobody noted it."""
        notes = reversed(self._by_id.get((kind, name), {}).items())
        return next((note[DOES] for (v, _), note in notes if v == version and DOES in note), None)

    def every(self) -> Iterator[tuple[tuple[str, str], Note]]:
        """Yield kind and id with each note."""
        for kind_and_id, note_by_version in self._by_id.items():
            yield from ((kind_and_id, note) for note in note_by_version.values())

    def onto(self, kind: str, document: Document) -> Document:
        """Return a document with its note; what its own file has of one stays beneath it."""
        if not isinstance(document, Versioned):
            return document
        note = self.get(_key(kind, document))
        values = {key: value for key, value in (note or {}).items() if key != DOES}
        if not values:
            return document
        return replace(document, provenance={**document.provenance, **values})


class NotesOf:
    """The notes of one library as they are now: those of this machine, else of its lock file.

    Args:
        root: The library's folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        # Looked at for each document, so as plain names.
        self._names = os.path.join(root, LOCAL, _NAME), os.path.join(root, LOCK)
        self._guard = threading.Lock()
        self._here = Notes()
        self._shared = Notes()
        self._read: Stamp | None = None
        self._upto = 0
        self._torn = False
        self._lock: Stamp | None = None
        self._new = True

    def onto(self, kind: str, document: Document) -> Document:
        """Return a document with its note."""
        with self._guard:
            self._refresh()
            return self._here.onto(kind, self._shared.onto(kind, document))

    def digests(self) -> Callable[[str, str, int], tuple[str, ...]]:
        """Return what tells of kind, id and version what it does; nothing where nobody noted it.

        The first is what this machine noted. There is another where somebody else brought the file
        over to other notation, and its lock file says so.
        """
        with self._guard:
            self._refresh()
            return self._noted

    def _noted(self, kind: str, name: str, version: int) -> tuple[str, ...]:
        digests = (each.does(kind, name, version) for each in (self._here, self._shared))
        return tuple(dict.fromkeys(digest for digest in digests if digest is not None))

    def _does(self, kind: str, name: str, version: int) -> str | None:
        return self._here.does(kind, name, version) or self._shared.does(kind, name, version)

    def every(self) -> list[tuple[tuple[str, str], Note]]:
        """Return every note with the kind and the id that it is about."""
        with self._guard:
            self._refresh()
            return [*self._shared.every(), *self._here.every()]

    def keep(self, documents: Iterable[tuple[str, Versioned, Document | None]]) -> None:
        """Keep the notes of documents that are about to be written; the library is locked.

        Args:
            documents: Kind, what is written, and what stood there.

        Raises:
            OSError: They cannot be written.
        """
        with self._guard:
            self._refresh()
            new = {
                _key(kind, item): {**item.provenance, DOES: self._digest(kind, item, before)}
                for kind, item, before in documents
            }
            new = {
                key: note
                for key, note in new.items()
                if note != (self._here.get(key) or self._shared.get(key) or {})
            }
            if not new:
                return
            lines = [json.dumps([*key, note], separators=(",", ":")) for key, note in new.items()]
            # What a killed writer left of a line ends before the first of ours.
            text = "\n" * self._torn + "".join(f"{line}\n" for line in lines)
            with (local_folder(self._root) / _NAME).open("ab") as stream:
                stream.write(text.encode())
            self._refresh()

    def _digest(self, kind: str, item: Versioned, before: Document | None) -> str:
        """Return the digest of what a version does.

        What was done before under the same version stays as it was noted, whoever changed the file.
        """
        digest = behaviour_digest(item.to_document())
        is_unchanged = (
            isinstance(before, type(item))
            and before.version == item.version
            and behaviour_digest(before.to_document()) == digest
        )
        return (is_unchanged and self._does(kind, item.id, item.version)) or digest

    def _refresh(self) -> None:
        """Read what came since."""
        notes, lock_file = self._names
        if (stamp := self._stamp(notes)) != self._read:
            if stamp is None or self._read is None or stamp[3] != self._read[3]:
                self._here, self._upto, self._torn = Notes(), 0, False
            # Notes that are not believed are none: the files say what they say without them.
            with contextlib.suppress(LibraryError):
                if stamp is not None:
                    self._take()
                self._read = stamp
        if (lock := self._stamp(lock_file)) != self._lock or self._new:
            self._lock, self._new = lock, False
            try:
                lock_file_content = known_lock(self._root)
            except LibraryError:
                lock_file_content = None  # checks tell of it
            self._shared = Notes(lock_file_content.notes if lock_file_content is not None else {})

    def _take(self) -> None:
        """Take in the notes that were not read yet."""
        with local_path(self._root, _NAME).open("rb") as stream:
            stream.seek(self._upto)
            data = stream.read()
        *lines, rest = data.split(b"\n")
        self._upto += len(data) - len(rest)
        self._torn = bool(rest)
        for line in lines:
            try:
                kind, name, version, status, note = json.loads(line)
                self._here.add((kind, name, version, status), dict(note))
            except (ValueError, TypeError):  # noqa: PERF203 - a torn line costs no other
                continue

    @staticmethod
    def _stamp(file: str) -> Stamp | None:
        try:
            return stamp_of(os.stat(file, follow_symlinks=False))
        except OSError:
            return None


_notes_by_library: OrderedDict[Path, NotesOf] = OrderedDict()
_lock = threading.Lock()


def notes_of(root: Path) -> NotesOf:
    """Return the notes of a library."""
    with _lock:
        notes = _notes_by_library.setdefault(root, NotesOf(root))
        _notes_by_library.move_to_end(root)
        if len(_notes_by_library) > _LIBRARIES:
            _notes_by_library.popitem(last=False)
        return notes


def keep_notes(root: Path, documents: Iterable[tuple[str, Document, Document | None]]) -> None:
    """Keep the notes of documents that are about to be written; the library is locked.

    Args:
        root: The library's folder.
        documents: Kind, what is written, and what stood there.

    Raises:
        LibraryError: They cannot be written.
    """
    items = (
        (kind, item, before) for kind, item, before in documents if isinstance(item, Versioned)
    )
    try:
        notes_of(root).keep(items)
    except OSError as error:
        raise LibraryError(f"cannot be written: {reason(error)}", file=root) from error


def _key(kind: str, item: Versioned) -> NoteKey:
    return kind, item.id, item.version, item.status
