"""Learn cues for exploring: moves that lead back, entities looked into, patterns of headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ..common.text import fold_space
from ..conditions.text_patterns import escape
from ..planning.place_map import heading
from .analysis import Episode
from .effects import ACTS, MOVES
from .place_headings import ornaments

_LEAST_USES = 3
"""Uses of a reverse move, and different headings; fewer show no pattern."""
_SHARE = 0.9
"""Least share of returns by the same reverse move."""
_LEAST_MARK = 2
"""Fewest characters at the end of headings that distinguish them from other sentences."""
_THINGS = 60
"""Most entities listed for one position of a frame; it bounds the file."""


def reverse_moves(episodes: Sequence[Episode], effects: Mapping[str, str]) -> dict[str, str]:
    """Map each move to the move that (nearly) always leads back.

    The demonstrations' graphs of places show it: move a leads from P to Q, and b from Q to P.
    """
    reverse_count_by_move: dict[str, Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        target_by_move: dict[str, dict[str, str]] = defaultdict(dict)
        place = heading(episode.trajectory.obs[0])
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) != MOVES:
                continue
            following = heading(episode.trajectory.obs[t + 1])
            target_by_move[place][fold_space(episode.trajectory.acts[t])] = following
            place = following
        for start, moves in target_by_move.items():
            for move, end in moves.items():
                returning = target_by_move.get(end, {}) if end != start else {}
                reverse_count_by_move[move].update(
                    way for way, target in returning.items() if target == start
                )
    reverse_by_move: dict[str, str] = {}
    for move, counts in sorted(reverse_count_by_move.items()):
        if not counts:
            continue
        reverse, count = max(counts.items(), key=lambda item: (item[1], item[0]))
        if count >= _LEAST_USES and count >= _SHARE * sum(counts.values()):
            reverse_by_move[move] = reverse
    return reverse_by_move


def explored_things(
    episodes: Sequence[Episode], effects: Mapping[str, str]
) -> dict[str, dict[int, list[str]]]:
    """Map frame that moves or reveals → position → its entities, most frequent first."""
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
    headings = sorted({heading(each) for each in _arrivals(episodes, effects)})
    if len(headings) < _LEAST_USES:
        return ""
    prefix, suffix = ornaments(headings)
    # A single mark, such as a full stop, ends other sentences, too.
    if not prefix and len(suffix) < _LEAST_MARK:
        return ""
    return f"{escape(prefix)}*{escape(suffix)}"


def _arrivals(episodes: Sequence[Episode], effects: Mapping[str, str]) -> list[str]:
    """Return the observations on arrival at a place."""
    observations = [episode.trajectory.obs[0] for episode in episodes]
    for episode in episodes:
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) == MOVES:
                observations.append(episode.trajectory.obs[t + 1])
    return observations
