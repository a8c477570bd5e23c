"""``library.lock``: one line a fact, so that any merge of two of them can be read.

A line is a JSON array that ends with a digest of the rest. It holds the sums of one run, kind, id
and version, one proposal that was rejected, or where one version comes from. Lines stand on
numbered shelves, by a digest of what they say, so that two changes hardly ever meet: a
hosting server, which reads no attributes, merges them too. The file depends on nothing else: the
same evidence is the same bytes. Sums only grow: of two lines about the same thing, as a merge that
keeps both sides leaves them, the greater sums count. What is no such line (marks of a conflict) or
does not fit its digest (edited by hand) is passed over, and written anew by whoever writes the file
next.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from ..common.errors import LibraryError
from ..local.regular import open_regular

LOCK = "library.lock"
"""Name of the file in a library's folder."""
ATTRIBUTES = ".gitattributes"
GENERATED = (LOCK, ATTRIBUTES)
"""Names of what is written there for git, beside documents."""
_HINT = "remove it; macla writes it anew from what this machine knows"

SumKey: TypeAlias = tuple[str, str, str, int, str]
"""Run, subject kind, subject, version, binding."""

NoteKey: TypeAlias = tuple[str, str, int, str]
"""Kind, id, version and status of what a note is about."""
Note: TypeAlias = Mapping[str, str]
"""Origin of a version, in free texts."""

_HEAD = "# Made by macla: neither for review nor for editing. Any merge of it will do.\n"
_KINDS = frozenset({"procedure", "meta", "program", "binding", "reading"})
"""Kinds of evidence that say what to try first; none of them lets anything act."""
_REJECTED = "rejected"
_NOTE = "note"
_MARKS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")
_MOST_BYTES = 32_000_000
"""Bytes of the largest lock file that is read; bounds the memory."""
_MOST_COUNT = 1e9
"""Largest count of one sum: more cannot have been counted."""
_MOST_VERSIONS = 2**31
"""Number above all versions; a line with a greater one is damaged."""
_SHELVES = 1024
"""A change writes about four lines: that two changes meet on one shelf then has a probability of
4 · 4 / 1024, under 2 %; with 256 shelves 6 % of pairs met."""
_NAMES = tuple(f"#{number:03x}" for number in range(_SHELVES))
"""Names of the shelves: lines that any merge of two files keeps."""


@dataclass(frozen=True, slots=True)
class LockFile:
    """The content of a lock file.

    Attributes:
        sums: (Run, kind, subject, version, binding) → successes and failures.
        rejected: Id → the record of a proposal that was rejected, with its reason.
        notes: Where versions come from.
        faults: Numbers of the lines, from 1, that somebody edited, or that are no such lines.
        is_cut: Whether shelves are missing: the file was emptied or cut off.
    """

    sums: Mapping[SumKey, tuple[float, float]] = field(default_factory=dict)
    rejected: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: Mapping[NoteKey, Note] = field(default_factory=dict)
    faults: tuple[int, ...] = ()
    is_cut: bool = False

    @property
    def is_damaged(self) -> bool:
        """Whether it may say less than macla wrote."""
        return self.is_cut or bool(self.faults)

    @classmethod
    def of(cls, data: bytes) -> LockFile:
        """Return what the content of a lock file says, whatever a merge made of it."""
        return _parse(data)

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        grouped: dict[tuple[str, str, str, int], dict[str, list[float]]] = {}
        for (run, kind, subject, version, binding), sums in sorted(self.sums.items()):
            group = (run, kind, subject, version)
            grouped.setdefault(group, {})[binding] = [*map(_short, sums)]
        lines = [_line([*group, bindings]) for group, bindings in grouped.items()]
        lines += [_line([_REJECTED, n, dict(r)]) for n, r in sorted(self.rejected.items())]
        lines += [_line([_NOTE, *key, dict(note)]) for key, note in sorted(self.notes.items())]
        shelves: list[list[str]] = [[] for _ in range(_SHELVES)]
        for line in lines:
            # By all that it says: two that say something else of one thing do not meet either.
            shelves[int(_digest([line]), 16) % _SHELVES].append(line)
        text = "".join(f"{name}\n{''.join(s)}" for name, s in zip(_NAMES, shelves, strict=True))
        return (_HEAD + text).encode()


def refuse_linked_files(root: Path) -> None:
    """Refuse a library whose lock file, or file of attributes, is a link.

    What macla adds to would else take the content of some other file into the library.

    Raises:
        LibraryError: One of them is.
    """
    for name in GENERATED:
        if (root / name).is_symlink():
            raise LibraryError("is a link", file=root / name, hint=_HINT)


def is_missing(root: Path) -> bool:
    """Tell whether a library has no lock file although one was written there."""
    if (root / LOCK).exists():
        return False
    try:
        with open_regular(root / ATTRIBUTES) as stream:
            return f"{LOCK} ".encode() in stream.read()
    except OSError:
        return False


def read_lock(root: Path) -> LockFile | None:
    """Return what a library's lock file says; None where there is none.

    Args:
        root: The library's folder.

    Raises:
        LibraryError: It is a link, cannot be read, or is larger than any that macla writes.
    """
    file, hint = root / LOCK, _HINT
    refuse_linked_files(root)
    try:
        with open_regular(file) as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise LibraryError(f"has more than {_MOST_BYTES} bytes", file=file, hint=hint)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LibraryError(f"cannot be read: {error.strerror}", file=file, hint=hint) from None
    return LockFile.of(data)


def _parse(data: bytes) -> LockFile:
    sums: dict[SumKey, tuple[float, float]] = {}
    rejected: dict[str, Mapping[str, Any]] = {}
    notes: dict[NoteKey, Note] = {}
    faults: list[int] = []
    lines = data.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith(("#", *_MARKS)):
            continue
        try:
            *values, digest = json.loads(line)
            if digest != _digest(values):
                raise ValueError("edited")
            if values[0] == _REJECTED:
                rejected.setdefault(str(values[1]), dict(values[2]))
                continue
            if values[0] == _NOTE:
                key, note = _note(values[1:])
                # The same version from two clones: either will do, but the same everywhere.
                notes[key] = max(notes.get(key, {}), note, key=lambda each: sorted(each.items()))
                continue
            for about, (good, bad) in _sums(values):
                counts = sums.get(about, (0.0, 0.0))
                sums[about] = max(counts[0], good), max(counts[1], bad)
        except (LookupError, AttributeError, OverflowError, RecursionError, TypeError, ValueError):
            faults.append(number)
    return LockFile(sums, rejected, notes, tuple(faults), not {*lines}.issuperset(_NAMES))


def _note(values: list[Any]) -> tuple[NoteKey, Note]:
    kind, name, version, status, note = values
    if type(version) is not int or not 0 <= version < _MOST_VERSIONS:
        raise ValueError("is about no version")
    return (str(kind), str(name), version, str(status)), {str(k): str(v) for k, v in note.items()}


def _sums(values: list[Any]) -> Iterator[tuple[SumKey, tuple[float, float]]]:
    run, kind, subject, version, bindings = values
    if kind not in _KINDS or type(version) is not int or not 0 <= version < _MOST_VERSIONS:
        raise ValueError("is about nothing that a lock file tells of")
    for binding, (good, bad) in bindings.items():
        counts = float(good), float(bad)
        if not all(math.isfinite(each) and 0.0 <= each <= _MOST_COUNT for each in counts):
            raise ValueError("has counts that cannot be")
        yield (str(run), str(kind), str(subject), version, str(binding)), counts


def _line(values: list[Any]) -> str:
    return _plain([*values, _digest(values)]) + "\n"


def _digest(values: list[Any]) -> str:
    return hashlib.sha256(_plain(values).encode("utf-8", "replace")).hexdigest()[:8]


def _plain(values: list[Any]) -> str:
    return json.dumps(values, ensure_ascii=True, separators=(",", ":"))


def _short(value: float) -> float:
    """Return a count as the file has it: whole where it is, else to six places."""
    return int(value) if value == int(value) else round(value, 6)
