"""A person accepts what a program of tool calls does: it stands in the program's file."""

from __future__ import annotations

from collections.abc import Container, Sequence

from ...schemas.meant import meant
from ..common.errors import DanglingReferenceError, LibraryError
from ..documents.yaml_io import load_yaml, read_bytes
from ..documents.yaml_update import updated
from ..evidence.ledger import Ledger
from ..library.document_kinds import FOLDERS
from ..library.library import LOCK_TIMEOUT, Library
from ..library.library_commit import commit, locked
from ..library.undo import undoable
from ..programs.documents import DEFAULT_STATUS, ProgramFile
from .stops import ACCEPTED, clearing, stop_before_acceptance, stopped_in, stopping_again

_MARKS = ("accepted", "accepted_limits")
"""Keys of a program's file that say what a person accepted."""


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
    ledger.record(clearing(file, ACCEPTED) for file in files if file.id in cleared)
    return [file.ref for file in files]


def is_accepted(library: Library, ledger: Ledger, name: str) -> bool:
    """Say whether there is an acceptance of a program that can be taken back."""
    file = library.programs.get(name)
    if file is None:
        return False
    return bool(file.accepted) or stop_before_acceptance(ledger, name) is not None


def take_back(library: Library, ledger: Ledger, name: str) -> str:
    """Take back what a person accepted of a program; what it learned before and since stays.

    Args:
        library: The library; refreshed.
        ledger: Its evidence. Gets the stop again that the acceptance had cleared.
        name: Id of a program of which :func:`is_accepted` is true.

    Returns:
        Name, below the library's folder, of the program's file.

    Raises:
        LibraryError: The file cannot be written.
    """
    root = library.path
    file_name = f"{FOLDERS['program']}/{name}.yaml"
    with undoable(root, f"taking back the acceptance of {name}"), locked(root, LOCK_TIMEOUT):
        library.refresh()
        if (why := stop_before_acceptance(ledger, name)) is not None:
            ledger.record([stopping_again(library.programs[name], why)])
        content = read_bytes(root / file_name)
        document = load_yaml(content, root / file_name)
        kept = {key: value for key, value in document.items() if key not in _MARKS}
        commit(root, {file_name: updated(content, kept)})
    library.refresh()
    return file_name


def _file_to_accept(library: Library, name: str, stopped: Container[str]) -> ProgramFile:
    file = library.programs.get(name.partition("@")[0])
    if file is not None and file.tools is None and file.id in stopped:
        return file
    if file is None or file.tools is None or name not in (file.id, file.ref):
        hint = f"there is {file.ref}" if file is not None else meant(name, library.programs)
        raise DanglingReferenceError(
            f"{name!r} is no program that calls tools", file=library.path, hint=hint
        )
    if not any(step.box.runs for step in file.program.steps):
        raise LibraryError(
            f"{file.ref} was learned from {file.provenance.get('learned_from', 'too few runs')}",
            file=library.path,
            hint="let the agent do the task three times before you accept it",
        )
    return file
