"""What goals in people's own words mean: weights of words, and what was asked in which situation.

A log-linear model, learned from sentences aligned with episodes (:mod:`.learning.goal_words`). A
*meaning* is a plan, or a kind of thing in a *role*; the weight of a word for a meaning is added up
over the words that a sentence has. A role is what a plan does with a slot of its goal, such as
``take-from x``, so that plans that do the same share what is known of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ..common.text import words
from ..documents.plain_data import reading

__all__ = ["ALWAYS", "GoalLexicon", "Role", "Situation", "Weights", "features", "likeness"]

Weights = Mapping[str, float]
"""Word, or two words in a row, → weight."""

ALWAYS = "*"
"""Stands for no word: its weight counts in every sentence."""
_EDGE = "^"
"""Stands for the beginning and the end of a sentence."""


def features(sentence: str) -> tuple[str, ...]:
    """Return the words and pairs of words that a sentence has, each once.

    >>> features("Chill a mug.")
    ('*', 'chill', 'a', 'mug', '^ chill', 'chill a', 'a mug', 'mug ^')
    """
    said = words(sentence)
    row = (_EDGE, *said, _EDGE)
    pairs = (f"{first} {second}" for first, second in pairwise(row))
    return tuple(dict.fromkeys((ALWAYS, *said, *pairs)))


@dataclass(frozen=True, slots=True)
class Role:
    """What is known of one role.

    Attributes:
        initial: Share of the episodes in which a thing of the kind was there from the beginning.
        kinds: Kind → weights of words for it.
    """

    initial: float
    kinds: Mapping[str, Weights]


@dataclass(frozen=True, slots=True)
class Situation:
    """What was asked where an episode began so.

    Attributes:
        things: Kind → how many of it were there.
        asked: (plan, kinds of its slots in order) → how often.
    """

    things: Mapping[str, int]
    asked: Mapping[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class GoalLexicon:
    """How goals in people's words are read; the entry ``goals`` of ``ontology.yaml``.

    Attributes:
        plans: Id of a meta-procedure → weights of words for it.
        roles: Role → its kinds.
        situations: What was asked where.
    """

    plans: Mapping[str, Weights] = field(default_factory=dict, hash=False)
    roles: Mapping[str, Role] = field(default_factory=dict, hash=False)
    situations: tuple[Situation, ...] = field(default=(), hash=False)

    def __bool__(self) -> bool:
        return bool(self.plans)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> GoalLexicon:
        """Read the entry."""
        with reading("lexicon of goals", "goals"):
            roles = {
                name: Role(float(entry.get("initial", 0.0)), dict(entry["kinds"]))
                for name, entry in document.get("roles", {}).items()
            }
            situations = tuple(
                Situation(dict(entry["there"]), {tuple(a[1:]): int(a[0]) for a in entry["asked"]})
                for entry in document.get("situations", ())
            )
            return cls(dict(document.get("plans", {})), roles, situations)

    def to_document(self) -> dict[str, Any]:
        """Write the entry; empty where nothing was learned."""
        if not self:
            return {}
        document: dict[str, Any] = {
            "plans": {plan: dict(weights) for plan, weights in self.plans.items()},
            "roles": {
                name: {
                    "initial": role.initial,
                    "kinds": {kind: dict(weights) for kind, weights in role.kinds.items()},
                }
                for name, role in self.roles.items()
            },
        }
        if self.situations:
            document["situations"] = [
                {
                    "there": dict(situation.things),
                    "asked": [[count, *what] for what, count in situation.asked.items()],
                }
                for situation in self.situations
            ]
        return document


def likeness(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    """How alike two situations are: shared things over all things (Jaccard, of multisets).

    >>> likeness({"shelf": 2, "bed": 1}, {"shelf": 1})
    0.3333333333333333
    """
    kinds = first.keys() | second.keys()
    every = sum(max(first.get(kind, 0), second.get(kind, 0)) for kind in kinds)
    shared = sum(min(first.get(kind, 0), second.get(kind, 0)) for kind in kinds)
    return shared / every if every else 1.0


def total(weights: Weights, said: Sequence[str]) -> float:
    """Add up the weights of what a sentence has."""
    return sum(weights.get(feature, 0.0) for feature in said)
