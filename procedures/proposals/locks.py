"""What people locked: no refinement touches it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..documents.plain_data import behaves_alike, thaw
from .proposal import Document


def lock_violations(old: Document, new: Document | None) -> list[str]:
    """Return what a change touches although it is locked, as texts for people.

    ``locked: true`` locks behaviour and status; a list locks the keys it names, in which a point
    leads further in: ``steps``, ``parameters.x``. Locked in any way, a file is not removed, and
    the lock itself is changed only by hand. ``new`` is None where the file would be removed.
    """
    locked = old.get("locked", False)
    if not locked:
        return []
    if new is None:
        return ["all of it"]
    touched = []
    if json.dumps(thaw(new.get("locked", False))) != json.dumps(thaw(locked)):
        touched.append("locked")
    if locked is True:
        unchanged = behaves_alike(old, new) and old.get("status") == new.get("status")
        return touched if unchanged else [*touched, "all of it"]
    return [*touched, *(path for path in locked if _at(old, path) != _at(new, path))]


def _at(document: Document, path: str) -> str | None:
    value: Any = document
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return json.dumps(thaw(value), sort_keys=True)
