"""A graph of places, drawn while playing: where moves lead, what was possible where."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence

from ..common.text import sentences

__all__ = ["PlaceMap", "heading", "titled"]

_SENTENCE_ENDS = ".!?"


class PlaceMap:
    """Places by their heading, with the moves between them.

    Attributes:
        here: Heading of the current place.
        edges: Place → move → place it led to.
        tried: (place, action) pairs that were done.
        broken: (place, move) pairs that turned out not to be possible after all.
        texts: Place → what was observed there since one last came.
    """

    def __init__(self, first_observation: str) -> None:
        self.here = heading(first_observation)
        self.edges: dict[str, dict[str, str]] = {self.here: {}}
        self.tried: set[tuple[str, str]] = set()
        self.broken: set[tuple[str, str]] = set()
        self._failed: Counter[tuple[str, str]] = Counter()
        self.texts: dict[str, str] = {self.here: first_observation}

    def moved(self, action: str, observation: str, back: str | None = None) -> None:
        """Take in a move that worked; ``back`` is the move that is known to lead back."""
        self.tried.add((self.here, action))
        place = heading(observation) or self.here
        self.edges.setdefault(self.here, {})[action] = place
        self.edges.setdefault(place, {})
        if back is not None and place != self.here:
            self.edges[place].setdefault(back, self.here)
            self.tried.add((place, back))
        self.here = place
        self.texts[place] = observation

    def acted(self, action: str, observation: str) -> None:
        """Take in any other action."""
        self.tried.add((self.here, action))
        seen = self.texts.get(self.here, "")
        if f"\n{observation}\n" not in f"\n{seen}\n":
            # What was told before adds nothing, and episodes of waiting are long.
            self.texts[self.here] = f"{seen}\n{observation}"

    def failed(self, action: str) -> None:
        """Take in an action that did not work here."""
        self._failed[self.here, action] += 1

    def changed(self, entity: str) -> None:
        """Forget what did not work with an entity: something was done to it since."""
        spoken = f" {entity} "
        for place, action in [key for key in self._failed if spoken in f" {key[1]} "]:
            del self._failed[place, action]

    def failures(self, place: str, action: str) -> int:
        """How often an action did not work at a place."""
        return self._failed[place, action]

    def path(self, wanted: Callable[[str], bool]) -> list[str] | None:
        """Return the shortest list of moves to a place that is wanted; [] if it is here."""
        queue: deque[tuple[str, list[str]]] = deque([(self.here, [])])
        seen = {self.here}
        while queue:
            place, moves = queue.popleft()
            if wanted(place):
                return moves
            for action, following in self.edges.get(place, {}).items():
                if following not in seen and (place, action) not in self.broken:
                    seen.add(following)
                    queue.append((following, [*moves, action]))
        return None

    def frontier(
        self, possible: Mapping[str, Sequence[str]], explores: Callable[[str, str], bool]
    ) -> tuple[list[str], str] | None:
        """Return the way to the nearest action that shows something new, and that action.

        Args:
            possible: Place → actions that were possible there.
            explores: Tells of (place, action) whether it may show something new.
        """

        def fresh(place: str) -> list[str]:
            return [a for a in possible.get(place, ()) if explores(place, a)]

        way = self.path(lambda place: bool(fresh(place)))
        if way is None:
            return None
        place = self.here
        for move in way:
            place = self.edges[place][move]
        return way, fresh(place)[0]


def heading(observation: str) -> str:
    """Return the first sentence of an observation: where places have names, it is the place's."""
    found = sentences(observation)
    return found[0] if found else ""


def titled(observation: str) -> bool:
    """Tell whether an observation begins with a title: a line that is no sentence, before some.

    A list of names has no sentence in it, and none of its lines is a title.
    """
    first, *rest = [line.strip() for line in observation.splitlines() if line.strip()] or [""]
    return (
        bool(first)
        and first[-1] not in _SENTENCE_ENDS
        and any(line[-1] in _SENTENCE_ENDS for line in rest)
    )
