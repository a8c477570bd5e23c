"""What demonstrations show of exploring: moves that lead back, things looked into, headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ..condition_patterns import escape
from ..places import heading, titled
from ..text import fold_space, sentences
from .analysis import Episode
from .effects import ACTS, MOVES
from .headings import ornaments

__all__ = [
    "explored_things",
    "heading_pattern",
    "headings_are_titles",
    "reverse_moves",
    "sight_pattern",
]

_LEAST_USES = 3
_SHARE = 0.9
_LEAST_MARK = 2
"""Fewest characters at the end of headings that set them apart from other sentences."""
_START = 3
"""Most words of a sentence's beginning."""
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


def sight_pattern(episodes: Sequence[Episode], effects: Mapping[str, str]) -> str:
    """Return how some sentence of every place's description begins, as a pattern; or empty.

    Where neither headings nor titles have a common form, this tells places from other answers.
    """
    sights = _arrivals(episodes, effects)
    known = {heading(each) for each in sights}
    count = Counter(start for each in sights for start in _sentence_starts(each))
    answers = {
        start
        for episode in episodes
        for each in episode.trajectory.obs
        if heading(each) not in known
        for start in _sentence_starts(each)
    }
    found = [s for s, n in count.items() if n >= _SHARE * len(sights) and s not in answers]
    return f"{escape(max(found, key=lambda s: (count[s], len(s), s)))}*" if found else ""


def _sentence_starts(observation: str) -> set[str]:
    """The first words of its sentences, one to three, without what ends them."""
    starts: set[str] = set()
    for sentence in sentences(observation):
        split = sentence.split()
        starts.update(" ".join(split[:n]) + " " for n in range(1, min(_START, len(split) - 1) + 1))
    return starts


def headings_are_titles(episodes: Sequence[Episode], effects: Mapping[str, str]) -> bool:
    """Tell whether (nearly) every place is shown by a title, a line that is no sentence."""
    arrivals = _arrivals(episodes, effects)
    return sum(map(titled, arrivals)) >= _SHARE * len(arrivals)


def _arrivals(episodes: Sequence[Episode], effects: Mapping[str, str]) -> list[str]:
    """What is observed of a place when one comes there."""
    found = [episode.trajectory.obs[0] for episode in episodes]
    for episode in episodes:
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) == MOVES:
                found.append(episode.trajectory.obs[t + 1])
    return found
