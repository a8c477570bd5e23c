"""One spelling of what is written in many: full width, accents, curly quotes, signs nobody sees.

A label and a colon of full width say the same as ``password:``, and so does a label with a soft
hyphen in it. What looks for secrets looks at the text and at its folded form; what was found there
is taken out of the text itself.
"""

from __future__ import annotations

import unicodedata
from itertools import accumulate

_QUOTES = "\u201a\u201e\u2039\u203a\u00ab\u00bb\u300c\u300d\u300e\u300f"


class _Signs(dict[int, str]):
    """Code point → what it is folded to; made when it is first asked for."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


def _folded(sign: str) -> str:
    if sign.isascii():
        return sign
    category = unicodedata.category(sign)
    if category in ("Cf", "Mn", "Me"):
        return ""
    if category in ("Zs", "Zl", "Zp"):
        return " " if category == "Zs" else "\n"
    if category == "Pd":
        return "-"
    if category in ("Pi", "Pf") or sign in _QUOTES:
        return '"'
    if category == "Nd":
        return str(unicodedata.decimal(sign))
    parts = unicodedata.normalize("NFKD", sign)
    return sign if parts == sign else "".join(map(_folded, parts))


_SIGNS = _Signs()


def fold(text: str) -> str:
    """Return a text in one spelling; letters keep their case, and ASCII is left as it is."""
    return text if text.isascii() else text.translate(_SIGNS)


def places(text: str) -> list[int]:
    """Return where in a text each sign of its folded form begins, and the text's length."""
    lengths = [len(_SIGNS[ord(each)]) for each in text]
    ends = list(accumulate(lengths))
    at = [0] * ((ends[-1] if ends else 0) + 1)
    for place, (length, end) in enumerate(zip(lengths, ends, strict=True)):
        for sign in range(end - length, end):
            at[sign] = place
    at[-1] = len(text)
    return at
