"""Secrets by the words before them: ``password=…``, ``--token …``, ``my PIN is …``, elements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from .secret_names import Secrecy, is_plain, secrecy
from .secret_patterns import MARK

_LEAST_SIGNS = 3
"""Fewest signs of a secret: shorter texts are too common to be looked for elsewhere."""
_LONG_VALUE = 40
"""Signs beyond which a value is read only once, whether it is a secret or not."""

_ASSIGNED = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]+)\s?[\"'\\\]]{0,8}\s{0,4}(?:=>|:=|==?|:(?!//))\s{0,4}"
)
_HALVES = frozenset({"key", "code", "number"})
"""Words that are telling only with the one before: ``WPA2 key: …``."""
_BEFORE = re.compile(r"(?:[A-Za-z]\w{0,20}[ -])?\Z")
_DOUBLE = re.compile(r'"(?P<value>(?:[^"\\]|\\.)*)', re.S)
_SINGLE = re.compile(r"'(?P<value>(?:[^'\\]|\\.)*)", re.S)
_ESCAPED = re.compile(r"(?P<quote>\\+[\"'])(?P<value>.*?)(?:(?P=quote)|\Z)", re.S)
_BARE = re.compile(
    r"(?P<value>(?:[^\s\"',&}{<>;\[\](\\]|;(?!\s{0,4}[\w ]{1,40}=|\s|\Z)"
    r"|,(?!\s|[\"'}\]]|\Z|[\w ]{1,40}[=:]))+)"
)
_BLOCK = re.compile(r"[|>][-+]?\n\s{0,40}(?P<value>[^\n]{3,2000})")
"""A text of YAML on the next line."""

SAID: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"(?<![A-Za-z])(?P<name>(?:[A-Za-z]{1,20}[ _-])?[A-Za-z]{3,20})"
        r" (?:is|was|to|be|now|=|are)(?: now)?:? [\"']?(?P<value>[^\s\"',]{3,})"
    ),
    re.compile(r"(?<![A-Za-z])(?P<name>[A-Za-z]{3,20}) [\"'](?P<value>[^\"'\n]{3,200})[\"']"),
    re.compile(
        r"(?i)(?<![a-z])(?P<name>password|passphrase|passcode|passwd|pwd|token|secret"
        r"|(?:api|access|wpa\d?|wifi) key)(?: \d)? "
        r"(?P<value>(?=[^\s\"',]{0,40}[\d!@#$%^&*+=~])[^\s\"',]{3,})"
    ),
    re.compile(r"(?i)(?<![a-z])(?P<name>pin|cvv|cvc|otp) (?P<value>\d{3,12})(?![\w.=-])"),
    re.compile(
        r"(?i)(?<![a-z])(?:user(?:name)?|login) [^\s,;]{1,60},? (?:and )?(?P<name>pass) "
        r"(?P<value>\S{3,})"
    ),
    re.compile(
        r"[\"'#](?P<name>[\w.-]{1,60})[\"'] ?[),]{1,3} ?(?:\.\w{1,40}\()?[\"']"
        r"(?P<value>(?=[^\"'\n]{0,60}[\d!@#$%^&*+=~])[^\"'\n]{3,200})[\"']"
    ),
    re.compile(
        r"(?<![A-Za-z])(?P<name>[A-Za-z]{3,20})\([\"']"
        r"(?P<value>(?=[^\"'\n]{0,60}[\d!@#$%^&*+=~])[^\s\"']{3,200})[\"']\)"
    ),
    re.compile(r"(?<!\S)--?(?P<name>[A-Za-z][\w-]{1,40})[ =](?P<value>[^\s\"']{3,})"),
    re.compile(
        r"(?<!\w)name: [\"']?(?P<name>[\w.-]{1,60})[\"']?\n {0,40}"
        r"value: [\"']?(?P<value>[^\s\"']{3,})"
    ),
    re.compile(
        r"(?<!\w)(?:name|type|id)=[\"'](?P<name>[\w.-]{1,60})[\"'][^<>\n]{0,80}?\svalue=[\"']"
        r"(?P<value>[^\"'<>\n]{3,200})"
    ),
    re.compile(r"<(?P<name>[\w.:-]{1,60})(?:\s[^<>]{0,200})?>(?P<value>[^<]{3,2000})</"),
)
"""A name and a value in words, quotes, options of programs, lines, attributes, elements."""


def assigned(text: str) -> Iterator[tuple[str, str, Secrecy]]:
    """Yield (value, how it is written, how secret) of what a text says to be secret."""
    read_to = 0
    for match in _ASSIGNED.finditer(text):
        name = match["name"]
        if name.lower() in _HALVES:
            name = f"{_word_before(text, match.start())}{name}"
        secret = secrecy(name)
        if secret and match.start() >= read_to:
            value, spelling, end = _value(text, match.end())
            if worth_keeping(value, secret):
                yield value, spelling, secret
                read_to = end
            elif len(value) > _LONG_VALUE:
                read_to = end  # lest a long value be read again from each name in it
    for pattern in SAID:
        for match in pattern.finditer(text):
            secret = secrecy(match["name"])
            value = _trimmed(match["value"])
            marked = MARK.search(match["name"])  # the name of a mark is no word of the text
            if secret and not marked and worth_keeping(value, secret):
                yield value, value, secret


def _word_before(text: str, end: int) -> str:
    match = _BEFORE.search(text[max(0, end - 22) : end])
    return "" if match is None else match[0]


def _value(text: str, start: int) -> tuple[str, str, int]:
    """Return the value that begins at a place, how it is written, and where it ends."""
    for pattern in (_DOUBLE, _SINGLE, _ESCAPED):
        if match := pattern.match(text, start):
            return _unescaped(match["value"]), match["value"], match.end()
    if match := _BLOCK.match(text, start):
        return match["value"], match["value"], match.end()
    if match := _BARE.match(text, start):
        value = _trimmed(match["value"])
        return value, value, match.end()
    return "", "", start


def _trimmed(value: str) -> str:
    """Return a bare value without what ends the sentence or the call that it stands in."""
    return value.rstrip(".,;:!?)]}>")


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    try:
        text = json.loads(f'"{value}"', strict=False)
    except ValueError:
        return value
    return text if isinstance(text, str) else value


def worth_keeping(value: str, secret: Secrecy) -> bool:
    """Whether what stands under a telling name is a secret that is looked for elsewhere too.

    Values of fewer than three signs, words such as ``required``, marks, and figures under names
    such as ``tokens`` are not.
    """
    value = value.strip()
    if len(value) < _LEAST_SIGNS or is_plain(value) or MARK.search(value):
        return False
    return secret is Secrecy.ALL or not value.replace(".", "").isdigit()
