"""Places: how they are told apart, what leads from one to another, and what was told at each.

A history that has a map remembers by place: what was told at a place is known again when one comes
back, and is not known elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import Done
from .sightings import Sightings

__all__ = ["PLACE", "Field", "Map", "Places", "Route", "action_text", "name_of"]

Field = tuple[str, str]
"""Kind of facts, and the name of a field."""
_Map = TypeVar("_Map", bound="Map")

PLACE = "place"
"""Kind of the fact that names a place, where its name is all that a line says."""
_MOST_PLACES = 300
"""More places are not looked through for a way."""


@dataclass(frozen=True, slots=True)
class Places:
    """How places are known.

    Attributes:
        moves: Operators that lead from place to place.
        told_by: Operators whose results tell of the place where one is then.
        start: Whether the first result tells of a place.
        named: Whether the first fact of what is told names the place.
        by_name: Whether the arguments of a move name the place to which it leads.
        back: Move, as an action → the one that leads back.
        sightings: What was seen at which kinds of places.
        ways: Fields that say with what one can move.
        anywhere: Whether what was told somewhere says so everywhere.
        names: Fields that name things.
        heads: Kinds of the facts that name a place; empty: any. What tells another thing first
            tells of no place: one did not get there.
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
        """Whether a move led anywhere, as far as its result tells."""
        named = bool(self.heads) and call.operator in self.told_by
        return call.worked and (not named or (bool(facts) and facts[0].kind in self.heads))


@dataclass(frozen=True, slots=True)
class Route:
    """The shortest way to a place.

    Attributes:
        far: Moves to it.
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
    """Where one is and has been in an episode. Places are numbers, in the order of discovery.

    Attributes:
        places: How places are known.
        here: Where one is.
        ways: Place and move, as an action → where it leads; None where it led nowhere.
        told: What was told at each place; None where nothing was.
        titles: Place → its name, as it is spelled.
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
        """Return the same map, which then grows on its own."""
        return self.fill(Map(self.places))

    def fill(self, other: _Map) -> _Map:
        """Put what is known into another map."""
        other.here, other.ways, other.told = self.here, dict(self.ways), self.told[:]
        other.titles, other._ways = dict(self.titles), dict(self._ways)
        other._names, other._kinds = dict(self._names), self._kinds
        return other

    # ------------------------------------------------------------------ what is told
    @property
    def present(self) -> tuple[Fact, ...] | None:
        """What was told of the place; None where nothing was."""
        return self.told[self.here]

    def note(
        self, call: Done | None, facts: Sequence[Fact]
    ) -> tuple[Sequence[Fact], Collection[str]]:
        """Note a call and its result, or the first result.

        Returns:
            What is known of it: the result, and what is remembered of the place; and the kinds of
            facts that were told elsewhere and do not hold here.
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
        elif call is not None:  # what was in the way may be so no more
            shut = [way for way, to in self.ways.items() if way[0] == self.here and to is None]
            for way in shut:
                del self.ways[way]
        tells = places.start if call is None else call.operator in places.told_by
        if not tells or not facts:
            remembered = (self.told[self.here] or ()) if moves else ()
            return (*facts, *remembered), self._kinds if moves else ()
        if places.named:
            facts = (self._named(facts[0]), *facts[1:])
        if call is not None and not moves and not places.named:
            kinds = {fact.kind for fact in facts}
            rest = (fact for fact in self.told[self.here] or () if fact.kind not in kinds)
            self.told[self.here] = (*rest, *facts)
            self._kinds |= kinds
            return facts, ()
        self.told[self.here] = tuple(facts)
        forgotten = self._kinds
        self._kinds |= {fact.kind for fact in facts}
        return facts, forgotten

    def _named(self, fact: Fact) -> Fact:
        """Note the name of the place; one that is known already is the same place."""
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
        """Note that two places are one."""
        for (place, action), to in list(self.ways.items()):
            if one in (place, to):
                del self.ways[place, action]
                self.ways.setdefault(
                    (other if place == one else place, action), other if to == one else to
                )
        for name, place in self._names.items():
            if place == one:
                self._names[name] = other
        self.here = other

    def _go(self, call: Done) -> None:
        action = action_text(call)
        to = self.leads(self.here, call)
        if to is None:
            to = len(self.told)
            self.told.append(None)
            if self.places.by_name:
                self._names.setdefault(" ".join(call.arguments).casefold(), to)
        self.ways[self.here, action] = to
        back = self.places.back.get(action)
        if back is not None:
            self.ways.setdefault((to, back), self.here)
        self.here = to

    # ------------------------------------------------------------------ ways
    def leads(self, place: int, call: Done) -> int | None:
        """Return where a move leads from a place; None where that is not known."""
        if self.places.by_name:
            return self._names.get(" ".join(call.arguments).casefold())
        return self.ways.get((place, action_text(call)))

    def blocked(self, place: int, call: Done) -> bool:
        """Whether a move led nowhere."""
        return self.ways.get((place, action_text(call)), place) is None

    def routes(self) -> dict[int, Route]:
        """Return the shortest ways to all places that are known, this one among them."""
        routes = {self.here: Route(0, ())}
        queue = deque([self.here])
        while queue and len(routes) < _MOST_PLACES:
            place = queue.popleft()
            for way in self._ways_from(place):
                to = self.leads(place, self._move(way))
                if to is not None and to not in routes:
                    route = routes[place]
                    routes[to] = Route(route.far + 1, route.first or (way,))
                    if self.told[to] is not None:
                        queue.append(to)
        return routes

    def unexplored(self, routes: Mapping[int, Route]) -> Iterator[tuple[str, Route]]:
        """Yield the moves of which it is not known what is told where they lead.

        Args:
            routes: Ways to places that are known.
        """
        for place, route in routes.items():
            for way in self._ways_from(place):
                move = self._move(way)
                to = self.leads(place, move)
                if (to is None or self.told[to] is None) and not self.blocked(place, move):
                    yield way, Route(route.far + 1, route.first or (way,))
            if self.places.anywhere:
                return  # the same moves from everywhere

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
    """Return a call as an action."""
    return call.operator.format(*call.arguments)
