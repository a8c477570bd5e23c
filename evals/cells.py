"""A cell: a small world in one form, learned from few demonstrations, then played.

Everything follows from the cell: demonstrations and tasks are made on the fly, the library lives
in a temporary folder, and the players of :mod:`.baselines` get the same demonstrations and tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..adapters.session import LibrarySession
from ..graph.build import create_macla_graph, recursion_limit
from ..graph.context import LoopSettings, MaclaContext
from ..graph.protocols import Environment
from ..procedures.trajectories import Trajectory
from .baselines import NearestRebound, NearestReplay, Player, RandomAdmissible, play
from .proving import prove_library
from .teaching import teach

__all__ = [
    "BASELINES",
    "Proved",
    "WorldCell",
    "play_baseline",
    "play_learned",
    "prove_cell",
    "proved",
]

BASELINES = ("random", "nearest", "rebound")
"""Random possible actions; the nearest demonstration replayed; the same with the new names."""


@dataclass(frozen=True, slots=True)
class WorldCell:
    """What is learned from and played.

    Attributes:
        name: Of the cell; also of the library's domain.
        lesson: The demonstrations.
        tasks: What ``reset`` takes, one an episode.
        environment: As the learned library meets it.
        open_environment: The same with the possible actions listed, for the random player.
        horizon: Most actions of an episode.
        mark: Says of the episode just played: ``1`` solved, ``0`` not, ``x`` spoiled for good.
    """

    name: str
    lesson: Sequence[Trajectory]
    tasks: Sequence[Any]
    environment: Environment
    open_environment: Environment
    horizon: int
    mark: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Proved:
    """What is reproduced of a cell's demonstrations.

    Attributes:
        outcomes: A mark for each, held out: ``1`` reproduced, ``0`` not.
        figures: ``as_it_is``, how many nothing held out, and ``bits_an_action``, held out.
        rebound: How many the nearest demonstration re-bound reproduces.
    """

    outcomes: str
    figures: Mapping[str, float]
    rebound: int


def play_learned(cell: WorldCell) -> str:
    """Learn the cell's demonstrations, play its tasks, and return a mark for each.

    A lesson from which nothing can be learned, or a loop that breaks off, leaves the episode as it
    stands then: unsolved, or as it should be where doing nothing is right.
    """
    marks: list[str] = []
    with _taught(cell) as path, LibrarySession.open(path, read_only=True) as session:
        knowledge = session.knowledge()
        reasoner = session.reasoner(knowledge)
        settings = LoopSettings(horizon=cell.horizon)
        graph = create_macla_graph().compile()
        for number, task in enumerate(cell.tasks):
            asked, observation = cell.environment.reset(task)
            graph.invoke(
                {"task": asked, "observation": observation, "run": f"{cell.name}#{number}"},
                context=MaclaContext(knowledge, cell.environment, reasoner, settings=settings),
                config={"recursion_limit": recursion_limit(cell.horizon)},
            )
            marks.append(cell.mark())
    return "".join(marks)


def play_baseline(name: str, cell: WorldCell) -> str:
    """Play the cell's tasks with one of :data:`BASELINES`; return a mark for each."""
    player: Player
    if name == "random":
        player = RandomAdmissible(0)
    elif name == "nearest":
        player = NearestReplay(cell.lesson)
    else:
        player = NearestRebound(cell.lesson)
    environment = cell.open_environment if name == "random" else cell.environment
    marks = []
    for task in cell.tasks:
        play(player, environment, task, max_steps=cell.horizon)
        marks.append(cell.mark())
    return "".join(marks)


def prove_cell(cell: WorldCell) -> Proved:
    """Learn the cell's demonstrations and prove them, held out by folds."""
    with _taught(cell) as path:
        return proved(path)


def proved(path: Path) -> Proved:
    """Prove the demonstrations that a library keeps, held out by folds."""
    proof = prove_library(path).to_document()
    held_out = proof["held_out"]
    marks = "".join("01"[bool(each["reproduced"])] for each in held_out["episodes"])
    figures = {
        "as_it_is": float(proof["here"]["reproduced"]),
        "bits_an_action": round(float(held_out["bits_an_action"]), 4),
    }
    return Proved(marks, figures, int(proof["floor"]["reproduced"]))


@contextmanager
def _taught(cell: WorldCell) -> Iterator[Path]:
    with TemporaryDirectory(prefix="macla-cell-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "library"
        teach(path, cell.lesson, domain=cell.name)
        yield path
