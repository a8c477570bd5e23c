"""Names under which secrets stand: ``accessToken``, ``X-Api-Key``, ``DB_PASS``, ``Kennwort``."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise

from .folding import fold
from .words import CODES, says_code, says_number, says_password


class Secrecy(IntEnum):
    """How much of what stands under a name is secret."""

    NONE = 0
    TEXTS = 1
    """Texts; figures are counts, as in ``tokens: 1200``."""
    ALL = 2
    """Texts and figures, as in ``pin: 4821``."""


_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_ALL = frozenset(
    {
        *("password", "passwd", "passphrase", "passcode", "pwd", "pin", "otp", "totp", "cvv"),
        *("cvc", "psk", "pw", "ssn", "nino", "iban", "passport"),
    }
)
_TEXTS = frozenset(
    {"secret", "token", "credential", "authorization", "auth", "cookie", "jwt", "mnemonic", "pass"}
)
_ENDS = ("secret", "token", "cookie", "credential", "apikey", "accesskey", "secretkey", "pass")
_PASSING = (
    "bypass",
    "compass",
    "encompass",
    "trespass",
    "surpass",
    "overpass",
    "underpass",
    "getpass",
)
"""Words that end like a password and are none."""
_KEYS = frozenset(
    {
        *("api", "access", "account", "private", "secret", "shared", "encryption", "master"),
        *("signing", "ssh", "auth", "client", "service", "subscription", "storage", "app"),
        *("wpa", "wifi", "wireless"),
    }
)
"""Words before which a key is a secret."""
_PAIRS = frozenset({("session", "id"), ("secure", "string")})
"""Other names of two words."""
_CODES = frozenset({"security", "mfa", "verification", "backup", "recovery", "otp", "auth"})
"""Words before which a code is a secret."""
_HARMLESS = frozenset(
    {
        *("count", "limit", "max", "min", "usage", "used", "type", "name", "at", "date", "expires"),
        *("expiry", "expired", "expiration", "policy", "length", "hint", "version", "required"),
        *("enabled", "status", "url", "uri", "endpoint", "window", "remaining", "total", "method"),
    }
)
"""As its last word they make a name tell of secrets without being one: token_count, auth_type."""
_BESIDE = _HARMLESS | {
    *("user", "username", "login", "email", "host", "hostname", "port", "database", "scope"),
    *("region", "realm", "issuer", "role", "description", "kind", "provider", "scheme"),
}
"""Names that stand beside secrets inside of ``auth`` or ``credentials``, and are none."""
_SIGNING = frozenset(
    {"key", "sig", "signature", "auth", "code", "credential", "hmac", "hash", "ticket"}
)
_WORDS_SAID = frozenset(
    """null none nil true false yes no ok on off required missing wrong invalid valid correct
    incorrect expired active inactive unknown empty set unset reset changed updated string integer
    number boolean object array text bearer basic digest negotiate password passwd secret token
    pass cookie redacted masked hidden undefined optional default the that this not also only for
    from with and are was has been being stored saved needed accepted rejected sent used unused
    protected encrypted hashed secure safe known open closed access use log login continue generate
    create created delete deleted revoked refresh refreshed verify verified validate authenticate
    done success successful failed error unchanged enabled disabled too you your enter given shown
    available different above below same still now here there very always never ready strong weak
    auto automatic include omit same-origin""".split()  # noqa: SIM905 (a table of words)
)


@lru_cache(maxsize=4_096)
def _words(name: str) -> tuple[str, ...]:
    return tuple(
        word if len(word) < 4 or word.endswith("ss") else word.removesuffix("s")
        for word in (each.lower() for each in _WORD.findall(name[-200:]))
    )


@lru_cache(maxsize=4_096)
def secrecy(name: str) -> Secrecy:
    """Return how secret that is which stands under a name.

    ``accessToken``, ``X-Api-Key``, ``DB_PASS`` and plurals are read alike, in any spelling.
    """
    words = _words(name)
    if words and (words[-1] in _HARMLESS or words[-1] + "s" in _HARMLESS):
        return Secrecy.NONE
    if any(word in _ALL for word in words):
        return Secrecy.ALL
    folded = fold(name[-200:]).lower()
    if says_password(folded):
        return Secrecy.ALL
    if any(each in folded for each in CODES) and says_code(folded):
        return Secrecy.ALL
    pairs = set(pairwise(words))
    if says_number(" ".join(words)) or any(a in _CODES and b == "code" for a, b in pairs):
        return Secrecy.ALL
    if any(word in _TEXTS or word.endswith(_ENDS) for word in words if word not in _PASSING):
        return Secrecy.TEXTS
    if any(a in _KEYS and b == "key" for a, b in pairs) or pairs & _PAIRS:
        return Secrecy.TEXTS
    if "sessionid" in words or "sid" in words or "privatekey" in words:
        return Secrecy.TEXTS
    return Secrecy.NONE


def inside(outer: Secrecy, name: str) -> Secrecy:
    """Return how secret that is which stands under a name inside of something secret."""
    own_secrecy = secrecy(name)
    if own_secrecy or not outer:
        return max(own_secrecy, outer)
    words = _words(name)
    return Secrecy.NONE if words and words[-1] in _BESIDE else outer


def signs_a_query(name: str) -> bool:
    """Whether a name in a URL's query holds a key or a signature: ``sig``, ``X-Amz-Signature``."""
    words = _words(name)
    return bool(words) and words[-1] in _SIGNING


def is_plain(value: str) -> bool:
    """Whether what stands under a telling name says something about the secret: ``required``."""
    return value.casefold().strip("*. …<>[]") in _WORDS_SAID or not any(map(str.isalnum, value))
