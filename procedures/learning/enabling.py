"""What must have been done to an argument before, what it can be, and where a thing is done.

Enabling links: an argument of a frame was, in most demonstrations, an argument of another frame
earlier. They are followed recursively when the loop has to make an action possible.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ..planning.place_map import heading
from .analysis import Episode
from .effects import MOVES

__all__ = ["closed_positions", "enabling_links", "usual_places"]

_SHARE = 0.6
_MOST = 2
_PLACE_SHARE = 0.9
_LEAST_USES = 3
_CLOSED_USES = 20
_NOVELTY = 0.02


def enabling_links(
    episodes: Sequence[Episode], canonical: Mapping[str, str]
) -> dict[str, dict[int, list[str]]]:
    """Frame → argument position → operators (as frames) that the argument usually underwent.

    Frames of one verb count as one operator, written as its most common frame.
    """
    before: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    uses: Counter[tuple[str, int]] = Counter()
    for episode in episodes:
        done: dict[str, set[str]] = defaultdict(set)
        for frame, arguments in episode.actions:
            own = canonical.get(frame, frame)
            for position, argument in enumerate(arguments):
                uses[frame, position] += 1
                before[frame, position].update(done[argument] - {own})
            for argument in arguments:
                done[argument].add(own)
    links: dict[str, dict[int, list[str]]] = {}
    for (frame, position), counts in sorted(before.items()):
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        kept = [f for f, n in ranked if n >= _SHARE * uses[frame, position]][:_MOST]
        if kept:
            links.setdefault(frame, {})[position] = kept
    return links


def closed_positions(
    episodes: Sequence[Episode], effects: Mapping[str, str]
) -> set[tuple[str, int]]:
    """(moving frame, argument position) where an entity never met before is not to be expected.

    P(new) is estimated as the share of episodes' fillers that one episode alone has (Good and
    Turing). Ways to go are few in some worlds; things are new in every other task, however often
    those of the demonstrations recur.
    """
    seen: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        used = {
            (frame, position, argument)
            for frame, arguments in episode.actions
            if effects.get(frame) == MOVES
            for position, argument in enumerate(arguments)
        }
        for frame, position, argument in used:
            seen[frame, position][argument] += 1
    return {
        key
        for key, counts in seen.items()
        if (total := sum(counts.values())) >= _CLOSED_USES
        and sum(n == 1 for n in counts.values()) < _NOVELTY * total
    }


def usual_places(episodes: Sequence[Episode], effects: Mapping[str, str]) -> dict[str, str]:
    """Frame → heading of the one place where it is done, for frames that have one."""
    if MOVES not in effects.values():
        return {}
    at: dict[str, Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        place = heading(episode.trajectory.obs[0])
        for t, (frame, _) in enumerate(episode.actions):
            at[frame][place] += 1
            if effects.get(frame) == MOVES:
                place = heading(episode.trajectory.obs[t + 1])
    places: dict[str, str] = {}
    for frame, counts in sorted(at.items()):
        place, count = max(counts.items(), key=lambda item: (item[1], item[0]))
        total = sum(counts.values())
        spread = len({p for c in at.values() for p in c})
        usual = count >= _PLACE_SHARE * total and total >= _LEAST_USES
        if usual and spread > 1 and effects.get(frame) != MOVES:
            places[frame] = place
    return places
