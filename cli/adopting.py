"""``macla adopt``: a person says that a library's machine-local files may be believed."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, output


@click.command("adopt", epilog=options.examples("macla adopt lib"))
@options.library_argument
@options.as_json
def command(library: Path, as_json: bool) -> None:
    """Believe the machine-local files (.macla) of the library DIR, which you moved or copied here.

    They hold evidence, kept episodes and notes, and are acted upon without review, so macla
    believes only what this machine made. Do not adopt what came from somebody else: remove it.
    """
    from ..procedures.local.machine_folder import adopt

    new = adopt(library)
    if as_json:
        output.emit_json({"library": str(library), "adopted": new})
        return
    output.say(f"{library}: {'adopted' if new else 'is of this machine already'}")
