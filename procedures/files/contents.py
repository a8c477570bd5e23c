"""Everything that the files of a library say, at one moment."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ..library.document_kinds import FOLDERS, VERSIONED, Document, Versioned
from ..model.procedure import LibrarySettings, MetaProcedure, Ontology, Procedure
from ..model.types_files import TypesFile, united
from ..programs.documents import ProgramFile
from .heads import Head
from .lazy_documents import Documents, Entry

Key = tuple[str, str]
"""(kind, id); the id is empty where there is one document of a kind."""
Change = Mapping[Key, Document | None]
"""Key → the document that is written; None where it is removed."""

_FIELDS = {"procedure": "procedures", "meta": "metas", "program": "programs", "types": "types"}
_SINGLE = {"ontology": "words", "library": "settings"}


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that the files of a library say, by id, in order of id.

    Attributes:
        settings: What ``library.yaml`` says.
        procedures: By id.
        metas: By id.
        words: What ``ontology.yaml`` says.
        programs: By id.
        types: Files of types, by id.
    """

    settings: LibrarySettings
    procedures: Mapping[str, Procedure]
    metas: Mapping[str, MetaProcedure]
    words: Ontology
    programs: Mapping[str, ProgramFile] = field(default_factory=dict)
    types: Mapping[str, TypesFile] = field(default_factory=dict)
    _united: list[Ontology] = field(
        default_factory=list, init=False, repr=False, compare=False, hash=False
    )

    @property
    def ontology(self) -> Ontology:
        """The words, with what the files of types list; put together when first asked for."""
        if not self.types:
            return self.words
        if not self._united:
            self._united.append(united(self.words, self.types.values()))
        return self._united[0]

    def find(self, name: str) -> Versioned | None:
        """Return what has this id: a procedure, a plan or a program."""
        return self.procedures.get(name) or self.metas.get(name) or self.programs.get(name)

    def items(self) -> Iterator[tuple[str, Versioned]]:
        """Yield (kind, item): procedures, plans, programs, each in order of id."""
        yield from (("procedure", item) for item in self.procedures.values())
        yield from (("meta", item) for item in self.metas.values())
        yield from (("program", item) for item in self.programs.values())

    def __contains__(self, name: object) -> bool:
        """Whether a procedure, plan or program has an id."""
        return any(name in getattr(self, _FIELDS[kind]) for kind in VERSIONED)

    def kinds_of(self, name: str) -> list[str]:
        """Return the kinds of what has an id: a procedure, a plan or a program."""
        return [kind for kind in VERSIONED if name in getattr(self, _FIELDS[kind])]

    def of_kind(self, kind: str) -> Documents[Any]:
        """Return the documents of a kind that has a folder."""
        return Documents.of(kind, getattr(self, _FIELDS[kind]))

    def every_key(self) -> Iterator[Key]:
        """Yield the key of every document."""
        yield from ((kind, name) for kind in _FIELDS for name in getattr(self, _FIELDS[kind]))
        yield from ((kind, "") for kind in _SINGLE)

    def get(self, key: Key) -> Document | None:
        """Return the document of a key, if there is one."""
        kind, name = key
        if kind in FOLDERS:
            return cast("Document | None", getattr(self, _FIELDS[kind]).get(name))
        return cast("Document", getattr(self, _SINGLE[kind]))

    def changed(self, change: Change) -> Contents:
        """Return the contents with a change; settings and ontology cannot be removed."""
        entries: dict[str, dict[str, Entry | None]] = {kind: {} for kind in _FIELDS}
        new: dict[str, Any] = {}
        for (kind, name), item in change.items():
            if kind in FOLDERS:
                entries[kind][name] = None if item is None else Entry(kind, item)
            elif item is not None:
                new[_SINGLE[kind]] = item
        for kind, each in entries.items():
            if each:
                new[_FIELDS[kind]] = self.of_kind(kind).changed(each)
        after = dataclasses.replace(self, **new)
        if not {"words", "types"} & new.keys():
            after._united.extend(self._united)
        return after

    def entry(self, key: Key) -> Entry | None:
        """Return how a document that has a file of its own is held, if there is one."""
        return self.of_kind(key[0]).entries.get(key[1]) if key[0] in FOLDERS else None

    def heads(self) -> Iterator[tuple[str, str, Head]]:
        """Yield kind, id and head of procedures, plans, programs, each in order of id."""
        for kind in VERSIONED:
            for name, entry in self.of_kind(kind).entries.items():
                yield kind, name, entry.head()

    def since(self, before: Contents) -> set[Key]:
        """Return the keys of the documents that are others than before, have come or are gone."""
        keys: set[Key] = set()
        for kind in _FIELDS:
            keys.update((kind, n) for n in self.of_kind(kind).since(before.of_kind(kind)))
        single: list[Key] = [(kind, "") for kind in _SINGLE]
        keys.update(key for key in single if before.get(key) != self.get(key))
        return keys

    @property
    def digest(self) -> str:
        """Hash (hexadecimal) of what is said; comments and layout do not count."""
        parts = [Entry(kind, getattr(self, name)).digest for kind, name in _SINGLE.items()]
        parts += [self.of_kind(kind).digest for kind in _FIELDS]
        return f"{sum(parts) % (1 << 256):064x}"
