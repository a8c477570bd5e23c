"""Fit a task's words to a goal template: an alignment that costs little where they agree."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["GoalFit", "GoalVocabulary", "fit_goal"]

Similarity = Callable[[str, str], float]

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_SLOT_ON_TEMPLATE_WORD = 0.3
"""A slot may be filled by a word that templates use, but rather by another one."""
_SLOT_EMPTY = 3.0
_WRONG_KIND = 2.0
_UNKNOWN_KIND = 1.0
_SCALE = 4.0
"""Alignment cost at which relevance has fallen to 1/e."""


@dataclass(frozen=True, slots=True)
class GoalFit:
    """How well a task fits a goal.

    Attributes:
        relevance: exp(-cost / 4), in (0, 1]; 1 where every word agrees.
        fillers: Slot → the task's word for it.
    """

    relevance: float
    fillers: Mapping[str, str]


class GoalVocabulary:
    """Word weights over all goals of a library: rare words tell goals apart."""

    def __init__(self, goals: Iterable[str]) -> None:
        split = [goal_tokens(goal) for goal in goals]
        self._total = len(split)
        self._frequency = Counter(word for goal in split for word in set(goal))
        self.words = frozenset(self._frequency)

    def weight(self, word: str) -> float:
        """Inverse document frequency, > 0; words that no goal has weigh most."""
        return math.log(1.0 + (self._total or 1) / (self._frequency.get(word) or 0.5))


def goal_tokens(goal: str) -> tuple[str, ...]:
    """Split a goal into words and slots."""
    return tuple(re.findall(r"\{[a-z][a-z0-9_]*\}|\w[\w'\-]*", goal))


def fit_goal(
    goal: str,
    task: Sequence[str],
    vocabulary: GoalVocabulary,
    similarity: Similarity | None = None,
    roles: Mapping[str, frozenset[str]] | None = None,
    known: frozenset[str] = frozenset(),
) -> GoalFit:
    """Align a goal template with a task.

    Args:
        goal: Template with slots such as ``{a}``.
        task: The task, chunked into words and known phrases.
        vocabulary: Weights of words over the library's goals.
        similarity: Similarity of two words in [-1, 1]; without it words are equal or not.
        roles: Slot → kinds that its procedures have been used on; other fillers cost extra.
        known: All kinds that procedures have been used on.

    Returns:
        Relevance and slot fillers.
    """
    cost, fillers = _align(goal_tokens(goal), task, vocabulary, similarity)
    for slot, kinds in (roles or {}).items():
        filler = fillers.get(slot)
        if filler is None:
            cost += _WRONG_KIND
        elif filler not in kinds:
            cost += _WRONG_KIND if filler in known else _UNKNOWN_KIND
    return GoalFit(math.exp(-cost / _SCALE), fillers)


def _align(
    goal: Sequence[str],
    task: Sequence[str],
    vocabulary: GoalVocabulary,
    similarity: Similarity | None,
) -> tuple[float, dict[str, str]]:
    """Edit distance with weights; substituting similar words is cheap, filling slots nearly free."""
    rows, columns = len(goal), len(task)
    weight = vocabulary.weight
    slots = [match.group(1) if (match := _SLOT.fullmatch(word)) else None for word in goal]
    drop_goal = [_SLOT_EMPTY if slots[i] else weight(goal[i]) for i in range(rows)]
    drop_task = [weight(word) for word in task]
    distance = [[math.inf] * (columns + 1) for _ in range(rows + 1)]
    back: dict[tuple[int, int], tuple[int, int]] = {}
    distance[0][0] = 0.0
    for i in range(rows + 1):
        for j in range(columns + 1):
            here = distance[i][j]
            if i < rows and j < columns:
                step = _substitution(
                    goal[i], slots[i], task[j], drop_goal[i] + drop_task[j], vocabulary, similarity
                )
                if here + step < distance[i + 1][j + 1]:
                    distance[i + 1][j + 1] = here + step
                    back[i + 1, j + 1] = (i, j)
            if i < rows and here + drop_goal[i] < distance[i + 1][j]:
                distance[i + 1][j] = here + drop_goal[i]
                back[i + 1, j] = (i, j)
            if j < columns and here + drop_task[j] < distance[i][j + 1]:
                distance[i][j + 1] = here + drop_task[j]
                back[i, j + 1] = (i, j)
    fillers: dict[str, str] = {}
    i, j = rows, columns
    while (i, j) != (0, 0):
        before = back[i, j]
        slot = slots[i - 1] if i > before[0] else None
        if slot is not None and j > before[1]:
            fillers[slot] = task[j - 1]
        i, j = before
    return distance[rows][columns], fillers


def _substitution(
    wanted: str,
    slot: str | None,
    word: str,
    both: float,
    vocabulary: GoalVocabulary,
    similarity: Similarity | None,
) -> float:
    if slot is not None:
        return _SLOT_ON_TEMPLATE_WORD if word in vocabulary.words else 0.0
    if wanted == word:
        return 0.0
    if similarity is None:
        return both
    return both * (1.0 - max(0.0, similarity(wanted, word)))
