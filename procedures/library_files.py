"""Reading the files of a library: safe, quick the second time, with a finding for each fault."""

from __future__ import annotations

import itertools
import math
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from ..schemas import first_misfit
from .document_kinds import FOLDERS, KINDS, Document, Versioned
from .errors import ConditionError, LibraryError, SchemaError, reason
from .file_names import is_reserved
from .library_commit import refuse_link
from .method import unread_settings
from .model import LibrarySettings, MetaProcedure, Ontology, Procedure
from .programs.checking import check_programs, taken_ids
from .programs.documents import ProgramFile
from .semantics import Issue, Severity, check_library
from .yaml_io import line_of, load_yaml, read_bytes

__all__ = [
    "Contents",
    "Finding",
    "check",
    "contents_of",
    "fault_finding",
    "file_of",
    "findings_of",
    "issues_of",
    "load",
    "located",
    "missing_words",
    "parse",
    "raise_first",
    "remember",
    "yaml_files",
]

_SETTLED = 0.05
"""Age (seconds) from which a file's time stamp surely changes when its content does."""
_CACHE_SIZE = 4_096
"""Files that are remembered besides those of the library that was read last."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a library.

    Attributes:
        severity: ``error``: the library does not open; ``warning``: it does.
        message: What is wrong and what to do.
        file: The file at fault.
        line: Line in it, from 1, if known.
        path: Keys from the document's root.
        rule: What was checked, in one word, for machines.
    """

    severity: Severity
    message: str
    file: Path | None = None
    line: int | None = None
    path: tuple[str | int, ...] = ()
    rule: str = ""

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        keys = ".".join(str(key) for key in self.path)
        return ": ".join(part for part in (where, self.severity, keys, self.message) if part)


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that the files of a library say, by id, in order of id."""

    settings: LibrarySettings
    procedures: Mapping[str, Procedure]
    metas: Mapping[str, MetaProcedure]
    ontology: Ontology
    programs: Mapping[str, ProgramFile] = field(default_factory=dict)

    def find(self, name: str) -> Versioned | None:
        """Return what has this id: a procedure, a plan or a program."""
        return self.procedures.get(name) or self.metas.get(name) or self.programs.get(name)

    def items(self) -> Iterator[tuple[str, Versioned]]:
        """Yield (kind, item): procedures, plans, programs, each in order of id."""
        yield from (("procedure", item) for item in self.procedures.values())
        yield from (("meta", item) for item in self.metas.values())
        yield from (("program", item) for item in self.programs.values())


@dataclass(frozen=True, slots=True)
class _Remembered:
    stamp: tuple[int, int, int]
    seen: float
    document: Document


_cache: dict[str, _Remembered] = {}


def _stamp(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_mtime_ns, status.st_size, status.st_ino


def remember(path: Path, document: Document) -> None:
    """Note what a file that was just written says, so that it need not be read."""
    _cache[str(path)] = _Remembered(_stamp(path.stat()), math.inf, document)


def _forget_others(root: Path, contents: Contents) -> None:
    """Forget the files of other libraries, and those that are gone, once they are many.

    A library's own files are never forgotten while it is read again and again, whatever its size:
    whoever has it open holds its documents anyway. Since so many others have to come first, this
    costs nothing a file.
    """
    own = len(contents.procedures) + len(contents.metas) + len(contents.programs)
    if len(_cache) <= own + _CACHE_SIZE:
        return
    kept = {str(file_of(root, kind, item.id)) for kind, item in contents.items()}
    kept |= {str(root / "library.yaml"), str(root / "ontology.yaml")}
    for name in [name for name in list(_cache) if name not in kept]:
        _cache.pop(name, None)


def _recall(path: Path, status: os.stat_result) -> Document | None:
    known = _cache.get(str(path))
    if known is None or known.stamp != _stamp(status):
        return None
    # A file that was young when it was read may have changed since within one tick of the clock.
    return known.document if known.seen - status.st_mtime > _SETTLED else None


def file_of(root: Path, kind: str, name: str) -> Path:
    """Return the file of a document; ``name`` is its id, which is a slug."""
    return root / FOLDERS[kind] / f"{name}.yaml" if kind in FOLDERS else root / f"{kind}.yaml"


def _read(path: Path, kind: str, root: Path) -> Document:
    """Read and check one file by itself.

    Raises:
        LibraryError: It does not fit; carries file, line and path.
    """
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            if not path.resolve().is_relative_to(root):
                raise LibraryError("is a link that leads out of the library", file=path)
            status = path.stat()
    except OSError as error:
        raise LibraryError(f"cannot be read: {reason(error)}", file=path) from error
    if not stat.S_ISREG(status.st_mode):
        raise LibraryError("is not a regular file", file=path)
    if (known := _recall(path, status)) is not None:
        return known
    result = parse(read_bytes(path), kind, path)
    _cache[str(path)] = _Remembered(_stamp(status), time.time(), result)
    return result


def parse(data: bytes, kind: str | None, path: Path) -> Document:
    """Return the document that a file's content holds, checked by itself.

    Args:
        data: The content.
        kind: What it must be: procedure, meta, program, ontology or library. None: what it says it
            is, under any name of the file.
        path: Name of the file.

    Raises:
        LibraryError: It does not fit; carries file, line and path.
    """
    document = load_yaml(data, path)
    named = kind is not None
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
    if named and kind in FOLDERS and document["id"] != path.name.removesuffix(".yaml"):
        raise LibraryError(
            f"the id is {document['id']!r}, but the file is called {path.name}",
            file=path,
            line=line_of(data, ("id",)),
            path=("id",),
            hint="rename one of them",
        )
    try:
        return reader(document)
    except LibraryError as error:
        raise _located(error, path, data) from None


def _located(error: LibraryError, path: Path, data: bytes) -> LibraryError:
    located = type(error)(
        error.problem, file=path, line=line_of(data, error.path), path=error.path, hint=error.hint
    )
    if isinstance(located, ConditionError) and isinstance(error, ConditionError):
        located.text, located.column = error.text, error.column
    return located


def _check_format(document: Mapping[str, Any], path: Path, data: bytes) -> None:
    written = document.get("format")
    if isinstance(written, int) and written > 1:
        raise LibraryError(
            f"has format {written}; this macla reads format 1",
            file=path,
            line=line_of(data, ("format",)),
            path=("format",),
            hint="update macla",
        )


Sink: TypeAlias = Callable[[LibraryError], None]


def raise_first(error: LibraryError) -> None:
    """Let the first fault end the reading."""
    raise error


def _read_folder(root: Path, kind: str, sink: Sink) -> Iterator[tuple[str, Document]]:
    folder = root / FOLDERS[kind]
    try:
        refuse_link(folder)
        files = yaml_files(folder)
    except LibraryError as error:
        sink(error)
        return
    for file in files:
        try:
            yield file.stem, _read(file, kind, root)
        except LibraryError as error:  # noqa: PERF203 - a broken file hides no other
            sink(error)


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files of a folder in order of their names; none where it is not there.

    Raises:
        LibraryError: The folder cannot be read.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except FileNotFoundError:
        return []  # Git keeps no empty folders
    except OSError as error:
        raise LibraryError(f"cannot be read: {reason(error)}", file=folder) from None
    return [folder / n for n in names if n.endswith(".yaml") and not n.startswith(".")]


def load(root: Path, sink: Sink = raise_first) -> Contents | None:
    """Read all files of a library; each by itself, references not checked.

    Args:
        root: The library's folder, resolved.
        sink: What to do with a fault; the default raises it.

    Returns:
        What could be read, or None where not even ``library.yaml`` could.
    """
    main = root / "library.yaml"
    if not main.exists():
        hint = "give the folder of a library, or make one with `macla learn`"
        sink(LibraryError("is not a library: it has no library.yaml", file=root, hint=hint))
        return None
    try:
        settings = _read(main, "library", root)
    except LibraryError as error:
        sink(error)
        return None
    ontology: Document = Ontology()
    if (words := root / "ontology.yaml").exists():
        try:
            ontology = _read(words, "ontology", root)
        except LibraryError as error:
            sink(error)
    procedures = dict(_read_folder(root, "procedure", sink))
    metas = dict(_read_folder(root, "meta", sink))
    programs = dict(_read_folder(root, "program", sink))
    contents = Contents(
        settings,  # type: ignore[arg-type]  # the reader of this kind makes this type
        MappingProxyType(procedures),  # type: ignore[arg-type]
        MappingProxyType(metas),  # type: ignore[arg-type]
        ontology,  # type: ignore[arg-type]
        MappingProxyType(programs),  # type: ignore[arg-type]
    )
    _forget_others(root, contents)
    return contents


def located(issue: Issue, root: Path, rule: str = "meaning") -> Finding:
    """Return an issue with the file and line that it is about."""
    path = file_of(root, *issue.owner)
    line = None
    if path.is_file():
        line = line_of(read_bytes(path), issue.path)
    return Finding(issue.severity, issue.message, path, line, issue.path, rule)


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
    found: dict[str, dict[str, Any]] = {kind: {} for kind in FOLDERS}
    for kind, folder in FOLDERS.items():
        for name in sorted(files):
            parent, _, file = name.rpartition("/")
            if parent == folder and file.endswith(".yaml") and not file.startswith("."):
                found[kind][file.removesuffix(".yaml")] = parse(files[name], kind, root / name)
    ontology: Document = Ontology()
    if (words := files.get("ontology.yaml")) is not None:
        ontology = parse(words, "ontology", root / "ontology.yaml")
    settings = parse(files["library.yaml"], "library", root / "library.yaml")
    return Contents(
        settings,  # type: ignore[arg-type]  # the reader of this kind makes this type
        MappingProxyType(found["procedure"]),
        MappingProxyType(found["meta"]),
        ontology,  # type: ignore[arg-type]
        MappingProxyType(found["program"]),
    )


def issues_of(contents: Contents) -> Iterator[Issue]:
    """Yield what is wrong with how documents fit together."""
    yield from check_library(contents.procedures, contents.metas, contents.ontology)
    yield from check_programs(contents.programs, {*contents.procedures, *contents.metas})


def check(contents: Contents, root: Path, *, on_disk: bool = True) -> None:
    """Raise the first error in how the documents fit together.

    Args:
        contents: The documents.
        root: The library's folder.
        on_disk: Whether the files say this already, so that lines can be named.

    Raises:
        LibraryError: Of the kind that the issue names, with file, line and path.
    """
    issues = itertools.chain(
        check_library(contents.procedures, contents.metas, contents.ontology),
        taken_ids(contents.programs, {*contents.procedures, *contents.metas}),
    )
    for issue in issues:
        if issue.severity == "error":
            found = located(issue, root)
            line = found.line if on_disk else None
            raise issue.raises(found.message, file=found.file, line=line, path=found.path)


def findings_of(
    root: Path, contents: Contents | None, faults: Iterable[LibraryError]
) -> list[Finding]:
    """Return everything that is wrong with the files of a library, errors first.

    Args:
        root: The library's folder.
        contents: What :func:`load` could read of it.
        faults: What it could not.
    """
    findings = [fault_finding(fault) for fault in faults]
    if contents is not None:
        findings += [located(issue, root) for issue in issues_of(contents)]
        findings += _misnamed(root)
        findings += [
            Finding(
                "warning",
                "nothing reads this setting",
                root / "library.yaml",
                path=("settings", *path),
                rule="settings",
            )
            for path in unread_settings(contents.settings.settings)
        ]
        findings += missing_words(root)
    return sorted(findings, key=lambda found: found.severity != "error")


def missing_words(root: Path) -> list[Finding]:
    """Return a warning where a library has lost its ontology."""
    file = root / "ontology.yaml"
    if file.exists():
        return []
    message = "is missing, so nothing is known of the domain's words; restore it or learn again"
    return [Finding("warning", message, file, rule="file")]


def fault_finding(fault: LibraryError) -> Finding:
    """Return a fault that was raised as a finding."""
    message = f"{fault.problem} ({fault.hint})" if fault.hint else fault.problem
    return Finding("error", message, fault.file, fault.line, fault.path, "file")


def _misnamed(root: Path) -> Iterator[Finding]:
    """Yield a warning for each file that is not read, or that not every system can have."""
    for folder in (*FOLDERS.values(), "proposals"):
        for path in sorted((root / folder).glob("*.yml")):
            yield Finding("warning", "is not read; call it .yaml", path, rule="file")
        for path in sorted((root / folder).glob("*.yaml")):
            if is_reserved(path.name):
                message = "cannot be checked out on Windows, which reserves the name; rename it"
                yield Finding("warning", message, path, rule="file")
