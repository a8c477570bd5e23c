"""Values that stand near a word for a secret, in any language and in any way of saying so.

``das Passwort lautet …``, ``密码：…``, ``password (do not share): …``, ``use … as the password``.
A text is looked through for such words; only a few signs around each are read, so that the work is
that of finding the words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from .randomness import RUN_OF_A_KIND
from .secret_names import is_plain
from .secret_patterns import MARK
from .words import CODES, COPULAS, LABELS, NUMBERS, says_code, says_number, within_a_word

_WINDOW = 120
"""Signs on each side of a word for a secret that are read."""
_MOST_WORDS = 6
"""Words before such a word that may be the secret."""
_LEAST_SIGNS = 3
"""Fewest signs of a secret."""
_KINDS = {
    **dict.fromkeys(CODES, "code"),
    **dict.fromkeys(NUMBERS, "number"),
    **dict.fromkeys(("credentials", "zugangsdaten", "login", "log in", "sign in"), "login"),
    **dict.fromkeys(LABELS, "password"),
}
"""Word → what it is for."""


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of words by their first signs, which is quicker than one of all words."""
    by_sign: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        by_sign.setdefault(word[0], []).append(re.escape(word[1:]))
    return re.compile("|".join(f"{re.escape(s)}(?:{'|'.join(e)})" for s, e in by_sign.items()))


_WORD = _any_of(_KINDS)
_ENDING = re.compile(r"[^\W\d_\u2e80-\U0010ffff]{0,6}")
_ENDING_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]{0,9}")
_SENTENCE = re.compile(r"(?i)(?<! no)(?<! nr)[.!?](?=\s|\Z)|\n\s*\n")
_ASIDE = r"\s{0,3}(?:\([^()\n]{0,60}\)\s{0,3})?[\]*_)`\"']{0,4}"
_VALUE = r"[\"'`]?(?P<value>[^\s\"'`<>|\x80-\U0010ffff]{3,200})"
_ASSIGNED = re.compile(_ASIDE + r"\s{0,3}(?::=|==?|:(?!//))[*_]{0,2}\s{0,4}" + _VALUE)
_POINTED = re.compile(_ASIDE + r"\s{0,3}(?:=>|->|\u2192|\s-|\|)\s{1,4}" + _VALUE)
_ASKED = re.compile(r"(?: [^\s:]{1,60}){1,4}:\s{1,4}" + _VALUE)
"""A prompt and the text typed after it: ``Password for ada@host: …``."""
_SAID = re.compile(
    rf"\s{{0,3}}(?:(?:{'|'.join(COPULAS)})(?: [^\W\d_]{{1,8}})?:?)?\s{{1,3}}" + _VALUE
)
_SAID_LATER = re.compile(
    r"(?:\s[^\s]{1,30}){1,8}?\s(?:is|lautet|ist|est|es|jest)(?: (?:now|jetzt|ahora))?:?\s{1,3}"
    + _VALUE
)
_JOINED = re.compile(_VALUE)
_NUMBER = re.compile(
    r"[^\d\n]{1,24}?(?<![\w.-])"
    r"(?P<value>[A-Za-z]?\d[\d .-]{5,16}\d|(?=(?:[A-Z]{0,9}\d){2})[A-Z\d]{6,20})(?![\w-])"
)
_CODE = re.compile(
    r"(?:[^\W\d]|[ :=\"'*-]){0,60}?(?<![\w.-])(?P<value>\d{3}[ -]\d{3}|\d{4,8})(?![\w-]|[.,]\d)"
)
_CODE_BEFORE = re.compile(
    r"(?<![\w.-])(?P<value>\d{3}[ -]\d{3}|\d{4,8}) (?:is|as|ist|est|es|als|comme|como)"
    r"(?: [^\W\d]{1,14}){0,3}[ -]?\Z"
)
_BEFORE = re.compile(
    r"(?<!\S)[\"'`]?(?P<value>[^\s\"'`]{3,64})[\"'`]? (?:is|as|into|ist|est|es|als|comme|como)"
    r"(?: [^\W\d_]{1,10}){0,2}\s?\Z"
)
_TOKEN = re.compile(r"[^\s\"'`<>()\[\]{},;=\\/&@:]{6,64}")
_SIGNS = re.compile(r"(?<=\w)[!#$%^*+~](?=\w)")
_LEAST_CHANGES = 0.4
"""Fewest words and numbers of a made-up password, by signs: ids have fewer."""


def beside(text: str) -> Iterator[str]:
    """Yield what stands near a word for a secret and looks like one.

    Args:
        text: A text, folded.
    """
    small = text.lower()
    for match in _WORD.finditer(small):
        kind = _KINDS[match[0]]
        if kind in ("password", "login") and within_a_word(small, match.start(), match[0]):
            continue
        if kind == "number" and not says_number(small[max(0, match.start() - 1) : match.end() + 1]):
            continue
        last = small[match.end() - 1]
        ending = (_ENDING if last.isascii() else _ENDING_BEYOND_ASCII).match(small, match.end())
        end = match.end() if ending is None else ending.end()
        after = _sentence(text[end : end + _WINDOW])
        before = text[max(0, match.start() - _WINDOW) : match.start()].rpartition("\n")[2]
        values: Iterable[str]
        if kind == "password":
            values = _password(after, before, joined=not last.isascii())
        elif kind == "number":
            values = _first_value(_NUMBER, after)
        elif kind == "login":
            values = _made_up_text(after)
        elif says_code(before[-24:].lower() + after[:24].lower()):
            values = [*_first_value(_CODE, after), *_last_value(_CODE_BEFORE, before)]
        else:
            continue
        for each in values:
            if len(each) >= _LEAST_SIGNS and not is_plain(each) and not MARK.search(each):
                yield each


def _sentence(text: str) -> str:
    end = _SENTENCE.search(text)
    return text if end is None else text[: end.start()]


def _password(after: str, before: str, *, joined: bool) -> Iterator[str]:
    """Yield what a sentence with a word for a password says it to be.

    Args:
        after: What stands behind the word.
        before: What stands before it.
        joined: Whether the language writes words without spaces.
    """
    for pattern in (_ASSIGNED, _POINTED, _SAID, _ASKED, *((_JOINED,) if joined else ())):
        if match := pattern.match(after):
            value = match["value"].rstrip(".,;:!?)]}*")
            if pattern is _ASSIGNED or _is_no_word(value):
                yield value
                return
    if (match := _SAID_LATER.match(after)) and _is_no_word(match["value"].rstrip(".,;:!?)]}*")):
        yield match["value"].rstrip(".,;:!?)]}*")
        return
    if values := _made_up_text(after):
        yield from values
        return
    for value in _last_value(_BEFORE, before):
        if _is_no_word(value):
            yield value
            return
    for word in reversed(before.split()[-_MOST_WORDS:]):
        if _TOKEN.fullmatch(word) and _is_made_up(word):
            yield word
            return


def _made_up_text(text: str) -> list[str]:
    """Return the first text in a sentence that is made as passwords are."""
    words = (match[0].rstrip(".!?*") for match in _TOKEN.finditer(text))
    return [*itertools.islice(filter(_is_made_up, words), 1)]


def _first_value(pattern: re.Pattern[str], text: str) -> list[str]:
    match = pattern.match(text)
    return [] if match is None else [match["value"].strip()]


def _last_value(pattern: re.Pattern[str], text: str) -> list[str]:
    match = pattern.search(text)
    return [] if match is None else [match["value"]]


def _is_no_word(value: str) -> bool:
    """Whether a value has a figure beside letters, a sign, or a capital inside."""
    letters = any(map(str.isalpha, value))
    figures = any(map(str.isdigit, value))
    return letters and (
        figures or _SIGNS.search(value) is not None or len(RUN_OF_A_KIND.findall(value)) > 2
    )


def _is_made_up(token: str) -> bool:
    """Whether a text is made as people are told to make passwords, and ids are not."""
    if not (any(map(str.isalpha, token)) and any(map(str.isdigit, token))):
        return False
    if _SIGNS.search(token):
        return True
    mixed = token.lower() != token and token.upper() != token
    changes = len(RUN_OF_A_KIND.findall(token))
    return mixed and len(token) >= 8 and changes >= _LEAST_CHANGES * len(token)
