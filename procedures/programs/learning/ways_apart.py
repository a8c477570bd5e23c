"""Demonstrations that nothing but what all do joins: perhaps of worlds that only look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...episodes.trajectories import Trajectory
from ...episodes.world_split import verbs_of

__all__ = ["ways_apart"]

_MOST_DO = 0.9
"""Share of the demonstrations that do what says nothing of how they differ."""


def ways_apart(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return demonstrations by what they do, the largest part first.

    Two are of one part where both do something that not nearly all do, if only by way of others.
    Those that do nothing else than nearly all do are of no part. There are two parts or none: where
    there would be one, some demonstrations only do more than others.
    """
    done = verbs_of(demonstrations)
    often = Counter(verb for verbs in done for verb in verbs)
    own = [{verb for verb in verbs if often[verb] < _MOST_DO * len(done)} for verbs in done]
    parts: list[set[str]] = []
    for verbs in filter(None, own):
        joined = verbs.union(*(part for part in parts if part & verbs))
        parts = [*(part for part in parts if not part & verbs), joined]
    if len(parts) < 2:
        return []
    members = (
        [shown for shown, verbs in zip(demonstrations, own, strict=True) if verbs & part]
        for part in parts
    )
    return sorted(members, key=len, reverse=True)
