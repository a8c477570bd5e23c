"""Guess which actions are possible at a place, where the world does not list them.

Text alone decides. An entity can be acted on where it is mentioned, or anywhere once it is carried.
Its container is mentioned next to it. A wrong guess costs a step and is repeated once at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..common.text import mentions, sentences
from ..words.lexicon import instantiate, slots
from .episode_memory import EpisodeMemory
from .world_model import World

_OPTIONS = 4
"""Most guesses for one open argument; it bounds the search."""
_LEAST_WORDS = 2
"""Fewest words of a frame that a text must use for the next words to count as a name."""
_LONGEST_NAME = 4
"""Words; longer phrases are no names."""
_TRIES = 2
"""Most tries of an action at a place where it did not work."""


def imagined_actions(
    memory: EpisodeMemory,
    frame: str,
    fixed: Mapping[int, str],
    usual: Mapping[int, Sequence[str]],
) -> dict[str, list[str]]:
    """Return place → actions of a frame's operator that may be possible there.

    Args:
        memory: The episode so far, with a graph of places.
        frame: The requested frame; other frames of its operator are considered, too.
        fixed: Argument position → entity.
        usual: Open argument position → its usual kinds.
    """
    places, world = memory.places, memory.world
    if places is None:
        return {}
    operator = world.operator(frame)
    frames = [f for f in memory.lexicon.frames if world.operator(f) == operator]
    frames.sort(key=lambda f: (f != frame, f))
    actions_by_place: dict[str, list[str]] = {}
    for place, text in places.texts.items():
        candidates: list[str] = []
        for each in frames:
            if len(fixed) <= slots(each):
                candidates.extend(_possible_actions(memory, each, fixed, usual, place, text))
        untried = [a for a in dict.fromkeys(candidates) if places.failures(place, a) < _TRIES]
        if untried:
            actions_by_place[place] = untried
    return actions_by_place


def imagined_exploring(memory: EpisodeMemory) -> dict[str, list[str]]:
    """Return place → exploring actions: looks that its text mentions, moves, gear.

    Gear is an action that an exploring action needs, such as taking an entity first.
    """
    places, world = memory.places, memory.world
    if places is None:
        return {}
    words_by_move = _bare_moves(memory.world, memory.lexicon.frames)
    actions_by_place: dict[str, list[str]] = {}
    for place, text in places.texts.items():
        entities_here = set(memory.lexicon.entities(text))
        looks: list[str] = []
        moves: list[str] = []
        gear: list[str] = []
        moves.extend(move for move, words in words_by_move.items() if _all_stand_in(words, text))
        for frame, things in world.things.items():
            target = moves if world.effects.get(frame) == "moves" else looks
            near_entities = [thing for thing in things.get(0, ()) if thing in entities_here]
            if slots(frame) == 1:
                target.extend(instantiate(frame, [thing]) for thing in near_entities)
                if target is moves:
                    moves.extend(
                        instantiate(frame, [name]) for name in _names_in_frame(frame, text)
                    )
            for position, enabling_frames in world.needs.get(frame, {}).items():
                usual_entities = things.get(position, ())
                ready = [e for e in usual_entities if _carried(memory, e, enabling_frames)]
                if slots(frame) == 2 and position == 1:
                    looks.extend(instantiate(frame, [a, b]) for a in near_entities for b in ready)
                gear.extend(
                    instantiate(each, [e])
                    for each in enabling_frames
                    for e in usual_entities
                    if slots(each) == 1
                    if e in entities_here and e not in ready
                )
        actions = dict.fromkeys((*looks, *moves, *gear))
        # A failed action fails again until another action changes its entity.
        actions_by_place[place] = [
            action for action in actions if not places.failures(place, action)
        ]
    return actions_by_place


def _names_in_frame(frame: str, text: str) -> list[str]:
    """Return the names, known or new, that a text puts after the words of a frame.

    A frame of one word is too frequent in text to mark a name.
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
    """Return place → moves without an argument that its text does not mention."""
    places = memory.places
    if places is None:
        return {}
    words_by_move = _bare_moves(memory.world, memory.lexicon.frames)
    return {
        place: [
            move
            for move, words in words_by_move.items()
            if not places.failures(place, move) and not _all_stand_in(words, text)
        ]
        for place, text in places.texts.items()
    }


def _bare_moves(world: World, frames: Iterable[str]) -> dict[str, frozenset[str]]:
    """Map each move without an argument to the words that distinguish it within its operator."""
    moves = [f for f in frames if world.effects.get(f) == "moves" and not slots(f)]
    words_by_frame = {frame: frozenset(instantiate(frame, ()).split()) for frame in moves}
    words_by_move: dict[str, frozenset[str]] = {}
    for frame in moves:
        operator = world.operator(frame)
        others = [words_by_frame[f] for f in moves if f != frame and world.operator(f) == operator]
        shared = words_by_frame[frame].intersection(*others) if others else frozenset()
        words_by_move[instantiate(frame, ())] = (
            words_by_frame[frame] - shared or words_by_frame[frame]
        )
    return words_by_move


def _all_stand_in(words: Iterable[str], text: str) -> bool:
    return all(mentions(text, word) for word in words)


def _carried(memory: EpisodeMemory, entity: str, first: Sequence[str]) -> bool:
    return any(memory.has_undergone(entity, memory.world.operator(frame)) for frame in first)


def _possible_actions(
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
    """Return entities for an open argument: usual ones beside the anchor first, then others."""
    beside_anchor: list[str] = []
    elsewhere: list[str] = []
    for sentence in sentences(text):
        mentions_anchor = anchor is not None and mentions(sentence, anchor)
        (beside_anchor if mentions_anchor else elsewhere).extend(memory.lexicon.entities(sentence))
    order = {kind: i for i, kind in enumerate(usual)}
    kind = memory.kind_of
    ranked = [e for e in beside_anchor if kind(e) in order]
    ranked += sorted((e for e in elsewhere if kind(e) in order), key=lambda e: order[kind(e)])
    return list(dict.fromkeys(ranked))[:_OPTIONS]
