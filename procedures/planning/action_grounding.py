"""Which actions might be possible at a place whose possible actions are hidden?

Told from text alone: a thing can be acted on where it is mentioned, or anywhere once it is
carried; what it stands in or on is mentioned next to it. A wrong guess costs a step, and is not
repeated at that place more than once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..common.text import mentions, sentences
from ..words.lexicon import instantiate, slots
from .episode_memory import EpisodeMemory
from .world_model import World

__all__ = ["guessed_moves", "imagined_actions", "imagined_exploring"]

_OPTIONS = 4
"""Most guesses for one open argument."""
_LEAST_WORDS = 2
"""Fewest words of a frame that a text must use before what follows them is taken for a name."""
_LONGEST_NAME = 4
_TRIES = 2
"""How often an action is tried at a place where it did not work."""


def imagined_actions(
    memory: EpisodeMemory,
    frame: str,
    fixed: Mapping[int, str],
    usual: Mapping[int, Sequence[str]],
) -> dict[str, list[str]]:
    """Return place → actions of a frame's operator that may be possible there.

    Args:
        memory: The episode so far, with a graph of places.
        frame: The frame wanted; other frames of its operator are considered too.
        fixed: Argument position → entity.
        usual: Argument position → kinds it usually has, for open positions.
    """
    places, world = memory.places, memory.world
    if places is None:
        return {}
    operator = world.operator(frame)
    frames = [f for f in memory.lexicon.frames if world.operator(f) == operator]
    frames.sort(key=lambda f: (f != frame, f))
    out: dict[str, list[str]] = {}
    for place, text in places.texts.items():
        found: list[str] = []
        for each in frames:
            if len(fixed) <= slots(each):
                found.extend(_filled(memory, each, fixed, usual, place, text))
        fresh = [a for a in dict.fromkeys(found) if places.failures(place, a) < _TRIES]
        if fresh:
            out[place] = fresh
    return out


def imagined_exploring(memory: EpisodeMemory) -> dict[str, list[str]]:
    """Return place → what may be done to explore: looks that its text speaks of, moves, gear.

    Gear is what an exploring action needs, such as a thing that must be taken up first.
    """
    places, world = memory.places, memory.world
    if places is None:
        return {}
    bare = _bare_moves(memory.world, memory.lexicon.frames)
    out: dict[str, list[str]] = {}
    for place, text in places.texts.items():
        here = set(memory.lexicon.entities(text))
        looks: list[str] = []
        moves: list[str] = []
        gear: list[str] = []
        moves.extend(move for move, words in bare.items() if _all_stand_in(words, text))
        for frame, things in world.things.items():
            target = moves if world.effects.get(frame) == "moves" else looks
            near = [thing for thing in things.get(0, ()) if thing in here]
            if slots(frame) == 1:
                target.extend(instantiate(frame, [thing]) for thing in near)
                if target is moves:
                    moves.extend(instantiate(frame, [name]) for name in _offered(frame, text))
            for position, first in world.needs.get(frame, {}).items():
                usual = things.get(position, ())
                ready = [e for e in usual if _carried(memory, e, first)]
                if slots(frame) == 2 and position == 1:
                    looks.extend(instantiate(frame, [a, b]) for a in near for b in ready)
                gear.extend(
                    instantiate(each, [e])
                    for each in first
                    for e in usual
                    if slots(each) == 1
                    if e in here and e not in ready
                )
        found = dict.fromkeys((*looks, *moves, *gear))
        # What did not work will not now, until something is done to the thing.
        out[place] = [action for action in found if not places.failures(place, action)]
    return out


def _offered(frame: str, text: str) -> list[str]:
    """Names that a text puts into a frame, with its own words: known ones or new.

    One word alone stands in text too often for what follows it to be a name.
    """
    before, _, after = instantiate(frame, ["\0"]).partition("\0")
    before = before.strip()
    if after or len(before.split()) < _LEAST_WORDS:
        return []
    determiner = re.escape(before.split()[-1])
    names: list[str] = []
    for listed in re.findall(rf"(?<!\w){re.escape(before)} ([^.;:!?\n]+)", text, re.IGNORECASE):
        for part in re.split(r",\s*(?:and |or )?| and | or ", listed):
            name = re.sub(rf"^{determiner} ", "", part.strip(), flags=re.IGNORECASE)
            if name and len(name.split()) <= _LONGEST_NAME:
                names.append(name.lower())
    return names


def guessed_moves(memory: EpisodeMemory) -> dict[str, list[str]]:
    """Return place → moves without an argument that its text does not speak of."""
    places = memory.places
    if places is None:
        return {}
    bare = _bare_moves(memory.world, memory.lexicon.frames)
    return {
        place: [
            move
            for move, words in bare.items()
            if not places.failures(place, move) and not _all_stand_in(words, text)
        ]
        for place, text in places.texts.items()
    }


def _bare_moves(world: World, frames: Iterable[str]) -> dict[str, frozenset[str]]:
    """Moves without an argument, each with the words that tell it from others of its operator."""
    moves = [f for f in frames if world.effects.get(f) == "moves" and not slots(f)]
    spoken = {frame: frozenset(instantiate(frame, ()).split()) for frame in moves}
    out: dict[str, frozenset[str]] = {}
    for frame in moves:
        own = world.operator(frame)
        others = [spoken[f] for f in moves if f != frame and world.operator(f) == own]
        shared = spoken[frame].intersection(*others) if others else frozenset()
        out[instantiate(frame, ())] = spoken[frame] - shared or spoken[frame]
    return out


def _all_stand_in(words: Iterable[str], text: str) -> bool:
    return all(mentions(text, word) for word in words)


def _carried(memory: EpisodeMemory, entity: str, first: Sequence[str]) -> bool:
    return any(memory.has_undergone(entity, memory.world.operator(frame)) for frame in first)


def _filled(
    memory: EpisodeMemory,
    frame: str,
    fixed: Mapping[int, str],
    usual: Mapping[int, Sequence[str]],
    place: str,
    text: str,
) -> Iterable[str]:
    count = slots(frame)
    needs = memory.world.needs.get(frame, {})
    if count == 0:
        if memory.world.places.get(frame, place) == place:
            yield instantiate(frame, ())
        return
    for position, entity in fixed.items():
        carried = position in needs and _carried(memory, entity, needs[position])
        if not carried and not mentions(text, entity):
            return
    open_positions = [i for i in range(count) if i not in fixed]
    if not open_positions:
        yield instantiate(frame, [fixed[i] for i in range(count)])
        return
    if len(open_positions) > 1:
        return
    position = open_positions[0]
    anchor = next(iter(fixed.values()), None)
    for entity in _near(memory, text, anchor, usual.get(position, ())):
        if entity not in fixed.values():
            yield instantiate(frame, [fixed.get(i, entity) for i in range(count)])


def _near(memory: EpisodeMemory, text: str, anchor: str | None, usual: Sequence[str]) -> list[str]:
    """Entities for an open argument: usual ones beside the anchor first, then others here."""
    close: list[str] = []
    rest: list[str] = []
    for sentence in sentences(text):
        beside = anchor is not None and mentions(sentence, anchor)
        (close if beside else rest).extend(memory.lexicon.entities(sentence))
    order = {kind: i for i, kind in enumerate(usual)}
    kind = memory.kind_of
    ranked = [e for e in close if kind(e) in order]
    ranked += sorted((e for e in rest if kind(e) in order), key=lambda e: order[kind(e)])
    return list(dict.fromkeys(ranked))[:_OPTIONS]
