"""Fresh worlds are learned and played."""

from __future__ import annotations

from dataclasses import replace

from ..cells import play_learned
from ..ladder.cells import TESTS, world_cell
from ..ladder.forms import tasks_to_play
from ..ladder.tools import play_tools
from ..ladder.world import LadderTask, World

__all__ = ["EVERY", "FORMS", "marks"]

FORMS = ("shown", "hidden", "shuffled", "few", "tools")
"""What is played unless a form is named."""

EVERY = (*FORMS, "accepted", "invented", "verb-last")
"""What can be played; ``accepted`` is ``tools`` after a person has accepted all of it."""


def marks(kind: type[World], form: str, demos: int) -> str:
    """Return a mark for each test: ``1`` won, ``x`` spoiled, ``0`` neither, ``e`` a fault.

    ``demos`` demonstrations are learned from, at most 40 (``few``: 10) where they are text.
    """
    if form in ("tools", "accepted"):
        lessons = [LadderTask(seed, "train") for seed in range(demos)]
        return play_tools(kind, lessons, tasks_to_play(TESTS), accepted=form == "accepted")
    cell = world_cell(kind, form)
    return play_learned(replace(cell, lesson=cell.lesson[:demos]))
