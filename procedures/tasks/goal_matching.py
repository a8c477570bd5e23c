"""Align a task's words with a goal template, at a cost that is small where they agree."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

Similarity = Callable[[str, str], float]

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_SLOT_ON_TEMPLATE_WORD = 0.3
"""Cost of filling a slot with a word that templates use: other words are preferred."""
_SLOT_EMPTY = 3.0
"""Cost of an empty slot, and of a filler or a named procedure that the plan leaves out."""
_ELSEWHERE = 0.85
"""Share of a word's weight that is saved if the other sentence has (one like) it elsewhere."""
_UNSAID = 0.5
"""Share of its weight that a goal's word costs if the task lacks it: other words may replace it."""
_UNKNOWN_KIND = 1.0
"""Cost of a filler whose kind was never met."""
_ROLE_PRIOR = 2.0
"""Weight, in observations, of the kind's overall share in a role's kinds."""
_ROLE_LIMIT = 4.0
"""Greatest absolute cost of a kind in a role, so that no single role decides."""
_REFUTATION = 0.3
"""P(a reading fails once | it is right): the factor of its weight after one failure."""


@dataclass(frozen=True, slots=True)
class GoalFit:
    """The fit of a task to a goal.

    Attributes:
        cost: Negative log-likelihood of the reading, up to a constant; about 0 where every word
            agrees and every filler is usual in its role.
        fillers: Slot → the task's word for it.
    """

    cost: float
    fillers: Mapping[str, str]


class GoalVocabulary:
    """Word weights over all goals of a library: rare words distinguish goals.

    Args:
        goals: Goals; the goals of equivalent plans, joined in one text, count as one.
    """

    def __init__(self, goals: Iterable[str]) -> None:
        split = [goal_tokens(goal) for goal in goals]
        self._total = len(split)
        self._frequency = Counter(word for goal in split for word in set(goal))
        self.words = frozenset(self._frequency)

    def weight(self, word: str) -> float:
        """Return the squared inverse document frequency, > 0; words of no goal weigh most."""
        return math.log((self._total + 1.0) / (self._frequency.get(word) or 0.5)) ** 2


def goal_tokens(goal: str) -> tuple[str, ...]:
    """Split a goal into words and slots."""
    return tuple(re.findall(r"\{[a-z][a-z0-9_]*\}|\w[\w'\-]*", goal))


def fit_goal(
    goal: str,
    task: Sequence[str],
    vocabulary: GoalVocabulary,
    similarity: Similarity | None = None,
    roles: Mapping[str, RoleKinds] | None = None,
    other_names: Collection[str] = (),
) -> GoalFit:
    """Align a goal template with a task.

    Args:
        goal: Template with slots such as ``{a}``.
        task: The task, chunked into words and known phrases.
        vocabulary: Weights of words over the library's goals.
        similarity: Similarity of two words in [-1, 1]; without it words are equal or not.
        roles: Slot → kinds that its procedures were used on.
        other_names: Words of the task that name procedures which the plan does not run.

    Returns:
        Cost and slot fillers.
    """
    cost, fillers = _align(goal_tokens(goal), task, vocabulary, similarity)
    if roles is not None:
        for slot, kinds in roles.items():
            filler = fillers.get(slot)
            cost += _SLOT_EMPTY if filler is None else kinds.cost(filler)
        # A filler that the plan does not use stays unexplained.
        cost += _SLOT_EMPTY * len(fillers.keys() - roles.keys())
    # So does a word for something that the plan does not do.
    cost += _SLOT_EMPTY * len(other_names)
    return GoalFit(cost, fillers)


def is_said(goal: str, task: Sequence[str], fillers: Mapping[str, str]) -> bool:
    """Tell whether a chunked task is the goal word for word, with its slots filled."""
    slots = (_SLOT.fullmatch(word) for word in goal_tokens(goal))
    words = [
        fillers.get(slot[1]) if slot else word
        for slot, word in zip(slots, goal_tokens(goal), strict=True)
    ]
    return words == list(task)


def template_of(task: Sequence[str], fillers: Mapping[str, str]) -> str:
    """Return a chunked task with its fillers as slots, numbered in order."""
    slot_by_word: dict[str, str] = {}
    filler_words = set(fillers.values())
    return " ".join(
        slot_by_word.setdefault(word, f"{{{len(slot_by_word)}}}") if word in filler_words else word
        for word in task
    )


def nothing_cost(task: Sequence[str], vocabulary: GoalVocabulary) -> float:
    """Return the cost of the hypothesis that no known goal is meant: all words unexplained."""
    return sum(vocabulary.weight(word) for word in task)


def reading_posterior(
    costs: Mapping[str, float],
    refuted: Mapping[str, float],
    nothing: float,
    goals: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """Return the posterior probability of each reading of a task, given how often it failed.

    Readings with one goal are no alternatives: they mean the same, and their own evidence decides
    between them.

    Args:
        costs: Reading → cost (negative log-likelihood).
        refuted: Reading → times it was carried out and did not solve the task.
        nothing: Cost of the hypothesis that none of them is meant.
        goals: Reading → its goal; by default each has a goal of its own.

    Returns:
        Reading → probability in [0, 1] that it is meant. The likeliest readings of all goals sum
        to at most 1; the rest belongs to "none of them".
    """
    floor = min([nothing, *costs.values()])
    weights = {
        reading: math.exp(floor - cost) * _REFUTATION ** refuted.get(reading, 0)
        for reading, cost in costs.items()
    }
    likeliest: dict[str, float] = {}
    for reading, weight in weights.items():
        goal = reading if goals is None else goals[reading]
        likeliest[goal] = max(weight, likeliest.get(goal, 0.0))
    total = math.exp(floor - nothing) + sum(likeliest.values())
    return {reading: weight / total for reading, weight in weights.items()}


@dataclass(frozen=True, slots=True)
class RoleKinds:
    """Counts of the kinds that filled a role, beside their counts in all roles.

    Attributes:
        counts: Kind → times it filled the role.
        overall: Kind → times it filled any role.
        total: Sum of ``overall``.
    """

    counts: Mapping[str, float]
    overall: Mapping[str, float]
    total: float

    def cost(self, kind: str) -> float:
        """Return -log P(kind | role) / P(kind), smoothed and bounded; negative where usual."""
        anywhere = self.overall.get(kind, 0.0)
        if not anywhere:
            return _UNKNOWN_KIND
        share = anywhere / self.total
        filled = sum(self.counts.values())
        in_role = (self.counts.get(kind, 0.0) + _ROLE_PRIOR * share) / (filled + _ROLE_PRIOR)
        return max(-_ROLE_LIMIT, min(_ROLE_LIMIT, math.log(share / in_role)))


def _align(
    goal: Sequence[str],
    task: Sequence[str],
    vocabulary: GoalVocabulary,
    similarity: Similarity | None,
) -> tuple[float, dict[str, str]]:
    """Return weighted edit distance and fillers: similar words and filled slots cost little."""
    rows, columns = len(goal), len(task)
    weight = vocabulary.weight
    slots = [match.group(1) if (match := _SLOT.fullmatch(word)) else None for word in goal]
    plain = [word for word, slot in zip(goal, slots, strict=True) if slot is None]
    drop_goal = [
        _SLOT_EMPTY
        if slots[i]
        else _UNSAID * weight(goal[i]) * _left_out(goal[i], task, similarity)
        for i in range(rows)
    ]
    drop_task = [weight(word) * _left_out(word, plain, similarity) for word in task]
    distance = [[math.inf] * (columns + 1) for _ in range(rows + 1)]
    back: dict[tuple[int, int], tuple[int, int]] = {}
    distance[0][0] = 0.0
    for i in range(rows + 1):
        for j in range(columns + 1):
            current = distance[i][j]
            if i < rows and j < columns:
                step = _substitution(
                    goal[i], slots[i], task[j], drop_goal[i] + drop_task[j], vocabulary, similarity
                )
                if current + step < distance[i + 1][j + 1]:
                    distance[i + 1][j + 1] = current + step
                    back[i + 1, j + 1] = (i, j)
            if i < rows and current + drop_goal[i] < distance[i + 1][j]:
                distance[i + 1][j] = current + drop_goal[i]
                back[i + 1, j] = (i, j)
            if j < columns and current + drop_task[j] < distance[i][j + 1]:
                distance[i][j + 1] = current + drop_task[j]
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


def _left_out(word: str, others: Sequence[str], similarity: Similarity | None) -> float:
    """Return the share of a word's weight that its omission costs; less if it stands elsewhere."""
    if word in others:
        return 1.0 - _ELSEWHERE
    if similarity is None or not others:
        return 1.0
    return 1.0 - _ELSEWHERE * max(0.0, *(similarity(word, other) for other in others))


def _substitution(
    goal_word: str,
    slot: str | None,
    word: str,
    deletion_cost: float,
    vocabulary: GoalVocabulary,
    similarity: Similarity | None,
) -> float:
    if slot is not None:
        return _SLOT_ON_TEMPLATE_WORD if word in vocabulary.words else 0.0
    if goal_word == word:
        return 0.0
    if similarity is None:
        return deletion_cost
    return deletion_cost * (1.0 - max(0.0, similarity(goal_word, word)))
