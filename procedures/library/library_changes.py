"""Preparing a change of a library: versions settled, documents checked, files rendered."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path
from typing import Any, TypeVar

from ...schemas import first_misfit
from ..checks.instructing import instructing_document
from ..common.errors import LibraryError, SchemaError, Skip
from ..documents.plain_data import behaves_alike
from ..documents.yaml_dump import dump_yaml
from ..documents.yaml_io import load_yaml, read_bytes
from ..documents.yaml_update import updated
from ..files.contents import Change, Contents, Key
from ..files.lazy_documents import without_notes
from ..files.parsing import file_of, parse
from ..model.procedure import MetaProcedure, Procedure
from ..programs.documents import ProgramFile
from .consistency import errors_of
from .document_kinds import KINDS, Document, kind_of

_Versioned = TypeVar("_Versioned", Procedure, MetaProcedure, ProgramFile)
_Planned = TypeVar("_Planned", Procedure, MetaProcedure)


class Plain:
    """The documents of one change as plain data, each made once; nobody changes what is given."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Document, dict[str, Any]]] = {}

    def of(self, item: Document) -> dict[str, Any]:
        """Return what a document says."""
        entry = self._made.get(id(item))
        if entry is None:  # the document is kept, so that no other one gets its number
            entry = self._made[id(item)] = item, item.to_document()
        return entry[1]


def by_id(items: Iterable[_Versioned]) -> dict[str, _Versioned]:
    """Return documents by id.

    Raises:
        LibraryError: One id is given twice.
    """
    item_by_id: dict[str, _Versioned] = {}
    for item in items:
        if item.id in item_by_id:
            raise LibraryError(f"{item.id!r} is given twice")
        item_by_id[item.id] = item
    return item_by_id


def settled(item: _Planned, before: Mapping[str, _Planned]) -> _Planned:
    """Return the document as it is to be stored, its version settled.

    Raises:
        LibraryError: It behaves differently and has no higher version.
    """
    old = before.get(item.id)
    if old is None:
        return item
    if behaves_alike(old.to_document(), item.to_document()):
        stored = dataclasses.replace(
            old,
            status=item.status,
            locked=item.locked,
            evidence=old.evidence or item.evidence,
            provenance=old.provenance or item.provenance,
        )
        if isinstance(stored, Procedure) and isinstance(item, Procedure):
            return dataclasses.replace(stored, shown=item.shown)
        return stored
    if item.version <= old.version:
        raise LibraryError(
            f"{item.id!r} changed, but has version {item.version}; on disk is {old.version}",
            hint=f"give it version {old.version + 1}",
        )
    return item


def settled_program(item: ProgramFile, before: Mapping[str, ProgramFile]) -> ProgramFile:
    """Return the program as it is to be stored: what does something else gets the next version.

    Names of parameters and what people say of it stay as far as they still fit.
    """
    old = before.get(item.id)
    if old is None:
        return item
    stored = dataclasses.replace(
        item,
        names=dict(item.names) | {s: n for s, n in old.all_names().items() if s not in item.names},
        description=item.description or old.description,
    )
    if not old.does_the_same(item) or item.seen_more(old):
        stored = dataclasses.replace(stored, version=max(item.version, old.version + 1))
        return _as_accepted_before(stored, old)
    stored = dataclasses.replace(
        stored,
        version=old.version,
        program=old.program,
        lines=old.lines,
        wordings=old.wordings,
        demonstrations=old.demonstrations,
        provenance=(old.provenance if old.status == item.status else {}) or item.provenance,
    )
    return _as_accepted_before(stored, old)


def _as_accepted_before(item: ProgramFile, old: ProgramFile) -> ProgramFile:
    """Return a program with marks of what was accepted: they count while just that is done."""
    return item if item.accepted else item.with_acceptance_of(old)


def hold_to_schema(item: Document, document: Mapping[str, Any]) -> None:
    """Refuse a document that does not fit its schema: everything on disk can be read.

    Args:
        item: The document.
        document: The same as plain data.

    Raises:
        SchemaError: It does not fit.
    """
    schema = KINDS[kind_of(item)].schema
    misfit = first_misfit(schema, document)
    if misfit is not None:
        name = getattr(item, "id", schema)
        raise SchemaError(
            f"{str(name)[:80]!r} cannot be written: {misfit.problem}", path=misfit.path
        )


def hold_to_rules(document: Mapping[str, Any]) -> None:
    """Refuse a document with a text that tries to instruct a model.

    Raises:
        SchemaError: One does.
    """
    for place, message in instructing_document(document):
        raise SchemaError(f"cannot be written: {message}", path=place)


def fitting(before: Contents, change: Change, root: Path, skip: Skip, plain: Plain) -> Change:
    """Return a change without the documents that would not be read again, or that a check refuses.

    In the place of such a document what was there before stays, or nothing where that does not fit
    either.

    Args:
        before: What is there.
        change: What is to be written.
        root: The library's folder.
        skip: Told of each document left out.
        plain: Makes plain data of documents.

    Raises:
        LibraryError: What is there already does not fit the new documents.
    """
    current, restored = dict(change), set[Key]()
    while faults := _faults(before, current, restored, root, plain):
        for key, error in faults.items():
            if key in restored:
                restored.remove(key)
                current[key] = None
            elif current.get(key) is None:
                raise error
            else:
                skip(error)
                del current[key]
                if before.get(key) is not None:
                    restored.add(key)
    return current


def _faults(
    before: Contents, change: Change, restored: Set[Key], root: Path, plain: Plain
) -> dict[Key, LibraryError]:
    """Return the first fault of each document: by itself, else in how all fit together."""
    faults: dict[Key, LibraryError] = {}
    for key, item in change.items():
        if item is not None:
            path = file_of(root, *key)
            try:
                document = plain.of(item)
                hold_to_schema(item, document)
                hold_to_rules(document)
                parse(dump_yaml(document).encode(), key[0], path)
            except LibraryError as error:
                faults[key] = type(error)(error.problem, file=path, path=error.path)
    if faults:
        return faults
    for issue in errors_of(before.changed(change), {*change, *restored}):
        path = file_of(root, *issue.owner)
        faults.setdefault(issue.owner, issue.raises(issue.message, file=path, path=issue.path))
    return faults


def _canonical(kind: type[Any]) -> Callable[[Any], Any]:
    return lambda document: kind.from_document(document).to_document()


def rendered(path: Path, old: Document | None, new: Document, plain: Plain) -> bytes:
    """Return a file's new content: people's comments and layout stay.

    Args:
        path: The file.
        old: What was read of it last; None where it was not there.
        new: What it is to say.
        plain: Makes plain data of both.

    Raises:
        LibraryError: Somebody saved the file since ``old`` was read.
    """
    document = without_notes(plain.of(new))
    fresh = dump_yaml(document).encode()
    if old is None or not path.exists():
        return fresh
    data = read_bytes(path)
    before = without_notes(plain.of(old))
    if data == dump_yaml(before).encode():
        return fresh  # nobody edited it, and our own layout differs only where values do
    canonical = _canonical(type(new))
    if without_notes(canonical(load_yaml(data, path))) != before:
        raise LibraryError(
            "was saved by somebody else at this moment",
            file=path,
            hint="nothing was written; try again",
        )
    return updated(data, document, canonical, file=path)
