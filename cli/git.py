"""``macla git``: git's own diff and merge, taught the files of a library."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, output


@click.group("git", epilog=options.examples("macla git install lib"))
def command() -> None:
    """Teach git's diff and merge the files of a library."""


@command.command(
    "install", epilog=options.examples("macla git install lib", "macla git install lib --uninstall")
)
@options.library_argument
@click.option("--uninstall", is_flag=True, help="Take both drivers away again.")
@options.as_json
def install(library: Path, uninstall: bool, as_json: bool) -> None:
    """Let `git diff` and `git merge` of the library DIR work by keys and steps.

    Writes the library's .gitattributes (commit it) and this repository's own configuration.
    """
    from ..adapters.git import install as drivers
    from ..procedures.library.library import Library

    Library.open(library)
    changed = drivers.uninstall(library) if uninstall else drivers.install(library)
    if as_json:
        output.emit_json({"changed": changed})
        return
    for change in changed:
        output.say(change)
    if not changed:
        output.say("nothing to change")


@command.command("merge-driver", hidden=True)
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("ours", type=click.Path(path_type=Path))
@click.argument("theirs", type=click.Path(path_type=Path))
@click.argument("name")
@click.pass_context
def merge_driver(ctx: click.Context, base: Path, ours: Path, theirs: Path, name: str) -> None:
    """Merge three versions of a file into OURS, as git calls it; exit code 1 for a conflict."""
    from ..adapters.git.merging import merge_files
    from ..procedures.local.safe_git import Git

    base_bytes, our_bytes, their_bytes = (path.read_bytes() for path in (base, ours, theirs))
    merged, problems = merge_files(
        Git(Path.cwd()), base_bytes, our_bytes, their_bytes, ("ours", "base", "theirs")
    )
    ours.write_bytes(merged)
    for problem in problems:
        output.note(f"macla: {name}: {problem}")
    ctx.exit(1 if problems else 0)
