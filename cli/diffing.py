"""``macla diff``: what changed, in words."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..procedures.diff import LibraryDiff, Line

_NOTHING = ("/dev/null", "nul", "NUL")
_STYLES: dict[str, dict[str, Any]] = {
    "heading": {"bold": True},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
    "changed": {"fg": "yellow"},
    "moved": {"fg": "cyan"},
    "note": {"fg": "magenta"},
}


@click.command(
    "diff",
    epilog=options.examples(
        "macla diff old-lib new-lib",
        "macla diff HEAD --library lib           since the last commit",
        "macla diff main lib --library lib       a branch against the files",
        "macla diff take-from@1 take-from@2 --library lib",
        "macla diff HEAD~3:lib/procedures/take-from.yaml lib/procedures/take-from.yaml",
    ),
)
@click.argument("sides", nargs=-1, metavar="A [B]")
@options.folder(
    default=".", help="The library that versions and revisions are of (default: this folder)."
)
@options.as_json
@click.option("--exit-code", is_flag=True, help="End with code 1 if A and B differ.")
@click.option(
    "--git-driver",
    is_flag=True,
    help="Be git's external diff: take its arguments (path, old file, ...).",
)
@click.pass_context
def command(
    ctx: click.Context,
    sides: tuple[str, ...],
    library: Path,
    as_json: bool,
    exit_code: bool,
    git_driver: bool,
) -> None:
    """Say what changed from A to B: goals, parameters, conditions, steps, plans.

    A and B are files, library folders, ID@VERSION (on disk or in git's history), a git
    revision (the library as it was then), or REVISION:PATH. Without B, A is compared with
    the library as it is now.

    Exit code 0; 1 with --exit-code if there are differences; 2: something cannot be read.
    """
    if git_driver:
        _drive(sides)
        return
    if not 1 <= len(sides) <= 2:
        raise click.UsageError("give A and B, or A alone", ctx)
    first, second = sides if len(sides) == 2 else (sides[0], str(library))
    from ..procedures.diff import library_lines

    difference = _compared(first, second, _library(library, first, second))
    if as_json:
        output.emit_json({"from": first, "to": second, **difference.to_document()})
    elif difference:
        emit_lines(library_lines(difference))
    else:
        output.note("no difference in what the files say")
    ctx.exit(1 if exit_code and difference else 0)


def _library(library: Path, *sides: str) -> Path:
    """Return the library of the revisions: the given one, else the side that is a library."""
    for folder in (library, *map(Path, sides)):
        if (folder / "library.yaml").is_file():
            return folder
    return library


def _compared(first: str, second: str, library: Path) -> LibraryDiff:
    from ..procedures.diff import LibraryDiff, diff_documents, diff_libraries
    from ..procedures.files.contents import Contents
    from .diff_operands import resolve

    old, new = resolve(first, library), resolve(second, library)
    if isinstance(old.value, Contents) and isinstance(new.value, Contents):
        return diff_libraries(old.value, new.value)
    if isinstance(old.value, Contents) or isinstance(new.value, Contents):
        contents, document = (old, new) if isinstance(old.value, Contents) else (new, old)
        raise click.UsageError(
            f"{contents.name!r} is a library and {document.name!r} a document; give two of one kind"
        )
    difference = diff_documents(old.value, new.value)
    return LibraryDiff((difference,)) if difference else LibraryDiff((), 1)


def compared_lines(base: str, library: Path) -> list[Line]:
    """Return the lines that describe the changes of a library since a revision."""
    from ..procedures.diff import library_lines

    return list(library_lines(_compared(base, str(library), library)))


def emit_lines(lines: Iterable[Line]) -> None:
    """Print a diff in words, in colour where a person looks."""
    colour = _coloured()
    for line in lines:
        output.say(output.styled(str(line), **_STYLES[line.style]), color=colour)


def _coloured() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    # Git shows a driver's output in a pager that understands colours.
    return sys.stdout.isatty() or os.environ.get("GIT_PAGER_IN_USE") in ("1", "true")


def _drive(git_arguments: tuple[str, ...]) -> None:
    """Print a diff as git's external driver. Git takes any exit code but 0 for a crash."""
    if len(git_arguments) == 1:
        output.say(f"* unmerged: {git_arguments[0]}")
        return
    if len(git_arguments) < 7:
        raise click.UsageError(
            "--git-driver takes git's arguments: path old-file old-hex old-mode new-file new-hex "
            "new-mode"
        )
    path, old_file, _, old_mode, new_file, _, new_mode = git_arguments[:7]
    new_path = git_arguments[7] if len(git_arguments) > 7 else path
    output.say(output.styled(f"macla diff {path}", bold=True), color=_coloured())
    if new_path != path:
        output.say(f"renamed to {new_path}")
    if old_mode != new_mode and "." not in (old_mode, new_mode):
        output.say(f"mode {old_mode} → {new_mode}")
    old, new = _content(old_file), _content(new_file)
    try:
        _semantic(old, new, path)
    except Exception as error:
        _textual(old, new, path, new_path, str(error))


def _content(name: str) -> bytes | None:
    """Return a side's content, or None for no file."""
    if name in _NOTHING:
        return None
    path = Path(name)
    if path.is_symlink():
        return os.fsencode(os.readlink(path))
    return path.read_bytes()


def _semantic(old: bytes | None, new: bytes | None, path: str) -> None:
    from ..procedures.common.errors import SchemaError
    from ..procedures.diff import diff_documents, document_lines
    from ..procedures.documents.yaml_io import MAX_BYTES
    from ..procedures.files.parsing import parse

    if max(len(old or b""), len(new or b"")) > MAX_BYTES:
        raise SchemaError(f"is larger than {MAX_BYTES} bytes")
    before = None if old is None else parse(old, None, Path(path))
    after = None if new is None else parse(new, None, Path(path))
    difference = diff_documents(before, after)
    if difference:
        emit_lines(document_lines(difference))
    else:
        output.say("  comments or layout changed, nothing that is acted upon")


def _textual(old: bytes | None, new: bytes | None, path: str, new_path: str, why: str) -> None:
    """Print a plain diff of lines."""
    import difflib

    if b"\0" in (old or b"") or b"\0" in (new or b""):
        output.say("  binary files differ")
        return
    output.say(f"  a diff of lines, because it is no library file that can be read: {why}")
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (old, new))
    before_name = f"a/{path}" if old is not None else "/dev/null"
    after_name = f"b/{new_path}" if new is not None else "/dev/null"
    colour = _coloured()
    for line in difflib.unified_diff(before, after, before_name, after_name, lineterm=""):
        fg = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        output.say(output.styled(line, fg=fg), color=colour)
