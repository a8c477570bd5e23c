"""A composition: what lists names, and how texts are composed of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from .filling import Scene
from .listed_names import LookUp, Names
from .ranking import Ranker


@dataclass(frozen=True)
class Composition:
    """The look-ups and the ranking of texts of one kind, as learned.

    Attributes:
        look_ups: Actions that list names: the first at level 0, then those that tell most.
        ranker: How tasks become texts.
        actions: Most actions of a demonstration.
        tries: Most texts of a demonstration that were answered before it ended with one of them, at
            least 1; None where a text itself ends it, so that there is nothing to hand in.
        refusals: How results begin that refuse a text.
        worlds: Names of the worlds that demonstrations were shown in, as far as they were told.
        short: The look-up that is made where the result of another one was cut; empty: none.
    """

    look_ups: tuple[LookUp, ...]
    ranker: Ranker
    actions: int
    tries: int | None
    refusals: tuple[str, ...] = ()
    worlds: tuple[Names, ...] = ()
    short: str = ""

    def __hash__(self) -> int:
        """Return a hash of what is short; equality looks at all."""
        return hash((self.look_ups, self.actions, self.tries, len(self.worlds)))

    def world_of(self, names: Names) -> Names | None:
        """Return the world that lists just these names at level 0; None of a new one."""
        return self._by_tops.get(frozenset(name.text.casefold() for name in names.tops))

    def about(self, action: str) -> bool:
        """Whether an action is a look-up."""
        return any(each.about(action) is not None for each in self.look_ups)

    def refuses(self, result: str) -> bool:
        """Whether a result refuses the text before it."""
        return result.startswith(self.refusals) if self.refusals else False

    @property
    def most_tries(self) -> int:
        """How many texts are answered at most before one has to be handed in."""
        return self.actions if self.tries is None else self.tries

    @cached_property
    def memo(self) -> dict[tuple[object, ...], list[tuple[str, float]]]:
        """Texts that were ranked last."""
        return {}

    @cached_property
    def scenes(self) -> dict[tuple[object, ...], Scene]:
        """Tasks beside names that were looked at last."""
        return {}

    @cached_property
    def _by_tops(self) -> Mapping[frozenset[str], Names]:
        return {frozenset(n.text.casefold() for n in w.tops): w for w in self.worlds}
