"""What few demonstrations do not show is left alone, and not done wrongly."""

from __future__ import annotations

import pytest
from macla.evals.fresh_worlds.tenth import BarrierKeys, GreenhouseClimate
from macla.evals.ladder.cells import world_cell
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, ProgramStep
from macla.procedures.programs.program_conditions import TaskSlot
from macla.procedures.programs.replaying import Replayed


def test_courses_that_are_seldom_each_are_not_left_out_together() -> None:
    proposals = propose_programs(world_cell(GreenhouseClimate, "few").lesson)
    assert not any(each.trusted for each in proposals)


def test_a_slot_that_swallows_more_of_the_task_is_not_trusted() -> None:
    """One of ten tasks says more behind the plate, in the wording of shorter ones."""
    proposals = propose_programs(world_cell(BarrierKeys, "few").lesson)
    assert not any(each.trusted for each in proposals)


@pytest.mark.parametrize(("typed", "cut"), [("AB 12 with 30 people", True), ("CD 34", False)])
def test_a_value_that_is_cut_elsewhere_contradicts(typed: str, cut: bool) -> None:
    step = ProgramStep("plate", "plate {}", (TaskSlot("1"),))
    outcome = Replayed("plate {}", ("AB 12",), Act(step, (typed,)), None, idle=False)
    assert outcome.makes_another is cut
