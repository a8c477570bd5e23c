"""The reasoner that needs no model: untried actions, the most relevant to the task first.

It only acts. Everything else that a reasoner may be asked is done better elsewhere without a model
and on all that is known at once: tasks are read by ``retrieve`` and ``score``, trajectories are cut
and abstracted by :mod:`macla.procedures.learning`. So those methods abstain.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterable, Sequence

from ...graph.budget import Meter
from ...graph.reasoning import KnownGoal, Segment, Situation
from ...procedures.common.text import fold_space, tokens
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.planning.episode_memory import EpisodeMemory
from ...procedures.words.lexicon import instantiate, slots
from ...procedures.words.similarity import TextSimilarity

_CONFIDENCE = 0.1
"""Confidence of an untried action, in [0, 1]: below that of nearly every procedure."""
_WORD_WEIGHT = 1.0
"""Relevance of a word that an action shares with the task."""
_RECENCY_WEIGHT = 0.25
"""Most relevance of things that were seen lately: less than one shared word."""
_MOST_CANDIDATES = 400
"""Actions that are made up, or compared by meaning; bounds the time."""


class SymbolicReasoner:
    """Ranks actions by what they share with the task.

    Args:
        similarity: Similarity of texts; breaks ties between actions that share no word.
    """

    asks_model = False
    model = ""
    reads_first = False

    def __init__(self, similarity: TextSimilarity) -> None:
        self._similarity = similarity

    def confidence(self, meter: Meter) -> float:
        """Return a low confidence: untried actions seldom solve a task."""
        return _CONFIDENCE

    def act(self, situation: Situation, meter: Meter) -> str | None:
        """Return the untried action that is most relevant to the task.

        Args:
            situation: The episode so far, and what is possible.
            meter: Not used; no model is asked.

        Returns:
            An action, or None where nothing can be done.
        """
        memory, possible = situation.memory, situation.admissible
        candidates = list(possible) if possible is not None else self._imagine(memory)
        if not candidates:
            return None
        times_tried = Counter(memory.successful_actions()) + memory.failed_actions
        # With every action tried, the least tried are all there is.
        least = min(times_tried[fold_space(action)] for action in candidates)
        rng = random.Random(situation.seed)  # noqa: S311
        order = sorted(action for action in candidates if times_tried[fold_space(action)] == least)
        rng.shuffle(order)
        task_words = set(tokens(memory.task))
        relevance = {action: self._relevance(action, task_words, memory) for action in order}
        # An embedding costs more than all the rest: where there are thousands of actions, only
        # the most relevant are compared by meaning.
        nearest = heapq.nlargest(_MOST_CANDIDATES, order, key=relevance.__getitem__)
        return max(nearest, key=lambda a: relevance[a] + 0.5 * self._similarity(a, memory.task))

    def parse_task(
        self,
        task: str,
        observation: str,
        goals: Sequence[KnownGoal],
        meter: Meter,
        refuted: Sequence[str] = (),
    ) -> None:
        """Abstain: ``retrieve`` and ``score`` have read the task already."""

    def segment(self, trajectory: Trajectory, meter: Meter) -> None:
        """Abstain: the learner cuts trajectories, looking at all of them together."""

    def abstract(self, segment: Segment, meter: Meter) -> None:
        """Abstain: the learner abstracts from all segments that achieve the same."""

    def contrast(
        self,
        procedure: Procedure,
        successes: Sequence[Segment],
        failures: Sequence[Segment],
        meter: Meter,
    ) -> None:
        """Abstain: the learner's guards are its contrasts."""

    def distil_policy(
        self, meta: MetaProcedure, trajectories: Sequence[Trajectory], meter: Meter
    ) -> None:
        """Abstain: the learner writes the same Θ at every place of a plan."""

    def _relevance(self, action: str, task_words: set[str], memory: EpisodeMemory) -> float:
        shared = len(task_words.intersection(tokens(action)))
        _, arguments = memory.lexicon.parse(action)
        latest = max((memory.known.get(argument, 0) for argument in arguments), default=0)
        recency = _RECENCY_WEIGHT * latest / (1 + memory.length)
        return _WORD_WEIGHT * shared + recency

    def _imagine(self, memory: EpisodeMemory) -> list[str]:
        """Return known frames filled with known entities, the latest first."""
        entities = sorted(memory.known, key=lambda entity: (-memory.known[entity], entity))
        return list(self._fill(memory.lexicon.frames, entities))[:_MOST_CANDIDATES]

    @staticmethod
    def _fill(frames: Iterable[str], entities: Sequence[str]) -> Iterable[str]:
        for frame in frames:
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
