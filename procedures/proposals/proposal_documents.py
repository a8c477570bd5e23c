"""Documents of proposals as values of the library, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...schemas import first_misfit
from ..common.errors import SchemaError
from ..documents.plain_data import behaves_alike, thaw
from ..files.contents import Contents
from ..library.document_kinds import REVIEWED, WORDS, Item
from ..library.library import Library
from ..model.procedure import LibrarySettings, Ontology
from ..model.types_files import TypesFile, divided, united
from .proposal import Document, document_key

__all__ = [
    "Item",
    "by_key",
    "canonical",
    "check",
    "in_library",
    "item_of",
    "name_of",
    "words_changed",
    "words_of",
    "words_with",
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
    found: dict[tuple[str, str], Document] = {}
    for item in map(item_of, documents):
        if isinstance(item, Ontology):
            item, types = divided(item)
            found |= {("types", name): file.to_document() for name, file in types.items()}
        document = item.to_document()
        found[document_key(document)] = document
    return found


def in_library(
    library: Library, keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Document]:
    """Return the documents of a library by (kind, id), as far as they are there."""
    found: dict[tuple[str, str], Document] = {}
    keys = list(keys)
    said = any(kind in WORDS for kind, _ in keys)
    words, types = divided(library.ontology) if said else (Ontology(), {})
    for key in keys:
        if key[0] == "types":
            item: Item | LibrarySettings | None = types.get(key[1], TypesFile(key[1]))
        else:
            item = words if key[0] == "ontology" else library.contents.get(key)
        if item is not None:
            found[key] = item.to_document()
    return found


def words_with(contents: Contents, documents: Iterable[Document]) -> Ontology:
    """Return the words of a library with those documents of them that are given.

    Args:
        contents: What the library holds.
        documents: Of any kind; those of no words are passed over.
    """
    return words_of(documents, contents.words, contents.types)


def words_of(
    documents: Iterable[Document],
    words: Ontology | None = None,
    types: Mapping[str, TypesFile] | None = None,
) -> Ontology:
    """Return the words that documents say; those of no words are passed over.

    Args:
        documents: Of any kind.
        words: Where none of them is an ontology.
        types: Further files of types, by id.
    """
    words, files = words or Ontology(), dict(types or {})
    for document in documents:
        if document["kind"] in WORDS:
            item = item_of(document)
            if isinstance(item, Ontology):
                words = item
            elif isinstance(item, TypesFile):
                files[item.id] = item
    return united(words, files.values())


def words_changed(contents: Contents, ontology: Ontology) -> dict[tuple[str, str], Document]:
    """Return the documents of a library's words that are to be others, by (kind, id).

    Args:
        contents: What the library holds.
        ontology: What its words are to be.

    Returns:
        Those that differ, ``ontology.yaml`` with the next version; a file of types that goes lists
        no kind.
    """
    changed: dict[tuple[str, str], Document] = {}
    words, types = divided(ontology)
    if not behaves_alike(words.to_document(), contents.words.to_document()):
        version = contents.words.version + 1
        changed["ontology", ""] = replace(words, version=version).to_document()
    for name in sorted({*contents.types, *types}):
        if (file := types.get(name, TypesFile(name))) != contents.types.get(name):
            changed["types", name] = file.to_document()
    return changed
