"""A person's judgement of a learned program."""

from __future__ import annotations

from dataclasses import replace

from ...procedures.errors import DanglingReferenceError
from ...procedures.programs.documents import DEFAULT_STATUS, ProgramFile
from .store import AgentMemory

__all__ = ["review"]


def review(memory: AgentMemory, ref: str, *, approve: bool) -> ProgramFile:
    """Let a program act, or take it out of use.

    Args:
        memory: The agent's memory.
        ref: ``id@version``; what was shown is what is judged.
        approve: Whether it acts; one that is not approved is retired, and learning leaves it so.

    Returns:
        The program as it is stored now.

    Raises:
        DanglingReferenceError: There is no such version (any more).
        LibraryError: The library cannot be written.
    """
    library = memory.session.library
    library.refresh()
    known = library.get(ref)
    if not isinstance(known, ProgramFile):
        raise DanglingReferenceError(f"{ref!r} is no program", file=library.path)
    library.write_all(programs=[replace(known, status=DEFAULT_STATUS if approve else "retired")])
    memory.refresh()
    return library.programs[known.id]
