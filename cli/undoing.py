"""``macla undo``: take back the last learning or accepting, or the last change of a procedure."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options, output

if TYPE_CHECKING:
    from ..procedures.evidence.ledger import Ledger
    from ..procedures.library.library import Library


@click.command(
    "undo",
    epilog=options.examples(
        "macla undo lib --look",
        "macla undo lib",
        "macla undo lib take-from",
        "macla undo lib take-from --to 1 --why 'too slow'",
    ),
)
@options.library_argument
@click.argument("ref", metavar="[ID]", required=False)
@click.option(
    "--to",
    "version",
    type=click.IntRange(min=1),
    metavar="N",
    help="ID: do what version N did (default: the last one that did something else).",
)
@click.option("--why", default="", metavar="TEXT", help="ID: why; it is recorded.")
@click.option("--look", is_flag=True, help="Only say what would be taken back.")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    library: Path,
    ref: str | None,
    version: int | None,
    why: str,
    look: bool,
    as_json: bool,
) -> None:
    """Take back the last learning or accepting in the library DIR, and say what changed.

    With ID, only this procedure, plan or program does again what an earlier version did. That is a
    new version with the old content; in git it is committed. Of a program that a person accepted,
    first the acceptance is taken back (unless --to names a version): it asks again, and what it
    learned since stays.

    Without ID, all files are as they were before, and so are the episodes that it was taught from;
    in git that is a commit. A program that an acceptance let act again is stopped again. Evidence
    stays: what was used since gets a new version that does what the old one did. Refused where one
    of the files was changed since. Only what this machine did last, by macla learn, accept,
    proposals accept or undo ID, is kept; a second macla undo does not go further back. Practice
    plays on from what it played: it may learn the same again.
    """
    if ref is not None:
        _undo_one(library, ref, version, why, look=look, as_json=as_json)
        return
    options.refuse_given(ctx, "needs an ID", "version", "why")
    from ..adapters.git.stores import commit_changed, require_ready
    from ..procedures.common.errors import LibraryError
    from ..procedures.library.library import Library
    from ..procedures.library.undo import undo, undoing
    from ..procedures.local.machine_folder import LOCAL
    from ..procedures.sharing.exchange import open_evidence, write_lock

    options.require_library(library)
    opened_library = Library.open(library)
    last = undoing(opened_library.path)
    if last is None:
        raise LibraryError(
            "has nothing to take back: only the last change is kept, and it was taken back, or "
            "nothing was learned or accepted on this machine since the library was made",
            file=library,
            hint="`macla undo DIR ID` lets one procedure do what an earlier version did, `git "
            "revert` takes a whole commit back; what the first learning made is its folder",
        )
    names = last.documents
    if not look:
        require_ready(opened_library.path)  # of files that were changed since, undo() tells
        with open_evidence(opened_library.path) as ledger:
            undo(opened_library, ledger, last)
            lock = write_lock(opened_library, ledger)
        files = [name for name in last.files if not name.startswith(LOCAL)]
        if files:
            commit_changed(opened_library.path, [*files, *lock], f"Undo: {last.what}\n")
    stopped = dict(last.cleared)
    if as_json:
        document = {"what": last.what, "at": last.at, "files": names, "stopped": stopped}
        output.emit_json({**document, "undone": not look})
        return
    output.say(f"{'would take back' if look else 'taken back'}: {last.what} ({last.at})")
    for name in names:
        was = last.files[name]
        now = last.after[name]
        change = "removed" if was is None else "back" if now is None else "as it was"
        output.say(f"  {name}: {change}")
    for name, why in stopped.items():
        output.say(f"  {name}: stopped again: {why}")


def _undo_one(
    library: Path, ref: str, version: int | None, why: str, *, look: bool, as_json: bool
) -> None:
    """Let one procedure, plan or program do again what an earlier version did."""
    from ..adapters.git.commit_history import revisions_of
    from ..procedures.library.undo import undoable
    from ..procedures.proposals.version_history import reverting, version_before
    from ..procedures.tooling.acceptance import is_accepted
    from .proposals import opened

    if version is None:
        with opened(library, read_only=look) as (opened_library, ledger, _):
            if is_accepted(opened_library, ledger, ref):
                _take_back(opened_library, ledger, ref, why, look=look, as_json=as_json)
                return
    with (
        nullcontext() if look else undoable(library, f"undoing {ref}"),
        opened(library, read_only=look) as (opened_library, ledger, store),
    ):
        if not look:
            store.settle(opened_library, ledger)
        revisions = revisions_of(opened_library, ref)
        earlier = version or version_before(opened_library, revisions, ref)
        change = reverting(opened_library, revisions, ref, earlier, why)
        if not look:
            change = store.accept(opened_library, ledger, change, "")
    new = change.new[0]["version"]
    if as_json:
        document = {"id": ref, "version": new, "to": earlier, "proposal": change.id}
        output.emit_json({**document, "undone": not look})
        return
    output.say(f"{ref}@{new} {'would do' if look else 'does'} what {ref}@{earlier} did")


def _take_back(
    library: Library, ledger: Ledger, ref: str, why: str, *, look: bool, as_json: bool
) -> None:
    """Take back the acceptance of a program."""
    from ..adapters.git.stores import commit_changed, require_ready
    from ..procedures.sharing.exchange import write_lock
    from ..procedures.tooling.acceptance import take_back

    file = library.programs[ref]
    if not look:
        require_ready(library.path)
        names = [take_back(library, ledger, ref), *write_lock(library, ledger)]
        commit_changed(library.path, names, f"Undo: accepting {file.ref}\n\n{why}".strip() + "\n")
    if as_json:
        output.emit_json(
            {"id": ref, "version": file.version, "accepted": False, "undone": not look}
        )
        return
    done = "would take back" if look else "taken back"
    output.say(f"{done}: accepting {file.ref}; what it learned stays")
