"""Units of work: one command each, and the cases that its answer gives."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..foreign_worlds import WORLDS as FOREIGN
from ..ladder.worlds import DEVELOPMENT, SEALED
from .table import Accepted, GameCase, Table

__all__ = ["LIBRARY", "Unit", "units_of"]

LIBRARY = "LIBRARY"
"""Stands in a command for the folder of its library."""

_POINT = 0.01
"""Share of the episodes that a case may lose: one point."""
_CELL = 0.05
"""The same for a cell of a ladder or of the foreign worlds: 2 of 40."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One command.

    Attributes:
        name: Of the unit.
        command: Words after the interpreter; :data:`LIBRARY` stands for the library's folder.
        read: Makes cases of the JSON that the command prints: name → result.
        cases: Names of the cases, or what they begin with.
        library: The library that it needs, or "" for none.
        makes: The library that it makes, or "".
        sealed: Whether it plays what is kept apart until the end of a change.
        baseline: Whether it plays another player for a case of another unit.
        margin: Share of a case's episodes that it may lose and still be as good.
    """

    name: str
    command: tuple[str, ...]
    read: Callable[[Any], dict[str, Accepted]] = field(repr=False)
    cases: str = ""
    library: str = ""
    makes: str = ""
    sealed: bool = False
    baseline: bool = False
    margin: float = _POINT


_SEEDS = (0, 1, 2)
"""Of the tasks of agents."""
_MACLA = ("-c", "import sys; from macla.cli.main import main; sys.exit(main())")


def units_of(
    table: Table, *, sealed: bool = False, quick: bool = False, only: str = ""
) -> list[Unit]:
    """Return the units of a table, libraries first.

    Args:
        table: The table.
        sealed: Also what is kept apart until the end of a change.
        quick: Only what CI plays.
        only: Only units whose name contains this.
    """
    units = [*_games(table), *_proofs(table), *_agents(table), *_ladder(table), *_foreign(table)]
    if not sealed:
        units = [unit for unit in units if not unit.sealed]
    if quick:
        units = [unit for unit in units if unit.cases.startswith(tuple(table.quick))]
    units = [unit for unit in units if only in unit.name]
    needed = {unit.library for unit in units}
    return [*(unit for unit in _lessons(table) if unit.makes in needed), *units]


def _lessons(table: Table) -> Iterable[Unit]:
    for name, words in table.libraries.items():
        command = (*_MACLA, *shlex.split(words), "--library", LIBRARY, "--json")
        yield Unit(f"learning {name}", command, _nothing, makes=name)


def _games(table: Table) -> Iterable[Unit]:
    for name, game in table.games.items():
        command = (*_MACLA, "eval", *shlex.split(game.eval), "--json")
        played = (*command, "--library", LIBRARY)
        yield Unit(name, played, _one(name, _played), cases=name, library=game.library)
        yield from _baselines(table, name, game, command)


def _baselines(table: Table, name: str, game: GameCase, command: tuple[str, ...]) -> Iterable[Unit]:
    """Other players of the same games, as far as what they solve is not known yet.

    The random one chooses among the possible actions, so these are shown to it.
    """
    known = table.accepted[name].baselines if name in table.accepted else {}
    for player in ("random", "nearest", "rebound"):
        if player in known:
            continue
        arm = (*command, "--arm", player)
        library = "" if player == "random" else game.library
        arm += ("--library", LIBRARY) if library else ("--world", "admissible")
        read = _one(name, _baseline(player))
        yield Unit(f"{name}: {player}", arm, read, name, library, baseline=True)


def _proofs(table: Table) -> Iterable[Unit]:
    for name, proof in table.proofs.items():
        command = (*_MACLA, "check", LIBRARY, "--proof", *shlex.split(proof.prove), "--json")
        yield Unit(name, command, _one(name, _proved), cases=name, library=proof.library)


def _agents(table: Table) -> Iterable[Unit]:
    for half in table.agents:
        for seed in _SEEDS:
            words = ("-m", "macla.evals.ladder.agents", "--half", half, "--seed", str(seed))
            name = f"agents, {half}, seed {seed}"
            read = _one(name, _agent)
            yield Unit(name, (*words, "--json"), read, name, sealed=half == "sealed", margin=0.0)


def _ladder(table: Table) -> Iterable[Unit]:
    for half in table.ladder:
        for world in DEVELOPMENT if half == "development" else SEALED:
            command = ("-m", "macla.evals.ladder", world.name, "--json")
            start = f"ladder, {half}: {world.name}"
            read = _cells(start)
            yield Unit(start, command, read, start, sealed=half == "sealed", margin=_CELL)


def _foreign(table: Table) -> Iterable[Unit]:
    for world in FOREIGN if table.foreign else ():
        command = ("-m", "macla.evals.foreign_worlds", world.__name__, "--json")
        start = f"foreign: {world.__name__}"
        yield Unit(start, command, _cells(start), start, margin=_CELL)


# -- what commands print ---------------------------------------------------------------


def _nothing(document: Any) -> dict[str, Accepted]:
    return {}


def _one(name: str, read: Callable[[Any], Accepted]) -> Callable[[Any], dict[str, Accepted]]:
    return lambda document: {name: read(document)}


def _played(document: Mapping[str, Any]) -> Accepted:
    episodes = document["episodes"]
    return Accepted(
        outcomes="".join(
            "e" if episode.get("error") else "01"[bool(episode["success"])] for episode in episodes
        ),
        tasks=_digest(episode["id"] for episode in episodes),
        figures={"steps": round(float(document["mean_steps"]), 4)},
    )


def _baseline(player: str) -> Callable[[Any], Accepted]:
    def read(document: Mapping[str, Any]) -> Accepted:
        episodes = document["episodes"]
        won = sum(bool(episode["success"]) for episode in episodes)
        return Accepted(outcomes="0", baselines={player: won})

    return read


def _proved(document: Mapping[str, Any]) -> Accepted:
    held_out = document["held_out"]
    return Accepted(
        outcomes="".join("01"[bool(each["reproduced"])] for each in held_out["episodes"]),
        tasks=_digest(str(each["position"]) for each in held_out["episodes"]),
        figures={
            "as_it_is": float(document["here"]["reproduced"]),
            "bits_an_action": round(float(held_out["bits_an_action"]), 4),
        },
        baselines={"rebound": int(document["floor"]["reproduced"])},
    )


def _agent(document: Mapping[str, Any]) -> Accepted:
    arms = {arm["name"]: arm for arm in document["arms"]}
    memory = arms["memory"]
    tasks = [task for each in memory["passes"] for task in each["outcomes"]]
    return Accepted(
        outcomes="".join("x" if task["wrong"] else "1" for task in tasks),
        tasks=_digest(task["id"] for task in tasks),
        figures={
            "model_calls": memory["model_calls"],
            "without_memory": arms["without memory"]["model_calls"],
        },
        baselines={"rebound": len(tasks) - arms["nearest re-bound"]["wrong"]},
    )


def _cells(start: str) -> Callable[[Any], dict[str, Accepted]]:
    def read(document: Mapping[str, Any]) -> dict[str, Accepted]:
        return {
            f"{start}, {cell['form']}": Accepted(
                outcomes=cell["outcomes"],
                tasks=cell["tasks"],
                figures=cell.get("figures", {}),
                baselines=cell["baselines"],
            )
            for cell in document["cells"]
        }

    return read


def _digest(names: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
