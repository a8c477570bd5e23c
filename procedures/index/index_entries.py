"""Entries and hits of an index, free of Chroma."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import is_, truth
from typing import Protocol

from ..common.errors import IndexFailure

# Distances are 32-bit floats: digits beyond these are rounding, and would break ties.
_DIGITS = 6
_DIGEST = 32
"""Hexadecimal digits of a digest: 128 bits."""


class Embedder(Protocol):
    """What the index needs of embeddings; LangChain's ``Embeddings`` has it."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text to search for."""
        ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One thing to find.

    Attributes:
        id: Its name, unique within its kind and version.
        kind: Such as ``procedure`` or ``meta``; without colon.
        version: Its version.
        text: What is embedded.
        content_hash: Hash of the file that it stands for.
    """

    id: str
    kind: str
    version: int
    text: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found; ``similarity`` is the cosine, in [-1, 1]."""

    id: str
    kind: str
    version: int
    similarity: float


class Given:
    """The entries that an index holds, each by the key that it has in Chroma.

    A key is ``kind:id@version#digest``: an entry whose text or file changed has another one,
    so that the keys alone tell what an index holds.

    Raises:
        IndexFailure: A key cannot be read back, or two entries differ in no part of their name.
    """

    def __init__(self, entries: Iterable[IndexEntry] = ()) -> None:
        self.entries: dict[str, IndexEntry] = {}
        self._names: set[str] = set()
        self._kinds: dict[str, set[str]] = defaultdict(set)
        # The entries above are kept alive, so that nothing else gets one of these numbers.
        self._keys: dict[int, str] = {}
        self._order = list(entries)
        self._add(self._order)

    def of(self, kind: str) -> Collection[str]:
        """Return the keys of the entries of a kind."""
        return self._kinds.get(kind, ())

    def after(self, entries: Sequence[IndexEntry]) -> tuple[list[str], list[str]]:
        """Become other entries; return the keys that went and those that came.

        Entries are compared as objects: those before and after the ones that changed cost
        next to nothing where they are the same objects as before.

        Raises:
            IndexFailure: As above; then this is of no more use.
        """
        before, self._order = self._order, list(entries)
        head = _common_length(before, entries)
        tail = _common_length(reversed(before[head:]), reversed(entries[head:]))
        others = entries[head : len(entries) - tail]
        present = set(map(id, others))
        former_ids = (id(each) for each in before[head : len(before) - tail])
        removed = [self._keys.pop(number) for number in former_ids if number not in present]
        removed_entries = {key: self.entries.pop(key) for key in removed}
        self._names.difference_update(map(name_in, removed))
        for key, each in removed_entries.items():
            self._kinds[each.kind].discard(key)
        added = self._add([each for each in others if id(each) not in self._keys])
        if len(entries) != len(self.entries):  # the same object twice
            raise IndexFailure("an entry was given twice; ids must be unique in a library")
        return [key for key in removed if key not in self.entries], [
            k for k in added if k not in removed_entries
        ]

    def _add(self, entries: Iterable[IndexEntry]) -> list[str]:
        added: list[str] = []
        for entry in entries:
            name = f"{entry.kind}:{entry.id}@{entry.version}"
            if ":" in entry.kind or not entry.kind or not entry.id:
                raise IndexFailure(
                    f"{name!r} cannot be indexed: kinds and ids are not empty, kinds have no colon"
                )
            if name in self._names:
                raise IndexFailure(
                    f"{entry.kind} {entry.id!r} version {entry.version} was given twice; ids must "
                    "be unique in a library"
                )
            self._names.add(name)
            key = f"{name}#{_digest_of(entry)}"
            self._kinds[entry.kind].add(key)
            self.entries[key] = entry
            self._keys[id(entry)] = key
            added.append(key)
        return added


def _common_length(some: Iterable[IndexEntry], others: Iterable[IndexEntry]) -> int:
    """Return with how many of the same objects two sequences begin."""
    return len(list(takewhile(truth, map(is_, some, others))))


def _digest_of(entry: IndexEntry) -> str:
    # The text too: another macla may word it differently for the same file.
    text = f"{entry.content_hash}\0{entry.text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:_DIGEST]


def name_in(key: str) -> str:
    """Return a key without its digest."""
    return key[: -_DIGEST - 1]


def hit_of(key: str, distance: float) -> Hit:
    """Read a key and Chroma's cosine distance.

    Raises:
        ValueError: It is no key of ours.
    """
    kind, _, rest = name_in(key).partition(":")
    name, _, version = rest.rpartition("@")
    similarity = round(1.0 - float(distance), _DIGITS)
    return Hit(name, kind, int(version), min(1.0, max(-1.0, similarity)))


def name_of(embeddings: Embedder) -> str:
    """Return what tells the vectors of one model from those of another."""
    name = getattr(embeddings, "name", None)
    if isinstance(name, str) and name:
        return name
    kind = type(embeddings)
    return f"{kind.__module__}.{kind.__qualname__}:{getattr(embeddings, 'model', '')}"
