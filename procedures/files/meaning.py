"""Faults in the meaning of one document by itself."""

from __future__ import annotations

from ..library.document_kinds import Document
from ..model.procedure import Procedure
from ..model.semantics import Issue, check_procedure
from ..programs.documents import ProgramFile
from ..programs.program_checks import check_programs

ALONE = ("procedure", "program")
"""Kinds of documents that name no other document, so that looking at each is enough."""


def issues_alone(document: Document) -> list[Issue]:
    """Return what is wrong with a document of a kind that names no other; else nothing."""
    if isinstance(document, Procedure):
        return check_procedure(document)
    if isinstance(document, ProgramFile):
        return list(check_programs({document.id: document}, ()))
    return []
