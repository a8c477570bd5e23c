"""The reasoner that needs no model: untried actions, the most relevant to the task first."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterable, Sequence

from ...procedures.episode import EpisodeMemory
from ...procedures.lexicon import Lexicon, instantiate, slots
from ...procedures.similarity import TextSimilarity
from ...procedures.text import normalise, tokens

__all__ = ["SymbolicReasoner"]

_MENTIONED = 1.0
_RECENT = 0.25
_CANDIDATES = 400


class SymbolicReasoner:
    """Ranks actions by what they share with the task.

    Args:
        lexicon: Known frames; they make candidate actions where the world hides its own.
        similarity: Similarity of texts; breaks ties between actions that share no word.
    """

    confidence = 0.1
    """Untried actions seldom solve a task, so a doubtful procedure is still the better bet."""

    def __init__(self, lexicon: Lexicon, similarity: TextSimilarity) -> None:
        self._lexicon = lexicon
        self._similarity = similarity

    def act(self, memory: EpisodeMemory, admissible: Sequence[str] | None, seed: int) -> str | None:
        """Return the untried action that is most relevant to the task.

        Args:
            memory: The episode so far.
            admissible: Possible actions, or None where the world hides them.
            seed: Breaks ties.

        Returns:
            An action, or None where nothing can be done.
        """
        candidates = list(admissible) if admissible is not None else self._imagine(memory)
        if not candidates:
            return None
        done = Counter([*memory.successful_actions(), *memory.failed_actions])
        # With every action tried, the least tried are all there is.
        least = min(done[normalise(action)] for action in candidates)
        rng = random.Random(seed)  # noqa: S311
        order = sorted(action for action in candidates if done[normalise(action)] == least)
        rng.shuffle(order)
        task_words = set(tokens(memory.task))
        relevance = {action: self._relevance(action, task_words, memory) for action in order}
        # An embedding costs more than all the rest: where there are thousands of actions, only
        # the most relevant are compared by meaning.
        nearest = heapq.nlargest(_CANDIDATES, order, key=relevance.__getitem__)
        return max(nearest, key=lambda a: relevance[a] + 0.5 * self._similarity(a, memory.task))

    def _relevance(self, action: str, task_words: set[str], memory: EpisodeMemory) -> float:
        shared = len(task_words.intersection(tokens(action)))
        _, arguments = self._lexicon.parse(action)
        latest = max((memory.known.get(argument, 0) for argument in arguments), default=0)
        recency = _RECENT * latest / (1 + memory.length)
        return _MENTIONED * shared + recency

    def _imagine(self, memory: EpisodeMemory) -> list[str]:
        """Known frames filled with known entities, the latest first."""
        entities = sorted(memory.known, key=lambda entity: (-memory.known[entity], entity))
        return list(self._fill(entities))[:_CANDIDATES]

    def _fill(self, entities: Sequence[str]) -> Iterable[str]:
        for frame in self._lexicon.frames:
            count = slots(frame)
            if count == 0:
                yield instantiate(frame, ())
            elif count == 1:
                for entity in entities:
                    yield instantiate(frame, [entity])
            elif count == 2:
                for first in entities[:12]:
                    for second in entities[:12]:
                        if first != second:
                            yield instantiate(frame, [first, second])
