"""The cells of a foreign world: so many demonstrations, in one form."""

from __future__ import annotations

from dataclasses import replace

from ..cells import WorldCell
from ..forms import form_named
from . import ForeignWorld, demonstrations, held_out_tasks, horizon

__all__ = ["foreign_cell"]

_TASKS = 30


def foreign_cell(kind: type[ForeignWorld], count: int, form: str) -> tuple[WorldCell, str]:
    """Return a cell and its name."""
    offered = form_named(form)
    world = kind()
    cell = WorldCell(
        name=f"{kind.__name__}/{count}/{form}",
        lesson=offered.told(demonstrations(kind, count)),
        tasks=held_out_tasks(_TASKS),
        environment=offered.offered(world),
        open_environment=replace(offered, shown=True).offered(world),
        horizon=horizon(kind),
        mark=lambda: "1" if world.is_won() else "x" if world.done else "0",
    )
    return cell, f"{count}, {form}"
