"""What a library holds, as its index is told of it: goals and wordings are embedded."""

from __future__ import annotations

import hashlib
import json

from ..procedures.document_kinds import FOLDERS, Document
from ..procedures.files.contents import Contents, Key
from ..procedures.index import IndexEntry
from ..procedures.model import MetaProcedure, Procedure
from ..procedures.programs.documents import ProgramFile

__all__ = ["Described"]


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
            entry = _entry(key[0], contents.get(key)) if key[0] in FOLDERS else None
            if entry is None:
                self._entries.pop(key, None)
            else:
                self._entries[key] = entry
        self._contents = contents
        return list(self._entries.values())


def _entry(kind: str, item: Document | None) -> IndexEntry | None:
    if isinstance(item, ProgramFile):
        if item.tools is None:
            return None
        wordings: tuple[str, ...] = tuple(each.text for each in item.wordings[1:])
    elif isinstance(item, Procedure):
        wordings = item.wordings
    elif isinstance(item, MetaProcedure):
        wordings = ()
    else:
        return None
    goals = " ".join((item.goal, *wordings))
    text = json.dumps([kind, item.id, item.version, goals], ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return IndexEntry(item.id, kind, item.version, goals, digest)
