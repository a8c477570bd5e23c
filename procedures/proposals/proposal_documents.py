"""Documents of proposals as values of the library, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...schemas import first_misfit
from ..common.errors import SchemaError
from ..documents.plain_data import thaw
from ..library.document_kinds import REVIEWED, Item
from ..library.library import Library
from ..model.procedure import LibrarySettings, Ontology
from ..model.types_files import TypesFile, divided
from .proposal import Document, document_key

__all__ = [
    "Item",
    "by_key",
    "canonical",
    "check",
    "in_library",
    "item_of",
    "name_of",
]


def check(document: Document) -> None:
    """Hold a document to its schema.

    Raises:
        SchemaError: It does not fit.
    """
    misfit = first_misfit(REVIEWED[document["kind"]].schema, thaw(document))
    if misfit is not None:
        raise SchemaError(f"{name_of(document)!r}: {misfit.problem}", path=misfit.path)


def item_of(document: Document) -> Item:
    """Return the value that a document describes.

    Raises:
        LibraryError: It fits no schema, or a condition in it does not parse.
    """
    check(document)
    item = REVIEWED[document["kind"]].type.from_document(thaw(document))
    assert not isinstance(item, LibrarySettings), "no proposal changes settings"  # noqa: S101
    return item


def item_without_notes(document: Document) -> Item:
    """Return the same without evidence and provenance."""
    return item_of({k: v for k, v in document.items() if k not in ("evidence", "provenance")})


def canonical(document: Document) -> dict[str, Any]:
    """Return a document in the spelling that the library writes."""
    return item_of(document).to_document()


def name_of(document: Document) -> str:
    """Return the id of a document; the ontology is called ``ontology``."""
    return str(document.get("id", "ontology"))


def by_key(documents: Iterable[Document]) -> dict[tuple[str, str], Document]:
    """Return documents by (kind, id), in the spelling that the library writes.

    An ontology that lists kinds itself, as an earlier macla proposed it, is divided into files.

    Raises:
        LibraryError: One fits no schema, or a condition in it does not parse.
    """
    document_by_key: dict[tuple[str, str], Document] = {}
    for item in map(item_of, documents):
        if isinstance(item, Ontology):
            item, types = divided(item)
            document_by_key |= {("types", name): file.to_document() for name, file in types.items()}
        document = item.to_document()
        document_by_key[document_key(document)] = document
    return document_by_key


def in_library(
    library: Library, keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Document]:
    """Return the documents of a library by (kind, id), as far as they are there."""
    contents = library.contents
    words, listed = divided(contents.words)
    if listed:  # an earlier macla wrote ontology.yaml
        words, types = divided(contents.ontology)
        contents = replace(contents, words=words, types=types)
    document_by_key: dict[tuple[str, str], Document] = {}
    for key in keys:
        item = contents.get(key)
        if item is None and key[0] == "types":
            item = TypesFile(key[1])  # where there is no file, no kind is listed
        if item is not None:
            document_by_key[key] = item.to_document()
    return document_by_key
