"""Random keys that are written in groups: ``9f:3a:…``, ``ABCDE-FGHIJ-…``, recovery words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from .folding import fold
from .randomness import is_random

_GROUPED = re.compile(
    r"(?<![0-9A-Za-z])(?:"
    + "|".join(
        rf"(?:[0-9A-Za-z]{{{size}}}[ :.-]){{{least - 1},}}[0-9A-Za-z]{{{size}}}"
        for size, least in ((2, 16), (3, 8), (4, 6), (5, 5), (6, 4), (7, 4), (8, 3))
    )
    + r")(?![0-9A-Za-z])"
)
_BETWEEN = re.compile(r"[ :.-]")
_FIGURE = re.compile(r"\d")
_LEAST_FIGURES = 40
"""So many figures in groups are a key; fewer are an account, a telephone or a table."""
_ADDRESS = re.compile(r"[0-9A-Fa-f]{4}:")
"""Beginning of a network address, which may look random."""
_LANGUAGES = (
    *("english", "czech", "french", "italian", "japanese", "korean", "portuguese", "russian"),
    *("spanish", "turkish"),
)
"""Lists of recovery words; of Chinese ones each is a sign that any text has."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORD_GAP = re.compile(r"[\s\d.,;)]{1,8}")
"""Text between recovery words that people wrote down, with numbers or without."""
_LEAST_WORDS = 12
"""Words of the shortest recovery phrase."""
_LEAST_DIFFERENT = 10
"""Different words among these: a phrase of random words seldom repeats one."""
_LEAST_SIGNS = 36
"""Signs of the shortest text with such a phrase: of each word two, and one behind it."""


def grouped(text: str) -> Iterator[str]:
    """Yield what is random and written in groups of one size, as keys are.

    Args:
        text: A text, folded.
    """
    for match in _GROUPED.finditer(text):
        signs = _BETWEEN.sub("", match[0])
        if signs.isdigit():
            if len(signs) >= _LEAST_FIGURES and "-" in match[0] and len(set(signs)) > 7:
                yield match[0]
        elif _FIGURE.search(signs) and is_random(signs) and not _ADDRESS.match(match[0]):
            yield match[0]


@cache
def recovery_lists() -> dict[str, frozenset[str]]:
    """Return word → the languages in whose list it stands."""
    from mnemonic import Mnemonic

    languages_by_word: dict[str, set[str]] = {}
    for language in _LANGUAGES:
        for word in Mnemonic(language).wordlist:
            languages_by_word.setdefault(fold(word), set()).add(language)
    return {word: frozenset(languages) for word, languages in languages_by_word.items()}


def recovery_words(text: str) -> Iterator[str]:
    """Yield runs of twelve words and more, all of one list from which recovery phrases are drawn.

    No sentence has so many in a row: the lists have hardly a word of those that join others.

    Args:
        text: A text, folded.
    """
    if len(text) < _LEAST_SIGNS:
        return
    languages_by_word = recovery_lists()
    small = text.lower()
    if sum(map(languages_by_word.__contains__, _WORD.findall(small))) < _LEAST_WORDS:
        return
    run: list[re.Match[str]] = []
    shared: frozenset[str] = frozenset()
    for match in _WORD.finditer(small):
        languages = languages_by_word.get(match[0], frozenset())
        if run and not (
            _WORD_GAP.fullmatch(small, run[-1].end(), match.start()) and shared & languages
        ):
            yield from _phrase(text, run)
            run = []
        shared = shared & languages if run else languages
        if languages:
            run.append(match)
    yield from _phrase(text, run)


def _phrase(text: str, run: list[re.Match[str]]) -> Iterator[str]:
    if len(run) >= _LEAST_WORDS and len({each[0] for each in run}) >= _LEAST_DIFFERENT:
        yield text[run[0].start() : run[-1].end()]
