"""Places: their names, the moves between them, and the facts of each.

A history with a map remembers facts by place: facts of a place are known again on return, and are
unknown elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import Done
from .sightings import Sightings

Field = tuple[str, str]
"""Kind of facts, and the name of a field."""
_Map = TypeVar("_Map", bound="Map")

PLACE = "place"
"""Kind of the fact that names a place, where its name is all that a line says."""
_MOST_PLACES = 300
"""Most places of a search for a way; it bounds the time."""


@dataclass(frozen=True, slots=True)
class Places:
    """Rules by which a map learns places from calls and results.

    Attributes:
        moves: Operators that lead from place to place.
        told_by: Operators whose results describe the current place.
        start: Whether the first result describes a place.
        named: Whether the first fact of such a result names the place.
        by_name: Whether the arguments of a move name the place to which it leads.
        back: Move, as an action → the move that leads back.
        sightings: Counts of things seen at kinds of places.
        ways: Fields that hold arguments of moves.
        anywhere: Whether these fields count at all places, wherever they were told.
        names: Fields that name things.
        heads: Kinds of the facts that name a place; empty: any. A result that begins with another
            kind means that the move failed.
    """

    moves: tuple[str, ...]
    told_by: tuple[str, ...]
    start: bool = True
    named: bool = True
    by_name: bool = False
    back: Mapping[str, str] = field(default_factory=dict, hash=False)
    sightings: Sightings = field(default_factory=Sightings)
    ways: tuple[Field, ...] = ()
    anywhere: bool = False
    names: frozenset[Field] = frozenset()
    heads: frozenset[str] = frozenset()

    def lead(self, call: Done, facts: Sequence[Fact]) -> bool:
        """Whether a move led to a place, as far as its result tells."""
        names_place = bool(self.heads) and call.operator in self.told_by
        return call.worked and (not names_place or (bool(facts) and facts[0].kind in self.heads))


@dataclass(frozen=True, slots=True)
class Route:
    """The shortest way to a place.

    Attributes:
        far: Number of moves.
        first: Arguments of the first move.
    """

    far: int
    first: tuple[str, ...]


def name_of(fact: Fact) -> str:
    """Return how a fact names a place: a line without fields, or its only field."""
    values = list(fact.fields.values())
    if fact.kind != UNREAD and len(values) != 1:
        return " ".join([fact.kind, *values]).casefold()
    return values[0].casefold()


class Map:
    """The places of an episode, as numbers in the order of discovery.

    Attributes:
        places: Rules by which the map learns places.
        here: The current place.
        ways: Place and move, as an action → destination; None where the move failed.
        told: Facts of each place; None where nothing was told.
        titles: Place → its name as spelled.
    """

    def __init__(self, places: Places) -> None:
        self.places = places
        self.here = 0
        self.ways: dict[tuple[int, str], int | None] = {}
        self.told: list[tuple[Fact, ...] | None] = [None]
        self.titles: dict[int, str] = {}
        self._ways: dict[str, None] = {}
        self._names: dict[str, int] = {}
        self._kinds: frozenset[str] = frozenset()

    def copy(self) -> Map:
        """Return an independent copy of the map."""
        return self.fill(Map(self.places))

    def fill(self, other: _Map) -> _Map:
        """Copy all that is known into another map, and return it."""
        other.here, other.ways, other.told = self.here, dict(self.ways), self.told[:]
        other.titles, other._ways = dict(self.titles), dict(self._ways)
        other._names, other._kinds = dict(self._names), self._kinds
        return other

    # ------------------------------------------------------------------ what is told
    @property
    def present(self) -> tuple[Fact, ...] | None:
        """Facts of the current place; None where nothing was told."""
        return self.told[self.here]

    def note(
        self, call: Done | None, facts: Sequence[Fact]
    ) -> tuple[Sequence[Fact], Collection[str]]:
        """Note a call and its result, or the first result.

        Returns:
            The known facts (the result, and what the map remembers of the place), and the kinds of
            facts of other places that do not hold here.
        """
        places = self.places
        self._ways |= dict.fromkeys(self._ways_in(facts))
        moves = call is not None and call.operator in places.moves
        if call is not None and moves and not places.lead(call, facts):
            self.ways[self.here, action_text(call)] = None
            return facts, ()
        if call is not None and not call.worked:
            return facts, ()
        if call is not None and moves:
            self._go(call)
        elif call is not None:  # an obstacle may be gone
            blocked_moves = [
                way
                for way, destination in self.ways.items()
                if way[0] == self.here and destination is None
            ]
            for way in blocked_moves:
                del self.ways[way]
        tells_place = places.start if call is None else call.operator in places.told_by
        if not tells_place or not facts:
            remembered = (self.told[self.here] or ()) if moves else ()
            return (*facts, *remembered), self._kinds if moves else ()
        if places.named:
            facts = (self._named(facts[0]), *facts[1:])
        if call is not None and not moves and not places.named:
            kinds = {fact.kind for fact in facts}
            other_facts = (fact for fact in self.told[self.here] or () if fact.kind not in kinds)
            self.told[self.here] = (*other_facts, *facts)
            self._kinds |= kinds
            return facts, ()
        self.told[self.here] = tuple(facts)
        forgotten = self._kinds
        self._kinds |= {fact.kind for fact in facts}
        return facts, forgotten

    def _named(self, fact: Fact) -> Fact:
        """Note the name of the current place, and merge it with a place of the same name."""
        name = name_of(fact)
        title = next(iter(fact.fields.values()), fact.kind)
        place = self._names.setdefault(name, self.here)
        if place != self.here:
            self._same(self.here, place)
        self.titles[place] = title
        bare = fact.kind == UNREAD or not fact.fields
        return (
            Fact(PLACE, {"name": fact.fields["1"] if fact.fields else fact.kind}) if bare else fact
        )

    def _same(self, one: int, other: int) -> None:
        """Merge two places into one."""
        for (place, action), destination in list(self.ways.items()):
            if one in (place, destination):
                del self.ways[place, action]
                self.ways.setdefault(
                    (other if place == one else place, action),
                    other if destination == one else destination,
                )
        for name, place in self._names.items():
            if place == one:
                self._names[name] = other
        self.here = other

    def _go(self, call: Done) -> None:
        action = action_text(call)
        destination = self.leads(self.here, call)
        if destination is None:
            destination = len(self.told)
            self.told.append(None)
            if self.places.by_name:
                self._names.setdefault(" ".join(call.arguments).casefold(), destination)
        self.ways[self.here, action] = destination
        back = self.places.back.get(action)
        if back is not None:
            self.ways.setdefault((destination, back), self.here)
        self.here = destination

    # ------------------------------------------------------------------ ways
    def leads(self, place: int, call: Done) -> int | None:
        """Return the destination of a move from a place; None where it is unknown."""
        if self.places.by_name:
            return self._names.get(" ".join(call.arguments).casefold())
        return self.ways.get((place, action_text(call)))

    def blocked(self, place: int, call: Done) -> bool:
        """Whether a move failed at a place."""
        return self.ways.get((place, action_text(call)), place) is None

    def routes(self) -> dict[int, Route]:
        """Return place → shortest way, for all known places, the current one included."""
        routes = {self.here: Route(0, ())}
        queue = deque([self.here])
        while queue and len(routes) < _MOST_PLACES:
            place = queue.popleft()
            for way in self._ways_from(place):
                destination = self.leads(place, self._move(way))
                if destination is not None and destination not in routes:
                    route = routes[place]
                    routes[destination] = Route(route.far + 1, route.first or (way,))
                    if self.told[destination] is not None:
                        queue.append(destination)
        return routes

    def unexplored(self, routes: Mapping[int, Route]) -> Iterator[tuple[str, Route]]:
        """Yield the moves to places that were not described yet.

        Args:
            routes: Shortest ways to known places.
        """
        for place, route in routes.items():
            for way in self._ways_from(place):
                move = self._move(way)
                destination = self.leads(place, move)
                if (destination is None or self.told[destination] is None) and not self.blocked(
                    place, move
                ):
                    yield way, Route(route.far + 1, route.first or (way,))
            if self.places.anywhere:
                return  # all places have the same moves

    def _move(self, way: str) -> Done:
        return Done(None, self.places.moves[0], (way,))

    def _ways_from(self, place: int) -> Sequence[str]:
        if self.places.anywhere:
            return tuple(self._ways)
        return self._ways_in(self.told[place] or ())

    def _ways_in(self, facts: Sequence[Fact]) -> Sequence[str]:
        return tuple(
            fact.fields[name]
            for kind, name in self.places.ways
            for fact in facts
            if fact.kind == kind and name in fact.fields
        )


def action_text(call: Done) -> str:
    """Return the action text of a call."""
    return call.operator.format(*call.arguments)
