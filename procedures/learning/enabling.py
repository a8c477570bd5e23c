"""Learn what frames need: earlier actions on an argument, known entities, and a place.

An enabling link says that an argument of a frame was an argument of another frame earlier in most
demonstrations. The loop follows these links recursively to make an action possible.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ..planning.place_map import heading
from .analysis import Episode
from .effects import MOVES

_SHARE = 0.6
"""Least share of uses before which the argument underwent an operator that is a need."""
_MOST = 2
"""Most needs of one argument; it bounds the recursion."""
_PLACE_SHARE = 0.9
"""Least share of a frame's uses at its usual place."""
_LEAST_USES = 3
"""Uses of a frame; fewer show no usual place."""
_CLOSED_USES = 20
"""Fillers of a position; fewer do not show that all are known."""
_NOVELTY = 0.02
"""Greatest estimated chance of a new entity at a closed position."""


def enabling_links(
    episodes: Sequence[Episode], canonical: Mapping[str, str]
) -> dict[str, dict[int, list[str]]]:
    """Map frame → argument position → operators (as frames) that the argument usually underwent.

    Frames of one verb count as one operator, written as its most common frame.
    """
    earlier_count: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    use_count: Counter[tuple[str, int]] = Counter()
    for episode in episodes:
        operators_by_argument: dict[str, set[str]] = defaultdict(set)
        for frame, arguments in episode.actions:
            operator = canonical.get(frame, frame)
            for position, argument in enumerate(arguments):
                use_count[frame, position] += 1
                earlier_count[frame, position].update(operators_by_argument[argument] - {operator})
            for argument in arguments:
                operators_by_argument[argument].add(operator)
    links: dict[str, dict[int, list[str]]] = {}
    for (frame, position), counts in sorted(earlier_count.items()):
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        usual_operators = [f for f, n in ranked if n >= _SHARE * use_count[frame, position]][:_MOST]
        if usual_operators:
            links.setdefault(frame, {})[position] = usual_operators
    return links


def closed_positions(
    episodes: Sequence[Episode], effects: Mapping[str, str]
) -> set[tuple[str, int]]:
    """Return each (moving frame, argument position) where no new entity is expected.

    P(new) is estimated as the share of fillers that one episode alone has (Good-Turing). Only
    moves count: directions are few in some worlds, while tasks go on naming new things.
    """
    episode_count_by_position: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        fillers = {
            (frame, position, argument)
            for frame, arguments in episode.actions
            if effects.get(frame) == MOVES
            for position, argument in enumerate(arguments)
        }
        for frame, position, argument in fillers:
            episode_count_by_position[frame, position][argument] += 1
    return {
        key
        for key, counts in episode_count_by_position.items()
        if (total := sum(counts.values())) >= _CLOSED_USES
        and sum(n == 1 for n in counts.values()) < _NOVELTY * total
    }


def usual_places(episodes: Sequence[Episode], effects: Mapping[str, str]) -> dict[str, str]:
    """Map each frame that has one usual place to that place's heading."""
    if MOVES not in effects.values():
        return {}
    use_count_by_frame: dict[str, Counter[str]] = defaultdict(Counter)
    for episode in episodes:
        place = heading(episode.trajectory.obs[0])
        for t, (frame, _) in enumerate(episode.actions):
            use_count_by_frame[frame][place] += 1
            if effects.get(frame) == MOVES:
                place = heading(episode.trajectory.obs[t + 1])
    places: dict[str, str] = {}
    for frame, counts in sorted(use_count_by_frame.items()):
        place, count = max(counts.items(), key=lambda item: (item[1], item[0]))
        total = sum(counts.values())
        place_count = len({p for c in use_count_by_frame.values() for p in c})
        usual = count >= _PLACE_SHARE * total and total >= _LEAST_USES
        if usual and place_count > 1 and effects.get(frame) != MOVES:
            places[frame] = place
    return places
