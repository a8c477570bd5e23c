"""Goals: the deeds that each wording of a task demands, and their things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...episodes.tokens import words_of
from .operators import kind_of


@dataclass(frozen=True, slots=True)
class Variable:
    """A thing of a goal. Two equal variables stand for two different things.

    Attributes:
        slot: Slot of the task that says it; empty: any thing of the kinds that demonstrations took.
        whole: Whether the task says the name itself, not only the kind.
        longest: Most words of the kind in a task.
    """

    slot: str = ""
    whole: bool = False
    longest: int = 0

    def fits(self, name: str, slot_values: Mapping[str, str]) -> bool:
        """Whether a thing is the one that a task says.

        Args:
            name: Name of the thing.
            slot_values: Slot → value in the task.
        """
        value = slot_values.get(self.slot)
        return not self.slot or name == value or (not self.whole and kind_of(name) == value)


@dataclass(frozen=True, slots=True)
class Want:
    """A deed that a goal demands.

    Attributes:
        operator: Text of the operator.
        variables: Numbers of the variables of its arguments.
        place: Slot of the task that names the place; empty: anywhere.
    """

    operator: str
    variables: tuple[int, ...]
    place: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """The demand of a task.

    Attributes:
        wordings: Templates of the tasks that demand it.
        variables: The things.
        wants: The deeds, in order.
    """

    wordings: tuple[str, ...]
    variables: tuple[Variable, ...]
    wants: tuple[Want, ...]

    @property
    def ends(self) -> str:
        """The first word of the last deed; empty where there is none."""
        return (words_of(self.wants[-1].operator) or ("",))[0] if self.wants else ""

    def names(self, slot_values: Mapping[str, str]) -> frozenset[str]:
        """Return the names that a task says in full."""
        return frozenset(
            slot_values[v.slot] for v in self.variables if v.whole and v.slot in slot_values
        )

    def reads(self, slot_values: Mapping[str, str]) -> bool:
        """Whether the values of a task's slots are short enough to be kinds of things."""
        kinds = (v for v in self.variables if v.slot and not v.whole)
        return all(len(words_of(slot_values.get(v.slot, ""))) <= v.longest for v in kinds)

    def binds(
        self,
        number: int,
        name: str,
        name_by_variable: Mapping[int, str],
        slot_values: Mapping[str, str],
    ) -> bool:
        """Whether a variable may stand for a thing.

        Args:
            number: Number of the variable.
            name: Name of the thing.
            name_by_variable: Number of a variable → thing, as far as bound.
            slot_values: Slot → value in the task.
        """
        if number in name_by_variable:
            return name_by_variable[number] == name
        variable = self.variables[number]
        rivals = (
            value for other, value in name_by_variable.items() if self.variables[other] == variable
        )
        return variable.fits(name, slot_values) and not (variable.slot and name in rivals)

    def progress(
        self, calls: Sequence[tuple[str, tuple[str, ...]]], slot_values: Mapping[str, str]
    ) -> tuple[int, dict[int, str]]:
        """Return how many wants were done, in order, and the thing of each bound variable."""
        name_by_variable: dict[int, str] = {}
        wants_done = 0
        for operator, arguments in calls:
            if wants_done == len(self.wants):
                break
            want = self.wants[wants_done]
            pairs = tuple(zip(want.variables, arguments, strict=False))
            if operator == want.operator and all(
                self.binds(number, name, name_by_variable, slot_values) for number, name in pairs
            ):
                name_by_variable |= dict(pairs)
                wants_done += 1
        return wants_done, name_by_variable
