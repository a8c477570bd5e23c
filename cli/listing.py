"""``macla list``: what a library holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options, output

if TYPE_CHECKING:
    from ..procedures.proof.proof import Share

__all__ = ["command"]

_GOAL = 60


@click.command("list", epilog=options.examples("macla list lib", "macla list lib --json"))
@options.library_argument
@options.as_json
def command(library: Path, as_json: bool) -> None:
    """List the procedures, meta-procedures and programs of the library DIR with their evidence.

    The rate is the mean of the posterior Beta(1 + successes, 1 + failures), with its 95 %
    credible interval; n is the number of trials, demonstrations included. Shown says in how many
    of the demonstrations in which it acts it does what was shown throughout, as macla prove or
    macla learn last saw, where the library is still the same. With --json it also says
    what files, evidence, index and episodes take up.
    """
    from ..procedures.learning.proved import read_proved
    from ..procedures.library import Library
    from .evidence import counts_of, footprint_of, posterior_of

    found = Library.open(library)
    counts = counts_of(found)
    proved = read_proved(found.path, found.content_hash)
    shares = {} if proved is None else proved.shares
    items = [
        (kind, name, head, posterior_of(kind, name, head.version, counts))
        for kind, name, head in found.contents.heads()
    ]
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "domain": found.settings.domain,
                "library_hash": found.content_hash,
                "footprint": footprint_of(found),
                "proof": None if proved is None else proved.to_document(),
                "items": [
                    {
                        "kind": kind,
                        "id": name,
                        "version": head.version,
                        "status": head.status,
                        "goal": head.goal,
                        "mean": known.mean,
                        "ci95": [known.low, known.high],
                        "successes": known.successes,
                        "failures": known.failures,
                        "shown": _share_document(shares.get(name)),
                    }
                    for kind, name, head, known in items
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
            name,
            str(head.version),
            head.status,
            _shortened(head.purpose),
            f"{known.mean:.3f}",
            f"{known.low:.3f} to {known.high:.3f}",
            f"{known.trials:g}",
            f"{share.reproduced}/{share.of}" if (share := shares.get(name)) else "-",
        ]
        for kind, name, head, known in items
    ]
    header = ["kind", "id", "version", "status", "goal", "rate", "95 % interval", "n", "shown"]
    output.table(header, rows, numbers=(2, 5, 7, 8))


def _shortened(text: str) -> str:
    return text if len(text) <= _GOAL else text[: _GOAL - 1] + "…"


def _share_document(share: Share | None) -> dict[str, int] | None:
    return None if share is None else {"reproduced": share.reproduced, "of": share.of}
