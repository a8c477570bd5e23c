"""Mentions of names in a task."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..words.function_words import FUNCTION_WORDS
from .listed_names import Name, Names
from .task_words import Mention, Wording, alike
from .text_tokens import words_of_name

_FULL, _PART = 0.99, 0.34
"""Share of a name's words that a task says if it speaks of it fully, or in part: one of three."""
_INSIDE = 4
"""Fewest letters of a word that counts inside of another: shorter ones are there by chance."""


@dataclass(frozen=True)
class Mentions:
    """A task beside the names of a world.

    Attributes:
        wording: The task.
        names: The names.
    """

    wording: Wording
    names: Names

    @cached_property
    def of(self) -> Mapping[tuple[str, str], Mention]:
        """Key of a name → how the task speaks of it."""
        return {name.key: self._mention(name) for name in self.names.all}

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Word of names → how rare it is among the names of this world."""
        count = Counter(w for n in self.names.all for w in set(words_of_name(n.text)))
        return {
            word: 0.0 if word in FUNCTION_WORDS else 1.0 / math.sqrt(n) for word, n in count.items()
        }

    @cached_property
    def best(self) -> Mapping[int, float]:
        """Word of the task → score of the name of which it speaks best."""
        score_by_word: dict[int, float] = {}
        for each in self.of.values():
            for i in each.words:
                score_by_word[i] = max(score_by_word.get(i, 0.0), each.score)
        return score_by_word

    def rivals(self, name: Name) -> float:
        """Return the best score of the other names among which a name is listed."""
        if name.owner not in self._scores:
            names = self.names.inner.get(name.owner, ()) if name.owner else self.names.tops
            self._scores[name.owner] = sorted((self.of[n.key].score for n in names), reverse=True)
        best = self._scores[name.owner]
        own_score = self.of[name.key].score
        return (
            next((score for score in best if score < own_score), 0.0)
            if best[0] == own_score
            else best[0]
        )

    def of_owner(self, name: Name) -> frozenset[int]:
        """Return the words of the task that speak of a name's owner."""
        mention = self.of.get((name.owner, ""))
        return mention.words if mention else frozenset()

    def place(self, name: Name) -> int:
        """Return the place of a name among those with which it is listed, from 0."""
        return self._places.get(name.key, 0)

    @cached_property
    def _scores(self) -> dict[str, list[float]]:
        return {}

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        lists = (self.names.tops, *self.names.inner.values())
        return {name.key: place for names in lists for place, name in enumerate(names)}

    def _mention(self, name: Name) -> Mention:
        words = words_of_name(name.text)
        total = matched = 0.0
        at, most = -1, 0.0
        spoken: set[int] = set()
        for word in words:
            weight = self.weights[word]
            total += weight
            strength, places = _matches(self.wording.small, word)
            if strength:
                matched += weight * strength
                spoken.update(places)
                if weight * strength > most:
                    at, most = places[0], weight * strength
        if not total:
            return Mention("none", -1, frozenset(), 0.0)
        share = matched / total
        level = "full" if share >= _FULL else "part" if share >= _PART else "none"
        if level == "none" and matched:
            level = "hint"
        return Mention(level, at, frozenset(spoken), min(1.0, share))


@lru_cache(50_000)
def _matches(small: tuple[str, ...], word: str) -> tuple[float, tuple[int, ...]]:
    """Return how well a word of a name is said by a task, and where."""
    places = tuple(
        i for i, each in enumerate(small) if _is_content_word(each) and alike(each, word)
    )
    if places:
        exact = tuple(i for i in places if small[i] == word)
        return 1.0, exact or places
    if len(word) <= _INSIDE:
        return 0.0, ()
    for i in range(len(small) - 1):
        if alike(small[i] + small[i + 1], word):
            return 1.0, (i, i + 1)
    inside = tuple(
        i
        for i, each in enumerate(small)
        if len(each) >= _INSIDE and _is_content_word(each) and each.rstrip("s") in word
    )
    return 0.6 * bool(inside), inside


def _is_content_word(word: str) -> bool:
    return word[0].isalpha() and word not in FUNCTION_WORDS
