"""Whether a text looks random, and not like a name, a path or an id that people made."""

from __future__ import annotations

import re

_LONGEST_TOKEN = 512
"""Signs of the longest text that may be a key; longer ones are data."""
_HEX = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
RUN_OF_A_KIND = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
"""A word or a number inside of a name."""
_LEAST_MIXED, _LEAST_OF_ONE_CASE = 18, 24
"""Fewest signs of a random text, with small and capital letters, and with letters of one case."""
_LEAST_CHANGES = 0.3
"""Words and numbers, by signs: of 3,000 random texts of 16 bytes in base64 3 % have fewer, and of
3,000 long names in the source text of 1,300 Python modules 3 % have more, most of them random."""
_LEAST_CHANGES_OF_ONE_CASE = 0.15
"""The same where letters are of one case: only figures part them."""
_DIFFERENT = 8
"""Fewer different signs are a pattern, as in 0000-1111."""


def is_random(text: str) -> bool:
    """Whether a run of signs looks like a random key, and not like a name, a path or an id.

    Random signs change between small, capital and figure at every other place; names, paths and
    dates are made of words and numbers. What is hexadecimal, of 32 signs and more, has no words.
    """
    signs = "".join(filter(str.isalnum, text))
    if len(text) > _LONGEST_TOKEN or len(set(signs)) < _DIFFERENT:
        return False
    figures, small, capital = (any(map(f, signs)) for f in (str.isdigit, str.islower, str.isupper))
    if figures and _HEX.fullmatch(signs):
        return True
    mixed = small and capital
    if len(signs) < (_LEAST_MIXED if mixed else _LEAST_OF_ONE_CASE) or not (figures or mixed):
        return False
    # Without small letters figures are few; but then names have signs between their words.
    least = _LEAST_CHANGES if mixed or not text.isalnum() else _LEAST_CHANGES_OF_ONE_CASE
    return len(RUN_OF_A_KIND.findall(text)) >= least * len(signs)
