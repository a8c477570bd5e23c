"""Words of a text as Lucene's English analyzer has them: tokens, stop words, Porter's stems.

Sources: Unicode Standard Annex 29 (word boundaries, which Lucene's StandardTokenizer follows) and
Technical Standard 51, version 12 (pictographs); Lucene's EnglishAnalyzer; M. F. Porter, An
algorithm for suffix stripping, 1980, with the two departures of his own programs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from ...procedures.common.errors import MissingExtraError

__all__ = ["analyze"]

_STOPPED = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with"
)
_STOP_WORDS = frozenset(_STOPPED.split())
# Extended_Pictographic of version 12; each such character is a word.
_PICTOGRAPH = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf"
    "\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605\u2607-\u2612"
    "\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747"
    "\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935"
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f0ff"
    "\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171\U0001f17e\U0001f17f\U0001f18e"
    "\U0001f191-\U0001f19a\U0001f1ad-\U0001f1e5\U0001f201-\U0001f20f\U0001f21a\U0001f22f"
    "\U0001f232-\U0001f23a\U0001f23c-\U0001f23f\U0001f249-\U0001f3fa\U0001f400-\U0001f53d"
    "\U0001f546-\U0001f64f\U0001f680-\U0001f6ff\U0001f774-\U0001f77f\U0001f7d5-\U0001f7ff"
    "\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f\U0001f888-\U0001f88f"
    "\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001fffd]"
)
# What joins two letters, two digits, or either (MidLetter, MidNum, MidNumLet of the annex).
_BETWEEN_LETTERS = ":\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a"
_BETWEEN_DIGITS = ",;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b"
_BETWEEN_EITHER = ".'\u2018\u2019\u2024\ufe52\uff07\uff0e"
_WORD = re.compile(
    rf"{_PICTOGRAPH}(?:\u200d{_PICTOGRAPH})*"
    rf"|\w+(?:(?:(?<=[^\W\d_])[{_BETWEEN_LETTERS}{_BETWEEN_EITHER}](?=[^\W\d_])"
    rf"|(?<=\d)[{_BETWEEN_DIGITS}{_BETWEEN_EITHER}](?=\d))\w+)*"
)
_POSSESSIVES = ("'s", "\u2019s", "\uff07s")


def analyze(text: str) -> list[str]:
    """Return the stems of a text's words, in order, without stop words.

    Raises:
        MissingExtraError: The stemmer is not installed.
    """
    if not text.isascii():
        text = "".join(map(_as_boundary, text))
    stems = []
    for word in _WORD.findall(text.lower()):
        if word.endswith(_POSSESSIVES):
            word = word[:-2]
        if word not in _STOP_WORDS and (stem := _stem(word)):
            stems.append(stem)
    return stems


@lru_cache(maxsize=4096)
def _as_boundary(character: str) -> str:
    """Return a character as the expression above takes it.

    Marks and invisible characters belong to what they follow, numbers such as ½ are no part of a
    word, and an ideograph is a word of its own.
    """
    category = unicodedata.category(character)
    if character == "\u200d" or character.isascii():
        return character
    if category in ("Mn", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff":
        return ""
    if category == "No":
        return " "
    name = unicodedata.name(character, "")
    return f" {character} " if name.startswith(("CJK UNIFIED", "HIRAGANA LETTER")) else character


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    if not word.strip("_"):
        return ""
    if len(word) < 3:  # Lucene leaves these alone
        return word
    if word.endswith(("bly", "blies", "logy", "logies")):
        word = _with_departures(word)
    return str(_stemmer().stemWord(word))


def _with_departures(word: str) -> str:
    """Return a word that Porter's paper stems as his programs stem this one.

    They take ``bli`` to ``ble`` and ``logi`` to ``log`` after a vowel and a consonant.
    """
    stem = re.sub(r"(?:y|ies)$", "", word)
    before = stem[:-2] if stem.endswith("bl") else stem[:-3]
    if not re.search("[aeiouy][^aeiouy]", before):
        return word
    return f"{stem}e" if stem.endswith("bl") else stem


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    try:
        import snowballstemmer
    except ImportError:
        raise MissingExtraError(
            "WebShop's search needs the package snowballstemmer; pip install 'macla[webshop]'"
        ) from None
    return snowballstemmer.stemmer("porter")
