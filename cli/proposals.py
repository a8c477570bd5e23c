"""``macla proposals``: changes that wait for a decision."""

from __future__ import annotations

import click

from . import options
from .proposals_page import html, serve

__all__ = ["command"]


@click.group(
    "proposals",
    epilog=options.examples("macla proposals html lib -o review.html", "macla proposals serve lib"),
)
def command() -> None:
    """Review the changes that learning proposes."""


command.add_command(html)
command.add_command(serve)
