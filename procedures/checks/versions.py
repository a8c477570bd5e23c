"""Whether each version still does what it did when its evidence was counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ..documents.plain_data import behaviour_digest
from ..files.contents import Contents, Key
from ..files.lazy_documents import Looks
from ..files.notes import notes_of
from ..files.scanning import note_clean
from ..model.semantics import Issue


def changed_versions(root: Path, contents: Contents) -> Iterator[Issue]:
    """Yield a warning for each file that does something else under the version that it had.

    Evidence belongs to a version: what does something else would be believed for what it never did.
    A document of which this was found right is not looked at again until it changes, and one that
    macla never wrote has nothing to be compared with.
    """
    does_of = notes_of(root).digests()
    right: list[Key] = []
    for kind, name, head in contents.heads():
        key = (kind, name)
        entry = contents.entry(key)
        if entry is None or entry.clean & Looks.VERSION:
            continue
        noted = does_of(kind, name, head.version)
        if not noted or behaviour_digest(json.loads(entry.text())) in noted:
            right.append(key)
            continue
        message = (
            f"does something else than version {head.version} did when its evidence was counted; "
            f"give it version {head.version + 1}"
        )
        yield Issue("warning", key, ("version",), message)
    note_clean(root, contents, Looks.VERSION, right)
