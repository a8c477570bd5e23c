"""``macla learn`` from logs of tool-calling agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import output
from .learn_lesson import print_removed, tell_skipped
from .lesson_proof import document_of, print_proof, proof_of_lesson

if TYPE_CHECKING:
    from ..procedures.errors import MaclaError
    from .learn_options import LearnOptions

__all__ = ["format_of_files", "learn_logs"]


def format_of_files(files: Sequence[Path], wanted: str) -> str:
    """Return what files hold, as ``--format`` says or as their first documents show.

    Raises:
        click.UsageError: They hold different things.
        TrajectoryError: A file cannot be read, or what it holds is not known.
    """
    from ..adapters.langchain.logs import format_of

    if wanted != "auto":
        return wanted
    found = {format_of(file) for file in files}
    if len(found) > 1:
        raise click.UsageError(f"the files hold {' and '.join(sorted(found))}; learn one at a time")
    return found.pop()


def learn_logs(wanted: LearnOptions) -> int:
    """Learn from files of conversations or of runs exported from LangSmith, and say what came.

    Returns:
        1 where something was left out, which is named; else 0.

    Raises:
        TrajectoryError: No conversation can be read.
        LibraryError: The folder cannot be used.
    """
    from ..adapters.langchain.logs import episodes_from_chat_log, episodes_from_langsmith
    from ..adapters.langchain.store import AgentMemory

    files, redact = wanted.files, not wanted.keep_secrets
    form = format_of_files(files, wanted.form)
    read = episodes_from_langsmith if form == "langsmith" else episodes_from_chat_log
    skipped: list[MaclaError] = []
    with output.bar("reading", quiet=wanted.as_json) as bar:
        episodes = [each for file in files for each in read(file, skip=skipped.append)]
        if not episodes and skipped:
            raise skipped[0]
        bar.stage("learning")
        with AgentMemory.open(wanted.library, redact="default" if redact else None) as memory:
            changed = sorted(set(memory.learn(episodes, skipped.append)))
            known = list(memory.programs.files.values())
            removed = memory.removed
        bar.stage("proving")
        proof = proof_of_lesson(wanted.library)
    acting = sum(each.status != "draft" for each in known)
    document: dict[str, Any] = {
        "library": str(wanted.library),
        "format": form,
        "episodes": len(episodes),
        "successes": sum(each.success for each in episodes),
        "skipped": len(skipped),
        "skipped_because": [str(each) for each in skipped],
        "programs": len(known),
        "acting": acting,
        "redacted": redact,
        "changed": changed,
        "removed": list(removed),
        "proof": document_of(proof),
    }
    code = tell_skipped([str(each) for each in skipped])
    if wanted.as_json:
        output.emit_json(document)
        return code
    click.echo(f"{output.strong(str(wanted.library))} learned from {form}")
    click.echo(f"  episodes    {len(episodes):>6} ({document['successes']} successes)")
    click.echo(f"  skipped     {len(skipped):>6}")
    click.echo(f"  programs    {len(known):>6} ({acting} may act, the others are drafts)")
    print_proof(proof)
    print_removed(removed)
    if not redact:
        output.warn("secrets were kept: look at the files before you share them")
    click.echo(f"\nTry next:\n  macla list {wanted.library}")
    return code
