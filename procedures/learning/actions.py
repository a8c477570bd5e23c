"""Actions as instructions call for them, and the words that describe entities.

An entity that is described as the action would leave it needs the action no more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..words.clauses import clauses
from ..words.lexicon import Lexicon
from .analysis import Episode

STILL_DONE = 0.15
"""Greatest share of entities described by an exception's word on which the action is still done."""
_ALWAYS = 0.8
"""Least share of an action's uses after which the word that it achieves stands."""
_LEAST_USES = 3
"""Uses; fewer do not show that a word follows the action."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action that a clause calls for: a frame with the entity at one position.

    ``others`` fixes the other arguments (None at the entity's own position), or is None.
    """

    frame: str
    position: int
    others: tuple[str | None, ...] | None = None

    @property
    def specific(self) -> bool:
        """Whether other arguments are fixed."""
        return self.others is not None

    @property
    def sort_key(self) -> tuple[str, int, tuple[str, ...]]:
        """Unique key of the action; open arguments sort first."""
        return self.frame, self.position, tuple(each or "" for each in self.others or ())


def readings(
    frame: str, arguments: Sequence[str], position: int, canonical: Mapping[str, str]
) -> list[Action]:
    """Return an action on the entity at a position as rules write it: open, and with the others."""
    general = canonical.get(frame, frame) if position == 0 else frame
    actions = [Action(general, position)]
    if len(arguments) > 1:
        others = tuple(a if i != position else None for i, a in enumerate(arguments))
        actions.append(Action(frame, position, others))
    return actions


def descriptions(episode: Episode, lexicon: Lexicon) -> dict[str, set[tuple[str, str]]]:
    """Map each entity to (word before it, word between them or "") over all observations."""
    words_by_entity: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for t, observation in enumerate(episode.trajectory.obs):
        acted_on = episode.actions[t - 1][1] if t else ()
        for clause in clauses(observation):
            for start, _, entity in lexicon.mentions(clause):
                if entity in acted_on:
                    continue  # the action's own answer does not describe it
                before = clause[:start].split()
                if before and before[-1].isalpha():
                    words_by_entity[entity].add((before[-1], ""))
                    if len(before) > 1 and before[-2].isalpha():
                        words_by_entity[entity].add((before[-2], before[-1]))
    return words_by_entity


def achieved_words(
    episodes: Sequence[Episode], canonical: Mapping[str, str], lexicon: Lexicon
) -> dict[Action, str]:
    """Map each action to the word that describes an entity after the action.

    The word stands before the entity (nearly) always after this action, hardly ever after others,
    and it also describes entities elsewhere.
    """
    description_count: Counter[str] = Counter()
    word_count_by_action: dict[Action, Counter[str]] = defaultdict(Counter)
    uses: Counter[Action] = Counter()
    word_count: Counter[str] = Counter()
    for episode in episodes:
        words_before_by_entity = descriptions(episode, lexicon)
        description_count.update(
            word for described in words_before_by_entity.values() for word, b in described if not b
        )
        for t, (frame, arguments) in enumerate(episode.actions):
            words_by_entity = _words_before(episode.trajectory.obs[t + 1], arguments, lexicon)
            for position in range(len(arguments)):
                for action in readings(frame, arguments, position, canonical):
                    uses[action] += 1
                    word_count_by_action[action].update(
                        words_by_entity.get(arguments[position], ())
                    )
            word_count.update(
                {word for described in words_by_entity.values() for word in described}
            )
    word_by_action: dict[Action, str] = {}
    for action, counts in word_count_by_action.items():
        telling = [
            word
            for word, n in counts.items()
            if n >= max(_LEAST_USES, _ALWAYS * uses[action])
            and n >= (1 - STILL_DONE) * word_count[word]
            and description_count[word]
        ]
        if telling:
            word_by_action[action] = min(telling, key=lambda word: (-counts[word], word))
    return word_by_action


def _words_before(
    observation: str, entities: Iterable[str], lexicon: Lexicon
) -> dict[str, set[str]]:
    """Map each of the entities to the up to two words before it in a text."""
    arguments = set(entities)
    words_by_entity: dict[str, set[str]] = defaultdict(set)
    for clause in clauses(observation):
        for start, _, entity in lexicon.mentions(clause):
            if entity in arguments:
                words_by_entity[entity].update(
                    w for w in clause[:start].split()[-2:] if w.isalpha()
                )
    return words_by_entity
