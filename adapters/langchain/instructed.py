"""A mark of an agent's instructions, its system prompt."""

from __future__ import annotations

import hashlib
import re

from ...procedures.tooling.dates import without_dates

__all__ = ["mark_of"]


def mark_of(instructions: str) -> str:
    """Return a mark of instructions; the day and names in them do not matter. Empty for none."""
    if not instructions.strip():
        return ""
    words = re.sub(r"(?<=[\w,;] )[^\W\d_]*[A-Z]\w*(?: [A-Z]\w*)*", "#", instructions)
    text = " ".join(without_dates(words).split())
    return f"instructions:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
