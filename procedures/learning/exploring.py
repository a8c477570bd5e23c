"""What demonstrations show of exploring: moves that lead back, things looked into, headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile

from ..condition_patterns import escape
from ..places import heading
from ..text import normalise
from .analysis import Episode
from .effects import ACTS, MOVES

__all__ = ["explored_things", "heading_pattern", "reverse_moves"]

_LEAST_USES = 3
_SHARE = 0.9
_THINGS = 60
"""Most things listed for one frame."""


def reverse_moves(episodes: Sequence[Episode], effects: Mapping[str, str]) -> dict[str, str]:
    """Move → the move that leads back, where that was (nearly) always so.

    Read from the graphs of places of the demonstrations: from P by a to Q, and from Q by b to P.
    """
    back: dict[str, Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        edges: dict[tuple[str, str], str] = {}
        place = heading(episode.trajectory.obs[0])
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) != MOVES:
                continue
            following = heading(episode.trajectory.obs[t + 1])
            edges[place, normalise(episode.trajectory.acts[t])] = following
            place = following
        for (start, move), end in edges.items():
            for (other, reverse), target in edges.items():
                if other == end and target == start != end:
                    back[move][reverse] += 1
    found: dict[str, str] = {}
    for move, counts in sorted(back.items()):
        reverse, count = max(counts.items(), key=lambda item: (item[1], item[0]))
        if count >= _LEAST_USES and count >= _SHARE * sum(counts.values()):
            found[move] = reverse
    return found


def explored_things(
    episodes: Sequence[Episode], effects: Mapping[str, str]
) -> dict[str, dict[int, list[str]]]:
    """Frame that moves or reveals → position → entities it was used on, most frequent first."""
    counts: dict[str, dict[int, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for episode in episodes:
        for frame, arguments in episode.actions:
            if effects.get(frame, ACTS) != ACTS:
                for position, argument in enumerate(arguments):
                    counts[frame][position][argument] += 1
    return {
        frame: {
            position: [e for e, _ in sorted(c.items(), key=lambda x: (-x[1], x[0]))[:_THINGS]]
            for position, c in sorted(positions.items())
        }
        for frame, positions in sorted(counts.items())
    }


def heading_pattern(episodes: Sequence[Episode], effects: Mapping[str, str]) -> str:
    """Return what all headings of places have in common, as a pattern; empty if nothing."""
    headings = {heading(episode.trajectory.obs[0]) for episode in episodes}
    for episode in episodes:
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) == MOVES:
                headings.add(heading(episode.trajectory.obs[t + 1]))
    spelled = sorted(headings)
    if len(spelled) < _LEAST_USES:
        return ""
    prefix = _common_start(spelled)
    suffix = _common_start([text[::-1] for text in spelled])[::-1]
    if not prefix and not suffix:
        return ""
    return f"{escape(prefix)}*{escape(suffix)}"


def _common_start(texts: Sequence[str]) -> str:
    columns = zip(*texts, strict=False)
    return "".join(c[0] for c in takewhile(lambda column: len(set(column)) == 1, columns))
