"""The library of all worlds' rivals on disk, and the environment that says what each comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.embeddings import DEFAULT_EMBEDDING
from ...procedures.common.errors import DataError
from ...procedures.evidence.ledger import Outcome
from ...procedures.learning.store_learned import LEARNED_FROM
from ...procedures.library.library import Library
from ...procedures.model.ontology import Entities, Ontology
from ...procedures.model.procedure import Procedure
from .worlds import GOALS, World

__all__ = ["Place", "RivalWorlds", "make_library", "recorded", "rivals_of", "task_of"]

_VERBS = (
    *("polish", "varnish", "repair", "label", "wrap", "weigh", "rinse", "photograph", "inspect"),
    *("insure", "auction", "restore", "measure", "paint", "dust", "appraise", "lock", "sketch"),
)
_CLIENTS = (
    *("museum", "harbour", "school", "bakery", "embassy", "theatre", "hospital", "library"),
    *("brewery", "airport", "monastery", "vineyard", "stadium", "prison", "casino", "circus"),
    *("laboratory", "orchestra", "shipyard", "zoo", "university", "hotel", "farm", "bank"),
)
_THINGS = ("lamp", "boot", "table")
"""What tasks are about, one a context."""
_WHEN = "2026-01-01T00:00:00+00:00"


@dataclass(frozen=True, slots=True)
class Place:
    """A task of a world.

    Attributes:
        world: Index of the world.
        number: Index of its episode.
    """

    world: int
    number: int


def make_library(path: Path, worlds: Sequence[World], settings: Mapping[str, Any]) -> Library:
    """Make a library of all rivals, a file each.

    Args:
        path: Folder that holds no library.
        worlds: At most 144.
        settings: Of ``library.yaml``.

    Raises:
        DataError: There are more goals than words for them.
    """
    library = Library.create(path, domain="rivals", embedding=DEFAULT_EMBEDDING, settings=settings)
    ontology = Ontology(entities=Entities(shape="kind and number", kinds=_THINGS))
    library.write_all(rivals_of(worlds), ontology=ontology)
    return library


def rivals_of(worlds: Sequence[World]) -> list[Procedure]:
    """Return the rivals of all worlds, at most 144."""
    return [rival for _, rival, _ in _rivals(worlds)]


def recorded(worlds: Sequence[World]) -> list[Outcome]:
    """Return the evidence that the rivals have before the first task."""
    return [
        Outcome.of_sums("before", ("procedure", rival.id, 1, ""), (good, bad), _WHEN)
        for _, rival, (good, bad) in _rivals(worlds)
        if good + bad
    ]


def task_of(worlds: Sequence[World], place: Place) -> str:
    """Return what a task asks."""
    told = worlds[place.world].episodes[place.number]
    return _goal(place.world, told.goal).format(x=_THINGS[told.context])


class RivalWorlds:
    """An environment in which an action is a rival at work; an episode ends with the first.

    Args:
        worlds: Whose tasks :class:`Place` names.

    Attributes:
        chosen: The rival of the task's goal that the last episode ran; None where it ran none.
    """

    def __init__(self, worlds: Sequence[World]) -> None:
        self._worlds = worlds
        self._place = Place(0, 0)
        self.chosen: int | None = None

    def reset(self, task: Place) -> tuple[str, str]:
        """Begin a task."""
        self._place, self.chosen = task, None
        told = self._worlds[task.world].episodes[task.number]
        return task_of(self._worlds, task), f"Before you: a {_THINGS[told.context]} 1."

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Let a rival work; the world's luck decides."""
        world = self._worlds[self._place.world]
        told = world.episodes[self._place.number]
        goal, _, way = action.rpartition(", way ")
        if goal != _goal(self._place.world, told.goal).format(x=f"{_THINGS[told.context]} 1"):
            return "That was not asked for.", 0.0, True, {"won": False}
        self.chosen = int(way)
        won = told.luck[self.chosen] < world.rates(self._place.number)[self.chosen]
        return "That does it." if won else "That breaks it.", float(won), True, {"won": won}


def _rivals(worlds: Sequence[World]) -> Iterator[tuple[int, Procedure, tuple[float, float]]]:
    """Yield (index of its world, a rival's file, what is recorded of it)."""
    for index, world in enumerate(worlds):
        for number, rivals in enumerate(world.goals):
            goal = _goal(index, number)
            for way, rival in enumerate(rivals):
                document = {
                    "kind": "procedure",
                    "id": f"goal-{index * GOALS + number}-way-{way}",
                    "version": 1,
                    "goal": goal,
                    "parameters": {"x": {"source": "choice", "kinds": list(_THINGS)}},
                    "steps": [{"do": f"{goal}, way {way}", "expect": "That does it."}],
                    # What people wrote is not pruned.
                    "provenance": {LEARNED_FROM: "rivals"},
                }
                yield index, Procedure.from_document(document), rival.recorded


def _goal(world: int, number: int) -> str:
    client, verb = divmod(world * GOALS + number, len(_VERBS))
    if client >= len(_CLIENTS):
        most = len(_CLIENTS) * len(_VERBS) // GOALS
        raise DataError(f"there are words for {most} worlds, not for {world + 1}; ask for fewer")
    return f"{_VERBS[verb]} the {{x}} for the {_CLIENTS[client]}"
