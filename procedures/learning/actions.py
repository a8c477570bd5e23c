"""Actions as rules may call them, and the words by which things are described.

A thing that is described as an action would leave it needs the action no more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..words.clauses import clauses
from ..words.lexicon import Lexicon
from .analysis import Episode

__all__ = ["STILL_DONE", "Action", "achieved_words", "descriptions", "readings"]

STILL_DONE = 0.15
"""Share of things described by an exception's word on which the action may be done all the same."""
_ALWAYS = 0.8
"""Share of an action's uses after which the word that it achieves must stand."""
_LEAST_USES = 3


@dataclass(frozen=True, slots=True)
class Action:
    """What a clause calls for: a frame with the entity at one position.

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
        """Tells any two actions apart; what is open sorts first."""
        return self.frame, self.position, tuple(each or "" for each in self.others or ())


def readings(
    frame: str, arguments: Sequence[str], position: int, canonical: Mapping[str, str]
) -> list[Action]:
    """What a rule may call an action on the entity at a position: open, or with the others."""
    general = canonical.get(frame, frame) if position == 0 else frame
    out = [Action(general, position)]
    if len(arguments) > 1:
        others = tuple(a if i != position else None for i, a in enumerate(arguments))
        out.append(Action(frame, position, others))
    return out


def descriptions(episode: Episode, lexicon: Lexicon) -> dict[str, set[tuple[str, str]]]:
    """Entity → words before it in any observation, each with the word in between, if any."""
    out: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for t, observation in enumerate(episode.trajectory.obs):
        acted_on = episode.actions[t - 1][1] if t else ()
        for clause in clauses(observation):
            for start, _, entity in lexicon.mentions(clause):
                if entity in acted_on:
                    continue  # what the action did to it is no description of it
                before = clause[:start].split()
                if before and before[-1].isalpha():
                    out[entity].add((before[-1], ""))
                    if len(before) > 1 and before[-2].isalpha():
                        out[entity].add((before[-2], before[-1]))
    return out


def achieved_words(
    episodes: Sequence[Episode], canonical: Mapping[str, str], lexicon: Lexicon
) -> dict[Action, str]:
    """Action → the word by which a thing is described once the action was done to it.

    It stands before the thing in what follows the action (nearly) always, and hardly ever in
    what follows others; and it describes things elsewhere too. A thing so described needs the
    action no more.
    """
    describing: Counter[str] = Counter()
    after: dict[Action, Counter[str]] = defaultdict(Counter)
    uses: Counter[Action] = Counter()
    anywhere: Counter[str] = Counter()
    for episode in episodes:
        words = descriptions(episode, lexicon)
        describing.update(word for found in words.values() for word, b in found if not b)
        for t, (frame, arguments) in enumerate(episode.actions):
            near = _words_before(episode.trajectory.obs[t + 1], arguments, lexicon)
            for position in range(len(arguments)):
                for action in readings(frame, arguments, position, canonical):
                    uses[action] += 1
                    after[action].update(near.get(arguments[position], ()))
            anywhere.update({word for found in near.values() for word in found})
    out: dict[Action, str] = {}
    for action, counts in after.items():
        telling = [
            word
            for word, n in counts.items()
            if n >= max(_LEAST_USES, _ALWAYS * uses[action])
            and n >= (1 - STILL_DONE) * anywhere[word]
            and describing[word]
        ]
        if telling:
            out[action] = min(telling, key=lambda word: (-counts[word], word))
    return out


def _words_before(
    observation: str, entities: Iterable[str], lexicon: Lexicon
) -> dict[str, set[str]]:
    """Entity → the two words before it in a text."""
    wanted = set(entities)
    out: dict[str, set[str]] = defaultdict(set)
    for clause in clauses(observation):
        for start, _, entity in lexicon.mentions(clause):
            if entity in wanted:
                out[entity].update(w for w in clause[:start].split()[-2:] if w.isalpha())
    return out
