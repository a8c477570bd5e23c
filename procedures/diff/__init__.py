"""Semantic diff: what changed in a library's documents, as values, in words and as JSON.

Text diffs show lines; this shows goals, parameters, conditions, steps (added, removed, moved,
changed guard), plans and the four decisions of their places.

Begin with :mod:`.document_diff`.
"""

from __future__ import annotations

from .changes import Action, Change, DocumentDiff, LibraryDiff, Side
from .diff_lines import Line, document_lines, library_lines
from .document_diff import diff_documents, diff_libraries, in_words
from .part_words import condition_words

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
