"""Names of files that no system can have: an id is the name of a file, in every clone."""

from __future__ import annotations

import re

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def is_reserved(name: str) -> bool:
    """Say whether Windows keeps a name for a device, whatever its suffix."""
    return _RESERVED.fullmatch(name) is not None
