"""A cache of the parsed files of a library, for the next process.

To read a YAML file and hold it to its schema costs about a millisecond; to see that a file is
still the same one costs some microseconds. So a large library is kept in one machine-local file:
the stamp of each document's file, and its content as JSON, of which a document is made when
somebody asks for it. What is kept was consistent. It is a cache: damaged, of other code or of
other files, it is passed over.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..common.errors import LibraryError
from ..local.machine_folder import local_path
from ..local.replacing import replacing
from .contents import Key
from .lazy_documents import Entry, Looks, Packed
from .notes import notes_of

PARSED = "parsed"
"""Name of the machine-local file."""
_CODE = ("procedures", "schemas")
_SUM = 64
"""Length of the sum that the file begins with, of all its rest."""


def read_parsed(root: Path) -> dict[Key, Entry]:
    """Return the documents that are kept, with the stamps of their files; none where none are."""
    notes = notes_of(root)
    try:
        data = local_path(root, PARSED).read_bytes()
    except (OSError, LibraryError):
        return {}
    if data[:_SUM] != _sum(memoryview(data)[_SUM:]):
        return {}
    start = data.index(b"\n") + 1
    header = json.loads(data[_SUM:start])
    if header["code"] != _code():
        return {}
    entries: dict[Key, Entry] = {}
    for kind, name, stamp, length, clean in header["documents"]:
        packed = Packed(data, start, start + length)
        file_stamp = None if stamp is None else tuple(stamp)
        entry = Entry(kind, stamp=file_stamp, packed=packed, notes=notes)
        entry.clean = Looks(clean)
        entries[kind, name] = entry
        start += length
    return entries


def write_parsed(root: Path, entries: Mapping[Key, Entry]) -> None:
    """Keep documents, where the library has a machine-local folder that can be written.

    Those of young files are kept without a stamp: they are read again, and missed if they are gone.
    """
    rows: list[tuple[str, str, object, int, int]] = []
    parts: list[bytes] = []
    for (kind, name), entry in entries.items():
        parts.append(entry.text())
        stamp = entry.stamp if entry.is_settled else None
        rows.append((kind, name, stamp, len(parts[-1]), entry.clean))
    header = json.dumps({"code": _code(), "documents": rows}, separators=(",", ":")).encode()
    parts[:0] = header, b"\n"  # one by one: joined, they would take as much room again
    try:
        target = local_path(root, PARSED)
        if target.parent.is_dir():
            with replacing(target) as stream:
                stream.write(_sum(*parts))
                stream.writelines(parts)
    except (OSError, LibraryError):
        return  # the next process reads the files


def _sum(*parts: bytes | memoryview) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        total.update(part)
    return total.hexdigest().encode()


@cache
def _code() -> str:
    """Return a mark of the code that reads documents: what it did not read counts for nothing."""
    package = Path(__file__).parents[2]
    marks: list[tuple[str, int, int]] = []
    for room in _CODE:
        for folder, _, names in os.walk(package / room):
            for name in names:
                if name.endswith((".py", ".json")):
                    path = os.path.join(folder, name)
                    status = os.stat(path)
                    marks.append((path, status.st_mtime_ns, status.st_size))
    return hashlib.sha256(repr(sorted(marks)).encode()).hexdigest()
