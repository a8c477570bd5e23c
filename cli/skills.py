"""``macla skills``: what was learned as skills for agents without macla, and back."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, output

_FOLDER = click.argument(
    "folder", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False)
)


@click.group(
    "skills",
    epilog=options.examples(
        "macla skills export .agents/skills --library lib",
        "macla skills import .agents/skills --library other",
    ),
)
def command() -> None:
    """Write programs as skills, folders with a SKILL.md (agentskills.io), or read such folders.

    Agents that know skills read them without macla. Each skill keeps the program itself in
    references/macla.yaml, so that nothing is lost on the way.
    """


@command.command(
    "export", epilog=options.examples("macla skills export .agents/skills --library lib")
)
@_FOLDER
@options.folder(default=".", help="Folder of the library (default: this folder).")
@options.as_json
def export(folder: Path, library: Path, as_json: bool) -> None:
    """Write the programs of a library that act as skills below FOLDER, a folder each.

    Drafts, what is stopped, and what has no steps to tell are named and left out.
    """
    from ..adapters.session import LibrarySession
    from ..adapters.skills import export_skills

    with LibrarySession.open(library, read_only=True) as session:
        names, skipped = export_skills(session.library, session.ledger, folder)
    if as_json:
        output.emit_json({"folder": str(folder), "skills": names, "skipped": skipped})
        return
    for name in names:
        output.say(folder / name / "SKILL.md")
    for name, why in skipped.items():
        output.say(f"left out: {name}: {why}", err=True)
    if not names:
        output.say(f"{library}: no program acts, so no skill was written")


@command.command(
    "import", epilog=options.examples("macla skills import .agents/skills --library lib")
)
@_FOLDER
@options.folder(default=".", help="Folder of the library (default: this folder).")
@options.as_json
@click.pass_context
def import_(ctx: click.Context, folder: Path, library: Path, as_json: bool) -> None:
    """Take the programs of skills into a library: of FOLDER itself, or of the folders in it.

    A skill without references/macla.yaml is named and left out; the exit code is 1 then. Calls that
    may change something wait for macla accept, whoever accepted them elsewhere. In a library under
    review each program is a proposal. The library is made if there is none.
    """
    from ..adapters.langchain.store import AgentMemory
    from ..adapters.skills import import_skills, skills_in

    places = skills_in(folder)  # before a library is made for them
    with AgentMemory.open(library) as memory:
        result = import_skills(memory.session.library, memory.session.ledger, places)
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "programs": list(result.programs),
                "proposed": list(result.proposed),
                "same": list(result.same),
                "edited": list(result.edited),
                "skipped": dict(result.skipped),
            }
        )
    else:
        for word, names in (("new", result.programs), ("proposed", result.proposed)):
            for name in names:
                output.say(f"{word}: {name}")
        for name in result.same:
            output.say(f"there already: {name}")
        for name in result.edited:
            output.say(f"{name}: SKILL.md was edited; its program is what counts", err=True)
        for name, why in result.skipped.items():
            output.say(f"left out: {name}: {why}", err=True)
        if result.programs:
            output.say(f"\nTry next:\n  macla accept {library}")
    ctx.exit(1 if result.skipped else 0)
