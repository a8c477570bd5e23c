"""A scene: a map, and what was last told of each thing, and done with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...episodes.fact import UNREAD, Fact
from ...episodes.facts import is_asked
from ...episodes.history import Done
from ...episodes.mentions import NAME
from ...episodes.tokens import occurs
from .operators import Deed, State
from .places import Map, Places

__all__ = ["Scene"]


class Scene(Map):
    """Where one is and what one knows of things. A thing is what a result names.

    Args:
        places: How places are known.
        names: What the task says as it is: it is told wherever a result says it.

    Attributes:
        where: Thing → the place where it was last told of.
        facts: Thing → what was last told of it.
        last: Thing → what was last done with it.
        done: Thing → all that was done with it.
        ended: Thing → what was told of it at this place, does not hold any more, and what ended it.
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
        """Return the same scene, which then grows on its own."""
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
        named = {*self._named_in(facts), *arguments}
        told: dict[str, list[Fact]] = {name: [] for name in sorted(named)}
        for fact in facts:
            for value in fact.fields.values() if fact.kind != UNREAD else ():
                if value in named or value in self.where:
                    told.setdefault(value, []).append(fact)
        for name, each in told.items():
            if call is not None and name in arguments:
                self._did(name, Deed(call.operator, arguments.index(name)), each)
            self.where[name] = self.here
            self.facts[name] = tuple(each)
        return noted

    def holds(self, state: State, name: str) -> bool:
        """Whether a state was last told of a thing."""
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
        gone = (fact for fact in self.facts.get(name, ()) if fact not in facts)
        self.ended[name] = (*self.ended.get(name, ()), *((fact, deed) for fact in gone))
        self.last[name] = deed
        self.done[name] = self.done.get(name, frozenset()) | {deed}
