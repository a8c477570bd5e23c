"""``macla ask``: what a library does not know, and which demonstration would tell."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from . import options, output


@click.command("ask", epilog=options.examples("macla ask lib", "macla ask lib --json"))
@options.library_argument
@options.as_json
def command(library: Path, as_json: bool) -> None:
    """Say what the programs of the library DIR do not know, what would settle most first.

    Where rules that fit all demonstrations would do different things, a program does nothing and
    hands over. One demonstration of such a case tells which rule is meant. Programs that may not
    act because they were stopped are named first.
    """
    from ..procedures.library.library import Library
    from ..procedures.programs.open_questions import questions
    from .evidence import clearing_of, stopped_of

    opened = Library.open(library)
    files = [file for file in opened.programs.values() if file.status != "retired"]
    open_questions = [question for file in files for question in questions(file)]
    open_questions.sort(key=lambda question: -question.settles)
    reasons = stopped_of(opened)
    stopped = {file.id: reasons[file.id] for file in files if file.id in reasons}
    if as_json:
        output.emit_json({"questions": list(map(asdict, open_questions)), "stopped": stopped})
        return
    if not files:
        output.say("no programs: what was learned here are procedures and plans")
        return
    for name, because in stopped.items():
        output.say(f"{name} is stopped: {because}; {clearing_of(library, name)}")
    if not open_questions and not stopped:
        output.say("nothing: all rules that fit the demonstrations agree")
        return
    for question in open_questions:
        output.say(f"{question.program}, {question.step}: {question.text}")
