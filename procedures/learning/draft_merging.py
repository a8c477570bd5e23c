"""Merge duplicates: procedures that do the same thing in other words.

Two drafts are one if the similarity of their texts reaches θ_dup *and* their effects are the same:
the same observations follow, apart from the arguments. Similar words alone ("heat … with …",
"cool … with …") are not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..words.lexicon import slots
from .drafts import Draft
from .segments import Segment

THETA_DUP = 0.85
"""Cosine similarity from which two procedures may be duplicates (paper: 0.85)."""

Similarity = Callable[[str, str], float]


def duplicate_frames(
    groups: Mapping[str, Sequence[Segment]],
    outcomes: Mapping[str, Sequence[str]],
    similarity: Similarity,
    threshold: float,
) -> dict[str, str]:
    """Find final frames that mean the same.

    Args:
        groups: Final frame → segments, the most frequent first.
        outcomes: Frame → patterns observed when it works, over its slots.
        similarity: Similarity of two texts in [-1, 1].
        threshold: θ_dup.

    Returns:
        Frame → the more frequent frame that it duplicates.
    """
    distinct: list[str] = []
    original_by_frame: dict[str, str] = {}
    for frame in groups:
        for other in distinct:
            same_effect = slots(frame) == slots(other) and set(outcomes.get(frame, ())) == set(
                outcomes.get(other, ())
            )
            if same_effect and outcomes.get(frame) and similarity(frame, other) >= threshold:
                original_by_frame[frame] = other
                break
        else:
            distinct.append(frame)
    return original_by_frame


def merge_duplicates(drafts: Mapping[str, Draft], same: Mapping[str, str]) -> dict[str, Draft]:
    """Move the segments of a duplicate to the procedure that stays, so that they count for it.

    The steps are those of the more frequent wording.
    """
    merged = {frame: draft for frame, draft in drafts.items() if frame not in same}
    for frame, stays in same.items():
        merged[stays].segments.extend(drafts[frame].segments)
        for variable, kinds in drafts[frame].kinds.items():
            merged[stays].kinds[variable].update(kinds)
    return merged
