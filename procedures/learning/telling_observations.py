"""Which observation tells what to act on next: a gauge that is read, a notice, a colour."""

from __future__ import annotations

from collections.abc import Sequence

from ..words.lexicon import Lexicon
from ..words.reference_resolution import told_apart
from .analysis import Episode
from .segments import Segment

__all__ = ["telling_place"]

_LEAST = 4
_SHARE = 0.9


def telling_place(
    position: tuple[int, int],
    own: Sequence[tuple[Episode, Sequence[Segment]]],
    lexicon: Lexicon,
) -> int | None:
    """Return the latest earlier place after which the text (nearly) always told this entity.

    Args:
        position: (index of the segment, index of its variable).
        own: Episodes that went the plan's way, with their segments.
        lexicon: Tells kinds.

    Returns:
        Index of the place, or None if no text tells the entity from the others of its kinds.
    """
    place, variable = position
    chosen = [
        segments[place].variables[variable] for _, segments in own if _has(segments, position)
    ]
    if len(set(chosen)) < 2:
        return None
    kinds = {lexicon.kind(entity) for entity in chosen}
    for teller in reversed(range(place)):
        hits = total = 0
        for episode, segments in own:
            if not _has(segments, position):
                continue
            total += 1
            entity = segments[place].variables[variable]
            last = segments[teller].steps[-1]
            met = {e for found in episode.mentions[: last + 2] for e in found}
            others = {e for e in met if lexicon.kind(e) in kinds} | {entity}
            hits += told_apart(others, episode.trajectory.obs[last + 1]) == {entity}
        if hits >= max(_LEAST, _SHARE * total):
            return teller
    return None


def _has(segments: Sequence[Segment], position: tuple[int, int]) -> bool:
    return position[1] < len(segments[position[0]].variables)
