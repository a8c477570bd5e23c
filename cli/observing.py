"""``macla observe``: learn from logs of tool-calling agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .learn_lesson import print_removed, tell_skipped
from .proofs import document_of, print_proof, proof_of_lesson

if TYPE_CHECKING:
    from ..procedures.common.errors import MaclaError


def format_of_files(files: Sequence[Path], form: str) -> str:
    """Return the format of files, as ``--format`` says or as their first documents show.

    Raises:
        click.UsageError: The files have different formats.
        TrajectoryError: A file cannot be read, or has no known format.
    """
    from ..adapters.langchain.logs import format_of

    if form != "auto":
        return form
    formats = {format_of(file) for file in files}
    if len(formats) > 1:
        raise click.UsageError(
            f"the files hold {' and '.join(sorted(formats))}; learn one at a time"
        )
    return formats.pop()


@click.command(
    "observe",
    epilog=options.examples(
        "macla observe chats.jsonl more.json --library agent",
        "macla observe runs.json --format langsmith --library agent",
    ),
)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@options.library
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", "messages", "langsmith"]),
    default="auto",
    show_default=True,
    help="What files hold.",
)
@click.option("--keep-secrets", is_flag=True, help="Do not redact.")
@options.as_json
def command(
    files: tuple[Path, ...], library: Path, form: str, keep_secrets: bool, as_json: bool
) -> int:
    """Learn programs from logs of agents that call tools.

    A FILE holds conversations (messages of LangChain or OpenAI, one a line or a JSON list) or runs
    exported from LangSmith. Keys, passwords and e-mail addresses are taken out; a conversation that
    cannot be read, and a program that does not fit, is named and skipped: the rest is learned, and
    the exit code is 1.
    """
    from ..procedures.library.undo import undoable

    with undoable(library, f"learning from {files[0]}"):
        return _observe([file.expanduser() for file in files], library, form, keep_secrets, as_json)


def _observe(
    files: Sequence[Path], library: Path, form: str, keep_secrets: bool, as_json: bool
) -> int:
    from ..adapters.langchain.logs import episodes_from
    from ..adapters.langchain.store import AgentMemory

    redact = not keep_secrets
    form = format_of_files(files, form)
    if form == "episodes":
        raise click.UsageError(f"{files[0]} holds episodes: macla learn learns from it")
    skipped: list[MaclaError] = []
    with output.bar("reading", quiet=as_json) as bar:
        episodes = [each for file in files for each in episodes_from(file, form, skipped.append)]
        if not episodes and skipped:
            raise skipped[0]
        bar.stage("learning")
        with AgentMemory.open(library, redact="default" if redact else None) as memory:
            changed = sorted(set(memory.learn(episodes, skipped.append)))
            programs = list(memory.programs.files.values())
            removed = memory.removed
        bar.stage("proving")
        proof = proof_of_lesson(library)
    acting = sum(each.status != "draft" for each in programs)
    document: dict[str, Any] = {
        "library": str(library),
        "format": form,
        "episodes": len(episodes),
        "successes": sum(each.success for each in episodes),
        "skipped": len(skipped),
        "skipped_because": [str(each) for each in skipped],
        "programs": len(programs),
        "acting": acting,
        "redacted": redact,
        "changed": changed,
        "removed": list(removed),
        "proof": document_of(proof),
    }
    code = tell_skipped([str(each) for each in skipped])
    if as_json:
        output.emit_json(document)
        return code
    output.say(f"{output.strong(str(library))} learned from {form}")
    output.say(f"  episodes    {len(episodes):>6} ({document['successes']} successes)")
    output.say(f"  skipped     {len(skipped):>6}")
    output.say(f"  programs    {len(programs):>6} ({acting} may act, the others are drafts)")
    print_proof(proof)
    print_removed(removed)
    if not redact:
        output.warn("secrets were kept: look at the files before you share them")
    output.say(f"\nTry next:\n  macla list {library}")
    return code
