"""A demonstrator for household games: it searches, as a person would who has to.

It reads the task sentence and the game's answers and nothing else. Places where a thing is
usually kept come first, doors are opened to look behind them, and what was seen on the way
is remembered. Its episodes look like those of ALFWorld's own expert.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random

from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from .environment import AlfworldEnvironment
from .games import Game
from .generator import GeneratedGame
from .household import ROOMS
from .tasks import SENTENCES, TREATMENTS, Task

__all__ = ["demonstrate", "demonstrations", "read_task"]

_SEEN = re.compile(r"\ba (\w+ \d+)")
_TIDY = 0.3  # how often a door is shut again behind a thing that was taken or put


def demonstrate(game: Game, *, seed: int = 0) -> Trajectory:
    """Play one game, in today's dialect, and return the episode.

    Args:
        game: A generated or an official game.
        seed: Seed of the order of search.

    Raises:
        DataError: The task sentence is not one of the six types'.

    """
    environment = AlfworldEnvironment()
    sentence, observation = environment.reset(game)
    random = Random(f"expert {seed} {game.id}")  # noqa: S311 (games, not secrets)
    player = _Demonstrator(environment, observation, random)
    player.solve(read_task(sentence))
    return Trajectory(
        id=game.id,
        task=sentence,
        obs=tuple(player.observations),
        acts=tuple(player.actions),
        success=player.won,
    )


def demonstrations(games: Iterable[GeneratedGame], *, seed: int = 0) -> Iterator[Trajectory]:
    """Play generated games, one after the other."""
    return (demonstrate(game.game(), seed=seed) for game in games)


def read_task(sentence: str) -> Task:
    """Read a task sentence; kinds come out in lower case.

    Raises:
        DataError: The sentence has none of the official forms.

    """
    for task_type, pattern in _sentence_patterns():
        match = pattern.fullmatch(sentence.strip())
        if match is not None:
            return Task(task_type, match["thing"], match["place"])
    raise DataError(
        f"the demonstrator does not understand the task {sentence[:100]!r}; it knows the "
        f"official sentences only, such as {SENTENCES['pick_and_place_simple'][0]!r}"
    )


@lru_cache(maxsize=1)
def _sentence_patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [
        (task_type, re.compile(re.escape(form).replace(r"\{", "(?P<").replace(r"\}", r">\w+)")))
        for task_type, forms in SENTENCES.items()
        for form in forms
    ]


@lru_cache(maxsize=1)
def _usual_places() -> dict[str, frozenset[str]]:
    """Kind of thing to the kinds of places where it is usually kept, all in lower case."""
    places: dict[str, set[str]] = {}
    for room in ROOMS.values():
        for thing, kinds in room.things.items():
            places.setdefault(thing.lower(), set()).update(kind.lower() for kind in kinds)
    return {thing: frozenset(kinds) for thing, kinds in places.items()}


def _kind(name: str) -> str:
    return name.split()[0]


class _Demonstrator:
    """One episode in the making."""

    def __init__(self, environment: AlfworldEnvironment, first: str, random: Random) -> None:
        self._environment = environment
        self._random = random
        self._receptacles = sorted(_SEEN.findall(first), key=lambda name: int(name.split()[1]))
        self._contents: dict[str, list[str]] = {}
        self._here = ""
        self._held = ""
        self._door_open = False  # whether this visit opened the door of where one stands
        self.observations = [first]
        self.actions: list[str] = []
        self.won = False

    def solve(self, task: Task) -> None:
        """Act until the task is done or everything has been tried."""
        if task.task_type == "look_at_obj_in_light":
            if self._fetch(task.thing) and self._find(task.place):
                self._do(f"use {self._first(task.place, self._here)}")
            return
        target = next(name for name in self._receptacles if _kind(name) == task.place)
        if task.task_type == "pick_two_obj_and_place":
            if self._fetch(task.thing, spare=target):
                self._put(target)
            if not self.won and self._fetch(task.thing, spare=target):
                self._put(target)
            return
        if not self._fetch(task.thing):
            return
        if task.task_type in TREATMENTS:
            verb, _, appliance = TREATMENTS[task.task_type]
            basin = next(each for each in self._receptacles if _kind(each) == appliance.lower())
            self._go(basin)
            self._do(f"{verb} {self._held} with {basin}")
        if not self.won:
            self._put(target)

    # -- finding -----------------------------------------------------------------------

    def _fetch(self, thing: str, *, spare: str = "") -> bool:
        """Find a thing anywhere but in ``spare`` and take it."""
        if not self._find(thing, spare=spare):
            return False
        place = self._here
        self._held = self._first(thing, place)
        self._do(f"take {self._held} from {place}")
        self._contents[place].remove(self._held)
        self._tidy_up()
        return True

    def _find(self, thing: str, *, spare: str = "") -> bool:
        """Go where such a thing is: where it was seen, or else where it may be."""
        places = [place for place in self._receptacles if place != spare]
        for place in places:
            if self._first(thing, place):
                self._visit(place)
                return True
        for place in self._in_search_order(places, thing):
            self._visit(place)
            if self._first(thing, place):
                return True
            self._shut()
        return False

    def _in_search_order(self, places: list[str], thing: str) -> list[str]:
        """Order unexplored places: kind after kind, usual kinds mostly before others."""
        usual = _usual_places().get(thing, frozenset())
        urgency: dict[str, float] = {}
        for place in places:
            kind = _kind(place)
            if kind not in urgency:
                urgency[kind] = self._random.random() + (0.0 if kind in usual else 0.8)
        left = [place for place in places if place not in self._contents]
        return sorted(left, key=lambda place: urgency[_kind(place)])

    def _first(self, kind: str, place: str) -> str:
        """Return the first thing of a kind that was seen in a place, or an empty text."""
        seen = self._contents.get(place, [])
        return next((name for name in seen if _kind(name) == kind), "")

    # -- acting ------------------------------------------------------------------------

    def _put(self, target: str) -> None:
        self._visit(target)
        self._do(f"move {self._held} to {target}")
        self._contents[target].append(self._held)
        if not self.won:
            self._tidy_up()

    def _visit(self, place: str) -> None:
        """Go to a place, open it if it is closed, and take note of what is there."""
        answer = self._go(place)
        if answer.endswith("is closed."):
            answer = self._do(f"open {place}")
            self._door_open = True
        if answer:
            self._contents[place] = _SEEN.findall(answer.partition("you see")[2])

    def _go(self, place: str) -> str:
        """Go to a place; the answer is empty if that is where one stands."""
        if self._here == place:
            return ""
        self._here = place
        self._door_open = False
        return self._do(f"go to {place}")

    def _tidy_up(self) -> None:
        if self._random.random() < _TIDY:
            self._shut()

    def _shut(self) -> None:
        """Close the door that was opened here, if one was."""
        if self._door_open:
            self._do(f"close {self._here}")
            self._door_open = False

    def _do(self, action: str) -> str:
        observation, _, self.won, _ = self._environment.step(action)
        self.actions.append(action)
        self.observations.append(observation)
        return observation
