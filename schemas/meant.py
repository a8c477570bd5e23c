"""The name that was meant by an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def meant(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """Return advice for an unknown name: the nearest of those that there are, or other advice."""
    nearest = difflib.get_close_matches(name, sorted(names), n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else otherwise
