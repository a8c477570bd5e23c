"""The one tree of errors that macla raises on purpose.

Every message says what was wrong, where, and what to do. The command line turns
any :class:`MaclaError` into exit code 2 with that message and no traceback.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

_MENDED_BY: Final[Mapping[int, str]] = {
    errno.ENOSPC: "free some, then run the same command again",
    errno.EDQUOT: "free some of what is yours, then run the same command again",
    errno.EFBIG: "raise the limit (`ulimit -f`), then run the same command again",
    errno.EMFILE: "raise the limit (`ulimit -n`), then run the same command again",
    errno.EIO: "look at the disk (`dmesg`) before anything else is written there",
    errno.EROFS: "make it writable, or take another folder",
}


def reason(error: OSError) -> str:
    """Return why the system refused something, in its words, and what to do where that is known."""
    text = error.strerror or str(error)
    advice = _MENDED_BY.get(error.errno or 0)
    return f"{text}; {advice}" if advice else text


class MaclaError(Exception):
    """Base of all errors that macla raises on purpose."""


Skip: TypeAlias = Callable[[MaclaError], None]
"""Told of one episode, conversation or document that is left out, and why; the rest goes on."""


class LibraryError(MaclaError):
    """A library folder or one of its files cannot be used.

    Attributes:
        file: The file at fault, if one is known.
        line: Line in that file, counted from 1, if known.
        path: Keys from the document's root to the value at fault.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        path: Sequence[str | int] = (),
        hint: str | None = None,
    ) -> None:
        self.problem = problem
        self.file = Path(file) if file is not None else None
        self.line = line
        self.path = tuple(path)
        self.hint = hint
        super().__init__(self._message())

    def _message(self) -> str:
        where = str(self.file) if self.file is not None else ""
        if self.line is not None:
            where += f":{self.line}"
        if self.path:
            keys = ".".join(str(key) for key in self.path)
            where = f"{where} at {keys}" if where else f"at {keys}"
        message = f"{where}: {self.problem}" if where else self.problem
        return f"{message} ({self.hint})" if self.hint else message


class SchemaError(LibraryError):
    """A file does not fit its JSON Schema, or is not readable as YAML at all."""


class DanglingReferenceError(LibraryError):
    """A file names a parameter, step, procedure or version that is not there."""


class ConditionError(LibraryError):
    """A condition does not parse.

    ``column`` counts from 1 inside the condition's own text.
    """

    def __init__(
        self,
        problem: str,
        *,
        text: str = "",
        column: int | None = None,
        file: Path | str | None = None,
        line: int | None = None,
        path: Sequence[str | int] = (),
        hint: str | None = None,
    ) -> None:
        self.text = text
        self.column = column
        if text:
            place = f" (column {column})" if column is not None else ""
            problem = f"{problem}{place} in condition {text!r}"
        super().__init__(problem, file=file, line=line, path=path, hint=hint)


class LockError(LibraryError):
    """Another process holds the library's lock for too long."""


class LedgerError(MaclaError):
    """The evidence ledger cannot be opened or written."""


class IndexFailure(MaclaError):
    """The Chroma index cannot be built or searched, even after a rebuild."""


class TrajectoryError(MaclaError):
    """A trajectory file or line does not fit ``trajectory.schema.json``."""


class DataError(MaclaError):
    """Benchmark data, a split or a game file is missing or is not what it should be."""


class MissingDataError(DataError):
    """Benchmark data is not installed on this machine; the message says where it is looked for."""


class EnvironmentFailure(MaclaError):
    """An environment raised, hung, or answered with something that it must not answer."""


class BudgetError(MaclaError):
    """An episode's budget of model calls or tokens is used up."""


class ModelError(MaclaError):
    """A language or embedding model is missing, unreachable, or gives no usable answer."""


class MissingExtraError(MaclaError):
    """An optional dependency is needed; the message names the extra to install."""


class ProposalError(MaclaError):
    """A proposal cannot be found, made, accepted or rejected."""


class ConflictError(ProposalError):
    """A proposal and the library changed the same place; a person has to choose."""


class GitError(MaclaError):
    """git is missing, refuses, or the repository is not in a state for what was asked."""
