"""Everything that the files of a library say, at one moment."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ..document_kinds import FOLDERS, Document, Versioned
from ..model import LibrarySettings, MetaProcedure, Ontology, Procedure
from ..programs.documents import ProgramFile
from .documents import Documents, Entry
from .heads import Head

__all__ = ["Change", "Contents", "Key"]

Key = tuple[str, str]
"""(kind, id); the id is empty where there is one document of a kind."""
Change = Mapping[Key, Document | None]
"""What is written, by what it replaces; None is removed."""

_FIELDS = {"procedure": "procedures", "meta": "metas", "program": "programs"}


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that the files of a library say, by id, in order of id."""

    settings: LibrarySettings
    procedures: Mapping[str, Procedure]
    metas: Mapping[str, MetaProcedure]
    ontology: Ontology
    programs: Mapping[str, ProgramFile] = field(default_factory=dict)

    def find(self, name: str) -> Versioned | None:
        """Return what has this id: a procedure, a plan or a program."""
        return self.procedures.get(name) or self.metas.get(name) or self.programs.get(name)

    def items(self) -> Iterator[tuple[str, Versioned]]:
        """Yield (kind, item): procedures, plans, programs, each in order of id."""
        yield from (("procedure", item) for item in self.procedures.values())
        yield from (("meta", item) for item in self.metas.values())
        yield from (("program", item) for item in self.programs.values())

    def __contains__(self, name: object) -> bool:
        """Whether a document has an id."""
        return any(name in getattr(self, field) for field in _FIELDS.values())

    def kinds_of(self, name: str) -> list[str]:
        """Return the kinds that have a document of an id."""
        return [kind for kind, field in _FIELDS.items() if name in getattr(self, field)]

    def of_kind(self, kind: str) -> Documents[Any]:
        """Return the documents of a kind that has a folder."""
        return Documents.of(kind, getattr(self, _FIELDS[kind]))

    def every_key(self) -> Iterator[Key]:
        """Yield the key of every document."""
        yield from ((kind, name) for kind in _FIELDS for name in getattr(self, _FIELDS[kind]))
        yield from (("ontology", ""), ("library", ""))

    def get(self, key: Key) -> Document | None:
        """Return the document of a key, if there is one."""
        kind, name = key
        if kind in FOLDERS:
            return cast("Document | None", getattr(self, _FIELDS[kind]).get(name))
        return self.ontology if kind == "ontology" else self.settings

    def changed(self, change: Change) -> Contents:
        """Return the contents with a change; settings and ontology cannot be removed."""
        entries: dict[str, dict[str, Entry | None]] = {kind: {} for kind in _FIELDS}
        single: dict[str, Any] = {}
        for (kind, name), item in change.items():
            if kind in FOLDERS:
                entries[kind][name] = None if item is None else Entry(kind, item)
            elif item is not None:
                single["settings" if kind == "library" else kind] = item
        for kind, each in entries.items():
            if each:
                single[_FIELDS[kind]] = self.of_kind(kind).changed(each)
        return dataclasses.replace(self, **single)

    def entry(self, key: Key) -> Entry | None:
        """Return how a document that has a file of its own is held, if there is one."""
        return self.of_kind(key[0]).entries.get(key[1]) if key[0] in FOLDERS else None

    def heads(self) -> Iterator[tuple[str, str, Head]]:
        """Yield kind, id and head of procedures, plans, programs, each in order of id."""
        for kind in _FIELDS:
            for name, entry in self.of_kind(kind).entries.items():
                yield kind, name, entry.head()

    def since(self, before: Contents) -> set[Key]:
        """Return the keys of the documents that are others than before, have come or are gone."""
        keys: set[Key] = set()
        for kind in _FIELDS:
            keys.update((kind, n) for n in self.of_kind(kind).since(before.of_kind(kind)))
        single: tuple[Key, ...] = (("ontology", ""), ("library", ""))
        keys.update(key for key in single if before.get(key) != self.get(key))
        return keys

    @property
    def digest(self) -> str:
        """Hash (hexadecimal) of what is said; comments and layout do not count."""
        parts = [Entry("library", self.settings).digest, Entry("ontology", self.ontology).digest]
        parts += [self.of_kind(kind).digest for kind in _FIELDS]
        return f"{sum(parts) % (1 << 256):064x}"
