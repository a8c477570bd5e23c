"""What a choice would take at moments of demonstrations, and conditions over that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from ...episodes.facts import Fact
from ...episodes.history import History
from ..program_conditions import Condition, Field, OneOf, Term
from ..sources import Choice, Offered, chosen
from .limits import limits_between, number_columns


class Picked:
    """What a choice would take at each moment: its one candidate, or one of several.

    Args:
        choice: The choice.
        histories: The history of each moment.
        few: Fields that have few values.

    Attributes:
        choice: The choice.
        columns: Field → moment → value, of one candidate.
        sizes: Field → its numbers, of fields that always hold a number.
    """

    def __init__(self, choice: Choice, histories: Sequence[History], few: Collection[str]) -> None:
        self.choice = choice
        self.columns: dict[Term, dict[int, str]] = defaultdict(dict)
        self._histories = histories
        self._several: dict[int, Sequence[Fact]] = {}
        for i, history in enumerate(histories):
            facts = chosen(choice, history)
            if len(facts) > 1:
                self._several[i] = facts
            elif facts:
                for name, value in facts[0].fields.items():
                    self.columns[Field(name)][i] = value
        self.sizes = number_columns(self.columns)
        self._classes = list(self._of_classes(few))

    def _of_classes(self, few: Collection[str]) -> Iterator[tuple[int, Offered, int]]:
        """Yield the moments at which the one candidate is of a class, and the condition of it."""
        for term, column in self.columns.items():
            if isinstance(term, Field) and term.name in few:
                masks: dict[str, int] = defaultdict(int)
                for i, text in column.items():
                    masks[text] |= 1 << i
                for value, mask in sorted(masks.items()):
                    yield mask, *self.offered(OneOf(term, (value,)), mask)

    def column(self, field: Term) -> list[str | None]:
        """Return the value of a field at each moment."""
        return [self.columns[field].get(i) for i in range(len(self._histories))]

    def offered(self, condition: Condition, truth: int) -> tuple[Offered, int]:
        """Return that a candidate is such, and the moments at which one is.

        Args:
            condition: Condition of the candidate.
            truth: Moments at which it holds of the one candidate.
        """
        among_several = sum(
            1 << i
            for i, facts in self._several.items()
            if any(condition.holds(self._histories[i], fact) for fact in facts)
        )
        return Offered(self.choice, False, False, (condition,)), truth | among_several

    def conditions(self, positives: int, negatives: int) -> Iterator[tuple[Offered, int]]:
        """Yield limits and classes of the candidate that may part moments, with their truth.

        Args:
            positives: Moments, as bits.
            negatives: The same.
        """
        for limit, truth in limits_between(self.sizes, positives, negatives):
            yield self.offered(limit, truth)
        for limit, truth in limits_between(self.sizes, negatives, positives):
            offered, holds = self.offered(limit, truth)
            everywhere = (1 << len(self._histories)) - 1
            yield Offered(self.choice, True, False, offered.where), everywhere & ~holds
        yield from ((one, holds) for own, one, holds in self._classes if own & positives)
