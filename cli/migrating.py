"""``macla migrate``: a library of an earlier macla, or of another place, made to work here."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from . import options, output


@click.command("migrate", epilog=options.examples("macla migrate lib", "macla migrate lib --adopt"))
@options.library_argument
@click.option(
    "--adopt",
    is_flag=True,
    help="Instead believe its machine-local files (.macla), which you moved or copied here.",
)
@options.as_json
def command(library: Path, adopt: bool, as_json: bool) -> None:
    """Write the files of the library DIR as this macla writes them, and say what changed.

    Brings format 1 over to format 2. In format 1 plans name the version of what they run, lists of
    kinds stand in an order of preference, and files say where they come from. In either format what
    was learned may list kinds itself, and so may ontology.yaml: these become files in types/. All
    that is read, so nothing that is done changes, and versions stay. Comments stay. What clones
    need of it goes to library.lock, which is written anew. In git the files are left for you to
    commit.

    The machine-local files hold evidence, kept episodes and notes, and are acted upon without
    review, so macla believes only what this machine made. Do not adopt what came from somebody
    else: remove it.
    """
    if adopt:
        _adopt(library, as_json=as_json)
        return
    from ..procedures.library.earlier_formats import migrate
    from ..procedures.library.library import Library
    from ..procedures.model.ontology import FORMAT
    from ..procedures.sharing.exchange import open_evidence, write_lock

    options.require_library(library)
    changed = migrate(library)
    with open_evidence(library) as ledger:
        write_lock(Library.open(library), ledger)
    if as_json:
        files = [dataclasses.asdict(change) for change in changed]
        output.emit_json({"library": str(library), "files": files})
        return
    for change in changed:
        notes = [
            f"{change.runs} places name no version any more" if change.runs else "",
            f"the kinds of {change.kinds} parameters are in order" if change.kinds else "",
            f"the kinds of {change.types} parameters are types" if change.types else "",
            f"{change.lists} lists of kinds are files in types/" if change.lists else "",
            f"{' and '.join(change.notes)} stand in library.lock" if change.notes else "",
            f"format {change.format} is {FORMAT} now" if change.format else "",
        ]
        output.say(f"{change.file}: {'; '.join(filter(None, notes)) or 'laid out anew'}")
    if not changed:
        output.say(f"{library}: is written so already")


def _adopt(library: Path, *, as_json: bool) -> None:
    """Believe the machine-local files of a library."""
    from ..procedures.local.machine_folder import adopt

    new = adopt(library)
    if as_json:
        output.emit_json({"library": str(library), "adopted": new})
        return
    output.say(f"{library}: {'adopted' if new else 'is of this machine already'}")
