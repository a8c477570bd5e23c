"""``macla undo``: take back the last learning or accepting."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, output
from .validate import require_library


@click.command("undo", epilog=options.examples("macla undo lib --look", "macla undo lib"))
@options.library_argument
@click.option("--look", is_flag=True, help="Only say what would be taken back.")
@options.as_json
def command(library: Path, look: bool, as_json: bool) -> None:
    """Take back the last learning or accepting in the library DIR, and say what changed.

    All files are as they were before, and so are the episodes that it was taught from; in git that
    is a commit. Evidence stays: what was used since gets a new version that does what the old one
    did. Refused where one of the files was changed since. Only what this machine did last, by
    macla learn, accept, proposals accept or revert, is kept; a second macla undo does not go
    further back. Practice plays on from what it played: it may learn the same again.
    """
    from ..adapters.git.stores import commit_changed, require_ready
    from ..procedures.common.errors import LibraryError
    from ..procedures.library.library import Library
    from ..procedures.library.undo import undo, undoing
    from ..procedures.local.machine_folder import LOCAL
    from ..procedures.sharing.exchange import open_evidence, write_lock

    require_library(library)
    opened_library = Library.open(library)
    last = undoing(opened_library.path)
    if last is None:
        raise LibraryError(
            "has nothing to take back: only the last change is kept, and it was taken back, or "
            "nothing was learned or accepted on this machine since the library was made",
            file=library,
            hint="`macla revert` lets one procedure do what an earlier version did, `git revert` "
            "takes a whole commit back; what the first learning made is its folder",
        )
    names = last.documents
    if not look:
        require_ready(opened_library.path)  # of files that were changed since, undo() tells
        with open_evidence(opened_library.path) as ledger:
            undo(opened_library, ledger, last)
            lock = write_lock(opened_library, ledger)
        files = [name for name in last.files if not name.startswith(LOCAL)]
        commit_changed(opened_library.path, [*files, *lock], f"Undo: {last.what}\n")
    if as_json:
        output.emit_json({"what": last.what, "at": last.at, "files": names, "undone": not look})
        return
    output.say(f"{'would take back' if look else 'taken back'}: {last.what} ({last.at})")
    for name in names:
        was = last.files[name]
        now = last.after[name]
        change = "removed" if was is None else "back" if now is None else "as it was"
        output.say(f"  {name}: {change}")
