"""The lexicon of goals in free words: weights of words, and requests by situation.

It is a log-linear model, learned from sentences aligned with episodes
(:mod:`.learning.goal_words`). A *meaning* is a plan, or a kind in a *role*; the weights of a
sentence's words for a meaning add up. A role is a plan's use of a slot of its goal, such as
``take-from x``, so that plans with the same use share its weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ..common.text import words
from ..documents.plain_data import reading

Weights = Mapping[str, float]
"""Word, or two consecutive words, → weight."""

ALWAYS = "*"
"""The constant feature: its weight counts in every sentence."""
_EDGE = "^"
"""Stands for the beginning and the end of a sentence."""


def features(sentence: str) -> tuple[str, ...]:
    """Return the distinct words and word pairs of a sentence.

    >>> features("Chill a mug.")
    ('*', 'chill', 'a', 'mug', '^ chill', 'chill a', 'a mug', 'mug ^')
    """
    tokens = words(sentence)
    row = (_EDGE, *tokens, _EDGE)
    pairs = (f"{first} {second}" for first, second in pairwise(row))
    return tuple(dict.fromkeys((ALWAYS, *tokens, *pairs)))


@dataclass(frozen=True, slots=True)
class Role:
    """The weights of one role.

    Attributes:
        initial: Share of the episodes whose first observation shows an entity of the kind.
        kinds: Kind → weights of words for it.
    """

    initial: float
    kinds: Mapping[str, Weights]


@dataclass(frozen=True, slots=True)
class Situation:
    """The requests of the episodes that began with the same entities.

    Attributes:
        things: Kind → number of its entities.
        asked: (plan, kinds of its slots in order) → number of requests.
    """

    things: Mapping[str, int]
    asked: Mapping[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class GoalLexicon:
    """The lexicon of goals; the entry ``goals`` of ``ontology.yaml``.

    Attributes:
        plans: Id of a meta-procedure → weights of words for it.
        roles: Role → its weights.
        situations: Requests by situation.
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
                    "asked": [[count, *request] for request, count in situation.asked.items()],
                }
                for situation in self.situations
            ]
        return document


def likeness(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    """Return the similarity of two situations: shared over all entities (Jaccard, multisets).

    >>> likeness({"shelf": 2, "bed": 1}, {"shelf": 1})
    0.3333333333333333
    """
    kinds = first.keys() | second.keys()
    union = sum(max(first.get(kind, 0), second.get(kind, 0)) for kind in kinds)
    intersection = sum(min(first.get(kind, 0), second.get(kind, 0)) for kind in kinds)
    return intersection / union if union else 1.0


def total(weights: Weights, sentence_features: Sequence[str]) -> float:
    """Return the sum of the weights of a sentence's features."""
    return sum(weights.get(feature, 0.0) for feature in sentence_features)
