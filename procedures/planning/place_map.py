"""A graph of places, built during play: where moves lead, and what was done where."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence

from ..common.text import sentences

_SENTENCE_ENDS = ".!?"


class PlaceMap:
    """Places by their heading, with the moves between them.

    Attributes:
        here: Heading of the current place.
        edges: Place → move → place it led to.
        tried: (place, action) pairs that were done.
        broken: (place, move) pairs that proved impossible.
        texts: Place → observations there since the last arrival.
    """

    def __init__(self, first_observation: str) -> None:
        self.here = heading(first_observation)
        self.edges: dict[str, dict[str, str]] = {self.here: {}}
        self.tried: set[tuple[str, str]] = set()
        self.broken: set[tuple[str, str]] = set()
        self._failed: Counter[tuple[str, str]] = Counter()
        self.texts: dict[str, str] = {self.here: first_observation}

    def moved(self, action: str, observation: str, back: str | None = None) -> None:
        """Add a move that worked; ``back`` is the known reverse move."""
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
        """Add any other action that worked."""
        self.tried.add((self.here, action))
        text = self.texts.get(self.here, "")
        if f"\n{observation}\n" not in f"\n{text}\n":
            # A repeated observation adds nothing, and episodes of waiting are long.
            self.texts[self.here] = f"{text}\n{observation}"

    def failed(self, action: str) -> None:
        """Count an action that did not work here."""
        self._failed[self.here, action] += 1

    def changed(self, entity: str) -> None:
        """Forget the failed actions on an entity, since an action changed it."""
        padded = f" {entity} "
        for place, action in [key for key in self._failed if padded in f" {key[1]} "]:
            del self._failed[place, action]

    def failures(self, place: str, action: str) -> int:
        """Return how often an action did not work at a place."""
        return self._failed[place, action]

    def path(self, is_target: Callable[[str], bool]) -> list[str] | None:
        """Return the shortest list of moves to a target place; [] if it is this one."""
        queue: deque[tuple[str, list[str]]] = deque([(self.here, [])])
        reached = {self.here}
        while queue:
            place, moves = queue.popleft()
            if is_target(place):
                return moves
            for action, following in self.edges.get(place, {}).items():
                if following not in reached and (place, action) not in self.broken:
                    reached.add(following)
                    queue.append((following, [*moves, action]))
        return None

    def frontier(
        self, possible: Mapping[str, Sequence[str]], explores: Callable[[str, str], bool]
    ) -> tuple[list[str], str] | None:
        """Return the way to the nearest action that shows something new, and that action.

        Args:
            possible: Place → actions that were possible there.
            explores: Tells whether (place, action) may show something new.
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
    """Return the first sentence of an observation: the place's name, where places have names."""
    lines = sentences(observation)
    return lines[0] if lines else ""


def titled(observation: str) -> bool:
    """Tell whether an observation begins with a title: a line before sentences that is none.

    A list of names has no sentence, so none of its lines is a title.
    """
    first, *rest = [line.strip() for line in observation.splitlines() if line.strip()] or [""]
    return (
        bool(first)
        and first[-1] not in _SENTENCE_ENDS
        and any(line[-1] in _SENTENCE_ENDS for line in rest)
    )
