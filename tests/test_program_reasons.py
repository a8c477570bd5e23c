"""A step that is done for several reasons was shown for each of them, or it was not shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from macla.procedures.common.errors import SchemaError
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import EARLIER, TASK, Done, History
from macla.procedures.programs.call_forms import Form
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.boxing import with_boxes
from macla.procedures.programs.program import Guard, Program, ProgramStep
from macla.procedures.programs.program_conditions import OneOf, ToldField
from macla.procedures.tooling.program_run import Call, HandOver, ToolProgram
from macla.procedures.tooling.tool_episodes import ToolCall

LOOK, ASK = Form("look", ()), Form("ask", ())


def reason(name: str) -> Guard:
    return Guard((OneOf(ToldField("look", name), ("yes",)),))


PROGRAM = Program(
    (
        ProgramStep("look", LOOK.operator, (), form=LOOK),
        ProgramStep("ask", ASK.operator, (), (reason("late"), reason("dear")), form=ASK),
    )
)


def demonstrated(late: int, dear: int) -> Program:
    """Return a program with so many demonstrations for either reason."""
    runs = []
    for fields in [("yes", "no")] * late + [("no", "yes")] * dear + [("no", "no")] * 3:
        first = History("settle it", Fact(TASK, {}), [Fact(EARLIER, {"lines": ""})])
        told = Fact("look", dict(zip(("late", "dear"), fields, strict=True)))
        keys = Fact("keys of look", {"keys": "dear, late"})
        asked = [(ASK.operator, (), ())] if "yes" in fields else []
        runs.append((first, [(LOOK.operator, (), (told, keys)), *asked]))
    return with_boxes(PROGRAM, runs)


@pytest.mark.parametrize(("late", "dear", "known"), [(5, 3, True), (5, 1, False), (5, 2, False)])
def test_each_reason_is_shown_often_enough(late: int, dear: int, known: bool) -> None:
    program = demonstrated(late, dear)
    assert program.steps[1].box.reasons == (late, dear)
    steps = tuple(
        replace(step, box=replace(step.box, results=frozenset({"object"})))
        for step in program.steps
    )
    file = ProgramFile("settle-it", replace(program, steps=steps), (), ())
    document = load_yaml(dump_yaml(file.to_document()).encode())
    run = ToolProgram(ProgramFile.from_document(document))
    for told, may in (
        ('{"late": "yes", "dear": "no"}', True),
        ('{"late": "no", "dear": "yes"}', known),
    ):
        history = run.reading.begin("settle it")
        run.take(history, ToolCall("look", {}, told))
        decision = run.next(history, {"look": False, "ask": True})
        assert isinstance(decision, Call if may else HandOver), decision


def test_a_list_that_is_struck_out_takes_its_number_along() -> None:
    document = ProgramFile("settle-it", demonstrated(5, 3), (), ()).to_document()
    document["steps"][1]["when"] = document["steps"][1]["when"][:1]
    with pytest.raises(SchemaError, match="counts 2 lists of conditions, and 'when' has 1"):
        ProgramFile.from_document(document)
    document["boxes"]["ask"]["reasons"] = [5]
    assert ProgramFile.from_document(document).program.steps[1].box.reasons == (5,)


def charged(rival: tuple[str, ...], opened: str) -> Program:
    """Return a program that charges open folios; one demonstration does nothing about a folio.

    Args:
        rival: Notes that this one's look-up tells together; others tell one of them each.
        opened: Whether its folio is open.
    """
    runs = []
    for notes, state in [(("late",), "yes")] * 3 + [(("dear",), "yes")] * 3 + [(rival, opened)]:
        first = History("settle it", Fact(TASK, {}), [Fact("look", {"late": state, "dear": "no"})])
        first.add(Done(None, "read", ()), [Fact(note, {}) for note in notes])
        runs.append((first, [(ASK.operator, (), ())] if rival != notes else []))
    return with_boxes(Program(PROGRAM.steps[1:]), runs)


@pytest.mark.parametrize(("opened", "known"), [("no", True), ("yes", False)])
def test_what_an_end_told_says_nothing_where_the_guard_fails(opened: str, known: bool) -> None:
    """By the end of another run more was told; only where the step was due that may be why not."""
    notes = ("dear", "late")
    (step,) = charged(notes, opened).steps
    first = History("settle it", Fact(TASK, {}), [Fact("look", {"late": "yes", "dear": "no"})])
    first.add(Done(None, "read", ()), [Fact(note, {}) for note in notes])
    assert (step.box.strange(first) is None) == known
