"""Where demonstrations do what a program leaves out, it is in doubt."""

from __future__ import annotations

from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, History
from macla.procedures.programs.learning.boxing import with_boxes
from macla.procedures.programs.program import Guard, Program, ProgramStep
from macla.procedures.programs.program_conditions import OneOf, ToldField
from macla.procedures.programs.sources import Case, Choice, Rule

CHARGE = ProgramStep(
    "charge",
    "charge {}",
    (Choice("folio", "amount", "newest", (Case((), Rule()),)),),
    guards=(Guard((OneOf(ToldField("folio", "open"), ("one",)),)),),
)
MAIL = ProgramStep("mail", "mail", ())


def doubted(charged: str) -> int:
    """Return how often demonstrations that charge bring the mail of the others into doubt."""
    first = History("settle", Fact(TASK, {}), [Fact("folio", {"open": "some", "amount": "5"})])
    mailed = [("mail", (), ())]
    runs = [*[(first, mailed)] * 3, *[(first, [("charge {}", (charged,), ()), *mailed])] * 2]
    return with_boxes(Program((CHARGE, MAIL)), runs).steps[1].box.doubted


def test_a_call_whose_arguments_no_step_gives_is_not_left_out() -> None:
    assert doubted("12") > 0


def test_a_call_that_a_step_gives_only_came_earlier() -> None:
    assert doubted("5") == 0
