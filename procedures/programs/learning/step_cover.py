"""The steps that explain the calls of an operator in the fewest bits: a revised greedy cover."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..binding import looks_at
from ..decision_tables import Tabled
from ..program_conditions import Argument, Row, TaskSlot, Total
from ..sources import (
    Arranged,
    Choice,
    Composed,
    Computed,
    Constant,
    Kept,
    Line,
    Recalled,
    Source,
    Written,
    is_settled,
    stands_beside,
)
from ..terms import terms_of
from .choice_table import MISSED_BITS
from .occurrences import Occurrence

_CONSTANT_BITS = 12.0
"""Bits of a constant: the program spells it."""
_SAID_BITS = 6.0
"""Bits of a constant that was mentioned before each call, in steps of one order.

Such a list points at words, and does not spell them."""
_STEP_BITS = 2.0
"""Bits of a step besides its sources."""
_CELL_BITS = 1.5
"""Bits of each cell of a decision table: one of a few values."""
_ROW_BITS = 2.0
"""Extra bits of a condition over a row of another table, beside one over the candidate."""
_MOST_STEPS = 40
"""Most steps of a greedy cover; it bounds the search."""
_MOST_SOURCES = 14
"""Most sources of each of several arguments that are combined; it bounds the search."""
_MOST_COMBINATIONS = 400
"""Most combinations of sources that are tried; with more arguments each has fewer sources."""
_MOST_REVISED = 6
"""Most steps that are left out, one at a time, to revise a cover."""
Floats = NDArray[np.float64]
Columns = Mapping[Source, tuple[Floats, NDArray[np.bool_]]]
"""Source → its bits at each call, and whether it gives any value there."""


def source_bits(source: Source) -> float:
    """Return the bits of a source in the program."""
    match source:
        case Constant():
            return _CONSTANT_BITS
        case Argument():
            return 10.0
        case TaskSlot():
            return 8.0
        case Choice(beside=int()):
            return 8.0
        case Choice(_, _, at, cases, _):
            rules = sum(3 * len(c.rule.where) + 4 * len(c.rule.order) + 4 for c in cases)
            looked_up = sum(
                isinstance(term, Row)
                for case in cases
                for condition in case.rule.where
                for term in terms_of(condition)
            )
            return 10.0 + rules + _ROW_BITS * looked_up + (at != "newest")
        case Line():
            return 12.0
        case Written(parts):
            pieces = [part[0] for part in parts if not isinstance(part, str)]
            tables = sum(len(piece.writing.table) for piece in pieces)
            # Pieces confirm each other, so that only the most expensive base counts.
            first = max(source_bits(piece.base) for piece in pieces)
            return 6.0 + first + 2.0 * (len(pieces) - 1 + tables)
        case Computed((Total(_, _, where), *_)):
            return 14.0 + 3 * len(where)
        case Computed():
            return 18.0
        case Tabled(tables):
            return 10.0 + _CELL_BITS * len(tables[0].rows) * (1 + len(tables[0].by))
        case Arranged() | Composed() | Kept() | Recalled():
            return math.inf  # the cover never tries it


def _fit_together(sources: Sequence[Source]) -> bool:
    """Whether sources that take a value beside another share its facts."""
    beside = (s for s in sources if isinstance(s, Choice) and s.beside is not None)
    return all(stands_beside(source, sources) for source in beside) and not any(
        looks_at(sources[i]) for source in sources for i in looks_at(source)
    )


class StepCover:
    """Chooses the steps that describe the demonstrated calls in the fewest bits.

    Args:
        occurrences: All calls of an operator.
        columns: For each argument, source → bits of each call (infinite where the source does not
            give the value), and whether it gives any value.
    """

    def __init__(
        self,
        occurrences: Sequence[Occurrence],
        columns: Sequence[Columns],
    ) -> None:
        self.columns = columns
        self.values = [occurrence.arguments for occurrence in occurrences]
        self.episodes = [occurrence.episode for occurrence in occurrences]
        situations = [occurrence.history.before for occurrence in occurrences]
        names = {name: i for i, name in enumerate(dict.fromkeys(situations))}
        self.place = np.array([names[name] for name in situations])
        self.places = len(names)
        self.situation = situations
        self.often = Counter(self.values)
        self.prices: dict[tuple[int, ...], Floats] = {}
        self.costs: dict[tuple[int, ...], float | None] = {}
        self.now = np.full(len(occurrences), MISSED_BITS * len(columns))
        self.chosen: list[tuple[Source, ...]] = []

    def steps(self) -> list[tuple[Source, ...]]:
        """Return the cover with the shortest description.

        A greedy cover prefers steps that explain much to steps that explain well. So it is compared
        with a cover of sources that single out a value, and each of its steps is left out once.
        """
        best = min((self._greedy(), self._greedy(exact=True)), key=self._total)
        shortest = self._total(best)
        banned: frozenset[tuple[Source, ...]] = frozenset()
        for step in list(best)[:_MOST_REVISED]:
            revised = self._greedy(banned=banned | {step})
            total = self._total(revised)
            if total < shortest - 1e-6:
                best, shortest, banned = revised, total, banned | {step}
        return best

    def _greedy(
        self, *, banned: frozenset[tuple[Source, ...]] = frozenset(), exact: bool = False
    ) -> list[tuple[Source, ...]]:
        """Return a cover that adds the step with most savings while one saves; constants last."""
        self.now = np.full(len(self.values), MISSED_BITS * len(self.columns))
        self.chosen = []
        for constants in (False, True):
            while len(self.chosen) < _MOST_STEPS:
                all_options = self._options(constants=constants, exact=exact)
                options = (option for option in all_options if option[1] not in banned)
                best = max(options, default=None, key=lambda x: x[0])
                if best is None or best[0][0] <= 0:
                    break
                self.chosen.append(best[1])
                self.now = np.minimum(self.now, self._price(best[1]))
        return self.chosen

    def _total(self, steps: Sequence[tuple[Source, ...]]) -> float:
        """Return the bits of steps, of their order, and of the values."""
        if not steps:
            return float(MISSED_BITS * len(self.columns) * len(self.values))
        bits = np.array(
            [
                sum(column[s][0] for s, column in zip(step, self.columns, strict=True))
                for step in steps
            ]
        )
        bits = np.vstack([bits, np.full(len(self.values), MISSED_BITS * len(self.columns))])
        labels = bits.argmin(axis=0)
        total = float(bits.min(axis=0).sum())
        sources = list(itertools.chain(*steps))
        constants = [source for source in sources if isinstance(source, Constant)]
        if len(constants) == len(sources) and self._in_one_order(labels):
            total += math.log2(math.factorial(len(steps))) + _STEP_BITS * len(steps)
            return total + sum(_SAID_BITS if each.said else _CONSTANT_BITS for each in constants)
        total += self._entropy(labels)
        return total + sum(_STEP_BITS + sum(map(source_bits, step)) for step in steps)

    def _entropy(self, labels: NDArray[np.intp]) -> float:
        """Return the bits that say which step follows which operator."""
        total = 0.0
        for place in range(self.places):
            counts = np.bincount(labels[self.place == place])
            counts = counts[counts > 0]
            total -= float((counts * np.log2(counts / counts.sum())).sum())
        return total

    def _in_one_order(self, labels: NDArray[np.intp]) -> bool:
        """Whether all episodes did their steps in one order."""
        labels_by_episode: dict[int, list[int]] = defaultdict(list)
        for episode, label in zip(self.episodes, labels, strict=True):
            labels_by_episode[episode].append(int(label))
        pairs = {
            pair
            for steps in labels_by_episode.values()
            for pair in itertools.combinations(steps, 2)
        }
        return all((later, sooner) not in pairs for sooner, later in pairs)

    def _options(
        self, *, constants: bool, exact: bool
    ) -> Iterator[tuple[tuple[float, float, int], tuple[Source, ...]]]:
        ranked_sources = []
        arity = len(self.columns)
        limit = min(_MOST_SOURCES, max(2, int(_MOST_COMBINATIONS ** (1 / arity))))
        for column in self.columns:
            bits_per_argument = self.now / len(self.columns)
            savings = {
                source: round(float(np.maximum(0, bits_per_argument - bits).sum()))
                for source, (bits, _) in column.items()
                if constants or len(self.columns) > 1 or not isinstance(source, Constant)
                if not exact or is_settled(source)
            }
            ranked = sorted(savings, key=lambda s: (-savings[s], source_bits(s)))
            ranked_sources.append(ranked[: limit if arity > 1 else 80])
        for number, combination in enumerate(itertools.product(*ranked_sources)):
            if not constants and all(isinstance(s, Constant) for s in combination):
                continue
            cost = self._cost(combination)
            if cost is not None:
                yield (self._gain(combination, cost), -cost, -number), combination

    def _cost(self, combination: Sequence[Source]) -> float | None:
        """Return the bits of sources as one step; None if they do not fit together."""
        key = tuple(map(id, combination))
        if key not in self.costs:
            fitting = _fit_together(combination)
            self.costs[key] = sum(map(source_bits, combination)) if fitting else None
        return self.costs[key]

    def _price(self, combination: Sequence[Source]) -> Floats:
        """Return the bits of each occurrence: of the choice, and of the source's reliability."""
        # The columns keep the sources alive, and hashing them is slow.
        key = tuple(map(id, combination))
        price = self.prices.get(key)
        if price is None:
            price = self.prices[key] = self._new_price(combination)
        return price

    def _new_price(self, combination: Sequence[Source]) -> Floats:
        bits = np.zeros(len(self.values))
        fires = np.ones(len(self.values), bool)
        for source, column in zip(combination, self.columns, strict=True):
            bits = bits + column[source][0]
            fires &= column[source][1]
        right = np.isfinite(bits)
        right_count = np.bincount(self.place[right], minlength=self.places)
        fired_count = np.bincount(self.place[fires], minlength=self.places)
        return np.asarray(bits - np.log2((right_count + 0.5) / (fired_count + 1))[self.place])

    def _gain(self, combination: Sequence[Source], cost: float) -> float:
        savings = self.now - self._price(combination) - (_STEP_BITS if self.chosen else 0)
        cost += _STEP_BITS
        indices = np.nonzero(savings > 0)[0]
        most = float(savings[indices].sum())
        # What is left of it below saves less; a step that saves nothing is never taken.
        if most <= cost or all(isinstance(source, Constant) for source in combination):
            return most - cost
        by_situation: dict[tuple[str, tuple[str, ...]], float] = defaultdict(float)
        for i in indices:
            by_situation[self.situation[i], self.values[i]] += float(savings[i])
        count_by_situation = Counter(situation for situation, _ in by_situation)
        varied = {value for situation, value in by_situation if count_by_situation[situation] > 1}
        if len(varied) < 3 and len(self.often) > 1 and max(self.often.values()) > 4:
            return -cost
        bits_by_value: dict[tuple[str, ...], float] = defaultdict(float)
        for (_, value), bits in by_situation.items():
            bits_by_value[value] = max(bits_by_value[value], min(bits, 2 * _CONSTANT_BITS))
        # The first value would cost no more as a constant.
        return sum(bits_by_value[value] for value in varied) - _CONSTANT_BITS - cost
