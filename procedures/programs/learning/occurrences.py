"""Demonstrated calls and choices, each with the history before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ..program_conditions import Row

Few = Mapping[str, frozenset[str]]
"""Kind of facts → its fields that have few values."""

_LEAST_SEVERAL = 3
"""Least episodes that have to take several candidates, so that it is no chance."""
_SEVERAL = 0.2
"""Least share of the episodes that have to take several candidates."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A demonstrated call: number of its episode, history before it, and arguments."""

    episode: int
    history: History
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known where the arguments of an operator are explained.

    Attributes:
        operator: The operator, whose earlier calls tell used candidates.
        few: Kind of facts → its fields that have few values.
        lookups: Fields of tables in rows that known values name.
    """

    operator: str
    few: Few = field(default_factory=dict)
    lookups: Sequence[Row] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """A demonstrated choice.

    Attributes:
        episode: Number of its demonstration.
        history: The history before the choice.
        value: The chosen value.
        rows: The candidates; at least one has the value.
        others: The other arguments of its call, which a rule may look at; empty for its own place.
        whole: Field → value that the chosen row has beside it, where several rows have the value.
    """

    episode: int
    history: History
    value: str
    rows: tuple[Fact, ...]
    others: tuple[str, ...] = ()
    whole: tuple[tuple[str, str], ...] = ()

    def takes(self, row: Fact, field: str) -> bool:
        """Whether a row is the one whose field was chosen."""
        return row.fields.get(field) == self.value and all(
            row.fields.get(name) == value for name, value in self.whole
        )


def uses_by_field(
    index: int,
    occurrences: Sequence[Occurrence],
    facts_of: Callable[[History, str], Sequence[Fact]],
    *,
    beside: bool = False,
) -> dict[tuple[str, str], list[Use]]:
    """Return kind and field of facts → the choices that they explain: they hold the argument.

    Args:
        index: Place of the argument.
        occurrences: The calls.
        facts_of: Function from history and kind to the candidates.
        beside: Whether rules may look at the other arguments of a call.
    """
    uses: dict[tuple[str, str], list[Use]] = defaultdict(list)
    for occurrence in occurrences:
        history, arguments = occurrence.history, occurrence.arguments
        value = arguments[index]
        others = tuple("" if n == index else v for n, v in enumerate(arguments)) if beside else ()
        for kind in history.kinds:
            rows = tuple(facts_of(history, kind)) if kind != UNREAD else ()
            for name in {n for row in rows for n, v in row.fields.items() if v == value}:
                uses[kind, name].append(Use(occurrence.episode, history, value, rows, others))
    return uses


def take_several(several: int, episodes: int) -> bool:
    """Whether so many episodes take several candidates that the step is meant for each."""
    return several >= max(_LEAST_SEVERAL, _SEVERAL * episodes)
