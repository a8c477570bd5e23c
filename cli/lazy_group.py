"""Groups of commands that load a command's module when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click

from ..schemas.meant import meant


class LazyGroup(click.Group):
    """A group of commands, some of which stand in modules that are loaded on their first call."""

    elsewhere: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Command → its module in this package, and its name there."""
    moved: ClassVar[Mapping[str, str]] = {}
    """Command of an earlier version → what does the same."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [*super().list_commands(ctx), *self.elsewhere]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, its module loaded; None where there is none."""
        if cmd_name not in self.elsewhere:
            return super().get_command(ctx, cmd_name)
        module, name = self.elsewhere[cmd_name]
        command: click.Command = getattr(importlib.import_module(f".{module}", __package__), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; of an unknown one the error says what does the same, or was meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not error.message.startswith("No such command"):
                raise
            instead = self.moved.get(args[0])
            near = meant(args[0], self.list_commands(ctx))
            advice = f". Instead: {instead}" if instead else f"; {near}" if near else "."
            raise click.UsageError(f"No such command {args[0]!r}{advice}", ctx) from None
