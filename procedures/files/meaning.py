"""What is wrong with the meaning of one document, looked at by itself."""

from __future__ import annotations

from ..document_kinds import Document
from ..model import Procedure
from ..programs.checking import check_programs
from ..programs.documents import ProgramFile
from ..semantics import Issue, check_procedure

__all__ = ["ALONE", "issues_alone"]

ALONE = ("procedure", "program")
"""Kinds of documents that name no other document, so that looking at each is enough."""


def issues_alone(document: Document) -> list[Issue]:
    """Return what is wrong with a document of a kind that names no other; else nothing."""
    if isinstance(document, Procedure):
        return check_procedure(document)
    if isinstance(document, ProgramFile):
        return list(check_programs({document.id: document}, ()))
    return []
