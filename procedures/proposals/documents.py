"""Documents of proposals as values of the library, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...schemas import first_misfit
from ..document_kinds import REVIEWED, Item
from ..errors import SchemaError
from ..library import Library
from ..model import LibrarySettings
from ..model_documents import thaw
from .model import Document

__all__ = ["Item", "canonical", "check", "in_library", "item_of", "name_of"]


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


def in_library(
    library: Library, keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Document]:
    """Return the documents of a library by (kind, id), as far as they are there."""
    found: dict[tuple[str, str], Document] = {}
    for kind, name in keys:
        by_kind: dict[str, Mapping[str, Item]] = {
            "procedure": library.procedures,
            "meta": library.metas,
            "program": library.programs,
        }
        item = by_kind[kind].get(name) if kind in by_kind else library.ontology
        if item is not None:
            found[kind, name] = item.to_document()
    return found
