"""The memory of an episode: observations and actions, and what they imply for each entity.

The history rebuilds it at any time, so it is never stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ..common.text import fold_space, sentences
from ..words.lexicon import Lexicon, instantiate
from .place_map import PlaceMap
from .world_model import World

HistoryEntry = tuple[str, str, bool]
"""(action, observation after it, whether the action worked)."""

_MOST_NAMES = 500
"""Most names learned in one episode; each makes finding names in text slower."""


class EpisodeMemory:
    """Memory of one episode; fits :class:`~macla.procedures.conditions.language.EpisodeView`.

    Args:
        lexicon: Finds entities in text.
        task: Text of the task.
        first: The first observation.
        world: Effects of actions; without it there is no graph of places.

    Attributes:
        known: Entity → step at which it was first met (0 = first observation).
        location: Entity → the entity whose exploration showed it last, or None if it was
            mentioned by itself.
        moved: Entity → other argument of the last action on it, where it may be now.
        places: Graph of places, or None in a world without moves.
        initial: Entities of the first observation.
        failed_actions: Action that did not work → how often.
        visited: Place → step of the last visit.
        acted_on: Entity → step of the last action that worked on it.
    """

    def __init__(self, lexicon: Lexicon, task: str, first: str, world: World | None = None) -> None:
        self.lexicon = lexicon
        self._known_names = lexicon.kinds
        self._written: dict[str, str] = {}
        self.world = world or World()
        self.places = PlaceMap(first) if self.world.has_places else None
        self._texts: list[tuple[str, str]] = []
        self.task = task
        self.length = 0
        self.known: dict[str, int] = {}
        self.location: dict[str, str | None] = {}
        self.moved: dict[str, str] = {}
        self.failed_actions: Counter[str] = Counter()
        self.visited: dict[str, int] = {}
        self.acted_on: dict[str, int] = {}
        self._undergone: set[tuple[str, str]] = set()
        self._all: dict[str, None] = {}
        self._latest: tuple[str, ...] = ()
        self._actions: list[str] = []
        self._last_on: dict[str, str] = {}
        self._observed = bool(first.strip())
        self._take_up_names(task)
        self._observe(first, ())
        self.initial = frozenset(self.known)

    @classmethod
    def replay(
        cls,
        lexicon: Lexicon,
        task: str,
        first: str,
        history: Iterable[Sequence[object]],
        world: World | None = None,
    ) -> EpisodeMemory:
        """Rebuild a memory from a recorded history."""
        memory = cls(lexicon, task, first, world)
        for action, observation, worked in history:
            memory.add(str(action), str(observation), worked=bool(worked))
        return memory

    @property
    def worked(self) -> int:
        """Number of actions that worked so far."""
        return len(self._actions)

    def add(self, action: str, observation: str, *, worked: bool) -> None:
        """Add one action and the observation after it.

        The observation of an action that did not work says nothing about the world, so it does
        not replace the latest one.
        """
        self.length += 1
        if not worked:
            self.failed_actions[fold_space(action)] += 1
            if self.places is not None:
                self.places.failed(fold_space(action))
            return
        frame, arguments = self.lexicon.parse(action)
        self._actions.append(fold_space(action))
        self._texts.append((frame, observation))
        if self.places is not None:
            if self.world.effects.get(frame) == "moves":
                move = self._actions[-1]
                self.places.moved(move, observation, self.world.reverse.get(move))
            else:
                # Instructions speak of other places; other observations describe this one.
                is_instruction = self.world.operator(frame) in self.world.sources
                self.places.acted(self._actions[-1], "" if is_instruction else observation)
            self.visited[self.places.here] = self.length
        for argument in arguments:
            self.known.setdefault(argument, self.length)
            self._last_on[argument] = self._actions[-1]
            self.acted_on[argument] = self.length
            self._undergone.add((argument, self.world.operator(frame)))
            if self.places is not None:
                self.places.changed(argument)
        self._observe(observation, arguments)
        if len(arguments) > 1:
            # An action on two entities may have moved the first.
            location = self.location.pop(arguments[0], None)
            self.moved.pop(arguments[0], None)
            if location != arguments[1]:
                self.moved[arguments[0]] = arguments[1]

    def as_written(self, action: str) -> str:
        """Return an action with its entities in the world's spelling, capitals included.

        An action with capitals of its own stays as it is.
        """
        frame, arguments = self.lexicon.parse(action)
        written_arguments = [self._written.get(argument, argument) for argument in arguments]
        if written_arguments == list(arguments) or fold_space(action) != instantiate(
            frame, arguments
        ):
            return action
        return instantiate(frame, written_arguments)

    def is_new(self, entity: str) -> bool:
        """Tell whether an entity's name is new in this episode."""
        return self.lexicon.kind(entity) not in self._known_names

    def _take_up_names(self, text: str) -> None:
        names = self.world.names
        if names is not None:
            limit = _MOST_NAMES - len(self.lexicon.kinds - self._known_names)
            new_names = sorted(names.discover(text, self.lexicon.kinds))[: max(0, limit)]
            self.lexicon = self.lexicon.extended(new_names)

    def _observe(self, observation: str, arguments: Sequence[str]) -> None:
        self._take_up_names(observation)
        for start, end, entity in self.lexicon.mentions(observation):
            # A capital within a sentence belongs to the name; at its beginning it does not.
            text, before = observation[start:end], observation[:start].rstrip(" \t\"'")
            if text == entity:
                self._written[entity] = text
            elif before and before[-1] not in "\n.!?:" and not observation.isupper():
                self._written.setdefault(entity, text)
        for entity in self.lexicon.entities(observation):
            self.known.setdefault(entity, self.length)
            if entity not in arguments:
                self.location[entity] = arguments[0] if arguments else None
        self._latest = sentences(observation)
        self._all.update(dict.fromkeys(self._latest))

    def texts_of(self, chosen: Callable[[str], bool]) -> list[str]:
        """Return the observations after actions whose frame is chosen."""
        return [text for frame, text in self._texts if chosen(frame)]

    def has_undergone(self, entity: str, operator: str) -> bool:
        """Tell whether an action of this operator worked on the entity."""
        return (entity, operator) in self._undergone

    # --------------------------------------------------------------- EpisodeView
    def has_observation(self) -> bool:
        """Tell whether anything was observed yet."""
        return self._observed or self.length > 0

    def latest_sentences(self) -> Sequence[str]:
        """Return the sentences after the latest action that worked."""
        return self._latest

    def all_sentences(self) -> Iterable[str]:
        """Return every distinct sentence of the episode so far."""
        return self._all

    def successful_actions(self) -> Sequence[str]:
        """Return the actions that worked, oldest first."""
        return self._actions

    def last_action_on(self, entity: str) -> str | None:
        """Return the last action that worked on the entity."""
        return self._last_on.get(entity)

    def kind_of(self, entity: str) -> str:
        """Return an entity's kind."""
        return self.lexicon.kind(entity)

    def mates(self, kind: str) -> Sequence[str]:
        """Return the other words of a kind's cluster; none for a kind that the library knows."""
        return () if kind in self._known_names else self.lexicon.clusters.mates(kind)
