"""The documents of one kind by id, each made when it is first asked for."""

from __future__ import annotations

import hashlib
import json
import math
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping
from enum import IntFlag
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ..library.document_kinds import KINDS, Document, Versioned
from .heads import Head

Stamp = tuple[int, int, int, int]
"""Times of a file's content and status (ns), its size and number: they change with the content."""

_D = TypeVar("_D", bound=Document)
_MODULUS = 1 << 256
"""Modulus of sums of digests: they stay as long as one digest."""
_SETTLED = 0.05
"""Age (seconds) from which a file's time stamp surely changes when its content does."""


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


class Looks(IntFlag):
    """Faults that a document was checked for."""

    NONE = 0
    MEANING = 1
    INSTRUCTING = 2
    VERSION = 4


class Packed(NamedTuple):
    """The canonical JSON of a document, without spaces and keys in order, as part of many."""

    content: bytes
    start: int
    end: int

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Packed:
        """Return that of one document."""
        text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        return cls(text, 0, len(text))


NOT_IN_FILES = ("evidence", "provenance")
"""Keys of a document that its file does not have; earlier files do."""


def without_notes(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the file of a document says."""
    return {key: value for key, value in document.items() if key not in NOT_IN_FILES}


class Noting(Protocol):
    """Knows where versions come from, which their files do not say."""

    def onto(self, kind: str, document: Document) -> Document:
        """Return a document with its note."""


class Entry:
    """One document: as it was read, or the canonical JSON that it is made from when asked for.

    Attributes:
        kind: Its kind.
        stamp: Of its file; None until it is written.
        seen: When its file was read (seconds since the epoch); infinite where macla wrote it.
        clean: What was looked for in it, and not found.
        notes: Tells where its version comes from, where it is made from JSON.
        earlier: Whether its file has that itself, as an earlier macla wrote it.
    """

    __slots__ = (
        *("_digest", "_document", "_head", "_packed"),
        *("clean", "earlier", "kind", "notes", "seen", "stamp"),
    )

    def __init__(
        self,
        kind: str,
        document: Document | None = None,
        *,
        stamp: Stamp | None = None,
        seen: float = math.inf,
        packed: Packed | None = None,
        notes: Noting | None = None,
        earlier: bool = False,
    ) -> None:
        self.kind = kind
        self.stamp = stamp
        self.seen = seen
        self.clean = Looks.NONE
        self.notes = notes
        self.earlier = earlier
        self._document = document
        self._packed = packed
        self._digest: int | None = None
        self._head: Head | None = None

    @property
    def document(self) -> Document:
        """The document."""
        if self._document is None:
            document = KINDS[self.kind].type.from_document(json.loads(self.text()))
            self._document = self.notes.onto(self.kind, document) if self.notes else document
        return self._document

    def drop(self) -> None:
        """Let the document go, where it can be made again when somebody asks for it."""
        if self._packed is not None and self.notes is not None:
            self._document = None

    def head(self) -> Head:
        """Return what is asked of every document; quick, and mostly without making the document.

        Raises:
            TypeError: It is of a kind that has no version.
        """
        if self._head is None:
            if self._document is None:
                self._head = Head.read(self.kind, json.loads(self.text()))
            if self._head is None:
                item = self.document
                if not isinstance(item, Versioned):
                    raise TypeError(f"{self.kind}: has no version")
                self._head = Head.of(item)
        return self._head

    @property
    def is_settled(self) -> bool:
        """Whether its file's stamp would be another one if its content were."""
        # A file that was young when it was read may have changed since within one tick.
        return self.stamp is not None and self.seen - self.stamp[1] / 1e9 > _SETTLED

    @property
    def digest(self) -> int:
        """SHA-256 of what it says, as a number."""
        if self._digest is None:
            content = f"{self.kind}\n".encode() + self.text()
            self._digest = int.from_bytes(hashlib.sha256(content).digest(), "big")
        return self._digest

    def may_name(self, words: Iterable[bytes]) -> bool:
        """Say whether one of some texts stands in it; quick, without making the document."""
        text = self.text()
        return any(word in text for word in words)

    def text(self) -> bytes:
        """Return its canonical JSON."""
        if self._packed is None:
            document = self.document.to_document()
            if not self.earlier:
                document = without_notes(document)
            self._packed = Packed.of(document)
        content, start, end = self._packed
        return content[start:end]


class Documents(Mapping[str, _D], Generic[_D]):
    """Documents of one kind in order of their ids. Unchanging; :meth:`changed` makes another.

    Args:
        entries: By id, in order of id.
    """

    __slots__ = ("__weakref__", "_before", "_digest", "_entries", "_news")

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)
        self._digest: int | None = None
        self._before: weakref.ref[Documents[_D]] | None = None
        self._news: frozenset[str] = frozenset()

    @classmethod
    def of(cls, kind: str, documents: Mapping[str, _D]) -> Documents[_D]:
        """Return documents that were made already, in order of id."""
        if isinstance(documents, Documents):
            return documents
        return cls({name: Entry(kind, documents[name]) for name in sorted(documents)})

    def __getitem__(self, name: str) -> _D:
        return self._entries[name].document  # type: ignore[return-value]  # of one kind

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    @property
    def entries(self) -> Mapping[str, Entry]:
        """How each is held, by id."""
        return self._entries

    @property
    def digest(self) -> int:
        """Sum of the digests: the same for the same documents, whatever is done in which order."""
        if self._digest is None:
            self._digest = sum(each.digest for each in self._entries.values()) % _MODULUS
        return self._digest

    def changed(self, entries: Mapping[str, Entry | None]) -> Documents[_D]:
        """Return the documents with some new or replaced, and without those given as None."""
        if not entries:
            return self
        together = dict(self._entries)
        digest = self._digest
        for name, entry in entries.items():
            old = together.pop(name, None) if entry is None else together.get(name)
            if entry is not None:
                together[name] = entry
            if digest is not None:
                digest += (0 if entry is None else entry.digest) - (
                    0 if old is None else old.digest
                )
        if entries.keys() - self._entries.keys():
            together = dict(sorted(together.items()))
        after: Documents[_D] = Documents({})
        after._entries = together
        after._digest = None if digest is None else digest % _MODULUS
        after._before, after._news = weakref.ref(self), frozenset(entries)
        return after

    def since(self, before: Documents[_D]) -> frozenset[str]:
        """Return the ids of the documents that are others than before, have come or are gone."""
        if before is self:
            return frozenset()
        if self._before is not None and self._before() is before:
            return self._news
        old, new = before._entries, self._entries
        came = (name for name, entry in new.items() if old.get(name) is not entry)
        return frozenset(came).union(old.keys() - new.keys())
