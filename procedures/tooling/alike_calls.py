"""Which of many runs made the same calls as one, with a similar answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ..episodes.tokens import Tokens
from .task_wording import agree, alike

CallTexts: TypeAlias = tuple[tuple[str, tuple[tuple[str, Tokens], ...]], ...]
"""Tools in the order in which they were called, each with the words of its arguments."""
_Shape: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]


class Deeds(NamedTuple):
    """What a run did.

    Attributes:
        wording: Words of its task.
        calls: Its calls; ``*`` for what was said before, and for figures.
        answer: Words of its answer, likewise.
    """

    wording: Tokens
    calls: CallTexts
    answer: Tokens

    @property
    def shape(self) -> _Shape:
        """Its tools, with the names of their arguments."""
        return tuple((tool, tuple(path for path, _ in texts)) for tool, texts in self.calls)


class AlikeCalls:
    """What runs did, found again by one that did the same."""

    def __init__(self) -> None:
        self._times: dict[_Shape, Counter[Deeds]] = defaultdict(Counter)
        self._gone_on: dict[CallTexts, Counter[Tokens]] = defaultdict(Counter)

    def add(self, deeds: Deeds) -> None:
        """Take in what a run did; it stays until it is dropped as often."""
        self._times[deeds.shape][deeds] += 1
        for beginning in _beginnings(deeds.calls):
            self._gone_on[beginning][deeds.wording] += 1

    def drop(self, deeds: Deeds) -> None:
        """Drop what a run did once."""
        times = self._times[deeds.shape]
        times[deeds] -= 1
        if not times[deeds]:
            del times[deeds]
        if not times:
            del self._times[deeds.shape]
        for beginning in _beginnings(deeds.calls):
            self._gone_on[beginning][deeds.wording] -= 1

    def gone_on(self, deeds: Deeds) -> Iterator[Tokens]:
        """Yield the wordings of runs that made further calls behind the same ones."""
        times = self._gone_on.get(deeds.calls, Counter())
        return (wording for wording, number in times.items() if number)

    def like(self, deeds: Deeds) -> Iterator[Tokens]:
        """Yield the wordings of runs that did the same.

        A text that was said before in one run stands for any in the other: its task may name what
        another one does not.
        """
        for other in self._times.get(deeds.shape, ()):
            if _same(deeds.calls, other.calls) and alike(deeds.answer, other.answer):
                yield other.wording


def _beginnings(calls: CallTexts) -> Iterator[CallTexts]:
    return (calls[:end] for end in range(1, len(calls)))


def _same(one: CallTexts, other: CallTexts) -> bool:
    return all(
        agree(text, other_text)
        for (_, texts), (_, other_texts) in zip(one, other, strict=True)
        for (_, text), (_, other_text) in zip(texts, other_texts, strict=True)
    )
