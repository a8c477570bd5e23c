"""Output of the command line: texts, tables, JSON documents, warnings and progress."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import click

from ..procedures.common.invisible_characters import json_visible, visible

_OURS = f"\x1b{secrets.token_hex(8)}\x1b"
"""Mark around the program's own colours, so that no other text can have colours."""


class Bar(Protocol):
    """A progress bar; a silent one without a terminal."""

    def __call__(self, done: int, of: int) -> None:
        """Show the number of finished items."""
        ...

    def stage(self, text: str) -> None:
        """Show the current stage."""
        ...


class _Silent:
    def __call__(self, done: int, of: int) -> None:
        pass

    def stage(self, text: str) -> None:
        pass


class _Shown:
    def __init__(self, progress: Any, task: Any) -> None:
        self._progress = progress
        self._task = task

    def __call__(self, done: int, of: int) -> None:
        self._progress.update(self._task, completed=done, total=of)

    def stage(self, text: str) -> None:
        self._progress.update(self._task, description=visible(text))


@contextmanager
def bar(text: str, *, quiet: bool = False) -> Iterator[Bar]:
    """Show a progress bar on standard error if that is a terminal and the work is not quiet."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Shown(progress, progress.add_task(text, total=None))


def emit_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    click.echo(json_visible(text))


def say(
    text: object = "", *, err: bool = False, nl: bool = True, color: bool | None = None
) -> None:
    """Print a text with invisible characters made visible. All output goes through here."""
    parts = str(text).split(_OURS)
    parts[::2] = map(visible, parts[::2])
    click.echo("".join(parts), err=err, nl=nl, color=color)


def warn(text: str) -> None:
    """Warn on standard error."""
    say(f"macla: warning: {text}", err=True)


def note(text: str) -> None:
    """Print a text on standard error."""
    say(text, err=True)


def styled(text: str, **look: Any) -> str:
    """Return a text with a look of :func:`click.style`; plain in a pipe."""
    before, _, after = click.style("|", **look).partition("|")
    return f"{_OURS}{before}{_OURS}{text}{_OURS}{after}{_OURS}"


def strong(text: str) -> str:
    """Return a text in bold; plain in a pipe."""
    return styled(text, bold=True)


def dim(text: str) -> str:
    """Return a dimmed text; plain in a pipe."""
    return styled(text, dim=True)


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()
) -> None:
    """Print a table in plain text; columns in ``numbers`` are aligned to the right."""
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(header), *cells]) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if i in numbers else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    say(strong(line(header)))
    for row in cells:
        say(line(row))
