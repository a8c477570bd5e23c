"""Demonstrations from the logs: of each task, the shortest logged way to a reward of 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...procedures.episodes.trajectories import Trajectory, cleaned
from .engines import Engine
from .environment import BEGINNING
from .episode import MAX_STEPS, Episode
from .logs import LoggedEpisode
from .tasks import SqlTask

__all__ = ["demonstrations"]

_SUBMIT = "submit"


def demonstrations(
    engine: Engine,
    tasks: Iterable[SqlTask],
    logs: Iterable[LoggedEpisode],
    protocol: str = "ipr",
) -> Iterator[Trajectory]:
    """Yield one demonstration for each task that some log solves, in the order of the tasks.

    The actions are played again by the protocol, so that observations and rewards are those of the
    environment that the learner will meet, order included; what no longer earns 1 is passed over.
    By *ipr* they are submitted; by *intercode* the right answer ends the episode. Right queries are
    used for the reward alone.

    Args:
        engine: Where they are played.
        tasks: What to demonstrate.
        logs: Of any tasks.
        protocol: One of :data:`~.episode.PROTOCOLS`.
    """
    ends = (_SUBMIT,) if protocol == "ipr" else ()
    by_task: dict[int, list[LoggedEpisode]] = {}
    for episode in logs:
        by_task.setdefault(episode.task_id, []).append(episode)
    for task in tasks:
        logged = [e for e in by_task.get(task.id, ()) if e.query.strip() == task.query]
        for actions in sorted(_ways(logged, MAX_STEPS - len(ends)), key=len):
            shown = _played(engine, task, (*actions, *ends), protocol)
            if shown.success:
                yield shown
                break


def _ways(episodes: Iterable[LoggedEpisode], most: int) -> Iterator[tuple[str, ...]]:
    """Yield the actions of episodes up to each turn that earned 1, at most so many."""
    for episode in episodes:
        actions: list[str] = []
        for turn in episode.turns:
            if turn.reached and turn.action and turn.action != _SUBMIT:
                actions.append(turn.action)
            if turn.reward == 1.0 and turn.reached and 0 < len(actions) <= most:
                yield tuple(actions)


def _played(engine: Engine, task: SqlTask, actions: Sequence[str], protocol: str) -> Trajectory:
    episode = Episode(engine, task, protocol)
    turns = []
    for action in actions:
        turns.append(episode.step(action))
        if episode.done:
            break
    return Trajectory(
        task.query,
        (BEGINNING, *(cleaned(turn.observation) for turn in turns)),
        tuple(map(cleaned, actions[: len(turns)])),
        turns[-1].won,
        id=f"train/{task.id}",
        reward=max(0.0, episode.score),
    )
