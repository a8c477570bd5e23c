"""Reading a task in a new wording: the likeliest goals, and the values of their slots.

A log-linear model predicts the goal from the words of known wordings. Goals share their wants: the
weight of a word for an operator counts for each goal that wants the operator. So does a word of the
operator itself.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...episodes.templates import pieces
from ...episodes.tokens import spans, tokens
from .goals import Goal

__all__ = ["NearReader"]

_STEPS = 300
"""Steps of the fit; the likelihood is concave, and the penalty keeps it well conditioned."""
_PENALTY = 0.1
"""Weight of the squared distance from the prior; it keeps few wordings from deciding all."""
_OWN = 3.0
"""Prior weight of an operator's own word: a task that says it probably wants the operator."""
_LONGEST = 4
"""Most words of a name."""
_EXPLAINED = 0.5
"""Least share of known words besides the names; with fewer a task is of another world."""
_EDGE = ""


@dataclass(frozen=True, slots=True)
class _Wording:
    """A wording as words, with slots such as ``{1}``."""

    goal: int
    words: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in tokens(text) if word[0].isalnum())


class NearReader:
    """Reads tasks that no wording reads.

    Args:
        goals: Goals with their known wordings.
        kinds: Words that are known to name things.
    """

    def __init__(self, goals: Sequence[Goal], kinds: Container[str] = ()) -> None:
        self._goals = [goal for goal in goals if goal.wants]
        self._kinds = kinds
        self._wordings = [
            _Wording(number, tuple(_words_and_slots(text)))
            for number, goal in enumerate(self._goals)
            for text in goal.wordings
        ]
        self._said = {word for each in self._wordings for word in each.words if word[0] != "{"}
        texts = {want.operator for goal in self._goals for want in goal.wants}
        words = {text: frozenset(_words(text.replace("{}", " "))) for text in texts}
        count_by_word = Counter(word for each in words.values() for word in each)
        self._own = {
            text: frozenset(word for word in each if count_by_word[word] == 1)
            for text, each in words.items()
        }
        self._wants = [_counted_wants(goal) for goal in self._goals]
        if self._wordings:
            self._fit()

    def readings(self, task: str) -> list[tuple[Goal, str, Mapping[str, str]]]:
        """Return goals, the likeliest first, each with a wording and slot → value."""
        task_words = [word.casefold() for word, _, _ in _spans(task)]
        if not self._wordings or not task_words:
            return []
        scores = self._scores(task_words)
        readings: list[tuple[Goal, str, Mapping[str, str]]] = []
        for number in sorted(range(len(self._goals)), key=lambda each: (-scores[each], each)):
            goal, slot_values = self._goals[number], self._held(number, task)
            if slot_values is None:
                continue
            slot_words = {word for value in slot_values.values() for word in _words(value)}
            # Each word counts once: two articles say no more than one.
            other_words = {word for word in task_words if word not in slot_words}
            known_words = self._said.union(*self._own.values())
            if sum(word in known_words for word in other_words) >= _EXPLAINED * len(other_words):
                readings.append((goal, goal.wordings[0], slot_values))
        return readings

    # ------------------------------------------------------------------ which goal
    def _fit(self) -> None:
        """Fit the weights of words for wants."""
        import numpy as np  # imported on first use, as both load slowly
        from scipy.optimize import minimize  # type: ignore[import-untyped]

        self._labels = sorted({want for wants in self._wants for want in wants})
        self._columns = {word: n for n, word in enumerate(sorted(self._said))}
        self._among = np.array(
            [[float(label in wants) for label in self._labels] for wants in self._wants]
        )
        word_rows = np.array([self._row(each.words) for each in self._wordings])
        own_word_rows = np.array([self._own_row(each.words) for each in self._wordings])
        goal_labels = np.zeros((len(self._wordings), len(self._goals)))
        goal_labels[range(len(self._wordings)), [each.goal for each in self._wordings]] = 1.0
        shape = (len(self._columns) + 1, len(self._labels))

        start = np.append(np.zeros(shape[0] * shape[1]), _OWN)

        def loss(flat: Any) -> tuple[float, Any]:
            weights, bonus = flat[:-1].reshape(shape), flat[-1]
            want_scores = word_rows @ weights + bonus * own_word_rows
            scores = want_scores @ self._among.T
            scores -= scores.max(axis=1, keepdims=True)
            shares = np.exp(scores)
            sums = shares.sum(axis=1, keepdims=True)
            likelihood = (scores * goal_labels).sum() - np.log(sums).sum()
            slope = (shares / sums - goal_labels) @ self._among
            offset = flat - start
            value = 0.5 * _PENALTY * (offset**2).sum() - likelihood
            gradient = np.append((word_rows.T @ slope).ravel(), (own_word_rows * slope).sum())
            return float(value), gradient + _PENALTY * offset

        fit = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
        self._weights, self._bonus = fit.x[:-1].reshape(shape), fit.x[-1]

    def _scores(self, task_words: Sequence[str]) -> Any:
        import numpy as np

        want_scores = self._row(task_words) @ self._weights + self._bonus * np.array(
            self._own_row(task_words)
        )
        return want_scores @ self._among.T

    def _row(self, task_words: Sequence[str]) -> list[float]:
        """Return the indicators of words in a task; the last one is the intercept."""
        words = set(task_words)
        return [*(float(word in words) for word in self._columns), 1.0]

    def _own_row(self, task_words: Sequence[str]) -> list[float]:
        """Return the indicators of wants whose operator's own word the task says."""
        return [float(not self._own[o].isdisjoint(task_words)) for o, _ in self._labels]

    # ------------------------------------------------------------------ what the slots hold
    def _held(self, number: int, task: str) -> dict[str, str] | None:
        """Return slot → likeliest name, for the slots of a goal; None if words are too few."""
        goal = self._goals[number]
        longest = {v.slot: v.longest or _LONGEST for v in goal.variables if v.slot}
        longest |= {w.place: longest.get(w.place, _LONGEST) for w in goal.wants if w.place}
        words = _spans(task)
        best: dict[int, tuple[float, tuple[tuple[str, int, int], ...]]] = {0: (0.0, ())}
        # End of the last name → the best score and names of the slots so far.
        for slot in sorted(longest, key=int):
            before, behind = self._around(number, slot)
            best_by_end: dict[int, tuple[float, tuple[tuple[str, int, int], ...]]] = {}
            for start in range(len(words)):
                for end in range(start + 1, min(start + longest[slot], len(words)) + 1):
                    fit = self._fit_of(words, start, end, before, behind)
                    for last_end, (score, placed_slots) in best.items():
                        if last_end <= start and score + fit > best_by_end.get(end, (-1e9, ()))[0]:
                            best_by_end[end] = score + fit, (*placed_slots, (slot, start, end))
            best = best_by_end
        if not best:
            return None
        _, placed_slots = max(best.values(), key=lambda each: (each[0], each[1]))
        return {
            slot: task[words[start][1] : words[end - 1][2]] for slot, start, end in placed_slots
        }

    def _around(self, number: int, slot: str) -> tuple[set[str], set[str]]:
        """Return the words that stand before and behind a slot of a goal."""
        before, behind = set[str](), set[str]()
        for wording in self._wordings:
            row = (_EDGE, *wording.words, _EDGE)
            for word_before, word, word_behind in zip(row, row[1:], row[2:], strict=False):
                if wording.goal == number and word == f"{{{slot}}}":
                    before.add(word_before)
                    behind.add(word_behind)
        return before, behind

    def _fit_of(
        self,
        words: Sequence[tuple[str, int, int]],
        start: int,
        end: int,
        before: Container[str],
        behind: Container[str],
    ) -> float:
        """Return the score of some words as the value of a slot."""
        task_words = [word.casefold() for word, _, _ in words]
        inside = task_words[start:end]
        are_kinds = all(word in self._kinds and word not in self._said for word in inside)
        operator_words = frozenset[str]().union(*self._own.values())
        word_count = sum(word in self._said or word in operator_words for word in inside)
        return (
            ((task_words[start - 1] if start else _EDGE) in before)
            + ((task_words[end] if end < len(task_words) else _EDGE) in behind)
            + 2.0 * are_kinds
            - 0.4 * word_count
            - 0.1 * (len(inside) - 1)
        )


def _spans(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text, each with its start and end."""
    at = spans(text)
    return [(text[a:b], a, b) for a, b in at if text[a].isalnum()]


def _words_and_slots(text: str) -> Iterator[str]:
    """Yield the words of a wording, and its slots as they are."""
    plain, slots = pieces(text)
    for part, slot in itertools.zip_longest(plain, slots):
        yield from _words(part)
        if slot is not None:
            yield f"{{{slot}}}"


def _counted_wants(goal: Goal) -> frozenset[tuple[str, int]]:
    """Return the wants of a goal as operator and count: each repetition is another want."""
    count_by_operator: Counter[str] = Counter()
    wants = []
    for want in goal.wants:
        count_by_operator[want.operator] += 1
        wants.append((want.operator, count_by_operator[want.operator]))
    return frozenset(wants)
