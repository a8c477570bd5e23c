"""The cells of a world: every form in which it is learned and played."""

from __future__ import annotations

from dataclasses import replace

from ..cells import CellResult, Libraries, WorldCell, baselines, played, proof_of, tasks_digest
from ..forms import FORMS, form_named
from .forms import LadderEnvironment, demonstrations, tasks_to_play
from .tools import play_tools, prove_tools
from .world import LadderTask, World

__all__ = ["CELLS", "TESTS", "play_cell", "world_cell"]

TESTS = 40
"""Episodes that are played in each cell."""
_SHOWN = 40
_FEW = 10
_NAMES = tuple(form.name for form in FORMS)

CELLS = (*_NAMES, "few", "tools", "proof", "tools-proof")
"""The forms of text, each from 40 demonstrations; ``few``: hidden, from 10; as tools, from 40; and
what is reproduced of these demonstrations, held out, as text (hidden) and as tools."""


def play_cell(kind: type[World], form: str, libraries: Libraries) -> CellResult:
    """Learn and play one cell of a world; tools have the baselines of ``hidden``."""
    cell = world_cell(kind, form)
    lessons = [LadderTask(seed, "train") for seed in range(_SHOWN)]
    if form == "proof":
        return proof_of(cell, form, libraries)
    if form == "tools-proof":
        return prove_tools(kind, lessons, form)
    if form == "tools":
        outcomes = play_tools(kind, lessons, tasks_to_play(TESTS))
        return CellResult(form, outcomes, tasks_digest(cell), baselines(cell))
    return played(cell, form, libraries)


def world_cell(kind: type[World], form: str) -> WorldCell:
    """Return the demonstrations and tasks of a cell as text; tools have those of ``hidden``."""
    offered = form_named(form if form in _NAMES else "hidden")
    world = kind()
    base = LadderEnvironment(world)
    return WorldCell(
        name=f"{kind.name}/{form}",
        lesson=demonstrations(kind(), offered, _FEW if form == "few" else _SHOWN),
        tasks=tasks_to_play(TESTS),
        environment=offered.offered(base),
        open_environment=replace(offered, shown=True).offered(base),
        horizon=kind.horizon,
        mark=lambda: world.mark,
    )
