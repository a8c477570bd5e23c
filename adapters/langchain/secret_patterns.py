"""What a secret looks like, and under which names secrets stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

__all__ = ["PATTERNS", "assigned", "is_secret_name", "may_be_number"]

_START = r"(?<![A-Za-z0-9])"
"""A token may stand after a sign or an underscore, as in names of files."""

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "key",
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----"
            r".*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
            re.S,
        ),
    ),
    ("token", re.compile(_START + r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")),
    (
        "key",
        re.compile(
            _START + r"(?:"
            r"(?:sk|pk|rk|glpat|xox[abeprs]|xapp|lsv2|hf|npm|pypi|whsec|gsk|shpat|shpss|dckr_pat)"
            r"[-_][\w-]{10,}"
            r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|AIza[\w-]{30,}"
            r"|GOCSPX-[\w-]{10,}|ya29\.[\w-]{10,}|hv[sb]\.[\w-]{10,}"
            r"|SG\.[\w-]{10,}\.[\w-]{10,}|(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"
            r"|\d{8,10}:AA[\w-]{30,})"
        ),
    ),
    # So distinctive that they are found inside of words too.
    ("key", re.compile(r"gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}")),
    ("key", re.compile(r"(?<=hooks\.slack\.com/services/)[\w/]{10,}")),
    (
        "token",
        re.compile(
            r"(?i)(?<=bearer )(?!redacted_)[\w.~+/-]{8,}=*"
            r"|(?<=ation: basic )(?!redacted_)[\w+/]{4,}=*"
        ),
    ),
    (
        "cookie",
        re.compile(r"(?i)(?<![\w-])(?:set-)?cookie: *(?P<value>(?!redacted_)[^\r\n\"]{3,})"),
    ),
    (
        "password",
        re.compile(r"(?<=://)[^\s/:@\"']*:(?P<value>(?!redacted_)[^\s/\"']+)(?=@)"),
    ),
    ("token", re.compile(r"(?<=://)(?P<value>[0-9A-Za-z_-]{20,})(?=@)")),
    (
        "key",
        re.compile(
            r"(?i)[?&](?:key|sig|signature|auth|code)=(?P<value>(?!redacted_)[^\s&#\"']{8,})"
        ),
    ),
    (
        "email",
        re.compile(
            r"(?<![\w.%+-])[^\W_][\w.%+-]*?(?:@|%40|\\u0040)"
            r"[^\W_](?:[\w-]|\u200b)*(?:\.[\w\u200b-]+)*\.[^\W\d_]{2,}"
        ),
    ),
    ("card", re.compile(r"\b(?:\d[ -]?){12,18}\d\b")),
)
"""Kind → pattern; a group named ``value`` is the secret, otherwise all of the match is."""

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_SURE = frozenset(
    {
        *("password", "passwords", "passwort", "passwd", "passphrase", "passcode", "pwd", "pass"),
        *("pgpassword", "dbpassword", "mypassword", "pin", "otp", "cvv", "cvc"),
    }
)
"""Words under which a number is a secret too."""
_TELLING = _SURE | {
    *("secret", "secrets", "token", "tokens", "credential", "credentials", "authorization"),
    *("auth", "cookie", "cookies", "apikey", "accesskey", "privatekey", "secretkey"),
    *("clientsecret", "accesstoken", "authtoken", "sessionid"),
}
_KEYS = frozenset(
    {
        *("api", "access", "account", "private", "secret", "shared", "encryption", "master"),
        *("signing", "ssh", "auth", "client", "service"),
    }
)
"""Words before which a key is a secret."""
_HARMLESS = frozenset({"count", "counts", "limit", "max", "min", "usage", "used", "type", "name"})
"""With one of these a name tells of secrets without being one: token_count, auth_type."""


@lru_cache(maxsize=4_096)
def is_secret_name(name: str) -> bool:
    """Whether what stands under a name is a secret: ``accessToken``, ``X-Api-Key``, ``DB_PASS``."""
    words = [word.lower() for word in _WORD.findall(name[:200])]
    if _HARMLESS.intersection(words) and not _SURE.intersection(words):
        return False
    if _TELLING.intersection(words):
        return True
    pairs = set(pairwise(words))
    return any(a in _KEYS and b in ("key", "keys") for a, b in pairs) or ("session", "id") in pairs


def may_be_number(name: str) -> bool:
    """Whether a number under a name is a secret: ``pin``, but not ``tokens``."""
    return bool(_SURE.intersection(word.lower() for word in _WORD.findall(name[:200])))


_ASSIGNED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w.-]{0,60})\s?[\"'\\]{0,4}\s{0,4}(?:=>|=|:(?!//))\s{0,4}"
)
_VALUE = re.compile(
    r"\\{0,3}\"(?P<double>[^\"\\]+)|\\{0,3}'(?P<single>[^'\\]+)"
    r"|(?P<bare>(?:[^\s\"',&}{<>;\[\](\\]|;(?!\s*[\w ]{1,40}=|\s|$))+)"
)
_SAID = re.compile(
    r"(?<![A-Za-z])(?P<name>(?:[A-Za-z]{1,20}[ _-])?[A-Za-z]{3,20}) (?:is|was|to) "
    r"[\"']?(?P<value>[^\s\"',]{3,})"
)
_QUOTED = re.compile(r"(?<![A-Za-z])(?P<name>[A-Za-z]{3,20}) [\"'](?P<value>[^\"']{3,})[\"']")
_FLAG = re.compile(r"(?<!\S)--?(?P<name>[A-Za-z][\w-]{1,40})[ =](?P<value>[^\s\"']{3,})")
_ELEMENT = re.compile(r"<(?P<name>[A-Za-z][\w.-]{0,60})>(?P<value>[^<]{3,})</")


def assigned(text: str) -> Iterator[str]:
    """Yield what a text says to be under a telling name: ``password=…``, ``--token …``.

    Values of fewer than three signs, and figures under names such as ``tokens``, are none.
    """
    for found in _ASSIGNED.finditer(text):
        if not is_secret_name(found["name"]):
            continue
        if value := _VALUE.match(text, found.end()):
            bare = (value["bare"] or "").rstrip(".,!?")
            yield from _kept(found["name"], value["double"] or value["single"] or bare)
    for pattern in (_SAID, _QUOTED, _FLAG, _ELEMENT):
        for found in pattern.finditer(text):
            if is_secret_name(found["name"]):
                yield from _kept(found["name"], found["value"].rstrip(".,;!?"))


def _kept(name: str, value: str) -> Iterator[str]:
    if len(value) < 3 or value.startswith("redacted_") or value.lower() in _NOTHING:
        return
    if value.lower().startswith(("bearer", "basic")) or not is_secret_name(name):
        return
    if may_be_number(name) or not value.replace(".", "").isdigit():
        yield value


_NOTHING = frozenset({"null", "none", "true", "false", "required", "missing", "wrong", "invalid"})
