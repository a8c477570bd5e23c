"""Find idle actions, which are done now and then and serve nothing, such as looking around again.

No single step shows it, but many successes of the same goals do. An idle frame reveals nothing
new and ends no episode. Its number of uses varies by chance, where needed steps are done equally
often in each success of a goal. It depends neither on the step before it nor on the step after it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..episodes.trajectories import Trajectory
from .analysis import Episode

_LEAST_USES = 10
"""Uses of a frame; fewer do not show that it serves nothing."""
_LEAST_EPISODES = 3
"""Episodes of one goal; fewer do not show how often a step is needed."""
_REVEALS = 0.05
"""Most uses, as a share, that show something new."""
_ENDINGS = 0.01
"""Most uses, as a share, with which an episode ends."""
_DISPERSION = 0.5
"""Least variance of uses per episode over their mean: 1 for chance (Poisson), 0 where needed."""
_DEPENDENCE = 0.15
"""Greatest Kullback-Leibler divergence, in nats, of an idle frame's neighbours from the usual."""
_EDGE = ""
"""Stands for the beginning or the end of an episode among neighbouring frames."""


def idle_frames(episodes: Sequence[Episode]) -> frozenset[str]:
    """Find frames that serve nothing.

    Args:
        episodes: Successes, parsed; their goals are known.

    Returns:
        Frames; empty where too little is known to tell.
    """
    uses: Counter[str] = Counter()
    reveal_count: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for episode in episodes:
        known_entities = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            entities = set(episode.mentions[t + 1])
            uses[frame] += 1
            reveal_count[frame] += not entities <= known_entities.union(arguments)
            known_entities.update(entities, arguments)
        if episode.actions:
            endings[episode.actions[-1][0]] += 1
    suspects = {
        frame
        for frame, n in uses.items()
        if n >= _LEAST_USES
        and reveal_count[frame] <= _REVEALS * n
        and endings[frame] <= _ENDINGS * n
    }
    suspects &= scattered_frames(episodes, suspects)
    for step in (1, -1):
        suspects &= _independent(episodes, suspects, step)
    return frozenset(suspects)


def scattered_frames(episodes: Iterable[Episode], frames: Iterable[str]) -> set[str]:
    """Return the frames whose number of uses varies within a goal's episodes as by chance."""
    groups = _uses_by_goal(episodes)
    scattered: set[str] = set()
    for frame in frames:
        expected = squares = 0.0
        for counts in groups:
            mean = sum(count[frame] for count in counts) / len(counts)
            spread = sum((count[frame] - mean) ** 2 for count in counts)
            squares += spread * len(counts) / (len(counts) - 1)
            expected += mean * len(counts)
        if expected and squares >= _DISPERSION * expected:
            scattered.add(frame)
    return scattered


def _uses_by_goal(episodes: Iterable[Episode]) -> list[list[Counter[str]]]:
    """Return for each goal with enough episodes the uses of frames in each episode."""
    by_goal: dict[str, list[Counter[str]]] = defaultdict(list)
    for episode in episodes:
        by_goal[episode.goal].append(Counter(frame for frame, _ in episode.actions))
    return [counts for counts in by_goal.values() if len(counts) >= _LEAST_EPISODES]


def _independent(episodes: Iterable[Episode], frames: set[str], step: int) -> set[str]:
    """Return the frames whose neighbours on one side are distributed as those of any other step.

    Suspected frames are no neighbours, since they may stand anywhere. ``step`` is 1 for the steps
    after, -1 for those before.
    """
    neighbour_count_by_frame: dict[str, Counter[str]] = defaultdict(Counter)
    usual_neighbour_count: Counter[str] = Counter()
    for episode in episodes:
        following = _EDGE
        for frame, _ in reversed(episode.actions) if step > 0 else episode.actions:
            if frame in frames:
                neighbour_count_by_frame[frame][following] += 1
            else:
                usual_neighbour_count[following] += 1
                following = frame
    kinds = len(usual_neighbour_count)
    total = sum(usual_neighbour_count.values())
    independent: set[str] = set()
    for frame, counts in neighbour_count_by_frame.items():
        n = sum(counts.values())
        divergence = sum(
            count / n * math.log(count / n * (total + kinds) / (usual_neighbour_count[other] + 1))
            for other, count in counts.items()
        )
        # The second term is the expected divergence of n draws from the usual neighbours.
        if divergence <= _DEPENDENCE + (kinds - 1) / (2 * n):
            independent.add(frame)
    return independent


def without_frames(episode: Episode, frames: frozenset[str]) -> Trajectory:
    """Return an episode's trajectory without the steps of some frames."""
    trajectory = episode.trajectory
    steps = [t for t, (frame, _) in enumerate(episode.actions) if frame not in frames]
    if len(steps) == len(episode.actions):
        return trajectory
    return replace(
        trajectory,
        acts=tuple(trajectory.acts[t] for t in steps),
        obs=(trajectory.obs[0], *(trajectory.obs[t + 1] for t in steps)),
    )
