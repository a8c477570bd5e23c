"""The entries of a library in its index: goals and wordings are embedded."""

from __future__ import annotations

import hashlib
import json

from ..procedures.files.contents import Contents, Key
from ..procedures.files.heads import Head
from ..procedures.index.procedure_index import IndexEntry
from ..procedures.library.document_kinds import VERSIONED


class Described:
    """The entries of a library's documents; follows it by what changed.

    Of programs those that call tools have one; the others are found by reading the task.
    """

    def __init__(self) -> None:
        self._contents: Contents | None = None
        self._entries: dict[Key, IndexEntry] = {}

    def follow(self, contents: Contents) -> list[IndexEntry]:
        """Return the entries; of what did not change, the same ones as before."""
        before = self._contents
        # In order: an index answers by how it was filled.
        for key in contents.every_key() if before is None else sorted(contents.since(before)):
            record = contents.entry(key) if key[0] in VERSIONED else None
            entry = _entry(*key, record.head()) if record is not None else None
            if entry is None:
                self._entries.pop(key, None)
            else:
                self._entries[key] = entry
        self._contents = contents
        return list(self._entries.values())


def _entry(kind: str, name: str, head: Head) -> IndexEntry | None:
    if kind == "program" and not head.calls_tools:
        return None
    goals = " ".join((head.goal, *head.wordings))
    text = json.dumps([kind, name, head.version, goals], ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return IndexEntry(name, kind, head.version, goals, digest)
