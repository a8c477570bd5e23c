"""What the headings of places look like, told from how episodes begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ..planning.place_map import heading, titled

__all__ = ["Headings", "ornaments"]

_LEAST_PLACES = 3


@dataclass(frozen=True)
class Headings:
    """Headings of places that are known, and what all of them have in common.

    Attributes:
        known: Headings met.
        prefix: What each begins with; empty if nothing.
        suffix: What each ends with; empty if nothing.
        titles: Whether each is a line of its own that is no sentence. It is asked for only where
            they have no ornament.
    """

    known: frozenset[str]
    prefix: str = ""
    suffix: str = ""
    titles: bool = False

    @classmethod
    def of_starts(cls, observations: Sequence[str]) -> Headings:
        """Tell headings from the first observations of episodes: each begins in some place.

        Where several places have an ornament in common, it marks a heading wherever it stands.
        One place alone shows its ornament only if that is no part of a word.
        """
        known = frozenset(found for each in observations if (found := heading(each)))
        if len(known) >= _LEAST_PLACES:
            spelled = sorted(known)
            prefix, suffix = ornaments(spelled)
        else:
            prefix, suffix = _outer_marks(known)
        # A mark that ends every other sentence too sets nothing apart.
        if not prefix and len(suffix) < 2:
            suffix = ""
        begun = [each for each in observations if each.strip()]
        titles = not prefix and not suffix and bool(begun) and all(map(titled, begun))
        return cls(known, prefix, suffix, titles)

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
    found = set()
    for text in headings:
        start = "".join(takewhile(lambda c: not c.isalnum(), text))
        end = "".join(takewhile(lambda c: not c.isalnum(), text[::-1]))[::-1]
        found.add((start, end))
    return found.pop() if len(found) == 1 else ("", "")


def _ornament(text: str) -> str:
    """Cut a common beginning at its last whole word; one word alone is no ornament."""
    whole = re.sub(r"\w+\Z", "", text)
    marked = re.search(r"[^\w\s]", whole) is not None
    return whole if marked or len(whole.split()) > 1 else ""


def ornaments(headings: Sequence[str]) -> tuple[str, str]:
    """Return what all of these headings begin and end with, in whole words or marks."""
    prefix = _ornament(_common_start(headings))
    return prefix, _ornament(_common_start([text[::-1] for text in headings]))[::-1]


def _common_start(texts: Sequence[str]) -> str:
    columns = zip(*texts, strict=False)
    return "".join(c[0] for c in takewhile(lambda column: len(set(column)) == 1, columns))
