"""Replace many fixed strings in a text at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

_HEAD_SIGNS = 3
"""First signs of a string, by which other places of a text are passed over."""
_KEY_SIGNS = 256
"""First signs by which strings are sorted; longer strings are compared one by one."""
_DISTINCT_SIGNS = 6
"""Strings of so many signs are replaced inside of words too."""


class Substrings:
    """Replaces strings by others, the longest first, from left to right.

    Strings are looked up by binary search among the sorted ones: of all that are sorted before the
    rest of the text, those that it begins with are the nearest one or beginnings of that. The work
    is that of reading the text, and one look-up where it says the first three signs of a string.

    Args:
        replacements: Strings of at least three signs → what takes their place. Those of fewer than
            six are replaced only where no letter or figure stands beside them.
        keep: What is left as it is.
    """

    def __init__(self, replacements: Mapping[str, str], keep: re.Pattern[str]) -> None:
        self._by_key: dict[str, list[str]] = {}
        for string in sorted(replacements, key=len, reverse=True):
            self._by_key.setdefault(string[:_KEY_SIGNS], []).append(string)
        self._replacements = replacements
        self._keys = sorted(self._by_key)
        self._heads = frozenset(string[:_HEAD_SIGNS] for string in self._keys)
        self._shorter: list[int] = []
        beginnings: list[int] = []
        for index, key in enumerate(self._keys):
            while beginnings and not key.startswith(self._keys[beginnings[-1]]):
                beginnings.pop()
            self._shorter.append(beginnings[-1] if beginnings else -1)
            beginnings.append(index)
        self._keep = keep

    def replace(self, text: str) -> str:
        """Return a text with the strings replaced."""
        parts: list[str] = []
        copied_to = 0
        for start, end, other in self.spans(text):
            parts += (text[copied_to:start], other)
            copied_to = end
        return "".join((*parts, text[copied_to:])) if copied_to else text

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, what takes its place) of the strings in a text, in order."""
        if not self._keys:
            return
        last_end = 0
        kept_end_by_start = {match.start(): match.end() for match in self._keep.finditer(text)}
        heads = self._heads
        for index in [
            i
            for i in range(len(text) - 2)
            if text[i : i + _HEAD_SIGNS] in heads or i in kept_end_by_start
        ]:
            if index < last_end:
                continue
            if index in kept_end_by_start:
                last_end = kept_end_by_start[index]
            elif match := self._at(text, index):
                last_end = index + len(match)
                yield index, last_end, self._replacements[match]

    def _at(self, text: str, index: int) -> str:
        """Return the longest string with which a text goes on; empty if there is none."""
        at = bisect_right(self._keys, text[index : index + _KEY_SIGNS]) - 1
        while at >= 0:
            if text.startswith(self._keys[at], index):
                for each in self._by_key[self._keys[at]]:
                    if text.startswith(each, index) and _stands_alone(text, index, each):
                        return each
            at = self._shorter[at]
        return ""


def _stands_alone(text: str, index: int, string: str) -> bool:
    if len(string) >= _DISTINCT_SIGNS:
        return True
    end = index + len(string)
    return not (index and text[index - 1].isalnum()) and not text[end : end + 1].isalnum()
