"""What lies ahead: places to which one can go, and what would be known there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from ...episodes.history import Done, History
from ..sources import Search, candidates
from .places import Map

__all__ = ["Outlook", "Prospect", "arrived", "outlook"]

_MOST_PLACES = 300
_LEAST = 1e-6

Arguments = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prospect:
    """A place where one could be.

    Attributes:
        history: What would be known there.
        far: Moves to it.
        first: Moves that begin the shortest ways to it.
    """

    history: History
    far: int
    first: tuple[Arguments, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What lies ahead.

    Attributes:
        prospects: Places of which something is known, if only the name; the nearest first.
        unknown: Moves that lead to what nobody has seen, the best first: those that cost least
            for the chance that something is seen there that the task says.
    """

    prospects: tuple[Prospect, ...]
    unknown: tuple[Arguments, ...]


@dataclass(frozen=True, slots=True)
class _Move:
    step: str
    operator: str
    search: Search


def outlook(step: str, operator: str, search: Search, history: History) -> Outlook:
    """Return what lies ahead.

    Args:
        step: Id of the step that moves.
        operator: What it does.
        search: What tells the ways that there are.
        history: What is known.
    """
    if not isinstance(history.memory, Map):
        return Outlook((), tuple((value,) for value in candidates(search, history)))
    key = ("outlook", step)
    memo = history.memo.get(key)
    if memo is None:
        memo = history.memo[key] = _outlook(_Move(step, operator, search), history)
    return cast("Outlook", memo)


def _outlook(move: _Move, history: History) -> Outlook:
    by_name = _map(history).places.by_name
    sightings = _map(history).places.sightings
    prospects: list[Prospect] = []
    unknown: list[tuple[float, Arguments]] = []
    for stop in _stops(move, history):
        if stop.far:
            prospects.append(stop)
        for call in _unknown(move, stop.history):
            first = stop.first or (call.arguments,)
            chance = sightings.chance(call.arguments[0], history) if by_name else 1.0
            unknown += [((stop.far + 1) / max(chance, _LEAST), each) for each in first]
            if by_name:
                prospects.append(Prospect(arrived(stop.history, call), stop.far + 1, first))
    prospects.sort(key=lambda each: each.far)
    unknown.sort(key=lambda each: each[0])
    return Outlook(tuple(prospects), tuple(dict.fromkeys(each for _, each in unknown)))


def _stops(move: _Move, history: History) -> list[Prospect]:
    """Return the places to which ways are known, the nearest first."""
    here = _map(history).here
    stops = {here: Prospect(history, 0, ())}
    queue = deque([here])
    while queue and len(stops) < _MOST_PLACES:
        place = queue.popleft()
        stop = stops[place]
        for call, to in _known(move, stop.history):
            first = stop.first or (call.arguments,)
            if to not in stops:
                stops[to] = Prospect(arrived(stop.history, call), stop.far + 1, first)
                queue.append(to)
            elif stops[to].far == stop.far + 1:
                both = tuple(dict.fromkeys((*stops[to].first, *first)))
                stops[to] = Prospect(stops[to].history, stops[to].far, both)
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


def arrived(history: History, call: Done) -> History:
    """Return what would be known if a move were made, as far as the map tells."""
    other = history.copy()
    other.add(call, ())
    _map(other).suppose()
    return other


def _map(history: History) -> Map:
    return cast("Map", history.memory)
