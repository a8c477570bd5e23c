"""``macla index``: the search index of a library, brought up to date or made anew."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import click

from . import options, output


@click.command("index", epilog=options.examples("macla index lib", "macla index lib --rebuild"))
@options.library_argument
@click.option("--rebuild", is_flag=True, help="Throw the index away first.")
@options.as_json
def command(library: Path, rebuild: bool, as_json: bool) -> None:
    """Make the search index of the library DIR agree with its files.

    The index is a cache: whatever state it is in, nothing is lost. Every other command does this
    by itself.
    """
    from ..adapters.session import LibrarySession
    from ..procedures.library.library import Library

    started = time.perf_counter()
    opened_library = Library.open(library)  # before anything is thrown away
    if rebuild:
        shutil.rmtree(opened_library.path / ".macla" / "chroma", ignore_errors=True)
    with LibrarySession.open(library, read_only=True) as session:
        entries, changed = session.sync_index()
    seconds = time.perf_counter() - started
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "entries": entries,
                "changed": changed,
                "embedding": opened_library.settings.embedding,
                "seconds": round(seconds, 3),
            }
        )
        return
    output.say(
        f"{library}: {entries} entries, {changed} changed, {opened_library.settings.embedding} "
        f"({seconds:.2f} s)"
    )
