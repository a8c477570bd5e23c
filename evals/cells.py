"""A cell: a small world in one form, learned from few demonstrations, then played.

Everything follows from the cell: demonstrations and tasks are made on the fly, the library lives
in a temporary folder, and the players of :mod:`.baselines` get the same demonstrations and tasks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..adapters.proving.proving import prove_library
from ..adapters.session import LibrarySession
from ..adapters.teaching.teaching import teach
from ..graph.build import compiled_loop, recursion_limit
from ..graph.context import MaclaContext
from ..graph.protocols import Environment
from ..procedures.common.errors import TrajectoryError
from ..procedures.episodes.trajectories import Trajectory
from ..procedures.method.ablation import parse_parts
from .players.baselines import NearestRebound, NearestReplay, Player, RandomAdmissible, play
from .reports.statistics import wilson_interval

__all__ = [
    "BASELINES",
    "CellResult",
    "Libraries",
    "LibraryPlayer",
    "Marked",
    "WorldCell",
    "baselines",
    "play_baseline",
    "play_learned",
    "played",
    "proof_of",
    "proved",
    "tasks_digest",
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
class CellResult:
    """What came of a cell.

    Attributes:
        form: Name of the cell's form.
        outcomes: A mark for each episode: ``1`` solved (reproduced), ``0`` not, ``x`` spoiled for
            good, ``e`` broken off by a fault.
        tasks: Digest of what the episodes show at their beginning.
        baselines: Player → how many episodes it solves, of the same demonstrations and tasks.
        figures: Other figures by name.
    """

    form: str
    outcomes: str
    tasks: str
    baselines: Mapping[str, int]
    figures: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return it as a line for people."""
        won, spoiled, n = self.outcomes.count("1"), self.outcomes.count("x"), len(self.outcomes)
        interval = wilson_interval(won, n)
        ends = f"{100 * interval.low:.0f} to {100 * interval.high:.0f} %"
        others = ", ".join(f"{name} {count}" for name, count in self.baselines.items())
        return f"{self.form:<14} {won:>2} of {n} ({ends}), {spoiled} spoiled; {others}"


@dataclass(frozen=True, slots=True)
class Marked:
    """What came of an episode.

    Attributes:
        mark: As :attr:`WorldCell.mark` has it; ``e`` where it was broken off by a fault.
        choices: As :class:`.episode.EpisodeOutcome` has them.
    """

    mark: str
    choices: tuple[tuple[str, float, float], ...] = ()


class Libraries:
    """The libraries of cells, until the block ends: those of the same demonstrations share one."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="macla-cells-", ignore_cleanup_errors=True)
        self._taught: list[tuple[Sequence[Trajectory], Path]] = []

    def __enter__(self) -> Libraries:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def of(self, cell: WorldCell) -> Path:
        """Return the library of a cell, which is learned if none of its demonstrations is there.

        Raises:
            TrajectoryError: Nothing can be learned of them.
        """
        for lesson, library in self._taught:
            if lesson == cell.lesson:
                return library
        path = Path(self._folder.name) / str(len(self._taught)) / "library"
        teach(path, cell.lesson, domain=cell.name)
        self._taught.append((cell.lesson, path))
        return path


def played(cell: WorldCell, form: str, libraries: Libraries) -> CellResult:
    """Learn and play a cell, and let the baselines play it."""
    outcomes = play_learned(cell, libraries)
    return CellResult(form, outcomes, tasks_digest(cell), baselines(cell))


def proof_of(cell: WorldCell, form: str, libraries: Libraries) -> CellResult:
    """Learn the cell's demonstrations and prove them, held out by folds."""
    return proved(libraries.of(cell), form, (shown.task for shown in cell.lesson))


def proved(path: Path, form: str, tasks: Iterable[str]) -> CellResult:
    """Prove the demonstrations that a library keeps, held out by folds.

    Args:
        path: The library.
        form: Name of the cell's form.
        tasks: What the demonstrations were asked.
    """
    proof = prove_library(path)
    if proof.held_out is None or proof.floor is None:
        raise TrajectoryError(f"{path}: keeps too few demonstrations to hold any out")
    return CellResult(
        form,
        "".join("01"[each.reproduced] for each in proof.held_out.episodes),
        _digest(tasks),
        {"rebound": proof.floor.reproduced},
        {
            "as_it_is": float(proof.here.reproduced),
            "bits_an_action": round(proof.held_out.bits_an_action, 4),
        },
    )


def play_learned(cell: WorldCell, libraries: Libraries | None = None) -> str:
    """Learn the cell's demonstrations, play its tasks, and return a mark for each.

    Where nothing can be learned, nothing is done in any episode.

    Args:
        cell: What is learned and played.
        libraries: Those of other cells; none is shared without them.
    """
    if libraries is None:
        with Libraries() as own:
            return play_learned(cell, own)
    try:
        with LibrarySession.open(libraries.of(cell), read_only=True) as session:
            return "".join(each.mark for each in LibraryPlayer(session).play(cell))
    except TrajectoryError:
        marks = []
        for task in cell.tasks:
            cell.environment.reset(task)
            marks.append(cell.mark())
        return "".join(marks)


class LibraryPlayer:
    """Plays cells with an open library, whatever that was taught.

    Args:
        session: The library.
        without: Parts of the method that are left out.
    """

    def __init__(self, session: LibrarySession, without: Sequence[str] = ()) -> None:
        self._session, self._ablated = session, parse_parts(without)
        self._knowledge = session.knowledge(ablated=self._ablated)
        self._reasoner = session.reasoner(self._knowledge)
        self._floor = session.floor(self._ablated)
        self._graph = compiled_loop()

    def play(self, cell: WorldCell, limit: int | None = None) -> list[Marked]:
        """Play the cell's first ``limit`` tasks; all for None."""
        found: list[Marked] = []
        settings = self._session.loop_settings(horizon=cell.horizon, ablated=self._ablated)
        for task in cell.tasks[:limit]:
            asked, observation = cell.environment.reset(task)
            context = MaclaContext(
                self._knowledge,
                cell.environment,
                self._reasoner,
                settings=settings,
                floor=self._floor,
            )
            start = {"task": asked, "observation": observation, "run": f"{cell.name}/{task}"}
            most = {"recursion_limit": recursion_limit(cell.horizon)}
            try:
                state: dict[str, Any]
                state = self._graph.invoke(start, context=context, config=most)  # type: ignore[call-overload]
            except Exception:  # a fault of the loop spoils one episode, and is marked
                found.append(Marked("e"))
            else:
                choices = state["counters"]["choices"]
                found.append(Marked(cell.mark(), tuple(map(tuple, choices))))
        return found


def baselines(cell: WorldCell) -> dict[str, int]:
    """Return how many episodes each of :data:`BASELINES` solves."""
    return {name: play_baseline(name, cell).count("1") for name in BASELINES}


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


def tasks_digest(cell: WorldCell) -> str:
    """Return a digest of how the cell's episodes begin, so that pairs are pairs."""
    return _digest("\0".join(cell.environment.reset(task)) for task in cell.tasks)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]
