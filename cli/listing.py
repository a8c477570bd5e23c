"""``macla list``: what a library holds."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options, output

if TYPE_CHECKING:
    from ..procedures.common.errors import MaclaError
    from ..procedures.files.heads import Head
    from ..procedures.proof.proof import Share

_GOAL = 60
"""Most characters of a goal in the table."""


@click.command("list", epilog=options.examples("macla list lib", "macla list lib --json"))
@options.library_argument
@options.as_json
@click.pass_context
def command(ctx: click.Context, library: Path, as_json: bool) -> None:
    """List the procedures, meta-procedures and programs of the library DIR with their evidence.

    The rate is the mean of the posterior Beta(1 + successes, 1 + failures), with its 95 %
    credible interval; n is the number of trials, demonstrations included. Shown says in how many
    of the demonstrations in which it acts it does what was shown throughout, as macla check --proof
    or macla learn last saw, where the library is still the same. With --json it also says
    what files, evidence, index and episodes take up. A program that may not act, for somebody said
    that it did wrong, is listed as stopped; macla show says why. A document that cannot be read is
    named, the others are listed, and the exit code is 1.
    """
    from ..procedures.learning.proved import read_proved
    from ..procedures.library.library import Library
    from .evidence import counts_of, footprint_of, posterior_of, stopped_of

    faults: list[MaclaError] = []
    opened_library = Library.open(library, faults.append)
    counts, stopped = counts_of(opened_library), stopped_of(opened_library)
    proved = read_proved(opened_library.path, opened_library.content_hash)
    shares = {} if proved is None else proved.shares
    items = [
        (kind, name, head, posterior_of(kind, name, head.version, counts, head.runs))
        for kind, name, head in opened_library.contents.heads()
    ]
    for fault in faults:
        output.warn(f"left out: {fault}")
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "domain": opened_library.settings.domain,
                "library_hash": opened_library.content_hash,
                "footprint": footprint_of(opened_library),
                "proof": None if proved is None else proved.to_document(),
                "left_out": [str(fault) for fault in faults],
                "items": [
                    {
                        "kind": kind,
                        "id": name,
                        "version": head.version,
                        "status": _status(name, head, stopped),
                        "goal": head.goal,
                        "mean": posterior.mean,
                        "ci95": [posterior.low, posterior.high],
                        "successes": posterior.successes,
                        "failures": posterior.failures,
                        "shown": _share_document(shares.get(name)),
                    }
                    for kind, name, head, posterior in items
                ],
            }
        )
        ctx.exit(1 if faults else 0)
    if not items:
        said = "nothing in it can be read" if faults else "is empty; macla learn fills it"
        output.say(f"{library}: {said}" if faults else f"{library} {said}")
        ctx.exit(1 if faults else 0)
    rows = [
        [
            kind,
            name,
            str(head.version),
            _status(name, head, stopped),
            _shortened(head.purpose),
            f"{posterior.mean:.3f}",
            f"{posterior.low:.3f} to {posterior.high:.3f}",
            f"{posterior.trials:g}",
            f"{share.reproduced}/{share.of}" if (share := shares.get(name)) else "-",
        ]
        for kind, name, head, posterior in items
    ]
    header = ["kind", "id", "version", "status", "goal", "rate", "95 % interval", "n", "shown"]
    output.table(header, rows, numbers=(2, 5, 7, 8))
    ctx.exit(1 if faults else 0)


def _status(name: str, head: Head, stopped: Container[str]) -> str:
    """Return the status in the file; of an active program that may not act, that it is stopped."""
    from ..procedures.programs.documents import DEFAULT_STATUS

    return "stopped" if name in stopped and head.status == DEFAULT_STATUS else head.status


def _shortened(text: str) -> str:
    return text if len(text) <= _GOAL else text[: _GOAL - 1] + "…"


def _share_document(share: Share | None) -> dict[str, int] | None:
    return None if share is None else {"reproduced": share.reproduced, "of": share.of}
