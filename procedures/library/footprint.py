"""How much a library's memory takes up: its files, its evidence, its index, its episodes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from ..evidence.ledger import Ledger
from .document_kinds import FOLDERS
from .library import Library


@dataclass(frozen=True, slots=True)
class Footprint:
    """The size of a library.

    Attributes:
        procedures: Procedures.
        metas: Meta-procedures.
        programs: Programs.
        files: Its YAML files, records of proposals included.
        file_bytes: Their size.
        rows: Rows of the ledger.
        ledger_bytes: Size of the ledger; 0 where it is on a server.
        index_bytes: Size of the search index; 0 where it is on a server.
        buffer_bytes: Size of the episodes kept to learn from: own ones, and what it was taught.
    """

    procedures: int
    metas: int
    programs: int
    files: int
    file_bytes: int
    rows: int
    ledger_bytes: int
    index_bytes: int
    buffer_bytes: int

    def to_document(self) -> dict[str, int]:
        """Return it as plain data."""
        return asdict(self)


def footprint(library: Library, ledger: Ledger) -> Footprint:
    """Measure a library that is open."""
    root, local = library.path, library.path / ".macla"
    files = [
        file
        for folder in ("", *FOLDERS.values(), "proposals")
        for file in (root / folder).glob("*.yaml")
    ]
    return Footprint(
        procedures=len(library.procedures),
        metas=len(library.metas),
        programs=len(library.programs),
        files=len(files),
        file_bytes=_size(files),
        rows=ledger.total(),
        ledger_bytes=_size(local.glob("evidence.db*")),
        index_bytes=_size((local / "chroma").rglob("*")),
        buffer_bytes=_size(local / name for name in ("episodes.jsonl", "demonstrations.jsonl")),
    )


def _size(files: Iterable[Path]) -> int:
    """Add up sizes; a file that another process removes meanwhile counts nothing."""
    total = 0
    for file in files:
        with suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total
