"""Whether the files of a library fit together, with a finding for each fault."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .document_kinds import FOLDERS
from .errors import LibraryError
from .file_names import is_reserved
from .files.contents import Contents, Key
from .files.parsing import file_of
from .method import unread_settings
from .programs.checking import check_programs
from .semantics import (
    Issue,
    Severity,
    check_library,
    check_meta,
    check_ontology,
    check_procedure,
    shared_ids,
)
from .yaml_io import line_of, read_bytes

__all__ = [
    "Finding",
    "check",
    "errors_of",
    "fault_finding",
    "findings_of",
    "issues_of",
    "located",
    "missing_words",
]

_WORDS: Key = ("ontology", "")


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


def located(issue: Issue, root: Path, rule: str = "meaning") -> Finding:
    """Return an issue with the file and line that it is about."""
    path = file_of(root, *issue.owner)
    line = None
    if path.is_file():
        line = line_of(read_bytes(path), issue.path)
    return Finding(issue.severity, issue.message, path, line, issue.path, rule)


def issues_of(contents: Contents) -> Iterator[Issue]:
    """Yield what is wrong with how documents fit together."""
    yield from check_library(contents.procedures, contents.metas, contents.ontology)
    yield from check_programs(contents.programs, {*contents.procedures, *contents.metas})


def check(
    contents: Contents,
    root: Path,
    changed: Collection[Key] | None = None,
    *,
    on_disk: bool = True,
) -> None:
    """Raise the first error in how the documents fit together.

    Args:
        contents: The documents.
        root: The library's folder.
        changed: What is not as it was when all was consistent; None: anything.
        on_disk: Whether the files say this already, so that lines can be named.

    Raises:
        LibraryError: Of the kind that the issue names, with file, line and path.
    """
    for issue in errors_of(contents, changed):
        place = located(issue, root)
        line = place.line if on_disk else None
        raise issue.raises(place.message, file=place.file, line=line, path=place.path)


def errors_of(contents: Contents, changed: Collection[Key] | None = None) -> Iterator[Issue]:
    """Yield the errors in how documents fit together.

    Args:
        contents: The documents.
        changed: What may have some, it or what names it; None: everything.
    """
    keys = list(contents.keys()) if changed is None else sorted(changed)
    names = {kind: [name for each, name in keys if each == kind] for kind in FOLDERS}
    plans = names["meta"]
    if changed is not None:
        plans = _plans(contents, plans, names["procedure"], all_of_them=_WORDS in changed)
    issues: list[Issue] = []
    for name in names["procedure"]:
        if name in contents.procedures:
            issues += check_procedure(contents.procedures[name])
    operators = contents.ontology.operators
    for name in plans:
        if name in contents.metas:
            meta = contents.metas[name]
            issues += check_meta(meta, contents.procedures, contents.metas, operators)
    ids = {name for each in names.values() for name in each}
    taken = {name for name in ids if name in contents.procedures}
    issues += shared_ids("meta", sorted(n for n in ids if n in contents.metas), taken)
    taken |= {name for name in ids if name in contents.metas}
    issues += shared_ids("program", sorted(n for n in ids if n in contents.programs), taken)
    if _WORDS in keys:
        issues += check_ontology(contents.ontology)
    return (issue for issue in issues if issue.severity == "error")


def _plans(
    contents: Contents, changed: Collection[str], procedures: Collection[str], *, all_of_them: bool
) -> list[str]:
    """Return the plans to look at: that changed, or that may name what did."""
    if all_of_them:
        return list(contents.metas)
    if not procedures:
        return list(changed)
    quoted = [json.dumps(name).encode() for name in procedures]
    entries = contents.of_kind("meta").entries.items()
    return [name for name, entry in entries if name in changed or entry.may_name(quoted)]


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
