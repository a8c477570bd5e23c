"""Goals: what each wording of a task demands to be done, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...episodes.tokens import words_of
from .operators import kind_of

__all__ = ["Goal", "Variable", "Want"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A thing with which something is to be done; two of a goal that are told alike are two things.

    Attributes:
        slot: Of the task, which says it; empty: any thing of the kinds that demonstrations took.
        whole: Whether the task says the name itself, not only the kind.
        longest: Most words in which a task says the kind.
    """

    slot: str = ""
    whole: bool = False
    longest: int = 0

    def fits(self, name: str, said: Mapping[str, str]) -> bool:
        """Whether a thing is what a task says.

        Args:
            name: Of the thing.
            said: Slot → what the task says.
        """
        value = said.get(self.slot)
        return not self.slot or name == value or (not self.whole and kind_of(name) == value)


@dataclass(frozen=True, slots=True)
class Want:
    """Something that is to be done.

    Attributes:
        operator: Text of the operator.
        variables: Numbers of its arguments' variables.
        place: Slot of the task that names the place; empty: anywhere.
    """

    operator: str
    variables: tuple[int, ...]
    place: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a task demands.

    Attributes:
        wordings: Templates of the tasks that demand it.
        variables: The things.
        wants: What is to be done, in order.
    """

    wordings: tuple[str, ...]
    variables: tuple[Variable, ...]
    wants: tuple[Want, ...]

    @property
    def ends(self) -> str:
        """The first word of what is done last."""
        return (words_of(self.wants[-1].operator) or ("",))[0] if self.wants else ""

    def names(self, said: Mapping[str, str]) -> frozenset[str]:
        """Return the names that a task says as they are."""
        return frozenset(said[v.slot] for v in self.variables if v.whole and v.slot in said)

    def reads(self, said: Mapping[str, str]) -> bool:
        """Whether what a task says in its slots may be kinds of things, as far as length tells."""
        kinds = (v for v in self.variables if v.slot and not v.whole)
        return all(len(words_of(said.get(v.slot, ""))) <= v.longest for v in kinds)

    def binds(
        self, number: int, name: str, bound: Mapping[int, str], said: Mapping[str, str]
    ) -> bool:
        """Whether a thing may be what a variable stands for.

        Args:
            number: Of the variable.
            name: Of the thing.
            bound: What other variables stand for.
            said: Slot → what the task says.
        """
        if number in bound:
            return bound[number] == name
        variable = self.variables[number]
        alike = (value for other, value in bound.items() if self.variables[other] == variable)
        return variable.fits(name, said) and not (variable.slot and name in alike)

    def progress(
        self, calls: Sequence[tuple[str, tuple[str, ...]]], said: Mapping[str, str]
    ) -> tuple[int, dict[int, str]]:
        """Return how many wants were done, in order, and what the variables stand for."""
        bound: dict[int, str] = {}
        done = 0
        for operator, arguments in calls:
            if done == len(self.wants):
                break
            want = self.wants[done]
            pairs = tuple(zip(want.variables, arguments, strict=False))
            if operator == want.operator and all(
                self.binds(number, name, bound, said) for number, name in pairs
            ):
                bound |= dict(pairs)
                done += 1
        return done, bound
