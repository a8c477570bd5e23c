"""What demonstrations show of exploring: moves that lead back, things looked into, headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ..common.text import fold_space
from ..conditions.text_patterns import escape
from ..planning.place_map import heading
from .analysis import Episode
from .effects import ACTS, MOVES
from .place_headings import ornaments

__all__ = [
    "explored_things",
    "heading_pattern",
    "reverse_moves",
]

_LEAST_USES = 3
_SHARE = 0.9
_LEAST_MARK = 2
"""Fewest characters at the end of headings that set them apart from other sentences."""
_THINGS = 60
"""Most things listed for one frame."""


def reverse_moves(episodes: Sequence[Episode], effects: Mapping[str, str]) -> dict[str, str]:
    """Move → the move that leads back, where that was (nearly) always so.

    Read from the graphs of places of the demonstrations: from P by a to Q, and from Q by b to P.
    """
    back: dict[str, Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        edges: dict[str, dict[str, str]] = defaultdict(dict)
        place = heading(episode.trajectory.obs[0])
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) != MOVES:
                continue
            following = heading(episode.trajectory.obs[t + 1])
            edges[place][fold_space(episode.trajectory.acts[t])] = following
            place = following
        for start, moves in edges.items():
            for move, end in moves.items():
                ways = edges.get(end, {}) if end != start else {}
                back[move].update(way for way, target in ways.items() if target == start)
    found: dict[str, str] = {}
    for move, counts in sorted(back.items()):
        if not counts:
            continue
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
    spelled = sorted({heading(each) for each in _arrivals(episodes, effects)})
    if len(spelled) < _LEAST_USES:
        return ""
    prefix, suffix = ornaments(spelled)
    # A mark that ends every other sentence too sets nothing apart.
    if not prefix and len(suffix) < _LEAST_MARK:
        return ""
    return f"{escape(prefix)}*{escape(suffix)}"


def _arrivals(episodes: Sequence[Episode], effects: Mapping[str, str]) -> list[str]:
    """What is observed of a place when one comes there."""
    found = [episode.trajectory.obs[0] for episode in episodes]
    for episode in episodes:
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) == MOVES:
                found.append(episode.trajectory.obs[t + 1])
    return found
