"""The change of an index by one synchronisation, and its form as a line of a file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Change:
    """The keys that one synchronisation removed and added.

    Attributes:
        gone: Keys that were removed.
        come: Keys that were added.
        vectors: One row for each that was added.
    """

    gone: list[str]
    come: list[str]
    vectors: NDArray[np.float32]

    @property
    def size(self) -> int:
        """Entries added and removed."""
        return len(self.gone) + len(self.come)


def joined(changes: Iterable[Change]) -> Change:
    """Return one change that does what several do one after the other."""
    import numpy as np

    removed: dict[str, None] = {}
    vector_by_added: dict[str, NDArray[np.float32]] = {}
    for change in changes:
        # Added before removed, as they are written. A key has one text, so one vector.
        for key, vector in zip(change.come, change.vectors, strict=True):
            vector_by_added[key] = vector
            removed.pop(key, None)
        for key in change.gone:
            vector_by_added.pop(key, None)
            removed[key] = None  # also where it was only added since: then it does no harm
    vectors = (
        np.stack(list(vector_by_added.values()))
        if vector_by_added
        else np.empty((0, 0), dtype=np.float32)
    )
    return Change(list(removed), list(vector_by_added), vectors)


def sum_of(data: bytes) -> str:
    """Return the SHA-256 of bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def line_of(change: Change) -> bytes:
    """Return a change as a line that begins with its sum."""
    vectors = change.vectors.astype("<f4")
    text = json.dumps(
        {
            "gone": change.gone,
            "come": change.come,
            "vectors": base64.b64encode(vectors.tobytes()).decode(),
        }
    ).encode()
    return sum_of(text).encode() + b" " + text + b"\n"


def change_in(line: bytes) -> Change | None:
    """Read a line without its end; None if its sum does not fit."""
    import numpy as np

    claimed_sum, _, text = line.partition(b" ")
    if claimed_sum != sum_of(text).encode():
        return None
    value: dict[str, Any] = json.loads(text)
    added = value["come"]
    vectors = np.frombuffer(base64.b64decode(value["vectors"]), dtype="<f4")
    return Change(value["gone"], added, vectors.reshape(len(added), -1) if added else vectors)
