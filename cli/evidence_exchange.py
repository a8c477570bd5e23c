"""``macla evidence``: outcomes carried from one machine to another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options, output

if TYPE_CHECKING:
    from ..procedures.ledger import Ledger

__all__ = ["command"]

_LIBRARY = "Folder of the library whose evidence it is (default: this folder)."


@click.group(
    "evidence",
    epilog=options.examples(
        "macla evidence export mine.jsonl --library lib",
        "macla evidence import theirs.jsonl --library lib",
        "macla evidence merge lib ../other/lib",
    ),
)
def command() -> None:
    """Carry evidence from machine to machine: export, import, merge.

    One row is one outcome under a unique key, so rows may be added in any order and any
    number of times: the sums are the same. A row that says something else than one with the
    same key is refused, with its line.
    """


@command.command(
    "export", epilog=options.examples("macla evidence export mine.jsonl --library lib")
)
@click.argument("file", metavar="FILE.jsonl", type=click.Path(path_type=Path, dir_okay=False))
@options.folder(default=".", help=_LIBRARY)
@options.as_json
def export(file: Path, library: Path, as_json: bool) -> None:
    """Write all evidence of a library to FILE.jsonl, one outcome a line.

    The file appears complete or not at all.
    """
    with _of_library(library, read_only=True) as ledger:
        rows = ledger.export_jsonl(file)
    if as_json:
        output.emit_json({"library": str(library), "file": str(file), "rows": rows})
    else:
        click.echo(f"{file}: {_rows(rows)}")


@command.command(
    "import",
    epilog=options.examples("macla evidence import theirs.jsonl others.jsonl --library lib"),
)
@click.argument(
    "files",
    metavar="FILE.jsonl...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
)
@options.folder(default=".", help=_LIBRARY)
@options.as_json
def import_(files: tuple[Path, ...], library: Path, as_json: bool) -> None:
    """Add the evidence of exported files to a library.

    A file is added whole or not at all: a broken line is named and nothing of its file is
    kept. Rows that are there already change nothing.
    """
    added: dict[str, int] = {}
    with _of_library(library) as ledger:
        for file in files:
            added[str(file)] = ledger.import_jsonl(file)
            if not as_json:
                click.echo(f"{file}: {_rows(added[str(file)])} new")
        total = ledger.total()
    if as_json:
        output.emit_json({"library": str(library), "new": added, "rows": total})


@command.command(
    "merge",
    epilog=options.examples(
        "macla evidence merge lib ../other/lib",
        "macla evidence merge postgresql://user@host/evidence lib",
    ),
)
@click.argument("into", metavar="A")
@click.argument("source", metavar="B")
@options.as_json
def merge(into: str, source: str, as_json: bool) -> None:
    """Add the evidence of B to A.

    A and B are library folders, ledgers (evidence.db) or PostgreSQL URLs; B may also be an
    exported file (.jsonl).
    """
    with _opened(into) as target:
        if source.endswith(".jsonl"):
            new = target.import_jsonl(source)
        else:
            with _opened(source, read_only=True) as other:
                new = target.merge((source, outcome) for outcome in other.rows())
        total = target.total()
    if as_json:
        output.emit_json({"into": into, "from": source, "new": new, "rows": total})
    else:
        click.echo(f"{into}: {_rows(new)} new, {total} in all")


def _rows(number: int) -> str:
    return f"{number} {'row' if number == 1 else 'rows'}"


@contextmanager
def _of_library(library: Path, *, read_only: bool = False) -> Iterator[Ledger]:
    from ..procedures.errors import LibraryError
    from ..procedures.ledger import Ledger
    from ..procedures.local.state import local_path

    if not (library / "library.yaml").is_file():
        raise LibraryError(
            "is no library: it has no library.yaml", file=library, hint="name it with --library DIR"
        )
    place = local_path(library, "evidence.db")
    if read_only and not place.exists():
        with Ledger.memory() as ledger:
            yield ledger
        return
    with Ledger.open(place, read_only=read_only) as ledger:
        yield ledger


@contextmanager
def _opened(name: str, *, read_only: bool = False) -> Iterator[Ledger]:
    from ..procedures.errors import LedgerError
    from ..procedures.ledger import Ledger

    path = Path(name)
    if path.is_dir():
        with _of_library(path, read_only=read_only) as ledger:
            yield ledger
        return
    if "://" not in name and not path.is_file():
        raise LedgerError(
            f"there is no {name[:200]!r}; name a library folder, an evidence.db or a URL"
        )
    with Ledger.open(name, read_only=read_only) as ledger:
        yield ledger
