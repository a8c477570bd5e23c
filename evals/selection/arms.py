"""Who chooses: the loop as it is set by default, and with one thing left out or exchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from ...graph.knowledge import Hit, Retriever
from ...procedures.common.errors import DataError
from ...procedures.evidence.ledger import CountKey

__all__ = ["ARMS", "Arm", "arm_of", "retrieved"]


@dataclass(frozen=True, slots=True)
class Arm:
    """A way of choosing.

    Attributes:
        name: What it is called.
        settings: Of ``library.yaml``.
        without: Parts of the method that are left out.
        retrieval: What the loop is offered: what the index finds nearest; the same, with how often
            each was run as its likeness (``frequency``); or entries at random.
        kept: Share of the library that stays when a third of the tasks is played.
        pruned: What goes then: what is worth least, or anything at random.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    retrieval: str = "nearest"
    kept: float = 1.0
    pruned: str = "worth"


ARMS: Final = (
    Arm("EU"),
    Arm("similarity", {"rule": "similarity"}),
    Arm("frequency", {"rule": "similarity"}, retrieval="frequency"),
    Arm("random", {"rule": "random"}),
    Arm("Thompson", {"rule": "thompson"}),
    Arm("UCB", {"rule": "ucb"}),
    Arm("EU without posterior", without=("posterior",)),
    Arm("EU without risk", without=("risk",)),
    Arm("EU without information", without=("information",)),
    Arm("EU with λ = 0.1", {"weights": {"exploration": 0.1}}),
    Arm("EU as meant", {"preset": "paper"}),
    Arm("EU as printed", {"preset": "printed"}),
    Arm("EU, retrieval at random", retrieval="random"),
    Arm("EU, half pruned by worth", kept=0.5),
    Arm("EU, half pruned at random", kept=0.5, pruned="random"),
)
"""The first is what a library does; those after UCB leave out or exchange one thing."""


def arm_of(name: str) -> Arm:
    """Return an arm by its name.

    Raises:
        DataError: There is none.
    """
    for arm in ARMS:
        if arm.name == name:
            return arm
    raise DataError(f"there is no arm {name!r}; there are {', '.join(each.name for each in ARMS)}")


_EQUAL = 1e-4
"""Cosines that differ by less are of one goal."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A hit with another likeness than the index's."""

    id: str
    similarity: float


class _Frequent:
    """Offers the nearest entries with the share of their runs as their likeness."""

    def __init__(self, index: Retriever, counts: Mapping[CountKey, tuple[float, float]]) -> None:
        self._index, self._counts = index, counts

    def search(self, text: str, k: int, *, kind: str | None = None) -> Iterable[Hit]:
        hits = list(self._index.search(text, k, kind=kind))
        nearest = max((hit.similarity for hit in hits), default=0.0) - _EQUAL
        runs = {
            hit.id: sum(self._counts.get(("procedure", hit.id, 1, ""), (0.0, 0.0)))
            for hit in hits
            if hit.similarity >= nearest
        }
        total = 1.0 + sum(runs.values())
        # Above 0.5, so that the loop acts; frequency alone says which.
        return [_Entry(name, 0.5 + 0.5 * each / total) for name, each in runs.items()]


class _AtRandom:
    """Returns any entries."""

    def __init__(self, entries: Iterable[str], chance: Random) -> None:
        self._entries, self._chance = list(entries), chance

    def search(self, text: str, k: int, *, kind: str | None = None) -> Iterable[Hit]:
        if kind != "procedure":
            return []
        chosen = self._chance.sample(self._entries, min(k, len(self._entries)))
        return [_Entry(each, 0.5) for each in chosen]


def retrieved(
    arm: Arm,
    index: Retriever,
    entries: Iterable[str],
    counts: Mapping[CountKey, tuple[float, float]],
    chance: Random,
) -> Retriever:
    """Return what offers candidates to the loop.

    Args:
        arm: Says which.
        index: The library's own.
        entries: Ids of the library's procedures.
        counts: The evidence so far.
        chance: Of what is random.
    """
    if arm.retrieval == "frequency":
        return _Frequent(index, counts)
    return _AtRandom(entries, chance) if arm.retrieval == "random" else index
