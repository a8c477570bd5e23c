"""The commands, as docs/commands.md has them.

python scripts/commands_page.py            # print it
python scripts/commands_page.py --write    # put it into docs/commands.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from macla.cli.main import cli

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = """# Commands

The commands, by what one wants to do: for people who look for one. `macla --help` says what each
does, `macla COMMAND --help` its options.

`DIR` is the folder of a library; commands that work on something else take `--library DIR`. All
take `--json`{BUT}. `--world KEY=VALUE`,
`--method` and `--model` set what belongs to a world, the method or a model; `--max-steps 20` is
short for `--world max-steps=20`. In brackets: the parts of a command, or options with which it does
something else.
"""
TAIL = """- **Measure**: `python -m macla.evals.acceptance` plays
  [all that is measured](results.md#everything-that-is-measured),
  `python -m macla.evals.reports FILE...` makes [a page](evaluation.md) of results
"""
AIMS = {
    "Learn": ("demo", "learn", "observe", "practice"),
    "Play": ("eval", "trace"),
    "Look": ("list", "show", "ask", "diff"),
    "Check": ("check",),
    "Decide and take back": ("proposals", "accept", "undo"),
    "Share and move": ("evidence", "git", "skills", "serve", "migrate"),
}
"""What one wants to do → the verbs for it."""


def surface() -> str:
    """Return the page."""
    commands = dict(all_commands())
    without = [n for n, each in commands.items() if "--json" not in options_of(each)]
    but = f" but {' and '.join(f'`{name}`' for name in without)}" if without else ""
    lines = [HEAD.replace("{BUT}", but)]
    context = click.Context(cli, info_name="macla")
    for aim, names in AIMS.items():
        usages = []
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            inner = click.Context(command, info_name=name, parent=context)
            below = command.list_commands(inner) if isinstance(command, click.Group) else []
            pieces = [each.get_usage_pieces(inner) for each in command.params if not below]
            usage = " ".join((f"macla {name}", *(piece for each in pieces for piece in each)))
            parts = below or instead_of(command)
            parts_text = f" ({', '.join(f'`{each}`' for each in parts)})" if parts else ""
            usages.append(f"`{usage}`{parts_text}")
        lines.append(f"- **{aim}**: {', '.join(usages)}")
    return "\n".join(lines) + "\n" + TAIL


def instead_of(command: click.Command) -> list[str]:
    """Return the options with which a command does something else."""
    return [
        each.opts[0]
        for each in command.params
        if isinstance(each, click.Option) and (each.help or "").startswith("Instead")
    ]


def options_of(command: click.Command) -> list[str]:
    """Return the options of a command that `--help` shows, each by its first name."""
    return [
        each.opts[0]
        for each in command.params
        if isinstance(each, click.Option) and not each.hidden
    ]


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name."""
    yield from _commands(cli, click.Context(cli, info_name="macla"))


def _commands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield context.command_path, command
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _commands(inner, click.Context(inner, info_name=name, parent=context))


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(surface(), encoding="utf-8")
    else:
        print(surface(), end="")
