"""Programs as documents: everything that is used to decide, in a form to be reviewed.

A file says how tasks and results are read (``goal``, ``wordings``, ``lines``), where each value
comes from (``parameters``) and what is done (``steps``). Empty keys are left out. Each module
writes and reads one part.

Begin with :mod:`.program_file`.
"""

from __future__ import annotations

from .program_file import (
    DEFAULT_STATUS,
    REASON,
    ProgramFile,
    program_document,
    program_from_document,
)
from .source_words import source_in_words

__all__ = [
    "DEFAULT_STATUS",
    "REASON",
    "ProgramFile",
    "program_document",
    "program_from_document",
    "source_in_words",
]
