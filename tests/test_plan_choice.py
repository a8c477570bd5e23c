"""Which plans are used: what proof says of their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from macla.adapters.teaching import choosing
from macla.adapters.teaching.choosing import By, Endings, choose, endings, ends_well
from macla.adapters.teaching.teaching import plans_alone, teach
from macla.evals.foreign_worlds import House, HouseAnyStart, demonstrations
from macla.evals.fresh_worlds.thirteenth import FerryTransfer
from macla.evals.ladder.cells import world_cell
from macla.procedures.library.library import Library
from macla.procedures.programs.learning.program_kinds import TaskKind
from macla.procedures.programs.learning.proposing import propose_for_kinds
from macla.procedures.proof.predictions import PredictedStep, Prediction, Shown
from macla.procedures.proof.proof import EpisodeProof


@pytest.mark.parametrize(
    ("counts", "used"),
    [
        (Endings(right=3, wrong=1, early=1), True),
        (Endings(right=2, wrong=2, early=1), False),
        (Endings(right=0, wrong=0, early=0), False),
    ],
)
def test_plans_that_end_nothing_rightly_are_not_used(counts: Endings, used: bool) -> None:
    assert ends_well(counts) is used


def _episode(*steps: tuple[str, str]) -> EpisodeProof:
    """Return an episode of what was shown and what would have been done; the last step is final."""
    last = len(steps) - 1
    return EpisodeProof(
        0,
        "task",
        tuple(
            PredictedStep(
                Shown(shown, shown, shown, final=at == last), Prediction(would, would, would)
            )
            for at, (shown, would) in enumerate(steps)
        ),
    )


@pytest.mark.parametrize(
    ("steps", "counts"),
    [
        ([("look", "look"), ("send", "send"), ("stop", "stop")], Endings(1, 0, 0)),
        # A detour that is left out is no fault: others did without.
        (
            [("look", "look"), ("send", "send"), ("rest", "stop"), ("stop", "stop")],
            Endings(1, 0, 0),
        ),
        # What all did is left out, so that the right end, shown later, would have come too early.
        ([("look", "look"), ("send", "stop"), ("stop", "stop")], Endings(0, 0, 1)),
        ([("look", "look"), ("send", "send"), ("stop", "leave")], Endings(0, 1, 0)),
        ([("look", "look"), ("send", "send"), ("stop", "look")], Endings(0, 0, 0)),
    ],
)
def test_ends_are_right_wrong_or_too_early(
    steps: Sequence[tuple[str, str]], counts: Endings
) -> None:
    others = [_episode(("look", "look"), ("send", "send"), (end, end)) for end in ("stop", "leave")]
    given = endings([_episode(*steps), *others])
    assert given == Endings(counts.right + 2, counts.wrong, counts.early)


@pytest.mark.parametrize(("acts", "right"), [(("look", "climb"), 0), (("look",), 3)])
def test_plans_that_leave_out_what_all_do_end_none_rightly(acts: Sequence[str], right: int) -> None:
    """The loop says nothing of what no procedure does, which counts neither way in a proof."""
    episode = _episode(*((act, act) for act in acts), ("stop", "stop"))
    steps = [
        replace(each, prediction=Prediction(None, abstains=True))
        if each.shown.text == "climb"
        else each
        for each in episode.steps
    ]
    assert endings([replace(episode, steps=tuple(steps))] * 3).right == right


def test_values_that_differ_are_one_deed() -> None:
    """Cells that are filled with other numbers each time are what most do before they save."""
    cells = [("B3 = 34", "C5 = 8"), ("E2 = 12", "B4 = 9"), ("D1 = 77", "F6 = 30")]
    episodes = [
        _episode(("open", "open"), (one, "save"), (other, "save"), ("save", "save"))
        for one, other in cells
    ]
    assert endings(episodes) == Endings(0, 0, 3)


def test_a_program_that_plans_surpass_is_a_draft() -> None:
    """The way through the house differs, so that a program of few steps reproduces few of them."""
    shown = demonstrations(HouseAnyStart, 10)
    kinds = propose_for_kinds(shown)
    assert [kind.trusted for kind in kinds] == [True]
    choice = choose(kinds, shown, plans_alone())
    (kind,) = choice.kinds
    assert kind.proposal is not None
    assert not kind.trusted
    assert kind.proposal.file.provenance["reason"].startswith("plans reproduce more")
    assert list(choice.planned) == list(shown)
    assert not choice.doubtful


@pytest.mark.parametrize(("present", "plans"), [(By.NEITHER, False), (By.PLANS, True)])
def test_what_a_library_has_gives_way_only_to_what_is_credibly_better(
    present: By, plans: bool
) -> None:
    """Both do the tasks well; a program alone would be taken without trying plans."""
    shown = demonstrations(House, 30)
    kinds = propose_for_kinds(shown)
    assert [kind.trusted for kind in kinds] == [True]
    choice = choose(kinds, shown, plans_alone(), lambda _: present)
    assert [not kind.trusted for kind in choice.kinds] == [plans]
    assert bool(choice.planned) == plans


@pytest.mark.parametrize(
    ("first", "number", "used"), [("look", 20, True), ("wait", 20, False), ("wait", 6, True)]
)
def test_plans_that_reproduce_nothing_of_many_are_not_used(
    first: str, number: int, used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All demonstrations end as plans would end them; what comes before differs."""
    kind = TaskKind(tuple(demonstrations(HouseAnyStart, number)), None)
    episode = _episode(("look", first), ("send", "send"), ("stop", "stop"))
    monkeypatch.setattr(choosing, "_plan_proofs", lambda *_: [[episode] * 6])
    choice = choose([kind], kind.demonstrations, plans_alone())
    assert (not choice.doubtful) == used


def test_one_demonstration_beside_a_program_makes_no_plan(tmp_path: Path) -> None:
    """In its wording the end alone was learned, with the port and the people that it named."""
    teach(tmp_path / "library", world_cell(FerryTransfer, "few").lesson, domain="ferries")
    library = Library.open(tmp_path / "library")
    assert sorted(file.status for file in library.programs.values()) == ["active", "draft"]
    assert not library.metas
