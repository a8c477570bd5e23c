"""A library: the folder of YAML files that holds what an agent knows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from ...schemas.meant import meant
from ..checks.proposal_files import check_proposals
from ..common.errors import DanglingReferenceError, LibraryError, LockError, Skip, reason
from ..documents.yaml_dump import dump_yaml
from ..documents.yaml_io import read_bytes
from ..files.contents import Change, Contents, Key
from ..files.notes import keep_notes
from ..files.parsing import file_of
from ..files.scanning import consistent, forget, load, note_consistent, note_written
from ..local.machine_folder import local_path, require_own
from ..model.procedure import LibrarySettings, MetaProcedure, Ontology, Procedure
from ..model.types_files import divided
from ..programs.documents import ProgramFile
from ..sharing.lock_file import LOCK, is_missing, read_lock, refuse_linked_files
from . import library_commit as commits
from .consistency import Finding, check, errors_of, fault_finding, findings_of, located
from .document_kinds import FOLDERS, Document, Versioned
from .earlier_formats import outdated
from .library_changes import (
    Plain,
    by_id,
    fitting,
    hold_to_schema,
    rendered,
    settled,
    settled_program,
)

__all__ = ["Finding", "Library", "validate_library"]

LOCK_TIMEOUT = 10.0
"""How long a writer waits for another (seconds)."""


def validate_library(path: Path | str) -> list[Finding]:
    """Return everything that is wrong with a library's files, errors first.

    Unlike :meth:`Library.open` this never raises for what the files say.
    """
    root = Path(path).resolve()
    try:
        if not _is_writable(root):
            return _findings(root)
        with commits.locked(root, LOCK_TIMEOUT):
            return _findings(root)
    except LockError:
        raise
    except LibraryError as fault:  # it is not touched, only read
        return list(dict.fromkeys([fault_finding(fault), *_findings(root)]))


def _findings(root: Path) -> list[Finding]:
    faults: list[LibraryError] = []
    contents = load(root, faults.append)
    findings = findings_of(root, contents, faults)
    unread = {fault.file for fault in faults if fault.file is not None}
    findings += [*check_proposals(root, contents, unread), *_lock_findings(root)]
    if not faults:
        findings += outdated(root)
    return sorted(findings, key=lambda finding: finding.severity != "error")


def _lock_findings(root: Path) -> Iterator[Finding]:
    """Yield what is wrong with the generated lock file."""
    try:
        lock = read_lock(root)
    except LibraryError as fault:
        yield fault_finding(fault)
        return
    if lock is None and is_missing(root):
        message = (
            "is missing: a clone starts from it (git checkout brings it back; the next command "
            "that writes makes it anew of the last commit's and of what this machine knows)"
        )
        yield Finding("warning", message, root / LOCK, rule="lock")
    if lock is not None and lock.is_cut:
        message = (
            "was emptied or cut off: what it lacks is read from the last commit (git checkout "
            "brings it back; the next command that writes makes it anew, macla migrate at once)"
        )
        yield Finding("warning", message, root / LOCK, rule="lock")
    elif lock is not None and lock.faults:
        message = (
            "was changed by hand: such lines are passed over, and the next command that writes "
            "makes the file anew (macla migrate does at once)"
        )
        yield Finding("warning", message, root / LOCK, lock.faults[0], rule="lock")


class Library:
    """The contents of a library folder at one moment, and the way to change them.

    An instance is a snapshot: :meth:`refresh` takes in what other processes wrote, and
    every write does so first. Made by :meth:`open` or :meth:`create`.

    Attributes:
        path: The folder.
        is_whole: Whether no document was left out when it was read last.
    """

    def __init__(self, path: Path, contents: Contents, skip: Skip | None = None) -> None:
        self.path = path
        self.is_whole = True
        self._contents = contents
        self._skip = skip

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
        hold_to_schema(start, start.to_document())
        try:
            root.mkdir(parents=True, exist_ok=True)
            for folder in (*FOLDERS.values(), "proposals"):
                (root / folder).mkdir(exist_ok=True)
        except OSError as error:
            raise LibraryError(f"cannot be made: {reason(error)}", file=root) from error
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
    def open(cls, path: Path | str, skip: Skip | None = None) -> Library:
        """Read a library and check it.

        Args:
            path: Its folder.
            skip: Told of each document that is wrong, here and after every later reading; it is
                left out, and nothing can be written until it is mended. Without it, the first such
                document is raised.

        Raises:
            LibraryError: It is none, or something in it is wrong; carries file, line and path.
        """
        root = Path(path).resolve()
        contents, is_whole = _read(root, skip)
        library = cls(root, contents, skip)
        library.is_whole = is_whole
        return library

    def refresh(self) -> None:
        """Take in what was written since; unchanged files are not read again."""
        contents, self.is_whole = _read(self.path, self._skip)
        self._set(contents)

    @property
    def contents(self) -> Contents:
        """Everything that was read last; ids are ``in`` it."""
        return self._contents

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
    def programs(self) -> Mapping[str, ProgramFile]:
        """All programs by id, in order of id."""
        return self._contents.programs

    @property
    def ontology(self) -> Ontology:
        """What ``ontology.yaml`` and the files of types say."""
        return self._contents.ontology

    def find(self, name: str) -> Versioned | None:
        """Return the procedure, meta-procedure or program of an id, if there is one."""
        return self._contents.find(name)

    def items(self) -> Iterator[tuple[str, Versioned]]:
        """Yield (kind, item): procedures, meta-procedures, programs, each in order of id."""
        return self._contents.items()

    def get(self, ref: str) -> Versioned:
        """Return the procedure, meta-procedure or program of an ``id`` or ``id@version``.

        Raises:
            DanglingReferenceError: There is none, or it has another version.
        """
        name, _, version = ref.partition("@")
        item = self.find(name)
        if item is None:
            ids = (*self.procedures, *self.metas, *self.programs)
            hint = meant(name, ids, "`macla list` shows what there is")
            raise DanglingReferenceError(f"there is no {name[:80]!r}", file=self.path, hint=hint)
        if version and str(item.version) != version:
            raise DanglingReferenceError(
                f"{ref[:100]!r} is not there; the version on disk is {item.version}",
                file=self.path,
            )
        return item

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hexadecimal) of what the files say; comments and layout do not count."""
        return self._contents.digest

    def write_procedure(self, procedure: Procedure) -> Procedure:
        """Write one procedure and return it as it is stored; see :meth:`write_all`."""
        self.write_all(procedures=[procedure])
        return self.procedures[procedure.id]

    def write_programs(
        self, programs: Iterable[ProgramFile], skip: Skip | None = None
    ) -> list[str]:
        """Write programs that were learned; one that is locked stays as it is.

        Returns:
            Names, below the library's folder, of the files that changed; see :meth:`write_all`.
        """
        return self.write_all(programs=programs, respect_locks=True, skip=skip)

    def delete(self, *ids: str) -> None:
        """Remove procedures, meta-procedures and programs; what is left must not name them."""
        self.write_all(remove=ids)

    def write_all(
        self,
        procedures: Iterable[Procedure] = (),
        metas: Iterable[MetaProcedure] = (),
        *,
        programs: Iterable[ProgramFile] = (),
        ontology: Ontology | None = None,
        settings: LibrarySettings | None = None,
        remove: Iterable[str] = (),
        replace: bool = False,
        respect_locks: bool = False,
        skip: Skip | None = None,
    ) -> list[str]:
        """Change many documents as one: after a crash, all of it is there or nothing.

        What behaves as the version on disk does keeps that version, its evidence
        snapshot and its provenance. What behaves differently needs a higher version; a program
        gets the next one by itself.
        Comments and layout of files that people edited survive.

        Args:
            procedures: To write.
            metas: To write.
            programs: To write.
            ontology: To write, if given.
            settings: To write, if given.
            remove: Ids to remove.
            replace: Remove all procedures and metas that are not given; programs stay.
            respect_locks: Leave programs as they are that are locked.
            skip: Told of each document given that would not fit; it stays as it was, or away,
                and the others are written. Without it, the first such document is raised.

        Returns:
            Names, below the library's folder, of the files that changed.

        Raises:
            LibraryError: The result would not be a valid library, or a changed document
                has no higher version; nothing is written then.
            LockError: Another process is writing for too long.
        """
        with commits.locked(self.path, LOCK_TIMEOUT):
            before = _load(self.path)
            documents: dict[Key, Document | None] = {}
            if replace:
                documents |= dict.fromkeys(("procedure", name) for name in before.procedures)
                documents |= dict.fromkeys(("meta", name) for name in before.metas)
            for name, item in by_id(procedures).items():
                documents["procedure", name] = settled(item, before.procedures)
            for name, meta in by_id(metas).items():
                documents["meta", name] = settled(meta, before.metas)
            for name, file in by_id(programs).items():
                if not (respect_locks and name in before.programs and before.programs[name].locked):
                    documents["program", name] = settled_program(file, before.programs)
            if ontology is not None:
                documents["ontology", ""], types = divided(ontology)
                documents |= dict.fromkeys(("types", name) for name in before.types)
                documents |= {("types", name): file for name, file in types.items()}
            if settings is not None:
                documents["library", ""] = settings
            for name in remove:
                if (kinds := before.kinds_of(name)) == []:
                    raise DanglingReferenceError(f"there is no {name!r}", file=self.path)
                documents |= dict.fromkeys((kind, name) for kind in kinds)
            plain = Plain()
            change: Change = {
                k: new for k, new in documents.items() if _differ(before.get(k), new, plain)
            }
            if skip is not None:
                change = fitting(before, change, self.path, skip, plain)
            after = before.changed(change)
            names = self._commit(before, after, change, plain)
            self._set(after)
        return names

    def _commit(self, before: Contents, after: Contents, change: Change, plain: Plain) -> list[str]:
        if not change:
            return []
        item_by_key = {key: item for key, item in change.items() if item is not None}
        for item in item_by_key.values():
            hold_to_schema(item, plain.of(item))
        # What others broke meanwhile may be mended by just this change.
        last_consistent = consistent(self.path)
        changed = None if last_consistent is None else {*before.since(last_consistent), *change}
        check(after, self.path, changed, on_disk=False)
        files = {key: file_of(self.path, *key) for key in change}
        try:
            contents = {
                _name(files[key], self.path): rendered(files[key], before.get(key), item, plain)
                for key, item in item_by_key.items()
            }
        except LibraryError:
            forget(self.path)
            raise
        contents = {n: d for n, d in contents.items() if not _holds(self.path / n, d)}
        keep_notes(
            self.path, ((key[0], item, before.get(key)) for key, item in item_by_key.items())
        )
        removed_files = [files[key] for key in change if key not in item_by_key]
        deletions = [_name(path, self.path) for path in removed_files if path.exists()]
        commits.commit(self.path, contents, deletions)
        note_written(self.path, after, change)
        return sorted([*contents, *deletions])

    def _set(self, contents: Contents) -> None:
        if contents is not self._contents:
            self._contents = contents
            self.__dict__.pop("content_hash", None)


def _load(root: Path) -> Contents:
    contents = load(root)
    assert contents is not None, "a fault raises"  # noqa: S101
    return contents


def _read_alone(root: Path) -> Contents:
    """Read a library that nobody else writes meanwhile, and check what is not as it was."""
    contents, before = _load(root), consistent(root)
    if contents is not before:
        check(contents, root, None if before is None else contents.since(before))
        note_consistent(root, contents)
    return contents


def _differ(old: Document | None, new: Document | None, plain: Plain) -> bool:
    """Say whether two documents are written differently; of programs, names count here."""
    if old is None or new is None:
        return old is not new
    return old is not new and plain.of(old) != plain.of(new)


def _read_beside_writers(root: Path) -> Contents:
    """Read a library that others may be writing, and check it."""
    refuse_linked_files(root)
    if not commits.interrupted(root):
        mark = commits.generation(root)
        problem: LibraryError | None = None
        try:
            contents = _read_alone(root)
        except LibraryError as error:
            problem = error
        moved = commits.interrupted(root) or commits.generation(root) != mark
        if problem is None and not moved:
            return contents
        # Where nobody can be writing, what is wrong is in the files.
        if problem is not None and not moved and not _is_writable(root):
            raise problem
    with commits.locked(root, LOCK_TIMEOUT):
        return _read_alone(root)


def _read(root: Path, skip: Skip | None) -> tuple[Contents, bool]:
    """Read a library; without what is wrong in it, where somebody is told of that.

    Returns:
        What was read, and whether that is all.
    """
    try:
        return _read_beside_writers(root), True
    except LockError:
        raise
    except LibraryError:
        if skip is None:
            raise
        contents, faults = _readable(root)
    for fault in faults:
        skip(fault)
    return contents, not faults


def _readable(root: Path) -> tuple[Contents, list[LibraryError]]:
    """Return what of a library can be read, and fits together, and why the rest does not.

    Raises:
        LibraryError: The folder must not be read, or not even its settings can.
    """
    refuse_linked_files(root)
    require_own(root)
    faults: list[LibraryError] = []
    contents = load(root, faults.append)
    if contents is None:
        raise faults[0]
    # Again and again: a document may need one that is left out.
    while issues := [*errors_of(contents)]:
        change: dict[Key, Document | None] = {}
        for issue in issues:
            if issue.owner not in change:
                change[issue.owner] = None if issue.owner[0] in FOLDERS else Ontology()
                place = located(issue, root)
                faults.append(
                    issue.raises(place.message, file=place.file, line=place.line, path=place.path)
                )
        contents = contents.changed(change)
    return contents, faults


def _is_writable(root: Path) -> bool:
    """Say whether there is a lock that a writer could hold, and that can be taken."""
    lock = local_path(root, "lock")
    return lock.exists() and os.access(lock, os.W_OK)


def _holds(file: Path, data: bytes) -> bool:
    """Say whether a file has a content already, as where only the note of a version changes."""
    return file.is_file() and read_bytes(file) == data


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
