"""A library: the folder of YAML files that holds what an agent knows."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from ..schemas import first_misfit
from . import library_commit as commits
from .checks.proposals import check_proposals
from .errors import DanglingReferenceError, LibraryError, SchemaError
from .library_files import (
    FOLDERS,
    Contents,
    Document,
    Finding,
    check,
    file_of,
    findings_of,
    load,
    remember,
)
from .model import LibrarySettings, MetaProcedure, Ontology, Procedure
from .model_documents import behaves_alike
from .yaml_dump import dump_yaml
from .yaml_io import load_yaml, read_bytes
from .yaml_update import updated

__all__ = ["Finding", "Library", "validate_library"]

_Versioned = TypeVar("_Versioned", Procedure, MetaProcedure)

_SCHEMAS: Mapping[type[Any], tuple[str, str]] = {
    Procedure: ("procedure", "procedure"),
    MetaProcedure: ("meta", "meta-procedure"),
    Ontology: ("ontology", "ontology"),
    LibrarySettings: ("library", "library"),
}
"""Type of a document → its kind and its schema's name."""


LOCK_TIMEOUT = 10.0
"""How long a writer waits for another (seconds)."""


def validate_library(path: Path | str) -> list[Finding]:
    """Return everything that is wrong with a library's files, errors first.

    Unlike :meth:`Library.open` this never raises for what the files say.
    """
    root = Path(path).resolve()
    if not _writable(root):
        return _findings(root)
    with commits.locked(root, LOCK_TIMEOUT):
        return _findings(root)


def _findings(root: Path) -> list[Finding]:
    faults: list[LibraryError] = []
    findings = [*findings_of(root), *check_proposals(root, load(root, faults.append))]
    return sorted(findings, key=lambda found: found.severity != "error")


class Library:
    """The contents of a library folder at one moment, and the way to change them.

    An instance is a snapshot: :meth:`refresh` takes in what other processes wrote, and
    every write does so first. Made by :meth:`open` or :meth:`create`.
    """

    def __init__(self, path: Path, contents: Contents) -> None:
        self.path = path
        self._contents = contents

    @classmethod
    def create(
        cls,
        path: Path | str,
        *,
        domain: str,
        embedding: str,
        settings: Mapping[str, Any] | None = None,
    ) -> Library:
        """Make an empty library in a folder, which is made if need be.

        Raises:
            LibraryError: The folder holds a library already, or cannot be written.
            SchemaError: The settings do not fit ``library.schema.json``.
        """
        root = Path(path).resolve()
        start = LibrarySettings(domain, embedding, settings or {})
        _checked(start)
        try:
            root.mkdir(parents=True, exist_ok=True)
            for folder in (*FOLDERS.values(), "proposals"):
                (root / folder).mkdir(exist_ok=True)
        except OSError as error:
            raise LibraryError(f"cannot be made: {error.strerror}", file=root) from error
        with commits.locked(root, LOCK_TIMEOUT):
            if (root / "library.yaml").exists():
                raise LibraryError("holds a library already", file=root, hint="open it instead")
            files = {
                "library.yaml": dump_yaml(start.to_document()).encode(),
                "ontology.yaml": dump_yaml(Ontology().to_document()).encode(),
            }
            commits.commit(root, files)
        return cls.open(root)

    @classmethod
    def open(cls, path: Path | str) -> Library:
        """Read a library and check it.

        Raises:
            LibraryError: It is none, or something in it is wrong; carries file, line and path.
        """
        root = Path(path).resolve()
        return cls(root, _consistent(root))

    def refresh(self) -> None:
        """Take in what was written since; unchanged files are not read again."""
        self._set(_consistent(self.path))

    @property
    def settings(self) -> LibrarySettings:
        """What ``library.yaml`` says."""
        return self._contents.settings

    @property
    def procedures(self) -> Mapping[str, Procedure]:
        """All procedures by id, in order of id."""
        return self._contents.procedures

    @property
    def metas(self) -> Mapping[str, MetaProcedure]:
        """All meta-procedures by id, in order of id."""
        return self._contents.metas

    @property
    def ontology(self) -> Ontology:
        """What ``ontology.yaml`` says."""
        return self._contents.ontology

    def get(self, ref: str) -> Procedure | MetaProcedure:
        """Return the procedure or meta-procedure of an ``id`` or ``id@version``.

        Raises:
            DanglingReferenceError: There is none, or it has another version.
        """
        name, _, version = ref.partition("@")
        found = self.procedures.get(name) or self.metas.get(name)
        if found is None:
            near = difflib.get_close_matches(name, [*self.procedures, *self.metas], n=1)
            hint = f"did you mean {near[0]}?" if near else "`macla list` shows what there is"
            raise DanglingReferenceError(f"there is no {name[:80]!r}", file=self.path, hint=hint)
        if version and str(found.version) != version:
            raise DanglingReferenceError(
                f"{ref[:100]!r} is not there; the version on disk is {found.version}",
                file=self.path,
            )
        return found

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hexadecimal) of what the files say; comments and layout do not count."""
        contents = self._contents
        everything = {
            "library": contents.settings.to_document(),
            "ontology": contents.ontology.to_document(),
            "procedures": [item.to_document() for item in contents.procedures.values()],
            "meta": [item.to_document() for item in contents.metas.values()],
        }
        text = json.dumps(everything, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def validate(self) -> list[Finding]:
        """Return everything that is wrong with the files as they are now, errors first."""
        return validate_library(self.path)

    def write_procedure(self, procedure: Procedure) -> Procedure:
        """Write one procedure and return it as it is stored; see :meth:`write_all`."""
        self.write_all(procedures=[procedure])
        return self.procedures[procedure.id]

    def write_meta(self, meta: MetaProcedure) -> MetaProcedure:
        """Write one meta-procedure and return it as it is stored; see :meth:`write_all`."""
        self.write_all(metas=[meta])
        return self.metas[meta.id]

    def write_ontology(self, ontology: Ontology) -> None:
        """Write the ontology."""
        self.write_all(ontology=ontology)

    def delete(self, *ids: str) -> None:
        """Remove procedures and meta-procedures; what is left must not name them."""
        self.write_all(remove=ids)

    def write_all(
        self,
        procedures: Iterable[Procedure] = (),
        metas: Iterable[MetaProcedure] = (),
        *,
        ontology: Ontology | None = None,
        settings: LibrarySettings | None = None,
        remove: Iterable[str] = (),
        replace: bool = False,
    ) -> list[str]:
        """Change many documents as one: after a crash, all of it is there or nothing.

        What behaves as the version on disk does keeps that version, its evidence
        snapshot and its provenance; plans in ``metas`` that name the version given are
        pointed at the version kept. What behaves differently needs a higher version.
        Comments and layout of files that people edited survive.

        Args:
            procedures: To write.
            metas: To write.
            ontology: To write, if given.
            settings: To write, if given.
            remove: Ids to remove.
            replace: Remove all procedures and metas that are not given.

        Returns:
            Names, below the library's folder, of the files that changed.

        Raises:
            LibraryError: The result would not be a valid library, or a changed document
                has no higher version; nothing is written then.
            LockError: Another process is writing for too long.
        """
        with commits.locked(self.path, LOCK_TIMEOUT):
            before = _loaded(self.path)
            given, given_metas = _by_id(procedures), _by_id(metas)
            kept = {name: _settled(item, before.procedures) for name, item in given.items()}
            renumbered = {(name, item.version): kept[name].version for name, item in given.items()}
            kept_metas = {
                name: _settled(_repointed(item, renumbered), before.metas)
                for name, item in given_metas.items()
            }
            gone = set(remove)
            if unknown := gone - before.procedures.keys() - before.metas.keys():
                raise DanglingReferenceError(f"there is no {min(unknown)!r}", file=self.path)
            after = Contents(
                settings or before.settings,
                _merged({} if replace else before.procedures, kept, gone),
                _merged({} if replace else before.metas, kept_metas, gone),
                ontology or before.ontology,
            )
            changed = self._commit(before, after)
            self._set(after)
        return changed

    def _commit(self, before: Contents, after: Contents) -> list[str]:
        old, new = _files(self.path, before), _files(self.path, after)
        written = {path: item for path, item in new.items() if old.get(path) != item}
        for item in written.values():
            _checked(item)
        if not written and old.keys() == new.keys():
            return []
        check(after, self.path, on_disk=False)
        contents = {
            _name(path, self.path): _rendered(path, old.get(path), item)
            for path, item in written.items()
        }
        deletions = [_name(path, self.path) for path in old if path not in new and path.exists()]
        commits.commit(self.path, contents, deletions)
        for path, item in written.items():
            remember(path, item)
        return sorted([*contents, *deletions])

    def _set(self, contents: Contents) -> None:
        self._contents = contents
        self.__dict__.pop("content_hash", None)


def _loaded(root: Path) -> Contents:
    contents = load(root)
    assert contents is not None, "a fault raises"  # noqa: S101
    return contents


def _consistent(root: Path) -> Contents:
    """Read a library that others may be writing, and check it."""
    if not commits.interrupted(root):
        mark = commits.generation(root)
        problem: LibraryError | None = None
        try:
            contents = _loaded(root)
            check(contents, root)
        except LibraryError as error:
            problem = error
        moved = commits.interrupted(root) or commits.generation(root) != mark
        if problem is None and not moved:
            return contents
        # Where nobody can be writing, what is wrong is in the files.
        if problem is not None and not moved and not _writable(root):
            raise problem
    with commits.locked(root, LOCK_TIMEOUT):
        contents = _loaded(root)
        check(contents, root)
        return contents


def _writable(root: Path) -> bool:
    """Say whether there is a lock that a writer could hold, and that can be taken."""
    lock = root / ".macla" / "lock"
    return lock.exists() and os.access(lock, os.W_OK)


def _by_id(items: Iterable[_Versioned]) -> dict[str, _Versioned]:
    found: dict[str, _Versioned] = {}
    for item in items:
        if item.id in found:
            raise LibraryError(f"{item.id!r} is given twice")
        found[item.id] = item
    return found


def _settled(item: _Versioned, before: Mapping[str, _Versioned]) -> _Versioned:
    """Return the document as it is to be stored, its version settled."""
    old = before.get(item.id)
    if old is None:
        return item
    if behaves_alike(old.to_document(), item.to_document()):
        kept = dataclasses.replace(
            old,
            status=item.status,
            locked=item.locked,
            evidence=old.evidence or item.evidence,
            provenance=old.provenance or item.provenance,
        )
        if isinstance(kept, Procedure) and isinstance(item, Procedure):
            return dataclasses.replace(kept, shown=item.shown)
        return kept
    if item.version <= old.version:
        raise LibraryError(
            f"{item.id!r} changed, but has version {item.version}; on disk is {old.version}",
            hint=f"give it version {old.version + 1}",
        )
    return item


def _repointed(meta: MetaProcedure, renumbered: Mapping[tuple[str, int], int]) -> MetaProcedure:
    """Point the places of a plan at the versions that were kept."""

    def settle(name: str | None, version: int | None) -> int | None:
        if name is None or version is None:
            return version
        return renumbered.get((name, version), version)

    plan = tuple(
        dataclasses.replace(place, version=settle(place.run, place.version)) for place in meta.plan
    )
    return meta if plan == meta.plan else dataclasses.replace(meta, plan=plan)


def _merged(
    before: Mapping[str, _Versioned], new: Mapping[str, _Versioned], gone: set[str]
) -> Mapping[str, _Versioned]:
    together = {**before, **new}
    return MappingProxyType({name: together[name] for name in sorted(together) if name not in gone})


def _files(root: Path, contents: Contents) -> dict[Path, Document]:
    """Return the documents by file, in the order in which they are written."""
    files: dict[Path, Document] = {}
    for name, procedure in contents.procedures.items():
        files[file_of(root, "procedure", name)] = procedure
    for name, meta in contents.metas.items():
        files[file_of(root, "meta", name)] = meta
    files[file_of(root, "ontology", "")] = contents.ontology
    files[file_of(root, "library", "")] = contents.settings
    return files


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _checked(item: Document) -> None:
    """Hold what is to be written to its schema: nothing goes to disk that cannot be read."""
    _, schema = _SCHEMAS[type(item)]
    misfit = first_misfit(schema, item.to_document())
    if misfit is not None:
        name = getattr(item, "id", schema)
        raise SchemaError(
            f"{str(name)[:80]!r} cannot be written: {misfit.problem}", path=misfit.path
        )


def _canonical(kind: type[Any]) -> Callable[[Any], Any]:
    return lambda document: kind.from_document(document).to_document()


def _rendered(path: Path, old: Document | None, new: Document) -> bytes:
    """Return a file's new content: people's comments and layout stay."""
    fresh = dump_yaml(new.to_document()).encode()
    if old is None or not path.exists():
        return fresh
    data = read_bytes(path)
    if data == dump_yaml(old.to_document()).encode():
        return fresh  # nobody edited it, and our own layout differs only where values do
    canonical = _canonical(type(new))
    if canonical(load_yaml(data, path)) != old.to_document():
        raise LibraryError(
            "was saved by somebody else at this moment",
            file=path,
            hint="nothing was written; try again",
        )
    return updated(data, new.to_document(), canonical, file=path)
