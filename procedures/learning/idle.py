"""Idle actions: what is done now and then and serves nothing, such as looking around once more.

No single step shows it. Over many successes of the same goals an idle frame shows nothing that was
not met before, never ends an episode, is done as often as chance would have it (needed steps are
done the same number of times in each success of a goal), and neither follows from the step before
it nor leads to the step after it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..episodes.trajectories import Trajectory
from .analysis import Episode

__all__ = ["idle_frames", "needed_frames", "scattered_frames", "without_frames"]

_LEAST_USES = 10
_LEAST_EPISODES = 3
"""Fewer episodes of one goal than this do not show how often a step is needed."""
_REVEALS = 0.05
"""Most uses, as a share, that show something new."""
_ENDINGS = 0.01
"""Most uses, as a share, with which an episode ends."""
_DISPERSION = 0.5
"""Least variance of uses an episode over their mean: 1 for chance (Poisson), 0 where needed."""
_ODDS = 1000
"""A goal needs what all of its episodes use if chance does that less than once in so many times."""
_DEPENDENCE = 0.15
"""Most that a neighbouring step may tell, as a Kullback-Leibler divergence in nats."""
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
    revealed: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for episode in episodes:
        met = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            found = set(episode.mentions[t + 1])
            uses[frame] += 1
            revealed[frame] += not found <= met.union(arguments)
            met.update(found, arguments)
        if episode.actions:
            endings[episode.actions[-1][0]] += 1
    suspected = {
        frame
        for frame, n in uses.items()
        if n >= _LEAST_USES and revealed[frame] <= _REVEALS * n and endings[frame] <= _ENDINGS * n
    }
    suspected &= scattered_frames(episodes, suspected)
    suspected -= needed_frames(episodes, suspected)
    for step in (1, -1):
        suspected &= _independent(episodes, suspected, step)
    return frozenset(suspected)


def scattered_frames(episodes: Iterable[Episode], frames: Iterable[str]) -> set[str]:
    """Return those frames that episodes of one goal use as differently often as chance has it."""
    groups = _uses_by_goal(episodes)
    found: set[str] = set()
    for frame in frames:
        expected = squares = 0.0
        for counts in groups:
            mean = sum(count[frame] for count in counts) / len(counts)
            spread = sum((count[frame] - mean) ** 2 for count in counts)
            squares += spread * len(counts) / (len(counts) - 1)
            expected += mean * len(counts)
        if expected and squares >= _DISPERSION * expected:
            found.add(frame)
    return found


def _uses_by_goal(episodes: Iterable[Episode]) -> list[list[Counter[str]]]:
    """Frame → uses, an episode at a time, for each goal that enough episodes have."""
    by_goal: dict[str, list[Counter[str]]] = defaultdict(list)
    for episode in episodes:
        by_goal[episode.goal].append(Counter(frame for frame, _ in episode.actions))
    return [counts for counts in by_goal.values() if len(counts) >= _LEAST_EPISODES]


def needed_frames(episodes: Iterable[Episode], frames: Iterable[str]) -> set[str]:
    """Return frames that a goal always takes, and others so seldom that chance does not explain it.

    If which episodes use a frame had nothing to do with goals, all n episodes of a goal would be
    among the K of all N that use it with the probability of a draw without replacement,
    C(K, n) / C(N, n) (Fisher's exact test).
    """
    groups = _uses_by_goal(episodes)
    every = [count for counts in groups for count in counts]
    found: set[str] = set()
    for frame in frames:
        using = sum(count[frame] > 0 for count in every)
        for counts in groups:
            size = len(counts)
            # In whole numbers: these are too large for a float.
            rare = math.comb(using, size) * _ODDS < math.comb(len(every), size)
            if rare and all(count[frame] for count in counts):
                found.add(frame)
    return found


def _independent(episodes: Iterable[Episode], frames: set[str], step: int) -> set[str]:
    """Frames whose neighbours on one side are those that any other step has.

    Suspected frames are no neighbours: they may stand anywhere. ``step`` is 1 for what follows,
    -1 for what comes before.
    """
    after: dict[str, Counter[str]] = defaultdict(Counter)
    usual: Counter[str] = Counter()
    for episode in episodes:
        following = _EDGE
        for frame, _ in reversed(episode.actions) if step > 0 else episode.actions:
            if frame in frames:
                after[frame][following] += 1
            else:
                usual[following] += 1
                following = frame
    kinds = len(usual)
    total = sum(usual.values())
    found: set[str] = set()
    for frame, counts in after.items():
        n = sum(counts.values())
        divergence = sum(
            count / n * math.log(count / n * (total + kinds) / (usual[other] + 1))
            for other, count in counts.items()
        )
        # So much is to be expected of n draws from the usual neighbours themselves.
        if divergence <= _DEPENDENCE + (kinds - 1) / (2 * n):
            found.add(frame)
    return found


def without_frames(episode: Episode, frames: frozenset[str]) -> Trajectory:
    """Return an episode's trajectory without the steps of some frames."""
    told = episode.trajectory
    kept = [t for t, (frame, _) in enumerate(episode.actions) if frame not in frames]
    if len(kept) == len(episode.actions):
        return told
    return replace(
        told,
        acts=tuple(told.acts[t] for t in kept),
        obs=(told.obs[0], *(told.obs[t + 1] for t in kept)),
    )
