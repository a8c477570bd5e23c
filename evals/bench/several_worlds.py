"""Several worlds in one library: is each won as in a library of its own?

Run ``python -m macla.evals.bench.several_worlds``, or with ``--tools`` for agents. Worlds are drawn
from the fresh ones that may be looked at, and for texts from the foreign ones. Texts are learned
one world after the other, runs of tools in turn. A JSON document tells the marks of each world with
both libraries (``1`` won, ``x`` spoiled, ``0`` neither); exit code 1 where any differ.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from macla.adapters.session import LibrarySession
from macla.adapters.teaching.teaching import teach
from macla.evals import foreign_worlds
from macla.evals.cells import LibraryPlayer, WorldCell
from macla.evals.forms import form_named
from macla.evals.fresh_worlds import dev, fifth, fourth, seventh, sixth, third
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.forms import tasks_to_play
from macla.evals.ladder.tools import library_of_runs, play_with
from macla.evals.ladder.world import LadderTask, World

_SHOWN = _PLAYED = 20
_FRESH = [kind for part in (dev, third, fourth, fifth, sixth, seventh) for kind in part.WORLDS]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--libraries", type=int, default=8)
    parser.add_argument("--worlds", type=int, default=4, help="in each")
    parser.add_argument("--tools", action="store_true", help="as an agent's tools, not as texts")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    results: list[dict[str, Any]] = []
    for number in range(given.libraries):
        if given.tools:
            marks = _marks_of_tools(rng.sample(_FRESH, given.worlds))
        else:
            drawn = rng.sample(_FRESH, given.worlds - 1)
            cells = [*map(_fresh, drawn), _foreign(rng.choice(foreign_worlds.WORLDS))]
            marks = _marks_of_texts(rng.sample(cells, len(cells)))
        for name, (alone, together) in marks.items():
            results.append({"library": number, "world": name, "alone": alone, "together": together})
            print(f"{number + 1} of {given.libraries}: {name} {alone} {together}", file=sys.stderr)
    same = all(each["alone"] == each["together"] for each in results)
    won = {how: sum(each[how].count("1") for each in results) for how in ("alone", "together")}
    print(json.dumps({"won": won, "same": same, "worlds": results}, indent=2))
    sys.exit(0 if same else 1)


def _marks_of_texts(cells: Sequence[WorldCell]) -> dict[str, tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="macla-worlds-") as folder:
        together = Path(folder) / "together"
        for number, cell in enumerate(cells):
            teach(Path(folder) / str(number), cell.lesson, domain="worlds")
            teach(together, cell.lesson, domain="worlds")
        return {
            cell.name: (_played(Path(folder) / str(number), cell), _played(together, cell))
            for number, cell in enumerate(cells)
        }


def _played(library: Path, cell: WorldCell) -> str:
    with LibrarySession.open(library, read_only=True) as session:
        return "".join(each.mark for each in LibraryPlayer(session).play(cell))


def _marks_of_tools(kinds: Sequence[type[World]]) -> dict[str, tuple[str, str]]:
    lessons = [LadderTask(seed, "train") for seed in range(_SHOWN)]
    tasks = tasks_to_play(_PLAYED)
    alone = {}
    for kind in kinds:
        with library_of_runs([kind], lessons) as own:
            alone[kind.name] = play_with(own, kind, tasks)
    with library_of_runs(kinds, lessons) as together:
        return {
            kind.name: (alone[kind.name], play_with(together, kind, tasks, beside=kinds))
            for kind in kinds
        }


def _fresh(kind: type[World]) -> WorldCell:
    cell = world_cell(kind, "hidden")
    return replace(cell, lesson=cell.lesson[:_SHOWN], tasks=cell.tasks[:_PLAYED])


def _foreign(kind: type[foreign_worlds.ForeignWorld]) -> WorldCell:
    hidden, world = form_named("hidden"), kind()
    return WorldCell(
        name=kind.__name__,
        lesson=hidden.told(foreign_worlds.demonstrations(kind, _SHOWN)),
        tasks=foreign_worlds.held_out_tasks(_PLAYED),
        environment=hidden.offered(world),
        open_environment=world,
        horizon=foreign_worlds.horizon(kind),
        mark=lambda: "1" if world.is_won() else "x" if world.done else "0",
    )


if __name__ == "__main__":
    main()
