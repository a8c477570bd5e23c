"""Operators: actions of a planner, with their needs and their effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...episodes.fact import Fact
from ...episodes.tokens import words_of


def kind_of(name: str) -> str:
    """Return the kind of a thing: its name without the numbers that tell things of a kind apart."""
    return " ".join(words_of(name)) or name


@dataclass(frozen=True, slots=True, order=True)
class Deed:
    """A deed with a thing: an operator, and the place of the thing among its arguments, from 0."""

    operator: str
    index: int


@dataclass(frozen=True, slots=True, order=True)
class State:
    """A statement of a line about a thing.

    Attributes:
        kind: Kind of the facts.
        field: Field that holds the thing.
        fixed: Other fields, with their values.
    """

    kind: str
    field: str
    fixed: tuple[tuple[str, str], ...] = ()

    def told(self, fact: Fact, name: str) -> bool:
        """Whether a fact states it of a thing."""
        return (
            fact.kind == self.kind
            and fact.fields.get(self.field) == name
            and all(fact.fields.get(key) == value for key, value in self.fixed)
        )


@dataclass(frozen=True, slots=True)
class OperatorParameter:
    """Conditions of an argument that held in (nearly) all demonstrations.

    Attributes:
        at: Whether it was the current place.
        here: Whether it was last told of at the current place.
        needs: Deeds of which one was done with it before.
        after: Deeds that may have been the last with it; empty: any.
        states: States that were last told of it.
        mends: State that never held → operator that ends it.
        kinds: Kind of the thing → number of uses.
    """

    at: bool = False
    here: bool = False
    needs: tuple[Deed, ...] = ()
    after: frozenset[Deed] = frozenset()
    states: frozenset[State] = frozenset()
    mends: Mapping[State, str] = field(default_factory=dict, hash=False)
    kinds: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Operator:
    """An action of a planner.

    Attributes:
        id: Name in the program.
        text: Text with ``{}`` for each argument.
        parameters: Conditions of its arguments.
        reveals: Whether it reveals things.
        enables: Whether it removes obstacles of moves.
        answers: Kinds of the facts that always answered it; empty: any.
    """

    id: str
    text: str
    parameters: tuple[OperatorParameter, ...] = ()
    reveals: bool = False
    enables: bool = False
    answers: frozenset[str] = frozenset()

    def worked(self, facts: Sequence[Fact]) -> bool:
        """Whether a result has the kind that always answered the operator."""
        return not self.answers or (bool(facts) and facts[0].kind in self.answers)
