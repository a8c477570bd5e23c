"""Make an action possible in a world of places: enable it, go there, or explore.

It serves worlds where moving between places is an action. The order is that of certainty: an
action that is possible now; an action that an argument needs first; the way to a place where the
action was possible or is usual; last, the nearest action that may show something new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import eq

from ..common.text import mentions, phrase_pattern, speaks_of
from ..conditions.text_patterns import template_parameters
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon, frame_of
from ..words.reference_resolution import told_apart
from .action_grounding import guessed_moves, imagined_actions, imagined_exploring
from .binding_search import Attempt, Request
from .episode_memory import EpisodeMemory
from .place_map import PlaceMap
from .synonym_linking import stand_ins


@dataclass(frozen=True, slots=True)
class Need:
    """An action to do first: this frame with this entity at this position."""

    frame: str
    position: int
    entity: str


def approach(
    procedure: Procedure,
    request: Request,
    memory: EpisodeMemory,
    possible: Mapping[str, Sequence[str]] | None,
    active_needs: frozenset[str] = frozenset(),
    *,
    told: bool = False,
) -> Attempt | Need | None:
    """Choose the next attempt that brings a procedure's final step closer.

    Args:
        procedure: The procedure to run.
        request: Fixed parameters; ``tried`` holds actions tried.
        memory: The episode so far, with a graph of places.
        possible: Place → actions that were possible there at the last look; None where the world
            hides them, so that they are guessed from its text.
        active_needs: Keys of needs that are being served already.
        told: Whether instructions call for the step. One that only moves or reveals then means
            the current place, so it is not looked for elsewhere.

    Returns:
        An attempt, an action to do first, or None where nothing is left to try.
    """
    if memory.places is None:
        return None
    for replacement in stand_ins({**request.wants, **request.bound}, memory):
        reading = request
        if replacement:
            wants = {n: replacement.get(n, kind) for n, kind in request.wants.items()}
            bindings = {n: replacement.get(n, entity) for n, entity in request.bound.items()}
            reading = replace(request, wants=wants, bound=bindings)
        step = _approach(
            procedure, reading, memory, memory.places, possible, active_needs, told=told
        )
        if step is not None:
            return step
    return None


def _approach(
    procedure: Procedure,
    request: Request,
    memory: EpisodeMemory,
    places: PlaceMap,
    possible: Mapping[str, Sequence[str]] | None,
    active_needs: frozenset[str],
    *,
    told: bool,
) -> Attempt | Need | None:
    """Do the work of :func:`approach` for one reading of the words."""
    target = _target(procedure, request, memory.lexicon)
    if target is None:
        return None
    hidden = possible is None
    if possible is None:
        possible = imagined_actions(memory, target.frame, target.fixed, target.usual)
    final = len(procedure.steps) - 1
    matches = _matching(possible.get(places.here, ()), target, request, memory)
    if matches:
        return Attempt(matches[0][1], (final,), action=matches[0][0])
    need = _need(target, memory, active_needs)
    if need is not None:
        return need
    way = places.path(
        lambda place: (
            place != places.here
            and bool(_matching(possible.get(place, ()), target, request, memory))
        )
    )
    if way is None:
        way = _usual_way(target, memory)
    if way:
        return Attempt({**request.bound}, (), purpose="travel", route=tuple(way))
    here_only = told and memory.world.effects.get(target.frame, "acts") != "acts"
    exploration = _exploring(memory, None if hidden else possible, here_only=here_only)
    back = _way_back(memory)
    if back and (exploration is None or len(back) <= len(exploration[0])):
        return Attempt({**request.bound}, (), purpose="travel", route=tuple(back))
    if exploration is None:
        return None
    way, action = exploration
    return Attempt({**request.bound}, (), purpose="explore", route=(*way, action))


def unmet_need(
    procedure: Procedure, request: Request, memory: EpisodeMemory, active_needs: frozenset[str]
) -> Need | None:
    """Return the action that a procedure's fixed arguments need first, or None.

    Args:
        procedure: The procedure to run.
        request: Fixed parameters.
        memory: The episode so far.
        active_needs: Keys of needs that are being served already.
    """
    target = _target(procedure, request, memory.lexicon)
    return _need(target, memory, active_needs) if target is not None else None


@dataclass(frozen=True, slots=True)
class _Target:
    frame: str
    names: tuple[str, ...]
    fixed: Mapping[int, str]
    wants: Mapping[int, str]
    usual: Mapping[int, Sequence[str]]


def _target(procedure: Procedure, request: Request, lexicon: Lexicon) -> _Target | None:
    template = procedure.steps[-1].do
    if template is None:
        return None
    names = template_parameters(template)
    fixed = {i: request.bound[n] for i, n in enumerate(names) if n in request.bound}
    wants = {i: request.wants[n] for i, n in enumerate(names) if n in request.wants}
    usual = {
        i: procedure.parameters[n].kinds for i, n in enumerate(names) if n in procedure.parameters
    }
    if not lexicon.numbered:
        # Where entities have no number, the name of a kind is the entity's name.
        fixed = {**wants, **fixed}
        wants = {}
    return _Target(frame_of(template), names, fixed, wants, usual)


def _matching(
    actions: Iterable[str], target: _Target, request: Request, memory: EpisodeMemory
) -> list[tuple[str, dict[str, str]]]:
    """Return possible actions of the target's operator that agree with the request, best first."""
    lexicon, world = memory.lexicon, memory.world
    operator = world.operator(target.frame)
    task = memory.task.lower()
    ranked: list[tuple[tuple[bool, int, int, str], str, dict[str, str]]] = []
    for action in actions:
        frame, arguments = lexicon.parse(action)
        if world.operator(frame) != operator or action in request.tried:
            continue
        if any(i >= len(arguments) or arguments[i] != e for i, e in target.fixed.items()):
            continue
        if any(
            i >= len(arguments)
            or not speaks_of(lexicon.kind(arguments[i]), kind, target.usual.get(i))
            for i, kind in target.wants.items()
        ):
            continue
        free = [a for i, a in enumerate(arguments) if i not in target.fixed]
        named_count = sum(argument in task for argument in free)
        binding = {
            **request.bound,
            **{n: arguments[i] for i, n in enumerate(target.names) if i < len(arguments)},
        }
        ranked.append(((frame != target.frame, -named_count, len(action), action), action, binding))
    for name, text in request.told.items():
        referents = told_apart((b[name] for *_, b in ranked if name in b), text)
        ranked = [each for each in ranked if each[-1].get(name) in referents]
    return [(action, binding) for _, action, binding in sorted(ranked, key=lambda x: x[0])]


def _need(target: _Target, memory: EpisodeMemory, active_needs: frozenset[str]) -> Need | None:
    world = memory.world
    for position, entity in sorted(target.fixed.items()):
        for frame in world.needs.get(target.frame, {}).get(position, ()):
            if memory.has_undergone(entity, world.operator(frame)):
                break
            if f"{frame}|{entity}" not in active_needs:
                return Need(frame, 0, entity)
    return None


def _usual_way(target: _Target, memory: EpisodeMemory) -> list[str] | None:
    """Return the way to the action's usual place, or to a place that mentions a fixed argument.

    The latter counts only if another argument was acted on since the last visit; otherwise the
    action is still impossible there.
    """
    places = memory.places
    if places is None:
        return None
    usual_place = memory.world.places.get(target.frame)
    if usual_place is not None and usual_place != places.here:
        way = places.path(lambda place: place == usual_place)
        if way:
            return way
    needs = memory.world.needs.get(target.frame, {})
    for position, entity in sorted(target.fixed.items()):
        others = [e for p, e in target.fixed.items() if p != position]
        last_change = max((memory.acted_on.get(other, -1) for other in others), default=-1)
        if position in needs:
            continue  # a carried entity is not where it was mentioned
        sightings = frozenset(
            place
            for place, text in places.texts.items()
            if memory.visited.get(place, 0) < last_change and mentions(text, entity)
        )
        way = places.path(sightings.__contains__)
        if way:
            return way
    return None


def _exploring(
    memory: EpisodeMemory, possible: Mapping[str, Sequence[str]] | None, *, here_only: bool
) -> tuple[list[str], str] | None:
    """Return the way to the nearest action that may show something new, and that action."""
    places = memory.places
    if places is None:
        return None
    explorable = imagined_exploring(memory) if possible is None else possible
    guessed: Mapping[str, Sequence[str]] = guessed_moves(memory) if possible is None else {}
    if here_only:
        explorable = {places.here: _reveals(explorable.get(places.here, ()), memory)}
        guessed = {}
    return (
        # An entity described like an obstacle is taken up in passing.
        places.frontier(
            {places.here: explorable.get(places.here, ())},
            lambda place, action: (
                place == places.here and _equips(action, memory, fitting=True, described_only=True)
            ),
        )
        or places.frontier(explorable, lambda place, action: _explores(place, action, memory))
        or places.frontier(explorable, lambda _, action: _equips(action, memory, fitting=True))
        or places.frontier(explorable, lambda _, action: _equips(action, memory, fitting=False))
        or places.frontier(guessed, lambda place, action: _explores(place, action, memory))
    )


def explorations(memory: EpisodeMemory) -> list[str]:
    """Return the first action of every way to something new, where the world hides actions.

    Actions at this place come first, and those that its text speaks of before guessed ones.
    """
    places = memory.places
    if places is None:
        return []
    here_actions: list[str] = []
    ways: list[str] = []
    possible = imagined_exploring(memory).items(), guessed_moves(memory).items()
    for place, actions in chain.from_iterable(possible):
        new_actions = [
            action
            for action in actions
            if _explores(place, action, memory) or _equips(action, memory, fitting=False)
        ]
        if place == places.here:
            here_actions += new_actions
        elif new_actions and (way := places.path(partial(eq, place))):
            ways.append(way[0])
    return list(dict.fromkeys([*here_actions, *ways]))


def _reveals(actions: Iterable[str], memory: EpisodeMemory) -> list[str]:
    effects = memory.world.effects
    return [each for each in actions if effects.get(memory.lexicon.parse(each)[0]) == "reveals"]


def _explores(place: str, action: str, memory: EpisodeMemory) -> bool:
    """Tell whether an action may show something new: an untried move or look."""
    places = memory.places
    step = (place, action)
    if places is None or step in places.tried or step in places.broken:
        return False
    frame, arguments = memory.lexicon.parse(action)
    effect = memory.world.effects.get(frame)
    if effect == "moves":
        return True
    if effect != "reveals" or not arguments:
        return False
    return action not in memory.successful_actions()


def _equips(
    action: str, memory: EpisodeMemory, *, fitting: bool, described_only: bool = False
) -> bool:
    """Tell whether an action prepares an entity for exploring, as taking a key does.

    Only entities like those used before count, and only while there is something to use them on:
    the action may be irreversible. ``fitting`` asks for a target described in the same words,
    ``described_only`` leaves out entities without a description.
    """
    world, lexicon = memory.world, memory.lexicon
    frame, arguments = lexicon.parse(action)
    if not arguments or memory.has_undergone(arguments[0], world.operator(frame)):
        return False
    described, head = _described(arguments[0])
    if described_only and not described:
        return False
    for served_frame, positions in world.needs.items():
        if world.effects.get(served_frame) != "reveals":
            continue
        entities_by_position = world.things.get(served_frame, {})
        for position, enabling_frames in positions.items():
            if world.operator(frame) not in {world.operator(each) for each in enabling_frames}:
                continue
            if head not in {_described(each)[1] for each in entities_by_position.get(position, ())}:
                continue
            if described and fitting:
                targets = _seen_like(described, memory) - {arguments[0]}
            else:
                targets = {
                    _described(e)[1]
                    for p, entities in entities_by_position.items()
                    if p != position
                    for e in entities
                }
            if any(_unexplored(name, memory) for name in targets):
                return True
    return False


def _way_back(memory: EpisodeMemory) -> list[str] | None:
    """Return the way to an obstacle for which a fitting entity was prepared since then."""
    places, world = memory.places, memory.world
    if places is None:
        return None
    time_by_target: dict[str, int] = {}
    for frame, positions in world.needs.items():
        if world.effects.get(frame) != "reveals":
            continue
        operators = {world.operator(each) for first in positions.values() for each in first}
        for entity, step in memory.acted_on.items():
            described, _ = _described(entity)
            if described and any(memory.has_undergone(entity, each) for each in operators):
                for name in _seen_like(described, memory) - {entity}:
                    if _unexplored(name, memory):
                        time_by_target[name] = max(step, time_by_target.get(name, 0))
    return places.path(
        lambda place: any(
            memory.visited.get(place, 0) < step and name in places.texts.get(place, "").lower()
            for name, step in time_by_target.items()
        )
    )


def _seen_like(described: str, memory: EpisodeMemory) -> set[str]:
    """Return the observed entities that are described in these words."""
    places = memory.places
    pattern = re.compile(rf"(?<![\w\-]){re.escape(described)} ([\w'\-]+)", re.IGNORECASE)
    texts = places.texts.values() if places is not None else ()
    return {f"{described} {match[1].lower()}" for text in texts for match in pattern.finditer(text)}


def _described(entity: str) -> tuple[str, str]:
    """Split a name into its description and its last word."""
    described, _, head = entity.rpartition(" ")
    return described, head


def _unexplored(name: str, memory: EpisodeMemory) -> bool:
    """Tell whether a name was observed on which no revealing action has worked."""
    places, effects = memory.places, memory.world.effects
    word = phrase_pattern(name)
    is_mentioned = places is not None and any(word.search(text) for text in places.texts.values())
    return is_mentioned and not any(
        word.search(action) and effects.get(memory.lexicon.parse(action)[0]) == "reveals"
        for action in memory.successful_actions()
    )
