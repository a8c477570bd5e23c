"""The kinds of documents that a library holds: schema, class and folder of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ..model.procedure import DEFAULT_STATUS, LibrarySettings, MetaProcedure, Ontology, Procedure
from ..model.types_files import TypesFile
from ..programs.documents import DEFAULT_STATUS as ACTIVE
from ..programs.documents import ProgramFile

Versioned: TypeAlias = Procedure | MetaProcedure | ProgramFile
"""Documents of what is done: each has an id, a version, evidence and a file of its own."""
Item: TypeAlias = Versioned | Ontology | TypesFile
"""Documents that proposals change."""
Document: TypeAlias = Item | LibrarySettings


class DocumentKind(NamedTuple):
    """A kind of document.

    Attributes:
        schema: Name of its schema.
        type: Its class.
        folder: Where its files are, one an id; empty where there is just one file.
        status: The one that a file need not say.
    """

    schema: str
    type: type[Document]
    folder: str = ""
    status: str = ""


KINDS: Mapping[str, DocumentKind] = {
    "procedure": DocumentKind("procedure", Procedure, "procedures", DEFAULT_STATUS),
    "meta": DocumentKind("meta-procedure", MetaProcedure, "meta", DEFAULT_STATUS),
    "program": DocumentKind("program", ProgramFile, "programs", ACTIVE),
    "ontology": DocumentKind("ontology", Ontology),
    "types": DocumentKind("types", TypesFile, "types"),
    "library": DocumentKind("library", LibrarySettings),
}
"""Name, which is the document's key ``kind`` → kind."""
FOLDERS: Mapping[str, str] = {name: kind.folder for name, kind in KINDS.items() if kind.folder}
"""Kind of document → the folder of its files."""
VERSIONED = ("procedure", "meta", "program")
"""Kinds of documents of what is done."""
WORDS = ("ontology", "types")
"""Kinds of documents of words: they have no evidence."""
REVIEWED: Mapping[str, DocumentKind] = {
    name: kind for name, kind in KINDS.items() if name != "library"
}
"""Kinds that proposals and merges know."""
_NAMES: Mapping[type[Document], str] = {kind.type: name for name, kind in KINDS.items()}


def kind_of(document: Document) -> str:
    """Return the kind of a document, as :data:`KINDS` names it."""
    return _NAMES[type(document)]
