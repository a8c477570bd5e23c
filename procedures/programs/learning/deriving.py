"""Arguments that nobody said, made of what was said: another notation, a part, with a frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...episodes.history import History
from ..sources import Base, Rewriting, candidates
from ..writing import learn_writings
from .occurrences import Occurrence

__all__ = ["rewritings"]

_MOST = 40
"""Occurrences on which a way of writing is looked for."""
_NEARLY = 0.9


def rewritings(
    index: int, occurrences: Sequence[Occurrence], bases: Iterable[Base]
) -> Iterator[Rewriting]:
    """Yield sources that write anew what another source gives.

    Args:
        index: Of the argument.
        occurrences: Calls; what is made is not said before them.
        bases: Sources of what it may be made of.
    """
    shown = occurrences[:: max(1, -(-len(occurrences) // _MOST))]
    for base in bases:
        pairs = [
            (values[0], occurrence.arguments[index])
            for occurrence in shown
            if len(values := _made_of(occurrence.arguments[index], base, occurrence.history)) == 1
        ]
        if len(pairs) >= _NEARLY * len(shown):
            writings = learn_writings(pairs)
            if writings:
                yield Rewriting(base, writings)


def _made_of(value: str, base: Base, history: History) -> list[str]:
    """Return what a value may be made of; of several, only those that it holds."""
    values = candidates(base, history)
    return values if len(values) == 1 else [each for each in values if each in value]
