"""Groups of demonstrations that share only common actions, perhaps of worlds that look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...episodes.trajectories import Trajectory
from ...episodes.verbs import verbs_of

_MOST_DO = 0.9
"""Share of the demonstrations from which on an action is too common to tell groups apart."""


def ways_apart(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return groups of demonstrations by their actions, the largest group first.

    Two demonstrations are in one group if they share an action that is not common, or if a chain of
    others links them. Demonstrations with common actions only are in no group. A single group is no
    split, so that the result is empty then.
    """
    verbs_by_demonstration = verbs_of(demonstrations)
    count_by_verb = Counter(verb for verbs in verbs_by_demonstration for verb in verbs)
    rare_verbs = [
        {verb for verb in verbs if count_by_verb[verb] < _MOST_DO * len(verbs_by_demonstration)}
        for verbs in verbs_by_demonstration
    ]
    parts: list[set[str]] = []
    for verbs in filter(None, rare_verbs):
        joined = verbs.union(*(part for part in parts if part & verbs))
        parts = [*(part for part in parts if not part & verbs), joined]
    if len(parts) < 2:
        return []
    members = (
        [
            demonstration
            for demonstration, verbs in zip(demonstrations, rare_verbs, strict=True)
            if verbs & part
        ]
        for part in parts
    )
    return sorted(members, key=len, reverse=True)
