"""Where to go next: to where something can be done, else to where nobody has been."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from ...episodes.history import Done, History
from ..sources import Search, candidates
from .places import Map

__all__ = ["ways_to_go"]

_MOST_PLACES = 300

Arguments = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Move:
    step: str
    operator: str
    search: Search


@dataclass(frozen=True, slots=True)
class _Stop:
    """A known place: what is known there, how far it is, and the moves that lead towards it."""

    history: History
    far: int
    first: tuple[Arguments, ...]


def ways_to_go(
    step: str,
    operator: str,
    search: Search,
    history: History,
    able: Callable[[History], bool],
) -> list[Arguments]:
    """Return the moves that are worth it now, the best first.

    Where something can be done at a place that is known, these are the moves towards such places,
    the nearest first; else the moves towards places that are not known yet.

    Args:
        step: Id of the step that moves.
        operator: What it does.
        search: What tells the ways that there are.
        history: What is known.
        able: Whether something else than a move could be done, were it so.
    """
    if not isinstance(history.memory, Map):
        return [(value,) for value in candidates(search, history)]
    move = _Move(step, operator, search)
    ready: list[tuple[int, Arguments]] = []
    unknown: list[tuple[int, Arguments]] = []
    stops = _stops(move, history)
    hindered = able(history)  # what can be done here is not done: it is no reason to go elsewhere
    for stop in stops:
        if stop.far and not hindered and able(stop.history):
            ready += [(stop.far, first) for first in stop.first]
        for call in _unknown(move, stop.history):
            far = stop.far + 1
            if not hindered and able(_arrived(stop.history, call)):
                ready += [(far, first) for first in stop.first or (call.arguments,)]
            unknown += [(far, first) for first in stop.first or (call.arguments,)]
    chosen = sorted(ready or unknown, key=lambda each: each[0])
    return list(dict.fromkeys(first for _, first in chosen))


def _stops(move: _Move, history: History) -> list[_Stop]:
    """Return the places to which ways are known, the nearest first."""
    here = _map(history).here
    stops = {here: _Stop(history, 0, ())}
    queue = deque([here])
    while queue and len(stops) < _MOST_PLACES:
        place = queue.popleft()
        stop = stops[place]
        for call, to in _known(move, stop.history):
            first = stop.first or (call.arguments,)
            if to not in stops:
                stops[to] = _Stop(_arrived(stop.history, call), stop.far + 1, first)
                queue.append(to)
            elif stops[to].far == stop.far + 1:
                both = tuple(dict.fromkeys((*stops[to].first, *first)))
                stops[to] = _Stop(stops[to].history, stops[to].far, both)
    return list(stops.values())


def _moves(move: _Move, history: History) -> Iterator[Done]:
    for value in candidates(move.search, history):
        yield Done(move.step, move.operator, (value,))


def _known(move: _Move, history: History) -> Iterator[tuple[Done, int]]:
    area = _map(history)
    for call in _moves(move, history):
        to = area.leads(area.here, call)
        if to is not None and to != area.here and area.told[to] is not None:
            yield call, to


def _unknown(move: _Move, history: History) -> Iterator[Done]:
    """Yield the moves of which it is not known what is told where they lead."""
    area = _map(history)
    for call in _moves(move, history):
        to = area.leads(area.here, call)
        if not area.blocked(area.here, call) and (to is None or area.told[to] is None):
            yield call


def _arrived(history: History, call: Done) -> History:
    """Return what would be known if a move were made, as far as the map tells."""
    other = history.copy()
    other.add(call, ())
    return other


def _map(history: History) -> Map:
    return cast("Map", history.memory)
