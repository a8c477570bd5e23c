"""What stands where a split is looked for, if it is no file."""

from __future__ import annotations

import os
from pathlib import Path


def no_file(split: str | Path) -> str:
    """Say why a path is no file, for the end of a message; "" if nothing is there at all."""
    path = os.path.expanduser(split)
    if os.path.isdir(path):
        return f" ({str(split)[:200]!r} is a folder)"
    if os.path.islink(path) and not os.path.exists(path):
        return f" ({str(split)[:200]!r} is a link to what is not there)"
    return ""
