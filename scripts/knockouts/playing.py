"""Cells of small worlds, learned and played without other players: ``-m knockouts.playing``.

python -m knockouts.playing ladder hidden till-at-night lens-polish
python -m knockouts.playing foreign Plant Kitchen
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from macla.evals.cells import WorldCell, play_learned
from macla.evals.foreign_worlds import (
    WORLDS,
    ForeignWorld,
    demonstrations,
    held_out_tasks,
    horizon,
)
from macla.evals.forms import form_named
from macla.evals.ladder.cells import TESTS, world_cell
from macla.evals.ladder.forms import tasks_to_play
from macla.evals.ladder.tools import play_tools
from macla.evals.ladder.world import LadderTask, World
from macla.evals.ladder.worlds import DEVELOPMENT

_TASKS = 30
_LESSONS = 30
_TOOL_LESSONS = 40
FOREIGN_FORMS = ("shown", "hidden")


def main(words: Sequence[str]) -> int:
    """Print a JSON document with the marks of each cell."""
    family, *rest = words
    cells = ladder(rest[0], rest[1:]) if family == "ladder" else foreign(rest)
    document = [
        {"name": name, "outcomes": _played(name, play, count)} for name, play, count in cells
    ]
    print(json.dumps({"cells": document}))
    return 0


_Cell = tuple[str, Callable[[], str], int]
"""Name, what plays it, and how many episodes it has."""


def ladder(form: str, names: Sequence[str]) -> Iterator[_Cell]:
    """Yield cells of the development half in one form."""
    kinds = {kind.name: kind for kind in DEVELOPMENT}
    for name in names:
        kind = kinds[name]
        if form == "tools":
            lessons = [LadderTask(seed, "train") for seed in range(_TOOL_LESSONS)]
            tests = tasks_to_play(TESTS)
            yield name, partial(play_tools, kind, lessons, tests), TESTS
        else:
            yield name, partial(_play_text, kind, form), TESTS


def foreign(names: Sequence[str]) -> Iterator[_Cell]:
    """Yield the cells of foreign worlds that are learned from 30 demonstrations."""
    kinds = {kind.__name__: kind for kind in WORLDS}
    for name in names:
        for form in FOREIGN_FORMS:
            kind, offered = kinds[name], form_named(form)
            world = kind()
            environment = offered.offered(world)
            cell = WorldCell(
                name=f"{name}/{_LESSONS}/{form}",
                lesson=offered.told(demonstrations(kind, _LESSONS)),
                tasks=held_out_tasks(_TASKS),
                environment=environment,
                open_environment=environment,
                horizon=horizon(kind),
                mark=partial(_mark, world),
            )
            yield f"{name}, {form}", partial(play_learned, cell), _TASKS


def _play_text(kind: type[World], form: str) -> str:
    return play_learned(world_cell(kind, form))


def _mark(world: ForeignWorld) -> str:
    return "1" if world.is_won() else "x" if world.done else "0"


def _played(name: str, play: Callable[[], str], count: int) -> str:
    """Play a cell; one that breaks off is an error in each of its episodes."""
    try:
        return play()
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        return "e" * count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
