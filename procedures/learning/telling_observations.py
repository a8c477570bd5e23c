"""Find the observation that names what to act on next, such as a gauge or a notice."""

from __future__ import annotations

from collections.abc import Sequence

from ..words.lexicon import Lexicon
from ..words.reference_resolution import told_apart
from .analysis import Episode
from .segments import Segment

_LEAST = 4
"""Episodes whose text names the entity; fewer may do so by chance."""
_SHARE = 0.9
"""Least share of episodes whose text names the entity."""


def telling_place(
    position: tuple[int, int],
    members: Sequence[tuple[Episode, Sequence[Segment]]],
    lexicon: Lexicon,
) -> int | None:
    """Return the latest earlier place after which the text (nearly) always names this entity.

    Args:
        position: (index of the segment, index of its variable).
        members: Episodes with the plan's shape, with their segments.
        lexicon: Tells kinds.

    Returns:
        Index of the place, or None if no text distinguishes the entity from others of its kinds.
    """
    place, variable = position
    entities = [
        segments[place].variables[variable] for _, segments in members if _has(segments, position)
    ]
    if len(set(entities)) < 2:
        return None
    kinds = {lexicon.kind(entity) for entity in entities}
    for teller in reversed(range(place)):
        hits = total = 0
        for episode, segments in members:
            if not _has(segments, position):
                continue
            total += 1
            entity = segments[place].variables[variable]
            last = segments[teller].steps[-1]
            mentioned = {e for mentions in episode.mentions[: last + 2] for e in mentions}
            others = {e for e in mentioned if lexicon.kind(e) in kinds} | {entity}
            hits += told_apart(others, episode.trajectory.obs[last + 1]) == {entity}
        if hits >= max(_LEAST, _SHARE * total):
            return teller
    return None


def _has(segments: Sequence[Segment], position: tuple[int, int]) -> bool:
    return position[1] < len(segments[position[0]].variables)
