"""``macla accept``: a person lets learned programs call tools that change something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..procedures.common.invisible_characters import visible
from ..procedures.common.text import counted
from . import options, output

if TYPE_CHECKING:
    from ..procedures.programs.documents import ProgramFile


_MOST_LIMITS = 8
"""Most limits of a call that are shown; its file has all."""


@click.command(
    "accept",
    epilog=options.examples("macla accept lib", "macla accept lib close-the-account-of"),
)
@options.library_argument
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Accept all that wait.")
@options.as_json
def command(library: Path, names: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Let programs of the library DIR call tools that change something, without the model.

    Without an ID, shows the programs that wait for it: their calls, within which limits they were
    shown (outside of these the model is asked), and where each value comes from. ID@VERSION accepts
    only what you looked at. What is accepted stands in the program's file and counts as long as the
    program does just that; commit the file, and it counts in every clone.
    A program that was stopped acts again if you name it. macla undo DIR takes the acceptance back
    until the file changes; macla undo DIR ID does so at any time.
    """
    from ..adapters.session import LibrarySession
    from ..procedures.tooling.acceptance import accept, waiting
    from ..procedures.tooling.stops import stopped_in

    is_accepting = bool(names or everything)
    with LibrarySession.open(library, read_only=not is_accepting) as session:
        accepted_refs: list[str] = []
        if is_accepting:
            accepted_refs = accept(session.library, session.ledger, names)
        waiting_files = waiting(session.library, session.ledger)
        programs = session.library.programs  # of one that is gone nothing is to be cleared
        stopped = {n: why for n, why in stopped_in(session.ledger).items() if n in programs}
    if as_json:
        refs = [file.ref for file in waiting_files]
        output.emit_json(
            {
                "library": str(library),
                "accepted": accepted_refs,
                "waiting": refs,
                "stopped": stopped,
            }
        )
        return
    for ref in accepted_refs:
        output.say(f"accepted: {ref}")
    if names:
        return
    for file in waiting_files:
        output.say("\n".join(_lines_of(file)))
    for name, why in stopped.items():
        output.say(f"{name} - stopped: {why}")
    refs = [*(file.ref for file in waiting_files), *stopped]
    if refs:
        output.say(f"\nTry next:\n  macla accept {library} {refs[0]}")
    elif not accepted_refs:
        output.say(f"{library}: no program waits to be accepted")


def _lines_of(file: ProgramFile) -> Iterator[str]:
    """Yield the lines that show the unaccepted calls of a program."""
    from ..procedures.programs.documents import box_in_words, source_in_words

    document = file.to_document()
    yield f"{file.ref} - {file.goal}"
    if file.has_other_limits():
        yield "  its limits were changed by hand since it was accepted"
    unaccepted_ids = file.unaccepted()
    told: set[str] = set()  # what holds of several calls is said once
    for step in document.get("steps", ()):
        if step["id"] in unaccepted_ids:
            argument_texts = ", ".join(
                f"{path}={text}" for path, text in step.get("with", {}).items()
            )
            yield f"  {step['tool']}({argument_texts})"
            yield from (f"    when {each}" for each in step.get("when", ()))
            box = document.get("boxes", {}).get(step["id"])
            if box is not None:
                limits = [each for each in box_in_words(box) if each not in told]
                told.update(limits)
                above = "" if limits else ", as above"
                yield f"    as it was shown {counted(box['runs'], 'time')}, and no further{above}"
                yield from (f"      {visible(each)}" for each in limits[:_MOST_LIMITS])
                if (rest := len(limits) - _MOST_LIMITS) > 0:
                    yield f"      and {rest} more in {file.id}.yaml, below boxes.{step['id']}"
    for name, source in document.get("parameters", {}).items():
        yield f"  {{{name}}}: {source_in_words(source)}"
