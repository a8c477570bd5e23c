"""Semantic diff: what changed in a library's documents, as values, in words and as JSON.

Text diffs show lines; this shows goals, parameters, conditions, steps (added, removed, moved,
changed guard), plans and the four decisions of their places.
"""

from __future__ import annotations

from .changes import Action, Change, DocumentDiff, LibraryDiff, Side
from .documents import diff_documents, diff_libraries, in_words
from .render import Line, document_lines, library_lines
from .wording import condition_words

__all__ = [
    "Action",
    "Change",
    "DocumentDiff",
    "LibraryDiff",
    "Line",
    "Side",
    "condition_words",
    "diff_documents",
    "diff_libraries",
    "document_lines",
    "in_words",
    "library_lines",
]
