"""How to make an action possible in a world of places: enable it, go there, or explore.

Used where moving between places is an action of its own. The order is that of certainty: what is
possible now; what an argument must undergo first; where it was possible or is usually done; and
last, the nearest action that may show something new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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

__all__ = ["Need", "approach", "unmet_need"]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that has to be done first: this frame with this entity at this position."""

    frame: str
    position: int
    entity: str


def approach(
    procedure: Procedure,
    request: Request,
    memory: EpisodeMemory,
    possible: Mapping[str, Sequence[str]] | None,
    needed: frozenset[str] = frozenset(),
    *,
    told: bool = False,
) -> Attempt | Need | None:
    """Choose how to come closer to carrying out a procedure's final step.

    Args:
        procedure: What is to be run.
        request: What is fixed; ``tried`` holds actions tried.
        memory: The episode so far, with a graph of places.
        possible: Place → actions that were possible there when last looked at; None where
            the world hides them, so that they are imagined from its text.
        needed: Keys of needs that are being served already.
        told: The step stands in instructions. If it only moves or reveals, it speaks of where
            one is when its turn comes, so it is not looked for elsewhere.

    Returns:
        An attempt, something to do first, or None where nothing is left to try.
    """
    if memory.places is None:
        return None
    for instead in stand_ins({**request.wants, **request.bound}, memory):
        asked = request
        if instead:
            wants = {n: instead.get(n, kind) for n, kind in request.wants.items()}
            bound = {n: instead.get(n, entity) for n, entity in request.bound.items()}
            asked = replace(request, wants=wants, bound=bound)
        found = _approach(procedure, asked, memory, memory.places, possible, needed, told=told)
        if found is not None:
            return found
    return None


def _approach(
    procedure: Procedure,
    request: Request,
    memory: EpisodeMemory,
    places: PlaceMap,
    possible: Mapping[str, Sequence[str]] | None,
    needed: frozenset[str],
    *,
    told: bool,
) -> Attempt | Need | None:
    """Do what :func:`approach` promises, with the words as they are."""
    target = _target(procedure, request, memory.lexicon)
    if target is None:
        return None
    hidden = possible is None
    if possible is None:
        possible = imagined_actions(memory, target.frame, target.fixed, target.usual)
    final = len(procedure.steps) - 1
    here = _matching(possible.get(places.here, ()), target, request, memory)
    if here:
        return Attempt(here[0][1], (final,), action=here[0][0])
    need = _need(target, memory, needed)
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
    found = _exploring(memory, None if hidden else possible, here_only=here_only)
    back = _way_back(memory)
    if back and (found is None or len(back) <= len(found[0])):
        return Attempt({**request.bound}, (), purpose="travel", route=tuple(back))
    if found is None:
        return None
    way, action = found
    return Attempt({**request.bound}, (), purpose="travel", route=(*way, action))


def unmet_need(
    procedure: Procedure, request: Request, memory: EpisodeMemory, needed: frozenset[str]
) -> Need | None:
    """Return what must be done first to what a procedure is to be run with, if anything.

    Args:
        procedure: What is to be run.
        request: What is fixed.
        memory: The episode so far.
        needed: Keys of needs that are being served already.
    """
    target = _target(procedure, request, memory.lexicon)
    return _need(target, memory, needed) if target is not None else None


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
        # Where things have no number, the name of a kind is the name of the thing.
        fixed = {**wants, **fixed}
        wants = {}
    return _Target(frame_of(template), names, fixed, wants, usual)


def _matching(
    actions: Iterable[str], target: _Target, request: Request, memory: EpisodeMemory
) -> list[tuple[str, dict[str, str]]]:
    """Possible actions of the target's operator that agree with what is fixed, best first."""
    lexicon, world = memory.lexicon, memory.world
    operator = world.operator(target.frame)
    task = memory.task.lower()
    found: list[tuple[tuple[bool, int, int, str], str, dict[str, str]]] = []
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
        named = sum(argument in task for argument in free)
        binding = {
            **request.bound,
            **{n: arguments[i] for i, n in enumerate(target.names) if i < len(arguments)},
        }
        found.append(((frame != target.frame, -named, len(action), action), action, binding))
    for name, text in request.told.items():
        named_by = told_apart((b[name] for *_, b in found if name in b), text)
        found = [each for each in found if each[-1].get(name) in named_by]
    return [(action, binding) for _, action, binding in sorted(found, key=lambda x: x[0])]


def _need(target: _Target, memory: EpisodeMemory, needed: frozenset[str]) -> Need | None:
    world = memory.world
    for position, entity in sorted(target.fixed.items()):
        for frame in world.needs.get(target.frame, {}).get(position, ()):
            if memory.has_undergone(entity, world.operator(frame)):
                break
            if f"{frame}|{entity}" not in needed:
                return Need(frame, 0, entity)
    return None


def _usual_way(target: _Target, memory: EpisodeMemory) -> list[str] | None:
    """The way to where this is usually done, or to where a fixed argument was seen.

    The latter only if something was done to another argument since one was last there: else it
    would not be possible there now either.
    """
    places = memory.places
    if places is None:
        return None
    usual = memory.world.places.get(target.frame)
    if usual is not None and usual != places.here:
        way = places.path(lambda place: place == usual)
        if way:
            return way
    needs = memory.world.needs.get(target.frame, {})
    for position, entity in sorted(target.fixed.items()):
        others = [e for p, e in target.fixed.items() if p != position]
        changed = max((memory.acted_on.get(other, -1) for other in others), default=-1)
        if position in needs:
            continue  # what is carried along is not where it was seen
        shown = frozenset(
            place
            for place, text in places.texts.items()
            if memory.visited.get(place, 0) < changed and mentions(text, entity)
        )
        way = places.path(shown.__contains__)
        if way:
            return way
    return None


def _exploring(
    memory: EpisodeMemory, possible: Mapping[str, Sequence[str]] | None, *, here_only: bool
) -> tuple[list[str], str] | None:
    """The way to the nearest action that may show something new, and that action."""
    places = memory.places
    if places is None:
        return None
    explorable = imagined_exploring(memory) if possible is None else possible
    guessed: Mapping[str, Sequence[str]] = guessed_moves(memory) if possible is None else {}
    if here_only:
        explorable = {places.here: _reveals(explorable.get(places.here, ()), memory)}
        guessed = {}
    return (
        # What is described like a thing that bars the way is taken up where one passes it.
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


def _reveals(actions: Iterable[str], memory: EpisodeMemory) -> list[str]:
    effects = memory.world.effects
    return [each for each in actions if effects.get(memory.lexicon.parse(each)[0]) == "reveals"]


def _explores(place: str, action: str, memory: EpisodeMemory) -> bool:
    """Whether an action may show something new: an untried move or look."""
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
    """Whether an action does to a thing what must be done before it can serve to explore.

    Only things like those that served before, and only while something is left for them to serve
    on: what the action does otherwise may not be undone. ``fitting`` asks for a thing that is
    described in the same words, ``described_only`` leaves out what is not described at all.
    """
    world, lexicon = memory.world, memory.lexicon
    frame, arguments = lexicon.parse(action)
    if not arguments or memory.has_undergone(arguments[0], world.operator(frame)):
        return False
    described, head = _described(arguments[0])
    if described_only and not described:
        return False
    for served, positions in world.needs.items():
        if world.effects.get(served) != "reveals":
            continue
        things = world.things.get(served, {})
        for position, first in positions.items():
            if world.operator(frame) not in {world.operator(each) for each in first}:
                continue
            if head not in {_described(each)[1] for each in things.get(position, ())}:
                continue
            if described and fitting:
                serves_on = _seen_like(described, memory) - {arguments[0]}
            else:
                serves_on = {
                    _described(e)[1] for p, known in things.items() if p != position for e in known
                }
            if any(_unexplored(name, memory) for name in serves_on):
                return True
    return False


def _way_back(memory: EpisodeMemory) -> list[str] | None:
    """The way to a thing that bars the way, for which one has since taken up what serves."""
    places, world = memory.places, memory.world
    if places is None:
        return None
    served: dict[str, int] = {}
    for frame, positions in world.needs.items():
        if world.effects.get(frame) != "reveals":
            continue
        operators = {world.operator(each) for first in positions.values() for each in first}
        for entity, at in memory.acted_on.items():
            described, _ = _described(entity)
            if described and any(memory.has_undergone(entity, each) for each in operators):
                for name in _seen_like(described, memory) - {entity}:
                    if _unexplored(name, memory):
                        served[name] = max(at, served.get(name, 0))
    return places.path(
        lambda place: any(
            memory.visited.get(place, 0) < at and name in places.texts.get(place, "").lower()
            for name, at in served.items()
        )
    )


def _seen_like(described: str, memory: EpisodeMemory) -> set[str]:
    """Return what was seen that is described in these words."""
    places = memory.places
    like = re.compile(rf"(?<![\w\-]){re.escape(described)} ([\w'\-]+)", re.IGNORECASE)
    texts = places.texts.values() if places is not None else ()
    return {f"{described} {match[1].lower()}" for text in texts for match in like.finditer(text)}


def _described(entity: str) -> tuple[str, str]:
    """Split a name into what describes the thing and, its last word, what it is."""
    described, _, head = entity.rpartition(" ")
    return described, head


def _unexplored(name: str, memory: EpisodeMemory) -> bool:
    """Whether something of this name was seen that no exploring action has worked on."""
    places, effects = memory.places, memory.world.effects
    word = phrase_pattern(name)
    seen = places is not None and any(word.search(text) for text in places.texts.values())
    return seen and not any(
        word.search(action) and effects.get(memory.lexicon.parse(action)[0]) == "reveals"
        for action in memory.successful_actions()
    )
