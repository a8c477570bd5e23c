"""Whether the files of a library fit together, with a finding for each fault."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..common.errors import LibraryError
from ..common.reserved_names import is_reserved
from ..documents.yaml_io import line_of, read_bytes
from ..files.contents import Contents, Key
from ..files.lazy_documents import Looks
from ..files.meaning import ALONE, issues_alone
from ..files.parsing import file_of
from ..files.scanning import consistent, note_clean, note_consistent
from ..method.settings import unread_settings
from ..model.parameter_types import types_of
from ..model.procedure import MetaProcedure, Procedure
from ..model.semantics import (
    Issue,
    Severity,
    check_meta,
    check_ontology,
    shared_ids,
    unknown_types,
    unknown_worlds,
    unused_types,
)
from .document_kinds import FOLDERS

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
        following: How many others there are only because this file cannot be read; they are not
            told by themselves.
    """

    severity: Severity
    message: str
    file: Path | None = None
    line: int | None = None
    path: tuple[str | int, ...] = ()
    rule: str = ""
    following: int = 0

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        keys = ".".join(str(key) for key in self.path)
        text = ": ".join(part for part in (where, self.severity, keys, self.message) if part)
        verb = "follows" if self.following == 1 else "follow"
        return f"{text}; {self.following} more {verb} from it" if self.following else text


def located(issue: Issue, root: Path, rule: str = "meaning") -> Finding:
    """Return an issue with the file and line that it is about."""
    path = file_of(root, *issue.owner)
    line = None
    if path.is_file():
        line = line_of(read_bytes(path), issue.path)
    return Finding(issue.severity, issue.message, path, line, issue.path, rule)


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
    if changed is not None:
        _doubt_plans(contents, changed)


def errors_of(contents: Contents, changed: Collection[Key] | None = None) -> Iterator[Issue]:
    """Yield the errors in how documents fit together.

    Args:
        contents: The documents.
        changed: What may have some, it or what names it; None: everything.
    """
    keys = list(contents.every_key()) if changed is None else sorted(changed)
    names = {kind: [name for each, name in keys if each == kind] for kind in FOLDERS}
    plans = names["meta"] if changed is None else _plans(contents, changed)
    issues: list[Issue] = []
    for kind in ALONE:
        for name in names[kind]:
            issues += _issues_alone(contents, (kind, name))
    for name in plans:
        issues += _issues_of_plan(contents, name)
    ids = {name for each in names.values() for name in each}
    issues += _shared_ids(contents, sorted(ids))
    if _WORDS in keys:
        issues += check_ontology(contents.ontology)
    return (issue for issue in issues if issue.severity == "error")


def _issues_of_types(contents: Contents) -> list[Issue]:
    """Return what is wrong with the types that parameters name."""
    ontology, named_types = contents.ontology, set[tuple[str, str]]()
    items: list[Procedure | MetaProcedure] = []
    for kind in ("procedure", "meta"):
        documents = contents.of_kind(kind)
        for name, entry in documents.entries.items():
            if b'"type":' in entry.text():  # quick, and mostly enough
                document_types = {*types_of(json.loads(entry.text()))}
                named_types |= document_types
                if any(
                    each not in ontology.of_world(world).types for world, each in document_types
                ):
                    items.append(documents[name])
    unused = (_in_file_of_types(each, contents) for each in unused_types(named_types, ontology))
    nowhere = unknown_worlds(contents.types.values(), ontology)
    return [*nowhere, *unknown_types(items, ontology), *unused]


def _in_file_of_types(issue: Issue, contents: Contents) -> Issue:
    """Return what is said of a type with the file that lists its kinds."""
    owner, _, parameter = str(issue.path[-1]).rpartition(".")
    file = contents.types.get(owner)
    if file is None or parameter not in file.kinds:
        return issue
    return replace(issue, owner=("types", owner), path=("kinds",))


def _issues_of_plan(contents: Contents, name: str) -> list[Issue]:
    meta = contents.metas[name]
    operators = contents.ontology.of_world(meta.world).operators
    issues = check_meta(meta, contents.procedures, contents.metas, operators)
    return [*issues, *unknown_worlds([meta], contents.ontology)]


def _shared_ids(contents: Contents, ids: Sequence[str]) -> Iterator[Issue]:
    earlier_ids = {name for name in ids if name in contents.procedures}
    yield from shared_ids("meta", (n for n in ids if n in contents.metas), earlier_ids)
    earlier_ids |= {name for name in ids if name in contents.metas}
    yield from shared_ids("program", (n for n in ids if n in contents.programs), earlier_ids)


def _plans(contents: Contents, changed: Collection[Key]) -> list[str]:
    """Return the plans to look at: that changed, or that may name what did."""
    if _WORDS in changed:
        return list(contents.metas)
    plans = {name for kind, name in changed if kind == "meta" and name in contents.metas}
    quoted = [json.dumps(name).encode() for kind, name in changed if kind == "procedure"]
    if quoted:
        entries = contents.of_kind("meta").entries.items()
        plans |= {name for name, entry in entries if entry.may_name(quoted)}
    return sorted(plans)


def _issues_of(contents: Contents, key: Key) -> list[Issue]:
    """Return what is wrong with one document and with what it names."""
    kind, name = key
    if kind == "meta":
        return _issues_of_plan(contents, name)
    if kind in ALONE:
        return issues_alone(contents.of_kind(kind)[name])
    return check_ontology(contents.ontology) if kind == "ontology" else []


def _issues_alone(contents: Contents, key: Key) -> list[Issue]:
    """Return what is wrong with a document by itself; a clean one is not looked at again."""
    entry = contents.entry(key)
    if entry is None or entry.clean & Looks.MEANING:
        return []
    issues = _issues_of(contents, key)
    if not issues:
        entry.clean |= Looks.MEANING
    return issues


def _issues(root: Path, contents: Contents, *, whole: bool, words: bool) -> list[Issue]:
    """Return what is wrong with documents and how they fit together.

    Where nothing was found in a document, it is not looked at again until it changes.

    Args:
        root: The library's folder.
        contents: What could be read of it.
        whole: Whether that is everything.
        words: Whether the words are there; else nothing is said of what names some.
    """
    before = consistent(root)
    if before is not None and before is not contents:
        _doubt_plans(contents, contents.since(before))
    issues: list[Issue] = []
    clean: list[Key] = []
    for key in contents.every_key():
        entry = contents.entry(key)
        if entry is None or not entry.clean & Looks.MEANING:
            new = _issues_of(contents, key)
            issues += new
            if not new:
                clean.append(key)
    issues += _shared_ids(contents, sorted({name for _, name in contents.every_key()}))
    if words:
        issues += _issues_of_types(contents)
    if whole and not any(issue.severity == "error" for issue in issues):
        note_consistent(root, contents)
        note_clean(root, contents, Looks.MEANING, clean)
    return issues


def _doubt_plans(contents: Contents, changed: Collection[Key]) -> None:
    """Let plans be looked at again that name what changed."""
    for name in _plans(contents, changed):
        contents.of_kind("meta").entries[name].clean &= ~Looks.MEANING


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
        file, folder = root / "ontology.yaml", root / FOLDERS["types"]
        broken = {finding.file for finding in findings if finding.file is not None}
        broken |= {each.parent for each in broken}
        words = file.exists() and broken.isdisjoint((file, folder))
        issues = _issues(root, contents, whole=not findings, words=words)
        findings, issues = _folded(root, findings, issues)
        findings += [located(issue, root) for issue in issues]
        findings += _misnamed_findings(root)
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
    return sorted(findings, key=lambda finding: finding.severity != "error")


def _folded(
    root: Path, findings: Sequence[Finding], issues: Iterable[Issue]
) -> tuple[list[Finding], list[Issue]]:
    """Return faults with the number of issues that follow from each, and the other issues.

    An issue follows from a file or folder that cannot be read if it misses a document there.
    """
    number_by_file = {each.file: number for number, each in enumerate(findings) if each.file}
    counts: Counter[int] = Counter()
    rest: list[Issue] = []
    for issue in issues:
        cause = unread_place(root, issue.missed, number_by_file)
        if cause is None:
            rest.append(issue)
        else:
            counts[number_by_file[cause]] += 1
    return [replace(each, following=counts[n]) for n, each in enumerate(findings)], rest


def unread_place(root: Path, keys: Iterable[Key], unread: Container[Path]) -> Path | None:
    """Return the unread file or folder in which one of some documents may be; None if in none."""
    files = (file_of(root, *key) for key in keys)
    return next((path for each in files for path in (each, each.parent) if path in unread), None)


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


def _misnamed_findings(root: Path) -> Iterator[Finding]:
    """Yield a warning for each file that is not read, or that not every system can have."""
    for folder in (*FOLDERS.values(), "proposals"):
        try:
            names = sorted(os.listdir(root / folder))
        except OSError:
            continue
        for name in names:
            if name.endswith(".yml"):
                yield Finding(
                    "warning", "is not read; call it .yaml", root / folder / name, rule="file"
                )
            elif name.endswith(".yaml") and is_reserved(name):
                message = "cannot be checked out on Windows, which reserves the name; rename it"
                yield Finding("warning", message, root / folder / name, rule="file")
