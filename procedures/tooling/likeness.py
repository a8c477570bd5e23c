"""Which of many wordings are like one: those with enough rare words in common are compared."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from ..episodes.tokens import Tokens
from .task_wording import ALIKE, alike


class AlikeWordings:
    """Wordings, found again by one that is alike.

    Two wordings that are alike share so many words that among any few of one's own words there is
    one of the other's (a prefix filter, after Chaudhuri and others 2006): only those are compared
    that share one of its rarest.
    """

    def __init__(self) -> None:
        self._times: Counter[Tokens] = Counter()
        self._by_word: dict[str, dict[Tokens, None]] = defaultdict(dict)

    def add(self, wording: Tokens) -> None:
        """Take in a wording; it stays until it is dropped as often."""
        self._times[wording] += 1
        if self._times[wording] == 1:
            for word in _words(wording):
                self._by_word[word][wording] = None

    def drop(self, wording: Tokens) -> None:
        """Drop a wording once."""
        self._times[wording] -= 1
        if self._times[wording] == 0:
            del self._times[wording]
            for word in _words(wording):
                del self._by_word[word][wording]
                if not self._by_word[word]:
                    del self._by_word[word]

    def __iter__(self) -> Iterator[Tokens]:
        return iter(self._times)

    def like(self, wording: Tokens) -> Iterator[Tokens]:
        """Yield the wordings that are like one, itself too if it is among them."""
        if wording in self._times:
            yield wording
        words = _words(wording)
        length = sum(word[0].isalnum() for word in wording)
        rarest = sorted(words, key=lambda word: len(self._by_word.get(word, ())))
        compared: set[Tokens] = {wording}
        for word in rarest[: int((1 - ALIKE) * length) + 1]:
            for other in self._by_word.get(word, ()):
                if other not in compared:
                    compared.add(other)
                    if alike(wording, other):
                        yield other


def _words(wording: Tokens) -> dict[str, None]:
    return dict.fromkeys(word for word in wording if word[0].isalnum())
