"""Reading a task in words that nobody showed: the likeliest goal, and what its slots hold.

A log-linear model of the goals by the words of the wordings that are known. Goals share what they
want: what a word tells of one operator counts for each goal that wants it, and so does a task that
says a word of the operator itself.
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
_OWN = 3.0
"""Weight of an operator's own word before any wording tells: who says it, wants it."""
_LONGEST = 4
"""Most words of a name."""
_EXPLAINED = 0.5
"""Share of the words beside the names that wordings say, too; of less, it is of another world."""
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
        goals: With the wordings that are known.
        kinds: Words of which it is known that they name things.
    """

    def __init__(self, goals: Sequence[Goal], kinds: Container[str] = ()) -> None:
        self._goals = [goal for goal in goals if goal.wants]
        self._kinds = kinds
        self._wordings = [
            _Wording(number, tuple(_slotted(text)))
            for number, goal in enumerate(self._goals)
            for text in goal.wordings
        ]
        self._said = {word for each in self._wordings for word in each.words if word[0] != "{"}
        texts = {want.operator for goal in self._goals for want in goal.wants}
        words = {text: frozenset(_words(text.replace("{}", " "))) for text in texts}
        often = Counter(word for each in words.values() for word in each)
        self._own = {
            text: frozenset(word for word in each if often[word] == 1)
            for text, each in words.items()
        }
        self._wants = [_counted(goal) for goal in self._goals]
        if self._wordings:
            self._fit()

    def readings(self, task: str) -> list[tuple[Goal, str, Mapping[str, str]]]:
        """Return goals, the likeliest first, each with a wording and what the slots hold."""
        said = [word.casefold() for word, _, _ in _spans(task)]
        if not self._wordings or not said:
            return []
        scores = self._scores(said)
        out: list[tuple[Goal, str, Mapping[str, str]]] = []
        for number in sorted(range(len(self._goals)), key=lambda each: (-scores[each], each)):
            goal, held = self._goals[number], self._held(number, task)
            if held is None:
                continue
            inside = {word for value in held.values() for word in _words(value)}
            # Each counts once: two articles say no more of what is asked than one.
            rest = {word for word in said if word not in inside}
            known = self._said.union(*self._own.values())
            if sum(word in known for word in rest) >= _EXPLAINED * len(rest):
                out.append((goal, goal.wordings[0], held))
        return out

    # ------------------------------------------------------------------ which goal
    def _fit(self) -> None:
        """Fit the weights of words for what goals want."""
        import numpy as np  # both on first use: who only opens a library waits for neither
        from scipy.optimize import minimize  # type: ignore[import-untyped]

        self._labels = sorted({want for wants in self._wants for want in wants})
        self._columns = {word: n for n, word in enumerate(sorted(self._said))}
        self._among = np.array(
            [[float(label in wants) for label in self._labels] for wants in self._wants]
        )
        says = np.array([self._row(each.words) for each in self._wordings])
        own = np.array([self._own_row(each.words) for each in self._wordings])
        right = np.zeros((len(self._wordings), len(self._goals)))
        right[range(len(self._wordings)), [each.goal for each in self._wordings]] = 1.0
        shape = (len(self._columns) + 1, len(self._labels))

        start = np.append(np.zeros(shape[0] * shape[1]), _OWN)

        def loss(flat: Any) -> tuple[float, Any]:
            weights, bonus = flat[:-1].reshape(shape), flat[-1]
            wanted = says @ weights + bonus * own
            scores = wanted @ self._among.T
            scores -= scores.max(axis=1, keepdims=True)
            shares = np.exp(scores)
            sums = shares.sum(axis=1, keepdims=True)
            likelihood = (scores * right).sum() - np.log(sums).sum()
            slope = (shares / sums - right) @ self._among
            away = flat - start
            value = 0.5 * _PENALTY * (away**2).sum() - likelihood
            gradient = np.append((says.T @ slope).ravel(), (own * slope).sum())
            return float(value), gradient + _PENALTY * away

        fit = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
        self._weights, self._bonus = fit.x[:-1].reshape(shape), fit.x[-1]

    def _scores(self, said: Sequence[str]) -> Any:
        import numpy as np

        wanted = self._row(said) @ self._weights + self._bonus * np.array(self._own_row(said))
        return wanted @ self._among.T

    def _row(self, said: Sequence[str]) -> list[float]:
        """Return which words are said; the last column is of all tasks."""
        words = set(said)
        return [*(float(word in words) for word in self._columns), 1.0]

    def _own_row(self, said: Sequence[str]) -> list[float]:
        """Return for which operators a word of their own is said."""
        return [float(not self._own[o].isdisjoint(said)) for o, _ in self._labels]

    # ------------------------------------------------------------------ what the slots hold
    def _held(self, number: int, task: str) -> dict[str, str] | None:
        """Return the likeliest names in the slots of a goal; None if there are too few."""
        goal = self._goals[number]
        longest = {v.slot: v.longest or _LONGEST for v in goal.variables if v.slot}
        longest |= {w.place: longest.get(w.place, _LONGEST) for w in goal.wants if w.place}
        words = _spans(task)
        best: dict[int, tuple[float, tuple[tuple[str, int, int], ...]]] = {0: (0.0, ())}
        # By where the last name ends: the best choice for the slots so far.
        for slot in sorted(longest, key=int):
            before, behind = self._around(number, slot)
            nearest: dict[int, tuple[float, tuple[tuple[str, int, int], ...]]] = {}
            for start in range(len(words)):
                for end in range(start + 1, min(start + longest[slot], len(words)) + 1):
                    fit = self._fit_of(words, start, end, before, behind)
                    for at, (score, taken) in best.items():
                        if at <= start and score + fit > nearest.get(end, (-1e9, ()))[0]:
                            nearest[end] = score + fit, (*taken, (slot, start, end))
            best = nearest
        if not best:
            return None
        _, taken = max(best.values(), key=lambda each: (each[0], each[1]))
        return {slot: task[words[start][1] : words[end - 1][2]] for slot, start, end in taken}

    def _around(self, number: int, slot: str) -> tuple[set[str], set[str]]:
        """Return the words that stand before and behind a slot of a goal."""
        before, behind = set[str](), set[str]()
        for each in self._wordings:
            row = (_EDGE, *each.words, _EDGE)
            for left, word, right in zip(row, row[1:], row[2:], strict=False):
                if each.goal == number and word == f"{{{slot}}}":
                    before.add(left)
                    behind.add(right)
        return before, behind

    def _fit_of(
        self,
        words: Sequence[tuple[str, int, int]],
        start: int,
        end: int,
        before: Container[str],
        behind: Container[str],
    ) -> float:
        """Return how well some words fit into a slot."""
        said = [word.casefold() for word, _, _ in words]
        inside = said[start:end]
        named = all(word in self._kinds and word not in self._said for word in inside)
        own = frozenset[str]().union(*self._own.values())
        strange = sum(word in self._said or word in own for word in inside)
        return (
            ((said[start - 1] if start else _EDGE) in before)
            + ((said[end] if end < len(said) else _EDGE) in behind)
            + 2.0 * named
            - 0.4 * strange
            - 0.1 * (len(inside) - 1)
        )


def _spans(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text, and where they stand."""
    at = spans(text)
    return [(text[a:b], a, b) for a, b in at if text[a].isalnum()]


def _slotted(text: str) -> Iterator[str]:
    """Yield the words of a wording, and its slots as they are."""
    plain, slots = pieces(text)
    for part, slot in itertools.zip_longest(plain, slots):
        yield from _words(part)
        if slot is not None:
            yield f"{{{slot}}}"


def _counted(goal: Goal) -> frozenset[tuple[str, int]]:
    """Return the operators that a goal wants: each time that it does is another want."""
    seen: Counter[str] = Counter()
    out = []
    for want in goal.wants:
        seen[want.operator] += 1
        out.append((want.operator, seen[want.operator]))
    return frozenset(out)
