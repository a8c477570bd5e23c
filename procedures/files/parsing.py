"""Parsing one file of a library, and checking it by itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...schemas import first_misfit
from ..common.errors import ConditionError, LibraryError, SchemaError, reason
from ..documents.yaml_io import line_of, load_yaml
from ..library.document_kinds import FOLDERS, KINDS, Document
from ..library.library_commit import refuse_link
from ..model.ontology import FORMAT
from ..model.procedure import Ontology
from .contents import Contents
from .lazy_documents import Documents, Entry


def file_of(root: Path, kind: str, name: str) -> Path:
    """Return the file of a document; ``name`` is its id, which is a slug."""
    return root / FOLDERS[kind] / f"{name}.yaml" if kind in FOLDERS else root / f"{kind}.yaml"


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files of a folder in order of their names; none where it is not there.

    Raises:
        LibraryError: The folder cannot be read, or is a link.
    """
    refuse_link(folder)
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except FileNotFoundError:
        return []  # Git keeps no empty folders
    except OSError as error:
        raise LibraryError(f"cannot be read: {reason(error)}", file=folder) from None
    return [folder / n for n in names if n.endswith(".yaml") and not n.startswith(".")]


def parse(data: bytes, kind: str | None, path: Path | None) -> Document:
    """Return the document that a file's content holds, checked by itself.

    Args:
        data: The content.
        kind: What it must be, as ``KINDS`` names it. None: what it says it is, under any name of
            the file.
        path: Name of the file; None where it has none and says itself what it is.

    Raises:
        LibraryError: It does not fit; carries file, line and path.
    """
    return parse_data(load_yaml(data, path), data, kind, path)


def parse_data(document: Any, data: bytes, kind: str | None, path: Path | None) -> Document:
    """Return the document that plain data are, checked by itself; see :func:`parse`.

    Args:
        document: The plain data.
        data: The content that they were read from, for the lines of messages.
        kind: What it must be.
        path: Name of the file.

    Raises:
        LibraryError: It does not fit; carries file, line and path.
    """
    name = path.name.removesuffix(".yaml") if path is not None and kind is not None else None
    if kind is None:
        kind = str(document.get("kind")) if isinstance(document, dict) else ""
        if kind not in KINDS:
            hint = f"its kind is one of {', '.join(KINDS)}"
            raise SchemaError("is no file of a library", file=path, hint=hint)
    if kind == "library" and isinstance(document, dict):
        _check_format(document, path, data)
    schema, reader = KINDS[kind].schema, KINDS[kind].type.from_document
    misfit = first_misfit(schema, document)
    if misfit is not None:
        line = line_of(data, misfit.path)
        raise SchemaError(misfit.problem, file=path, line=line, path=misfit.path)
    key, subject = ("of", "the types are of") if kind == "types" else ("id", "the id is")
    if name is not None and kind in FOLDERS and document[key] != name:
        raise LibraryError(
            f"{subject} {document[key]!r}, but the file is called {name}.yaml",
            file=path,
            line=line_of(data, (key,)),
            path=(key,),
            hint="rename one of them",
        )
    try:
        return reader(document)
    except LibraryError as error:
        raise _with_location(error, path, data) from None


def _with_location(error: LibraryError, path: Path | None, data: bytes) -> LibraryError:
    located = type(error)(
        error.problem, file=path, line=line_of(data, error.path), path=error.path, hint=error.hint
    )
    if isinstance(located, ConditionError) and isinstance(error, ConditionError):
        located.text, located.column = error.text, error.column
    return located


def _check_format(document: Mapping[str, Any], path: Path | None, data: bytes) -> None:
    format_number = document.get("format")
    if isinstance(format_number, int) and format_number > FORMAT:
        raise LibraryError(
            f"has format {format_number}; this macla reads formats 1 to {FORMAT}",
            file=path,
            line=line_of(data, ("format",)),
            path=("format",),
            hint="update macla",
        )


def contents_of(files: Mapping[str, bytes], root: Path) -> Contents:
    """Return what the files of a library say, each by itself; references are not checked.

    Args:
        files: Content by name below the library's folder, with forward slashes; names that
            are none of a library's are passed over.
        root: Where they come from, for messages.

    Raises:
        LibraryError: There is no ``library.yaml``, or a file does not fit.
    """
    if "library.yaml" not in files:
        raise LibraryError("is not a library: it has no library.yaml", file=root)
    kinds = {folder: kind for kind, folder in FOLDERS.items()}
    documents: list[tuple[str, str, Document]] = []
    for name in sorted(files):
        parent, _, file = name.rpartition("/")
        if parent in kinds and file.endswith(".yaml") and not file.startswith("."):
            kind, identifier = kinds[parent], file.removesuffix(".yaml")
            documents.append((kind, identifier, parse(files[name], kind, root / name)))
    ontology: Document = Ontology()
    if (words := files.get("ontology.yaml")) is not None:
        ontology = parse(words, "ontology", root / "ontology.yaml")
    settings = parse(files["library.yaml"], "library", root / "library.yaml")
    entries = ((kind, name, Entry(kind, item)) for kind, name, item in documents)
    return together(settings, ontology, entries)


def together(
    settings: Document, ontology: Document, entries: Iterable[tuple[str, str, Entry]]
) -> Contents:
    """Return contents of documents given with kind and id, those of a kind in order of id."""
    kinds: dict[str, dict[str, Entry]] = {kind: {} for kind in FOLDERS}
    for kind, name, entry in entries:
        kinds[kind][name] = entry
    return Contents(
        settings,  # type: ignore[arg-type]  # the reader of this kind makes this type
        Documents(dict(sorted(kinds["procedure"].items()))),
        Documents(dict(sorted(kinds["meta"].items()))),
        ontology,  # type: ignore[arg-type]
        Documents(dict(sorted(kinds["program"].items()))),
        Documents(dict(sorted(kinds["types"].items()))),
    )
