"""The words of a library as documents of proposals: the ontology and the files of types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..documents.plain_data import behaves_alike
from ..files.contents import Contents
from ..library.document_kinds import WORDS
from ..model.procedure import Ontology
from ..model.types_files import TypesFile, divided, united
from .proposal import Document
from .proposal_documents import item_of


def ontology_after(contents: Contents, documents: Iterable[Document]) -> Ontology:
    """Return the words of a library as documents change them.

    Args:
        contents: What the library holds.
        documents: Of any kind; those of no words are passed over.
    """
    return ontology_of(documents, contents.words, contents.types)


def ontology_of(
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


def changed_words(contents: Contents, ontology: Ontology) -> dict[tuple[str, str], Document]:
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
