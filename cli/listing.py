"""``macla list``: what a library holds."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, output

__all__ = ["command"]

_GOAL = 60


@click.command("list", epilog=options.examples("macla list lib", "macla list lib --json"))
@options.library_argument
@options.as_json
def command(library: Path, as_json: bool) -> None:
    """List the procedures and meta-procedures of the library DIR with their evidence.

    The rate is the mean of the posterior Beta(1 + successes, 1 + failures), with its 95 %
    credible interval; n is the number of trials, demonstrations included. With --json it also says
    what files, evidence, index and episodes take up.
    """
    from ..procedures.library import Library
    from .evidence import counts_of, footprint_of, items_of, posterior_of

    found = Library.open(library)
    counts = counts_of(found)
    items = [(kind, item, posterior_of(kind, item, counts)) for kind, item in items_of(found)]
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "domain": found.settings.domain,
                "library_hash": found.content_hash,
                "footprint": footprint_of(found),
                "items": [
                    {
                        "kind": kind,
                        "id": item.id,
                        "version": item.version,
                        "status": item.status,
                        "goal": item.goal,
                        "mean": known.mean,
                        "ci95": [known.low, known.high],
                        "successes": known.successes,
                        "failures": known.failures,
                    }
                    for kind, item, known in items
                ],
            }
        )
        return
    if not items:
        click.echo(f"{library} is empty; macla learn fills it")
        return
    rows = [
        [
            kind,
            item.id,
            str(item.version),
            item.status,
            item.goal if len(item.goal) <= _GOAL else item.goal[: _GOAL - 1] + "…",
            f"{known.mean:.3f}",
            f"{known.low:.3f} to {known.high:.3f}",
            f"{known.trials:g}",
        ]
        for kind, item, known in items
    ]
    header = ["kind", "id", "version", "status", "goal", "rate", "95 % interval", "n"]
    output.table(header, rows, numbers=(2, 5, 7))
