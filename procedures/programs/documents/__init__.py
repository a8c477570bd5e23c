"""Programs as documents: all that their decisions use, in a form for review.

A file holds the templates of tasks and results (``goal``, ``wordings``, ``lines``), the sources of
values (``parameters``) and the steps (``steps``). Empty keys are left out. Each module writes and
reads one part.

Begin with :mod:`.program_file`.
"""

from __future__ import annotations

from .box_words import box_in_words
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
    "box_in_words",
    "program_document",
    "program_from_document",
    "source_in_words",
]
