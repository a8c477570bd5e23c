"""The whole surface of the command line, as docs/commands.md has it.

python scripts/commands_page.py            # print it
python scripts/commands_page.py --write    # put it into docs/commands.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from macla.cli.keyed import KeyedOption
from macla.cli.main import cli

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = """# Commands

Every command and all of its options, for people who look one up. `macla COMMAND --help` says more.
`python scripts/commands_page.py --write` makes this page.

Keys of `--world`, `--method` and `--model` are special to a world, the method or a model:
`--world max-steps=20`; `--max-steps 20` is short for it. `DIR` is the folder of a library. Commands
that work on something else take `--library DIR`. All take `--json`{BUT}.

`macla proposals accept` takes a change into the library; `macla accept` lets a program call tools
that change something.
"""


def surface() -> str:
    """Return the page."""
    commands = dict(_commands(cli, click.Context(cli, info_name="macla")))
    without = [
        n for n, each in commands.items() if not any("--json" in p.opts for p in each.params)
    ]
    but = f" but {' and '.join(f'`{name}`' for name in without)}" if without else ""
    lines = [HEAD.replace("{BUT}", but)]
    for name, command in commands.items():
        context = click.Context(command, info_name=name)
        taken = " ".join(
            piece
            for each in command.params
            if isinstance(each, click.Argument)
            for piece in each.get_usage_pieces(context)
        )
        lines.append(f"## `{' '.join(filter(None, (name, taken)))}`\n")
        told = re.sub(": .*", ".", (command.get_short_help_str(300) or "").strip())
        if not re.search(r" (its|there) ", told):  # words that refer to the library
            told = told.replace(" of the library DIR", "")
        lines.append(f"{told}\n")
        options = [
            " / ".join((*each.opts, *each.secondary_opts))
            for each in command.params
            if isinstance(each, click.Option) and not each.hidden and "--json" not in each.opts
        ]
        if options:
            lines.append(f"{', '.join(f'`{each}`' for each in options)}\n")
        keyed = (each for each in command.params if isinstance(each, KeyedOption))
        lines += [f"`{e.opts[0]}`: {', '.join(f'`{key}`' for key in e.keys)}\n" for e in keyed]
    return "\n".join(lines)


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
