"""What a cell does: play all worlds with an arm, or look at their library.

python -m macla.evals.selection.steps play plain,drift 10 120 0 EU
python -m macla.evals.selection.steps library plain,drift 10 120 0

Each prints a document of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from ...adapters.session import LibrarySession
from ..index_recall import recall_of
from .arms import arm_of
from .playing import play
from .rival_library import Place, make_library, task_of
from .worlds import Kind, World, make_world

__all__ = ["main"]


def main(arguments: Sequence[str]) -> None:
    """Do what the arguments say, and print what came of it."""
    verb, kinds, many, episodes, seed, *rest = arguments
    names = kinds.split(",")
    worlds = [
        make_world(cast(Kind, kind), int(seed) + number, int(episodes))
        for number in range(int(many))
        for kind in names
    ]
    if verb == "library":
        print(json.dumps(_library(worlds)))
        return
    played = play(worlds, arm_of(rest[0]), int(seed))
    told: dict[str, list[Any]] = {kind: [] for kind in names}
    for world, each in zip(worlds, played, strict=True):
        regrets = [round(regret, 6) for regret in each.regrets]
        told[world.kind].append([regrets, each.expected, each.worked])
    print(json.dumps(told))


def _library(worlds: Sequence[World]) -> dict[str, Any]:
    """Return how many procedures there are, and what the index finds for the tasks."""
    tasks = {
        task_of(worlds, Place(index, number))
        for index, world in enumerate(worlds)
        for number in range(len(world.episodes))
    }
    with TemporaryDirectory(prefix="macla-rivals-") as folder:
        library = make_library(Path(folder) / "library", worlds, {})
        with LibrarySession.open(library.path) as session:
            told = recall_of(session, sorted(tasks))
        return {"procedures": len(library.procedures), "recall": told}


if __name__ == "__main__":
    main(sys.argv[1:])
