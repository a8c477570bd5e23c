"""Libraries and runs of any size for the benchmark of growth, in words that are no benchmark's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from macla.adapters.session import LibrarySession
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.evidence.ledger import Outcome, OutcomeKind
from macla.procedures.library.library import Library
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.program_of_kind import learn_tool_program
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

__all__ = ["BATCH", "STEPS", "episode_of", "make_library", "noun", "outcomes", "task_of", "word"]

_SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")
_SCATTER = 9_999_991
"""Neighbours get unlike words; it has no divisor in common with the number of syllables."""
BATCH = 5_000
"""Rows of evidence that are written at once."""
_SCRAMBLE = 0x9E3779B97F4A7C15
"""Odd, so that each number becomes another one below 2**64."""
STEPS = 8
"""Actions of a procedure; a decision is an episode by the number of its actions."""
_PEOPLE = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gus", "Hal")


def word(number: int) -> str:
    """Return an invented word of four syllables, another one for each number below 24 millions."""
    base = len(_SYLLABLES)
    number = (number * _SCATTER + _SCATTER) % base**4
    return "".join(_SYLLABLES[number // base**place % base] for place in range(4))


def noun(number: int) -> str:
    """Return another word for each number."""
    return word(number + 10_000_000)


def task_of(number: int, person: str) -> str:
    """Return what a person asks for, in words of its own for each number."""
    return f"Please {word(number)} the {noun(number)} of {person}."


def episode_of(number: int, turn: int) -> ToolEpisode:
    """Return a run: a look-up, then a call with what it told."""
    person = _PEOPLE[turn % len(_PEOPLE)]
    told = json.dumps({"key": f"K{turn}", "state": "open"})
    calls = (
        ToolCall(f"find_{noun(number)}", {"name": person}, told, True, 0),
        ToolCall(f"do_{word(number)}", {"key": f"K{turn}"}, json.dumps({"ok": True}), True, 1),
    )
    return ToolEpisode(task_of(number, person), calls, "Done.", True, f"run-{number}-{turn}")


def _program_text() -> str:
    """Return a learned program as a file, with two words to be replaced in it."""
    first, second = word(1), noun(1)
    file = learn_tool_program([episode_of(1, turn) for turn in range(5)], "program-0")
    assert isinstance(file, ProgramFile)
    text = dump_yaml(file.to_document())
    assert first in text
    assert second in text
    return (
        text.replace(f"id: {file.id}\n", "id: ID\n").replace(first, "VERB").replace(second, "NOUN")
    )


def _procedure(number: int) -> dict[str, Any]:
    verb, thing = word(number), noun(number)
    return {
        "kind": "procedure",
        "id": f"procedure-{number}",
        "version": 1,
        "goal": f"{verb} every side of the {thing}",
        "steps": [
            {"do": f"{verb} {thing} side {n}", "expect": [f"You {verb} the {thing}."]}
            for n in range(STEPS)
        ],
        "postconditions": [f'done("{verb} {thing} side {STEPS - 1}")'],
        "provenance": {"learned_from": "3 demonstrations"},
    }


def _plan(number: int) -> dict[str, Any]:
    return {
        "kind": "meta",
        "id": f"plan-{number}",
        "version": 1,
        "goal": f"{word(number)} the {noun(number)}",
        "plan": [{"run": f"procedure-{number}"}],
        "provenance": {"learned_from": "3 demonstrations"},
    }


def make_library(folder: Path, size: int) -> Path:
    """Write a library of so many procedures, half of them programs."""
    path = folder / f"library-{size}"
    settings = {"capacity": {"procedures": 2 * size, "metas": 2 * size}}
    Library.create(path, domain="growth", embedding="static", settings=settings)
    text = _program_text()
    for number in range(size // 2):
        procedure, plan = dump_yaml(_procedure(number)), dump_yaml(_plan(number))
        (path / "procedures" / f"procedure-{number}.yaml").write_text(procedure)
        (path / "meta" / f"plan-{number}.yaml").write_text(plan)
        mine = text.replace("VERB", word(number)).replace("NOUN", noun(number))
        mine = mine.replace("id: ID\n", f"id: program-{number}\n", 1)
        (path / "programs" / f"program-{number}.yaml").write_text(mine)
    with LibrarySession.open(path) as session:
        for start in range(0, size // 2, BATCH):
            session.ledger.record(
                [
                    _outcome(f"shown-{turn}", number, f"procedure-{number}", won=True)
                    for number in range(start, min(start + BATCH, size // 2))
                    for turn in range(3)
                ]
            )
    return path


def outcomes(start: int, count: int) -> list[Outcome]:
    """Return rows of evidence: ten to a run, of 10,000 procedures, with up to five sums each.

    Ids of runs come in no order, as those of hosts do; one row in five is about a binding.
    """
    return [_row(n) for n in range(start, start + count)]


def _row(number: int) -> Outcome:
    turn, step = divmod(number, 10)
    run = f"{turn * _SCRAMBLE % 2**64:016x}"
    subject = f"procedure-{(turn * 7 + step) % 10_000}"
    binding = f"thing|{noun(turn // 10_000 % 4)}" if step in (3, 7) else ""
    return _outcome(run, step, subject, won=number % 3 > 0, binding=binding)


def _outcome(run: str, step: int, subject: str, *, won: bool, binding: str = "") -> Outcome:
    return Outcome(
        run=run,
        step=step,
        subject_kind="binding" if binding else "procedure",
        subject=subject,
        version=1,
        binding=binding,
        outcome=OutcomeKind.SUCCESS if won else OutcomeKind.POSTCONDITION_FAILED,
        successes=float(won),
        failures=float(not won),
        at="2026-01-01T00:00:00+00:00",
    )
