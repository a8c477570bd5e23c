"""The cells of a world: every form in which it is learned and played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..cells import BASELINES, WorldCell, play_baseline, play_learned, prove_cell
from ..forms import FORMS, form_named
from .forms import LadderEnvironment, demonstrations, tasks_to_play
from .tools import play_tools, prove_tools
from .world import LadderTask, World

__all__ = ["CELLS", "TESTS", "CellResult", "play_cell", "world_cell"]

TESTS = 40
"""Episodes that are played in each cell."""
_SHOWN = 40
_FEW = 10

CELLS = (*(form.name for form in FORMS), "few", "tools", "proof", "tools-proof")
"""The forms of text, each from 40 demonstrations; ``few``: hidden, from 10; as tools, from 40; and
what is reproduced of these demonstrations, held out, as text (hidden) and as tools."""


@dataclass(frozen=True, slots=True)
class CellResult:
    """What came of a cell.

    Attributes:
        form: One of :data:`CELLS`.
        outcomes: A mark for each episode: ``1`` solved (reproduced), ``0`` not, ``x`` spoiled for
            good.
        baselines: Player → how many episodes it solves, of the same demonstrations and tasks.
        figures: Other figures by name.
    """

    form: str
    outcomes: str
    baselines: Mapping[str, int]
    figures: Mapping[str, float] = field(default_factory=dict)


def play_cell(kind: type[World], form: str) -> CellResult:
    """Learn and play one cell of a world."""
    cell = world_cell(kind, form)
    if form in ("proof", "tools-proof"):
        proof = prove_cell(cell) if form == "proof" else prove_tools(kind, _lessons(_SHOWN))
        return CellResult(form, proof.outcomes, {"rebound": proof.rebound}, proof.figures)
    baselines = {name: play_baseline(name, cell).count("1") for name in BASELINES}
    if form == "tools":
        outcomes = play_tools(kind, _lessons(_SHOWN), tasks_to_play(TESTS))
    else:
        outcomes = play_learned(cell)
    return CellResult(form, outcomes, baselines)


def world_cell(kind: type[World], form: str) -> WorldCell:
    """Return the demonstrations and tasks of a cell as text; tools have those of ``hidden``."""
    offered = form_named(form if form in {each.name for each in FORMS} else "hidden")
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


def _lessons(count: int) -> Sequence[LadderTask]:
    return [LadderTask(seed, "train") for seed in range(count)]
