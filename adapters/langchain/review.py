"""A person's judgement of a learned procedure."""

from __future__ import annotations

from dataclasses import replace

from ...procedures.errors import DanglingReferenceError
from ...procedures.model import Procedure
from .store import AgentMemory

__all__ = ["review"]


def review(memory: AgentMemory, ref: str, *, approve: bool) -> Procedure:
    """Trust a procedure, or take it out of use.

    Args:
        memory: The agent's memory.
        ref: ``id@version``; what was shown is what is judged.
        approve: Trusted procedures are not retired or pruned by learning; one that is not
            approved is retired.

    Returns:
        The procedure as it is stored now.

    Raises:
        DanglingReferenceError: There is no such version (any more).
        LibraryError: The library cannot be written.
    """
    library = memory.session.library
    library.refresh()
    known = library.get(ref)
    if not isinstance(known, Procedure):
        raise DanglingReferenceError(f"{ref!r} is a plan, not a procedure", file=library.path)
    stored = library.write_procedure(replace(known, status="trusted" if approve else "retired"))
    memory.refresh()
    return stored
