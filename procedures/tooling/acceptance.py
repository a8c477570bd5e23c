"""A person accepts what a program of tool calls does: it stands in the program's file."""

from __future__ import annotations

from collections.abc import Container, Sequence

from ..common.errors import DanglingReferenceError, LibraryError
from ..evidence.ledger import Ledger
from ..library.library import Library
from ..library.undo import undoable
from ..programs.documents import DEFAULT_STATUS, ProgramFile
from .stops import clearing, stopped_in


def waiting(library: Library, ledger: Ledger) -> list[ProgramFile]:
    """Return the active programs that have calls no person accepted in their present form."""
    stopped = stopped_in(ledger)
    return [
        file
        for file in library.programs.values()
        if file.tools is not None and file.status == DEFAULT_STATUS and file.unaccepted()
        if file.id not in stopped
    ]


def accept(library: Library, ledger: Ledger, names: Sequence[str] = ()) -> list[str]:
    """Accept programs: they may call tools that change something.

    A program that was stopped acts again if it is named. The last acceptance can be undone.

    Args:
        library: The library.
        ledger: Its evidence.
        names: Ids, or ``id@version`` of what was looked at; none for all that wait.

    Returns:
        ``id@version`` of each.

    Raises:
        DanglingReferenceError: There is no such program, or not in this version any more.
        LibraryError: One has no step that could be done, or the library cannot be written.
    """
    library.refresh()
    stopped = stopped_in(ledger)
    files = [_file_to_accept(library, each, stopped) for each in names] or waiting(library, ledger)
    cleared = {file.id: stopped[file.id] for file in files if file.id in stopped}
    what = f"accepting {' '.join(names) or 'all that waited'}"
    with undoable(library.path, what, cleared):
        library.write_all(programs=[file.as_accepted() for file in files if file.tools is not None])
    ledger.record(clearing(file, "accepted") for file in files if file.id in cleared)
    return [file.ref for file in files]


def _file_to_accept(library: Library, name: str, stopped: Container[str]) -> ProgramFile:
    file = library.programs.get(name.partition("@")[0])
    if file is not None and file.tools is None and file.id in stopped:
        return file
    if file is None or file.tools is None or name not in (file.id, file.ref):
        if file is None:
            library.get(name)  # it may be misspelt
        note = f"; there is {file.ref}" if file is not None else ""
        raise DanglingReferenceError(
            f"{name!r} is no program that calls tools{note}", file=library.path
        )
    if not any(step.box.runs for step in file.program.steps):
        raise LibraryError(
            f"{file.ref} was learned from {file.provenance.get('learned_from', 'too few runs')}",
            file=library.path,
            hint="let the agent do the task three times before you accept it",
        )
    return file
