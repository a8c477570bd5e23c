"""The part of the table of acceptance that shows what a rule is worth, in little time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from macla.evals.acceptance.table import Accepted, GameCase, Table
from macla.evals.acceptance.units import Unit, units_of
from macla.evals.textworld.games import split_folder

from .replacing import KnockOut

__all__ = ["GROUPS", "PART", "all_units", "group_of", "units_for"]

_UNOPENED = "--demonstrations all --world leave-out=open"
_SEEN = "alfworld --split valid_seen"

PART = Table(
    format=2,
    libraries={
        "practice": f"practice alfworld --episodes 40 --seed 0 {_UNOPENED}",
        "people": "learn alfworld --episodes 250 --seed 0 --world goals=human",
        "noise": "learn alfworld --episodes 100 --seed 0 --world noise=0.6",
        "fifty": "learn alfworld --episodes 50 --seed 0",
        "ten": "learn alfworld --episodes 10 --seed 0",
    },
    games={
        "practice": GameCase(library="practice", eval=f"{_SEEN} --limit 40"),
        "people": GameCase(library="people", eval=f"{_SEEN} --world goals=human --limit 15"),
        "noise": GameCase(library="noise", eval=_SEEN),
        "fifty": GameCase(library="fifty", eval=_SEEN),
        "ten": GameCase(library="ten", eval=f"{_SEEN} --limit 70"),
    },
    agents=["development", "second"],
)
"""What is learned and played by commands; of the agents' tasks only seed 0."""

_TEXTWORLD = Table(
    format=2,
    libraries={
        f"textworld-{game}": f"learn textworld --world game={game} --episodes 60"
        for game in ("cooking", "hunt")
    },
    games={
        f"textworld, {game}, {'shown' if shown else 'hidden'}": GameCase(
            library=f"textworld-{game}",
            eval=f"textworld --world game={game} --split dev --limit 20{shown}",
        )
        for game, shown in (
            ("cooking", " --world admissible"),
            ("hunt", ""),
        )
    },
)

_HIDDEN = (("lens-polish", "parcel-code", "book-returns", "intranet-shop"),)
"""Worlds of the ladder's development half of which something is won with actions hidden."""
_TOOLS = ("till-at-night", "contact-form", "returns-desk", "courier-offers", "blood-tubes")
"""Those of which something is won with tools."""
_FOREIGN = (("Plant", "House"), ("Bomb", "Workshop"))
_CELL = 0.05
"""Share of a cell's episodes that it may lose and still be as good."""

GROUPS = (
    *("fifty", "ten", "noise", "people", "practice", "textworld"),
    *("foreign", "ladder", "tools", "agents"),
)
"""What the results are summed by; each case's name begins with that of its group."""
_OF_TOOLS = ("tools", "agents")
"""Groups in which tools are called."""
_PRACTISED = (
    *("macla.procedures.refinement", "macla.procedures.learning.online", "macla.graph.variants"),
    *("macla.graph.experiments", "macla.graph.exploring", "macla.procedures.evidence.failures"),
)
"""Code of practice; only rules there, and those of all code, are played with practice."""
_TEXT_CODE = ("macla.procedures.learning", "macla.procedures.refinement", "macla.graph")
_TOOL_CODE = ("macla.procedures.tooling", "macla.adapters.langchain")


def all_units() -> list[Unit]:
    """Return all that is ever played; TextWorld's games where they are made already."""
    made = split_folder("hunt", "dev").exists() and split_folder("cooking", "dev").exists()
    tables = [PART, _TEXTWORLD] if made else [PART]
    units = [unit for table in tables for unit in units_of(table) if not unit.baseline]
    units = [unit for unit in units if not unit.cases.startswith("agents") or "seed 0" in unit.name]
    units += [_cells("ladder", ("ladder", "hidden", *worlds)) for worlds in _HIDDEN]
    units.append(_cells("tools", ("ladder", "tools", *_TOOLS)))
    units += [_cells("foreign", ("foreign", *worlds)) for worlds in _FOREIGN]
    return units


def units_for(each: KnockOut, units: Sequence[Unit]) -> list[Unit]:
    """Return those of the units that a rule can change: code that only serves tools plays tools."""
    if all(target.startswith(_TOOL_CODE) for target in each.targets):
        return [unit for unit in units if group_of(unit.cases) in _OF_TOOLS]
    left_out = {"practice"} if not any(t.startswith(_PRACTISED) for t in each.targets) else set()
    if all(target.startswith(_TEXT_CODE) for target in each.targets):
        left_out |= set(_OF_TOOLS)
    return [unit for unit in units if (group_of(unit.cases) or unit.makes) not in left_out]


def group_of(case: str) -> str:
    """Return the group of a case; "" where it has none (a lesson)."""
    return next((group for group in GROUPS if case.startswith(group)), "")


def _cells(group: str, words: tuple[str, ...]) -> Unit:
    names = ", ".join(words[1:])
    command = ("-m", "knockouts.playing", *words)
    return Unit(f"{group}: {names}", command, _marks(group), cases=group, margin=_CELL)


def _marks(group: str) -> Callable[[Any], dict[str, Accepted]]:
    def read(document: Any) -> dict[str, Accepted]:
        return {
            f"{group}: {cell['name']}": Accepted(outcomes=cell["outcomes"])
            for cell in document["cells"]
        }

    return read
