"""Demonstrations that nothing but what all do joins: perhaps of worlds that only look alike."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ...episodes.worlds import verbs_of
from ...trajectories import Trajectory

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
    parts: dict[str, str] = {}

    def root(verb: str) -> str:
        while parts.setdefault(verb, verb) != verb:
            verb = parts[verb]
        return verb

    own = [sorted(v for v in verbs if often[v] < _MOST_DO * len(done)) for verbs in done]
    for verbs in own:
        for verb in verbs:
            parts[root(verb)] = root(verbs[0])
    members: defaultdict[str, list[Trajectory]] = defaultdict(list)
    for shown, verbs in zip(demonstrations, own, strict=True):
        if verbs:
            members[root(verbs[0])].append(shown)
    return sorted(members.values(), key=len, reverse=True) if len(members) > 1 else []
