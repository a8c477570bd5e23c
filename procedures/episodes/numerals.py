"""English words for numbers."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMERALS: Mapping[str, int] = {word: number for number, word in enumerate(_WORDS.split())}
"""Word, in small letters → number."""
