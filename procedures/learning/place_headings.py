"""Learn the form of place headings from the beginnings of episodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ..planning.place_map import heading, titled

_LEAST_PLACES = 3
"""Places; fewer may share a beginning or end by chance."""


@dataclass(frozen=True)
class Headings:
    """Known headings of places, and their common form.

    Attributes:
        known: Headings met.
        prefix: Common beginning; may be empty.
        suffix: Common end; may be empty.
        titles: Whether each is a line of its own that is no sentence; it is used only where
            prefix and suffix are empty.
    """

    known: frozenset[str]
    prefix: str = ""
    suffix: str = ""
    titles: bool = False

    @classmethod
    def of_starts(cls, observations: Sequence[str]) -> Headings:
        """Learn headings from the first observations of episodes: each begins in some place.

        An ornament that several places share marks any heading. The ornament of few places counts
        only if it is no part of a word.
        """
        headings = frozenset(first for each in observations if (first := heading(each)))
        if len(headings) >= _LEAST_PLACES:
            spelled = sorted(headings)
            prefix, suffix = ornaments(spelled)
        else:
            prefix, suffix = _outer_marks(headings)
        # A single mark, such as a full stop, ends other sentences, too.
        if not prefix and len(suffix) < 2:
            suffix = ""
        texts = [each for each in observations if each.strip()]
        titles = not prefix and not suffix and bool(texts) and all(map(titled, texts))
        return cls(headings, prefix, suffix, titles)

    def begins(self, observation: str) -> bool:
        """Tell whether an observation begins with the heading of a place."""
        first = heading(observation)
        if first in self.known:
            return True
        if not self.prefix and not self.suffix:
            return self.titles and titled(observation)
        enough = len(first) > len(self.prefix) + len(self.suffix)
        return enough and first.startswith(self.prefix) and first.endswith(self.suffix)

    def joined(self, more: Iterable[str]) -> Headings:
        """Return these headings and more."""
        return replace(self, known=self.known | frozenset(more))


def _outer_marks(headings: Iterable[str]) -> tuple[str, str]:
    """Return the marks around the words of all of these headings, where they agree."""
    marks = set()
    for text in headings:
        start = "".join(takewhile(lambda c: not c.isalnum(), text))
        end = "".join(takewhile(lambda c: not c.isalnum(), text[::-1]))[::-1]
        marks.add((start, end))
    return marks.pop() if len(marks) == 1 else ("", "")


def _ornament(text: str) -> str:
    """Cut a common beginning at its last whole word; one word alone is no ornament."""
    ornament = re.sub(r"\w+\Z", "", text)
    marked = re.search(r"[^\w\s]", ornament) is not None
    return ornament if marked or len(ornament.split()) > 1 else ""


def ornaments(headings: Sequence[str]) -> tuple[str, str]:
    """Return the common beginning and end of headings, in whole words or marks."""
    prefix = _ornament(_common_start(headings))
    return prefix, _ornament(_common_start([text[::-1] for text in headings]))[::-1]


def _common_start(texts: Sequence[str]) -> str:
    columns = zip(*texts, strict=False)
    return "".join(c[0] for c in takewhile(lambda column: len(set(column)) == 1, columns))
