"""``macla serve``: a library as a server of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from . import options


@click.command("serve", epilog=options.examples("macla serve lib"))
@options.library_argument
@click.option(
    "--shown",
    type=click.IntRange(1, 10),
    default=3,
    show_default=True,
    metavar="N",
    help="How many procedures are recalled at most.",
)
def command(library: Path, shown: int) -> None:
    """Serve the library DIR to agents over the Model Context Protocol (stdin and stdout).

    Agents have three tools: recall tells how a task was done before, record learns from what they
    did, feedback takes what people say of it. Nothing is done for them. The library is made if
    there is none. Needs the extra mcp. In the configuration of a client:
    {"command": "macla", "args": ["serve", "DIR"]}.
    """
    from ..adapters.langchain.store import AgentMemory
    from ..adapters.mcp_server import create_server

    with AgentMemory.open(library, partly=True) as memory:
        create_server(memory, shown=shown).run("stdio")
