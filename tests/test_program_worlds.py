"""Worlds that have nothing in common are learned apart, whatever file they come from."""

from __future__ import annotations

import pytest
from macla.evals.forms import FORMS, Form
from macla.evals.ladder.forms import demonstrations
from macla.evals.ladder.worlds import DEVELOPMENT, world_of
from macla.procedures.episodes.world_split import worlds_of
from macla.procedures.programs.learning.proposing import propose_programs

NAMES = ("tool-hire", "quay-list")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_world_is_one_in_every_form(form: Form) -> None:
    for kind in DEVELOPMENT:
        assert len(worlds_of(demonstrations(kind(), form, 10))) == 1, kind.name


def test_two_worlds_are_learned_as_each_alone() -> None:
    apart = [demonstrations(world_of(name)(), FORMS[1], 12) for name in NAMES]
    mixed = [each for pair in zip(*apart, strict=True) for each in pair]
    assert sorted(map(len, worlds_of(mixed))) == [12, 12]
    alone = [each.file for shown in apart for each in propose_programs(shown)]
    together = [each.file for each in propose_programs(mixed)]
    assert sorted(file.goal for file in together) == sorted(file.goal for file in alone)
    assert {f.goal: f.program for f in together} == {f.goal: f.program for f in alone}


def test_worlds_that_share_words_of_their_actions_are_told_apart_by_what_they_say() -> None:
    """In thirty worlds something is opened, taken or noted; each says other things of it."""
    apart = [demonstrations(kind(), FORMS[1], 10) for kind in DEVELOPMENT]
    mixed = [each for pair in zip(*apart, strict=True) for each in pair]
    found = worlds_of(mixed)
    names = [{shown.id.partition("/")[0] for shown in world} for world in found]
    assert sorted(map(len, found)) == [10] * len(DEVELOPMENT)
    assert sorted(name for each in names for name in each) == sorted(k.name for k in DEVELOPMENT)


def test_one_of_another_world_stays_with_the_rest() -> None:
    many, few = (
        demonstrations(world_of(name)(), FORMS[1], n)
        for name, n in zip(NAMES, (12, 1), strict=True)
    )
    assert [len(each) for each in worlds_of([*many, *few])] == [13]
    assert worlds_of([]) == []
