"""Learn the effects of frames from the observations after them.

A frame *moves* if the observation begins with the heading of another place. It *reveals* if the
observation mentions new entities, or if it only makes the next such step possible (opening what
bars the way). All others *act*. Where naming a place reaches it, looking at a place reveals and
nothing moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..episodes.verbs import verb_end
from ..planning.place_map import heading
from ..words.lexicon import verb_of
from .analysis import Episode
from .place_headings import Headings

ACTS = "acts"
MOVES = "moves"
REVEALS = "reveals"

_MOVES_SHARE = 0.5
"""Least share of uses after which a frame that moves is at another place."""
_REVEALS_SHARE = 0.1
"""Least share of uses in which a frame that reveals shows a new entity."""
_OPENS_SHARE = 0.8
"""Least share of uses in which a frame only serves the next step."""
_LEAST_USES = 3
"""Uses of a frame; fewer do not show a share."""
_SEED_SHARE = 0.2
"""Share of a frame's results that must be known headings before all of them count as headings."""
_STAYS_SHARE = 0.2
"""Most uses that stay, per use that leaves, of a verb that leads from place to place."""


def frame_effects(episodes: Sequence[Episode]) -> dict[str, str]:
    """Map each frame to its effect: moves, reveals or acts."""
    uses = Counter(frame for episode in episodes for frame, _ in episode.actions)
    move_count = _move_counts(episodes, uses)
    reveal_count = _reveal_counts(episodes)
    effects: dict[str, str] = {}
    for frame, count in sorted(uses.items()):
        enough = count >= _LEAST_USES
        if move_count[frame] >= (_MOVES_SHARE if enough else 1.0) * count:
            effects[frame] = MOVES
        elif enough and reveal_count[frame] >= _REVEALS_SHARE * count:
            effects[frame] = REVEALS
        else:
            effects[frame] = ACTS
    while True:
        opening_frames = _opening_frames(episodes, effects) - {
            f for f, e in effects.items() if e != ACTS
        }
        if not opening_frames:
            return effects
        effects.update(dict.fromkeys(opening_frames, REVEALS))


def showing_frames(episodes: Sequence[Episode]) -> set[str]:
    """Return the frames whose observations mention new entities, at times."""
    uses = Counter(frame for episode in episodes for frame, _ in episode.actions)
    reveal_count = _reveal_counts(episodes)
    return {frame for frame, count in uses.items() if reveal_count[frame] >= _REVEALS_SHARE * count}


def _move_counts(episodes: Sequence[Episode], uses: Counter[str]) -> Counter[str]:
    """Count how often each frame leads to another place.

    A frame that sometimes leads to places where episodes begin leads to other places, too. So
    headings are collected until no more are found.
    """
    headings = Headings.of_starts([episode.trajectory.obs[0] for episode in episodes])
    while True:
        move_count: Counter[str] = Counter()
        headings_by_frame: dict[str, set[str]] = {}
        for episode in episodes:
            place = heading(episode.trajectory.obs[0])
            for t, (frame, _) in enumerate(episode.actions):
                observation = episode.trajectory.obs[t + 1]
                first = heading(observation)
                headings_by_frame.setdefault(frame, set()).add(first)
                if headings.begins(observation):
                    move_count[frame] += first != place
                    place = first
        seeds = {f for f, n in move_count.items() if n >= max(_LEAST_USES, _SEED_SHARE * uses[f])}
        seeds |= _frames_that_leave_and_return(episodes, headings)
        extended = headings.joined(
            first for frame in seeds for first in headings_by_frame[frame] if first
        )
        if extended == headings:
            return move_count
        headings = extended


def _frames_that_leave_and_return(episodes: Sequence[Episode], headings: Headings) -> set[str]:
    """Return frames whose verb leads away from known places, back to them, and to new headings.

    They are needed where all episodes begin in one place, whose heading alone is known. Feedback
    never shows that heading again. Looking around does, but it leads to no other place and shows
    no new heading.
    """
    verb_at = verb_end([episode.trajectory for episode in episodes])
    frames_by_verb: dict[str, set[str]] = {}
    leave_count: Counter[str] = Counter()
    stay_count: Counter[str] = Counter()
    return_count: Counter[str] = Counter()
    new_count: Counter[str] = Counter()
    for episode in episodes:
        first_lines = [heading(observation) for observation in episode.trajectory.obs]
        headings_met = {first_lines[0]}
        for t, (frame, _) in enumerate(episode.actions):
            before, after = first_lines[t], first_lines[t + 1]
            verb = verb_of(frame, verb_at)
            frames_by_verb.setdefault(verb, set()).add(frame)
            return_count[verb] += after in headings.known and before != after
            stay_count[verb] += before == after
            leave_count[verb] += before in headings.known and before != after
            new_count[verb] += after not in headings_met
            headings_met.add(after)
    return {
        frame
        for verb, frames in frames_by_verb.items()
        if min(leave_count[verb], return_count[verb], new_count[verb]) >= _LEAST_USES
        and stay_count[verb] <= _STAYS_SHARE * leave_count[verb]
        for frame in frames
    }


def _reveal_counts(episodes: Sequence[Episode]) -> Counter[str]:
    reveal_count: Counter[str] = Counter()
    for episode in episodes:
        known_entities = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            entities = episode.mentions[t + 1]
            reveal_count[frame] += any(
                e not in known_entities and e not in arguments for e in entities
            )
            known_entities.update(entities)
            known_entities.update(arguments)
    return reveal_count


def _opening_frames(episodes: Sequence[Episode], effects: Mapping[str, str]) -> set[str]:
    """Return frames that only serve the next step, which moves or reveals.

    The arguments of such an action are not used after the next step, so that step is its purpose:
    demonstrations do little in vain.
    """
    uses: Counter[str] = Counter()
    service_count: Counter[str] = Counter()
    for episode in episodes:
        last_use: dict[str, int] = {}
        for t, (_, arguments) in enumerate(episode.actions):
            for argument in arguments:
                last_use[argument] = t
        known_entities = set(episode.mentions[0])
        for t, (frame, arguments) in enumerate(episode.actions):
            entities = episode.mentions[t + 1]
            reveals = any(e not in known_entities and e not in arguments for e in entities)
            known_entities.update(entities)
            known_entities.update(arguments)
            if not arguments:
                continue
            uses[frame] += 1
            if t + 1 < len(episode.actions):
                next_effect = effects.get(episode.actions[t + 1][0], ACTS)
                last_used = all(last_use[argument] <= t + 1 for argument in arguments)
                service_count[frame] += reveals or (next_effect != ACTS and last_used)
    return {
        frame
        for frame, n in uses.items()
        if n >= _LEAST_USES and service_count[frame] >= _OPENS_SHARE * n
    }
