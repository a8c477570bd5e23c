"""A program is replaced only by one that reproduces as many demonstrations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from macla.adapters.teaching import program_files as module
from macla.adapters.teaching.program_files import program_files
from macla.evals.ladder.forms import demonstration
from macla.evals.ladder.world import LadderTask
from macla.evals.ladder.worlds import world_of
from macla.procedures.library.library import Library
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.proposing import draft_program, propose_for_kinds


@pytest.mark.parametrize("worse", [False, True])
def test_a_program_that_reproduces_more_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worse: bool
) -> None:
    world = world_of("book-loan")()
    shown = [demonstration(world, LadderTask(seed, "train")) for seed in range(12)]
    (kind,) = propose_for_kinds(shown)
    full = draft_program(kind, (), "")
    assert full.status == "active"
    short = replace(full, program=replace(full.program, steps=full.program.steps[:1]))
    held, learned = (full, short) if worse else (short, full)
    library = Library.create(tmp_path / "library", domain="d", embedding="static")
    library.write_programs([held])
    monkeypatch.setattr(module, "draft_program", lambda *_: learned)
    found = program_files([kind], [], library)

    def does_the_same(files: tuple[ProgramFile, ...], file: ProgramFile) -> bool:
        return len(files) == 1 and files[0].does_the_same(file)

    assert does_the_same(found.staying, full) == worse
    assert does_the_same(found.files, full) != worse
    assert len(found.files) + len(found.staying) == 1
