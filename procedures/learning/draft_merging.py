"""Merge duplicates: procedures that do the same thing in other words.

Two drafts are one if their texts are as similar as θ_dup asks *and* they have the same effect:
what is observed after them is the same once the arguments are taken out. Similar words alone
("heat … with …", "cool … with …") are not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..words.lexicon import slots
from .drafts import Draft
from .segments import Segment

__all__ = ["THETA_DUP", "duplicate_frames", "merge_duplicates"]

THETA_DUP = 0.85
"""Cosine similarity from which two procedures may be duplicates (paper: 0.85)."""

Similarity = Callable[[str, str], float]


def duplicate_frames(
    groups: Mapping[str, Sequence[Segment]],
    outcomes: Mapping[str, Sequence[str]],
    similarity: Similarity,
    threshold: float = THETA_DUP,
) -> dict[str, str]:
    """Find final frames that mean the same.

    Args:
        groups: Final frame → segments, the most frequent first.
        outcomes: Frame → what is observed when it works, over its slots.
        similarity: Similarity of two texts in [-1, 1].
        threshold: θ_dup.

    Returns:
        Frame → the more frequent frame that it duplicates.
    """
    kept: list[str] = []
    same: dict[str, str] = {}
    for frame in groups:
        for other in kept:
            alike = slots(frame) == slots(other) and set(outcomes.get(frame, ())) == set(
                outcomes.get(other, ())
            )
            if alike and outcomes.get(frame) and similarity(frame, other) >= threshold:
                same[frame] = other
                break
        else:
            kept.append(frame)
    return same


def merge_duplicates(drafts: Mapping[str, Draft], same: Mapping[str, str]) -> dict[str, Draft]:
    """Give the segments of a duplicate to the procedure that stays, so that its evidence counts.

    The steps stay those of the more frequent spelling.
    """
    merged = {frame: draft for frame, draft in drafts.items() if frame not in same}
    for frame, stays in same.items():
        merged[stays].segments.extend(drafts[frame].segments)
        for variable, kinds in drafts[frame].kinds.items():
            merged[stays].kinds[variable].update(kinds)
    return merged
