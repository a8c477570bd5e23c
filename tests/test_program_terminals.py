"""What text interfaces need: notations, menus, limits of what was typed, endings, amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from macla.evals.fresh_worlds.eleventh import (
    BoeteBalie,
    CronMove,
    DepositReturn,
    FxClaim,
    LogSqueeze,
    PhoneMenu,
    PutawayBay,
    SeatSwap,
)
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.forms import demonstration
from macla.evals.ladder.world import LadderTask, World
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import program_document, program_from_document
from macla.procedures.programs.learning.proposing import propose_programs
from program_play import replayed

_TESTS = 16


def reproduced(kind: type[World], lesson: Sequence[Trajectory] | None = None) -> int:
    """Return how many test episodes a learned and trusted program does as somebody who knows."""
    lesson = world_cell(kind, "hidden").lesson if lesson is None else lesson
    files = [
        program_from_document(program_document(each.file))
        for each in propose_programs(lesson)
        if each.trusted
    ]
    shown = [demonstration(kind(), LadderTask(seed)) for seed in range(_TESTS)]
    return sum(any(replayed(file, each) == list(each.acts) for file in files) for each in shown)


def test_a_notation_is_learned_from_the_value_that_it_changes() -> None:
    """Most minutes have two figures, so that one alone shows no rule for ``05``."""
    assert reproduced(CronMove) == _TESTS


def test_a_menu_has_a_line_for_what_the_task_does_not_say() -> None:
    """The key for more pages is pressed where no line is said; no rule is for both."""
    assert reproduced(PhoneMenu) == _TESTS


def test_what_was_typed_is_compared_with_a_limit() -> None:
    assert reproduced(FxClaim) == _TESTS


def test_a_file_ends_with_a_part_of_its_name() -> None:
    assert reproduced(LogSqueeze) == _TESTS


def without_glances(shown: Trajectory) -> Trajectory:
    """Return a demonstration without its look at pictures."""
    kept = [n for n, act in enumerate(shown.acts) if not act.startswith("photos")]
    told = (shown.obs[0], *(shown.obs[n + 1] for n in kept))
    return replace(shown, acts=tuple(shown.acts[n] for n in kept), obs=told)


@pytest.mark.parametrize("glances", [False, True])
def test_a_sum_less_a_figure_is_typed_and_a_glance_hides_no_rule(glances: bool) -> None:
    lesson = world_cell(DepositReturn, "hidden").lesson
    lesson = lesson if glances else [without_glances(each) for each in lesson]
    file = max(propose_programs(lesson), key=lambda each: each.trusted).file
    operators = {step.operator for step in file.program.steps}
    assert not any(each.startswith("photos") for each in operators)
    shown = [without_glances(demonstration(DepositReturn(), LadderTask(n))) for n in range(_TESTS)]
    assert file.status == "active"
    assert all(replayed(file, each) == list(each.acts) for each in shown)


def test_an_amount_is_computed_with_a_decimal_comma() -> None:
    assert reproduced(BoeteBalie) == _TESTS


def test_rows_that_differ_in_one_cell_are_compared() -> None:
    """The cabins of two travellers are alike or not, whichever they are."""
    assert reproduced(SeatSwap) == _TESTS


def test_names_of_a_pool_are_values_though_some_recur() -> None:
    """Each thing on a pallet was shown now and then; those of the tests were never."""
    assert reproduced(PutawayBay) == _TESTS
