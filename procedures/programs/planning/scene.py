"""A scene: a map with the last facts of each thing, and the deeds with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...episodes.fact import UNREAD, Fact
from ...episodes.facts import is_asked
from ...episodes.history import Done
from ...episodes.mentions import NAME
from ...episodes.tokens import occurs
from .operators import Deed, State
from .places import Map, Places


class Scene(Map):
    """A map that knows things, too. A thing is anything that a result names.

    Args:
        places: Rules by which the map learns places.
        names: Names of the task; a result that contains one names a thing.

    Attributes:
        where: Thing → the place where it was last named.
        facts: Thing → its newest facts.
        last: Thing → the last deed with it.
        done: Thing → all deeds with it.
        ended: Thing → facts of this place that ended, each with the deed that ended it.
    """

    def __init__(self, places: Places, names: Iterable[str] = ()) -> None:
        super().__init__(places)
        self.names = tuple(sorted(names))
        self.where: dict[str, int] = {}
        self.facts: dict[str, tuple[Fact, ...]] = {}
        self.last: dict[str, Deed] = {}
        self.done: dict[str, frozenset[Deed]] = {}
        self.ended: dict[str, tuple[tuple[Fact, Deed], ...]] = {}

    def copy(self) -> Scene:
        """Return an independent copy of the scene."""
        other = Scene(self.places, self.names)
        self.fill(other)
        other.where, other.facts = dict(self.where), dict(self.facts)
        other.last, other.done = dict(self.last), dict(self.done)
        other.ended = dict(self.ended)
        return other

    def note(
        self, call: Done | None, facts: Sequence[Fact]
    ) -> tuple[Sequence[Fact], Collection[str]]:
        """Note a call and its result, or the first result."""
        facts = [fact for fact in facts if not is_asked(fact)]
        noted = super().note(call, facts)
        moves = call is not None and call.operator in self.places.moves
        if call is not None and not (self.places.lead(call, facts) if moves else call.worked):
            return noted
        arguments = call.arguments if call is not None else ()
        if call is not None and call.operator in self.places.moves:
            self.ended = {}
        names = {*self._named_in(facts), *arguments}
        facts_by_name: dict[str, list[Fact]] = {name: [] for name in sorted(names)}
        for fact in facts:
            for value in fact.fields.values() if fact.kind != UNREAD else ():
                if value in names or value in self.where:
                    facts_by_name.setdefault(value, []).append(fact)
        for name, facts_of_name in facts_by_name.items():
            if call is not None and name in arguments:
                self._did(name, Deed(call.operator, arguments.index(name)), facts_of_name)
            self.where[name] = self.here
            self.facts[name] = tuple(facts_of_name)
        return noted

    def holds(self, state: State, name: str) -> bool:
        """Whether the newest facts of a thing state it."""
        return any(state.told(fact, name) for fact in self.facts.get(name, ()))

    def _named_in(self, facts: Sequence[Fact]) -> Iterable[str]:
        for fact in facts:
            for key, value in fact.fields.items():
                if fact.kind.startswith(NAME) or (fact.kind, key) in self.places.names:
                    yield value
        for name in self.names:
            texts = (text for fact in facts for text in (fact.kind, *fact.fields.values()))
            if any(occurs(name, text) for text in texts):
                yield name

    def _did(self, name: str, deed: Deed, facts: Sequence[Fact]) -> None:
        if deed.operator in self.places.moves:
            return
        ended_facts = (fact for fact in self.facts.get(name, ()) if fact not in facts)
        self.ended[name] = (*self.ended.get(name, ()), *((fact, deed) for fact in ended_facts))
        self.last[name] = deed
        self.done[name] = self.done.get(name, frozenset()) | {deed}
