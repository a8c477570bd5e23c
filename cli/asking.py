"""``macla ask``: what a library does not know, and which demonstration would tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..procedures.common.invisible_characters import visible
from ..procedures.common.text import counted
from . import options, output

if TYPE_CHECKING:
    from ..procedures.tooling.contradictions import Contradiction


@click.command("ask", epilog=options.examples("macla ask lib", "macla ask lib --json"))
@options.library_argument
@options.as_json
def command(library: Path, as_json: bool) -> None:
    """Say what the programs of the library DIR do not know, what would settle most first.

    Where rules that fit all demonstrations would do different things, a program does nothing and
    hands over. One demonstration of such a case tells which rule is meant. Programs that may not
    act because they were stopped are named first, then the demonstrations that did something else
    in the same case, for which a program leaves a step to the model. macla.feedback(RUN, ok=False)
    withdraws one that is out of date.
    """
    from ..procedures.library.library import Library
    from ..procedures.programs.open_questions import questions
    from ..procedures.tooling.buffer import EpisodeBuffer
    from ..procedures.tooling.contradictions import contradictions_of
    from ..procedures.tooling.program_run import ToolProgram
    from ..procedures.tooling.tool_learner import BUFFER
    from .evidence import clearing_of, stopped_of

    opened = Library.open(library)
    files = [file for file in opened.programs.values() if file.status != "retired"]
    open_questions = [question for file in files for question in questions(file)]
    open_questions.sort(key=lambda question: -question.settles)
    reasons = stopped_of(opened)
    stopped = {file.id: reasons[file.id] for file in files if file.id in reasons}
    runs, _ = EpisodeBuffer(opened.path, BUFFER).news()
    programs = [ToolProgram(file) for file in files if file.tools is not None]
    contradictions = [each for program in programs for each in contradictions_of(program, runs)]
    contradictions.sort(key=lambda each: (each.program, each.step))
    if as_json:
        output.emit_json(
            {
                "questions": list(map(asdict, open_questions)),
                "stopped": stopped,
                "contradictions": list(map(asdict, contradictions)),
            }
        )
        return
    if not files:
        output.say("no programs: what was learned here are procedures and plans")
        return
    for name, because in stopped.items():
        output.say(f"{name} is stopped: {because}; {clearing_of(library, name)}")
    for line in _lines_of(contradictions):
        output.say(line)
    if not open_questions and not stopped and not contradictions:
        output.say("nothing: all rules that fit the demonstrations agree")
        return
    for question in open_questions:
        output.say(f"{question.program}, {question.step}: {question.text}")


def _lines_of(contradictions: Sequence[Contradiction]) -> Iterator[str]:
    """Yield the lines that name demonstrations, step by step."""
    steps = groupby(contradictions, key=lambda each: (each.program, each.step))
    for (program, step), demonstrations in steps:
        lines = [f"  {each.run} {' '.join(each.task.split())}" for each in demonstrations]
        yield (
            f"{program}, {step}: {counted(len(lines), 'demonstration')} did something else here, "
            "so the model decides; macla.feedback(RUN, ok=False) withdraws what is out of date:"
        )
        yield from map(visible, lines)
