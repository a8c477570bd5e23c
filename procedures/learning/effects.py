"""What frames of action do to the world, told by what is observed after them.

*Moves*: what follows begins with the heading of another place. *Reveals*: it mentions entities
not met before, or its one use is to make the next such step possible (opening what bars the
way). All others *act*. Where every place is reached by naming it, looking at a place is
revealing, and nothing moves: that is the simple case, not an exception.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..planning.place_map import heading
from .analysis import Episode
from .place_headings import Headings

__all__ = ["ACTS", "MOVES", "REVEALS", "frame_effects"]

ACTS = "acts"
MOVES = "moves"
REVEALS = "reveals"

_MOVES_SHARE = 0.5
_REVEALS_SHARE = 0.1
_OPENS_SHARE = 0.8
_LEAST_USES = 3
_SEED_SHARE = 0.2
"""Share of a frame's results that must be known headings before all of them are taken as such."""
_STAYS_SHARE = 0.2
"""Most stays, for each leaving, of a verb that leads from place to place."""


def frame_effects(episodes: Sequence[Episode]) -> dict[str, str]:
    """Tell for each frame whether it moves, reveals or acts."""
    uses = Counter(frame for episode in episodes for frame, _ in episode.actions)
    moved = _moves(episodes, uses)
    revealed = _revealing(episodes)
    effects: dict[str, str] = {}
    for frame, count in sorted(uses.items()):
        enough = count >= _LEAST_USES
        if moved[frame] >= (_MOVES_SHARE if enough else 1.0) * count:
            effects[frame] = MOVES
        elif enough and revealed[frame] >= _REVEALS_SHARE * count:
            effects[frame] = REVEALS
        else:
            effects[frame] = ACTS
    while True:
        opening = _opening(episodes, effects) - {f for f, e in effects.items() if e != ACTS}
        if not opening:
            return effects
        effects.update(dict.fromkeys(opening, REVEALS))


def _moves(episodes: Sequence[Episode], uses: Counter[str]) -> Counter[str]:
    """Count how often each frame leads to another place.

    A frame some of whose results are places that episodes begin in leads to others too: headings
    are gathered until no more are found.
    """
    headings = Headings.of_starts([episode.trajectory.obs[0] for episode in episodes])
    while True:
        moved: Counter[str] = Counter()
        results: dict[str, set[str]] = {}
        for episode in episodes:
            place = heading(episode.trajectory.obs[0])
            for t, (frame, _) in enumerate(episode.actions):
                observation = episode.trajectory.obs[t + 1]
                first = heading(observation)
                results.setdefault(frame, set()).add(first)
                if headings.begins(observation):
                    moved[frame] += first != place
                    place = first
        seeds = {f for f, n in moved.items() if n >= max(_LEAST_USES, _SEED_SHARE * uses[f])}
        seeds |= _leave_and_return(episodes, headings)
        wider = headings.joined(first for frame in seeds for first in results[frame] if first)
        if wider == headings:
            return moved
        headings = wider


def _leave_and_return(episodes: Sequence[Episode], headings: Headings) -> set[str]:
    """Frames whose verb leads away from known places, back to them, and to what is new.

    Where all episodes begin in one place, no more is known of headings than that one. Feedback
    never brings its heading back; looking around does, but leads from no place to another, and
    shows nothing that was not met before.
    """
    verbs: dict[str, set[str]] = {}
    left: Counter[str] = Counter()
    stayed: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for episode in episodes:
        firsts = [heading(observation) for observation in episode.trajectory.obs]
        met = {firsts[0]}
        for t, (frame, _) in enumerate(episode.actions):
            before, after = firsts[t], firsts[t + 1]
            verb = frame.split(" ", 1)[0]
            verbs.setdefault(verb, set()).add(frame)
            returned[verb] += after in headings.known and before != after
            stayed[verb] += before == after
            left[verb] += before in headings.known and before != after
            new[verb] += after not in met
            met.add(after)
    return {
        frame
        for verb, frames in verbs.items()
        if min(left[verb], returned[verb], new[verb]) >= _LEAST_USES
        and stayed[verb] <= _STAYS_SHARE * left[verb]
        for frame in frames
    }


def _revealing(episodes: Sequence[Episode]) -> Counter[str]:
    revealed: Counter[str] = Counter()
    for episode in episodes:
        met = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            found = episode.mentions[t + 1]
            revealed[frame] += any(e not in met and e not in arguments for e in found)
            met.update(found)
            met.update(arguments)
    return revealed


def _opening(episodes: Sequence[Episode], effects: Mapping[str, str]) -> set[str]:
    """Frames whose use shows in the next step alone, and that step moves or reveals.

    Demonstrations do little in vain: what an action was done to is not used after the step that
    follows, so that step is what the action was for.
    """
    uses: Counter[str] = Counter()
    served: Counter[str] = Counter()
    for episode in episodes:
        last_use: dict[str, int] = {}
        for t, (_, arguments) in enumerate(episode.actions):
            for argument in arguments:
                last_use[argument] = t
        met = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            found = episode.mentions[t + 1]
            shown = any(e not in met and e not in arguments for e in found)
            met.update(found)
            met.update(arguments)
            if not arguments:
                continue
            uses[frame] += 1
            if t + 1 < len(episode.actions):
                following = effects.get(episode.actions[t + 1][0], ACTS)
                spent = all(last_use[argument] <= t + 1 for argument in arguments)
                served[frame] += shown or (following != ACTS and spent)
    return {
        frame for frame, n in uses.items() if n >= _LEAST_USES and served[frame] >= _OPENS_SHARE * n
    }
