"""What frames of action do to the world, told by what is observed after them.

*Moves*: what follows begins with the heading of another place, one that episodes also begin with,
and does not name the action's arguments. *Reveals*: it mentions entities not met before. All
others *act*. Where every place is reached by naming it, looking at a place is revealing, and
nothing moves: that is the simple case, not an exception.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..places import heading
from .analysis import Episode

__all__ = ["ACTS", "MOVES", "REVEALS", "frame_effects"]

ACTS = "acts"
MOVES = "moves"
REVEALS = "reveals"

_MOVES_SHARE = 0.5
_REVEALS_SHARE = 0.1
_LEAST_USES = 3


def frame_effects(episodes: Sequence[Episode]) -> dict[str, str]:
    """Tell for each frame whether it moves, reveals or acts."""
    starts = {heading(episode.trajectory.obs[0]) for episode in episodes}
    uses: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    revealed: Counter[str] = Counter()
    for episode in episodes:
        place = heading(episode.trajectory.obs[0])
        met = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            first = heading(episode.trajectory.obs[t + 1])
            uses[frame] += 1
            if first in starts and first != place:
                moved[frame] += 1
            if first in starts:
                place = first
            found = episode.mentions[t + 1]
            revealed[frame] += any(e not in met and e not in arguments for e in found)
            met.update(found)
            met.update(arguments)
    effects: dict[str, str] = {}
    for frame, count in sorted(uses.items()):
        enough = count >= _LEAST_USES
        if enough and moved[frame] >= _MOVES_SHARE * count:
            effects[frame] = MOVES
        elif enough and revealed[frame] >= _REVEALS_SHARE * count:
            effects[frame] = REVEALS
        else:
            effects[frame] = ACTS
    return effects
