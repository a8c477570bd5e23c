"""Operators: what can be done, what it needs, and what it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...episodes.fact import Fact
from ...episodes.tokens import words_of

__all__ = ["Deed", "Operator", "Parameter", "State", "kind_of"]


def kind_of(name: str) -> str:
    """Return the kind of a thing: its name without the numbers that tell things of a kind apart."""
    return " ".join(words_of(name)) or name


@dataclass(frozen=True, slots=True, order=True)
class Deed:
    """What was done with a thing: an operator, and which of its arguments the thing was, from 0."""

    operator: str
    index: int


@dataclass(frozen=True, slots=True, order=True)
class State:
    """What a line tells of a thing.

    Attributes:
        kind: Of the facts.
        field: In which the thing stands.
        fixed: What stands in other fields.
    """

    kind: str
    field: str
    fixed: tuple[tuple[str, str], ...] = ()

    def told(self, fact: Fact, name: str) -> bool:
        """Whether a fact tells it of a thing."""
        return (
            fact.kind == self.kind
            and fact.fields.get(self.field) == name
            and all(fact.fields.get(key) == value for key, value in self.fixed)
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    """What held of an argument in (nearly) all demonstrations.

    Attributes:
        at: It is the place where one was.
        here: It was last told of where one was.
        needs: What was done with it before: one of these.
        after: What may have been done with it last; empty: anything.
        states: What was last told of it.
        mends: What was never told of it any more, and the operator that had ended it.
        kinds: Kinds of things that it was, and how often.
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
    """What can be done.

    Attributes:
        id: Name in the program.
        text: With ``{}`` for each argument.
        parameters: Of its arguments.
        reveals: Whether it is done to see what there is.
        enables: Whether it is done to be able to go on.
        answers: Kinds of the facts with which it was always answered; empty: any.
    """

    id: str
    text: str
    parameters: tuple[Parameter, ...] = ()
    reveals: bool = False
    enables: bool = False
    answers: frozenset[str] = frozenset()

    def worked(self, facts: Sequence[Fact]) -> bool:
        """Whether it was answered as it was whenever it was shown."""
        return not self.answers or (bool(facts) and facts[0].kind in self.answers)
