"""Patterns of secrets: well-known tokens, e-mail addresses, URLs, random texts.

Every pattern is linear in the length of the text: it starts at a fixed word or at the beginning of
a run of signs, and what it repeats ends where the next part begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import unquote

from ..tooling.tool_episodes import REDACTED
from .randomness import is_random
from .secret_names import signs_a_query

MARK = REDACTED
"""The mark in the place of a secret."""


class Secret(NamedTuple):
    """A secret that was found: its kind, what it is, and how it was written there."""

    kind: str
    value: str
    written: str


_START = r"(?<![A-Za-z0-9])"
"""A token may stand after a sign or an underscore, as in names of files."""

FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:[^-]|-(?!----(?:BEGIN|END)))*(?:-----END [A-Z ]{0,40}-----|)"
        ),
    ),
    ("token", re.compile(_START + r"eyJ(?:(?!eyJ)[\w-]){8,}\.[\w-]{8,}\.[\w-]*")),
    (
        "key",
        re.compile(
            _START + r"(?:glpat|xox[abeprs]|xapp|lsv2|whsec|gsk|shpat|shpss|dckr_pat|dop_v1|nvapi"
            r"|pplx|tvly|NRAK|PMAK|sntrys|figd|ATATT3)[-_][\w-]{10,}"
        ),
    ),
    # Short beginnings, which words have too: there must be a figure, or many letters in a row.
    (
        "key",
        re.compile(
            _START + r"(?:sk|pk|rk|hf|npm|pypi|xai|r8|rnd|sbp)[-_]"
            r"(?=[\w-]{0,99}?(?:\d|[A-Za-z]{16}))[\w-]{10,}"
        ),
    ),
    ("key", re.compile(_START + r"(?:AIza[\w-]{30,}|GOCSPX-[\w-]{10,}|ya29\.[\w-]{10,})")),
    ("key", re.compile(_START + r"(?:hv[sb]\.[\w-]{10,}|SG\.[\w-]{10,}\.[\w-]{10,})")),
    ("key", re.compile(_START + r"dapi[0-9a-f]{32}(?![A-Za-z0-9])")),
    ("key", re.compile(r"(?<![\w~.-])[\w~.-]{0,3}\dQ~[\w~.-]{31,37}(?![\w~-])")),
    ("key", re.compile(r"AGE-SECRET-KEY-1[A-Z0-9]{50,}")),
    # So distinctive that they are found inside of words too.
    ("key", re.compile(r"gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}")),
    ("key", re.compile(r"(?<=hooks\.slack\.com/services/)[\w/]{10,}")),
    ("key", re.compile(r"(?<=/api/webhooks/)\d{10,}/[\w-]{20,}")),
    ("token", re.compile(r"(?i)(?<=bearer )(?P<value>[\w.~+/-]{8,}=*)")),
    ("token", re.compile(r"(?i)(?<=ation: basic )(?P<value>[\w+/]{4,}=*)")),
    ("password", re.compile(r"(?<!\S)-u [^\s:]{1,60}:(?P<value>[^\s\"']{3,})")),
    ("token", re.compile(r"(?<=AUTH PLAIN )(?P<value>[\w+/]{8,}=*)")),
    ("password", re.compile(r"WIFI:(?:[A-Z]:[^;\n]{0,80};){0,4}?P:(?P<value>[^;\n]{3,80})")),
    (
        "password",
        re.compile(r"(?m)^USER \S{1,60}\s{1,3}(?:\d{3} [^\n]{0,80}\n)?PASS (?P<value>\S{3,})"),
    ),
    (
        "password",
        re.compile(r"(?m)^\w{1,8} LOGIN \"?[^\s\"]{1,60}\"? \"?(?P<value>[^\s\"]{3,})\"?\r?$"),
    ),
    ("password", re.compile(r"(?m)(?:^AUTH|> AUTH|requirepass) (?P<value>[^\s\"]{3,})\r?$")),
    ("password", re.compile(r"(?i)(?<=identified by ['\"])(?P<value>[^'\"]{3,})")),
    ("password", re.compile(r"(?<=://)[^\s/:@\"']*:(?P<value>[^\s/\"']+)(?=@)")),
    ("token", re.compile(r"(?<=://)(?P<value>[0-9A-Za-z_-]{20,})(?=@)")),
    (
        "password",
        re.compile(
            r"(?<![A-Za-z0-9])(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)(?![A-Za-z0-9])[^\n]{0,100}?\s-p(?P<value>[^\s\"']{3,})"
        ),
    ),
    (
        "code",
        re.compile(
            r"(?i)(?<![a-z0-9])(?:one[- ]time|verification|security|confirmation|log-?in"
            r"|sign[- ]?in|auth\w{0,14}|2fa|mfa|access|backup)"
            r" ?(?:pass)?(?:code|word|pin)(?![a-z0-9])"
            r"(?:[ :=]{1,3}(?!\d)[a-z]{1,10}){0,3}[ :=\r\n]{1,5}"
            r"(?P<value>\d{3}[ -]\d{3}|(?=[a-z-]{0,12}\d)[a-z0-9-]{4,13})(?![a-z0-9])"
        ),
    ),
    (
        "code",
        re.compile(
            r"(?i)(?<![\w.-])(?:[A-Z]-)?(?P<value>\d{3}[ -]?\d{3}|\d{4,8})"
            r"(?= is your (?:[\w-]{1,20} ){0,3}(?:code|pin|otp|password|passcode)(?![a-z0-9]))"
        ),
    ),
    (
        "code",
        re.compile(
            r"(?i)(?<![a-z0-9])your code(?: is|:) "
            r"(?P<value>\d{3}[ -]?\d{3}|\d{4,8})(?![\w-]|[.,]\d)"
        ),
    ),
    (
        "code",
        re.compile(
            r"(?i)(?:confirm|verify|complete|finish)[a-z]{0,3} (?:your |the )?"
            r"(?:log-?in|sign-?in|identity|payment|transaction)[^\n.]{0,30}?"
            r" (?:type|enter|use|with) (?P<value>\d{4,8})(?![\w-]|[.,]\d)"
        ),
    ),
    (
        "code",
        re.compile(
            r"(?i:(?<![a-z])code [^\n:]{0,40}(?:sign|log)[ -]?in[^\n:]{0,20}): ?"
            r"(?P<value>[A-Z0-9]{6,10})(?![A-Za-z0-9])"
        ),
    ),
    (
        "code",
        re.compile(r"(?<![\w.-])(?P<value>\d{4,8})(?=[ ,.:-]{1,3}(?:is )?valid for \d{1,2} min)"),
    ),
    (
        "code",
        re.compile(
            r"(?i)(?<![a-z])(?:mobile|sms|push|photo|chip|i)?-?tan(?: lautet| ist| is)?[:= ]{1,3}"
            r"(?P<value>\d{6,8})(?!\d)"
        ),
    ),
    (
        "password",
        re.compile(
            r"(?i)(?<![\w-])(?:pw(?: is|:| ?=)|log ?in as \S{1,60} with|creds: ?[\w.@-]{1,60} ?/) ?"
            r"(?P<value>(?=\D{0,40}\d)\S{6,64})"
        ),
    ),
    (
        "password",
        re.compile(
            r"(?i)(?:(?<!\w)auth ?= ?|BasicAuth)\(\s?[\"'][^\"'\n]{1,80}[\"'], ?"
            r"[\"'](?P<value>[^\"'\n]{3,200})[\"']"
        ),
    ),
    (
        "password",
        re.compile(
            r"(?i)name=\"?(?:pass|pwd|secret|token)[^\n]{0,40}\n\r?\n(?P<value>[^\r\n]{3,200})"
        ),
    ),
    (
        "password",
        re.compile(r"(?i)assword[^\n]{0,20}\n\s{0,8}send [\"'](?P<value>[^\"'\\\n]{3,100})"),
    ),
    (
        "password",
        re.compile(
            r"(?m)^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:(?P<value>[^\s:]{3,100})\r?$"
        ),
    ),
    (
        "token",
        re.compile(
            r"(?i)(?<=/)(?:reset|verify|confirm|magic|invite|activate)[\w-]{0,20}/"
            r"(?P<value>(?=[a-z_-]{0,40}\d)[\w-]{16,200})(?![\w/-])"
        ),
    ),
    (
        "phrase",
        re.compile(
            r"(?i)(?<![a-z0-9])(?:seed|recovery|mnemonic|backup|wallet)"
            r"[ _-]?(?:phrase|words|seed)?[\"']?\s?(?:is|=|:)\s?[\"']?"
            r"(?P<value>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"
        ),
    ),
    (
        "number",
        re.compile(r"(?<![\d-])(?!000|666|9)\d{3}([ .-])(?!00)\d\d\1(?!0000)\d{4}(?![\d-])"),
    ),
)
"""Kind → pattern; a group named ``value`` is the secret, otherwise all of the match is."""

_QUERY = re.compile(r"[?&;](?P<name>[\w.-]{1,60})=(?P<value>[^\s&#\"'<>\\]{8,})")
_COOKIE = re.compile(r"(?i)(?<![\w-])(?:set-)?cookie[\"']?: *[\"']?(?P<value>[^\r\n\"\\]{3,})")
_PAIR = re.compile(r"(?:^|;) *(?P<name>[^\s=;,]{1,100})=(?P<value>[^\s;,]{3,})")
_ATTRIBUTES = frozenset({"path", "domain", "expires", "max-age", "samesite", "secure", "httponly"})
_AT = re.compile(r"@|%40|\\u0040")
_LOCALS = frozenset(".+-_")
_HOST = re.compile(
    r"[^\W_](?:[\w-]|\u200b){0,62}(?:\.[\w\u200b-]{1,63}){0,8}\.(?:xn--[\w-]{1,59}|[^\W\d_]{2,})"
)
_LONGEST_LOCAL = 64
"""Signs before the ``@`` of an address, as standards allow."""
_CARD = re.compile(
    r"(?<!\d)(?<!\d[ .-])(?:4\d{15}(?:\d{3})?|4\d{3}(?P<s>[ .-])\d{4}(?P=s)\d{4}(?P=s)\d{4}"
    r"|(?:5[1-5]|2[2-7]|6[045]|35)\d{14}"
    r"|(?:5[1-5]|2[2-7]|6[045]|35)\d\d(?P<t>[ .-])\d{4}(?P=t)\d{4}(?P=t)\d{4}"
    r"|3[47]\d{13}|3[47]\d\d[ -]\d{6}[ -]\d{5}|3[0689]\d{12})(?!\d)"
)
_IBAN = re.compile(
    r"(?i)(?<![a-z0-9])[a-z]{2}\d\d(?:[ -]?[a-z0-9]{4}){2,7}(?:[ -]?[a-z0-9]{1,3})?(?![a-z0-9])"
)
_RUN = re.compile(r"(?<![\w+/~-])[A-Za-z0-9+/_-]{20,}={0,2}(?![\w+/~-])")
_WORD_BEFORE = re.compile(r"\A(?:[a-z]{3,}[-_/])+")
"""Words that say what a token is of, as in ``coil-7d9f8b6c5-x2x9k``: they are no part of it."""
_WORDS = re.compile(r"(?:(?<=[\"'\n])|\A)(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?=[\"'\n]|\Z)")
_PROSE = frozenset(
    """the and for with from are was has have had his her its not but you your our their one two
    who which were been into out did does each them him she""".split()  # noqa: SIM905
)
"""Words of running text, none of which stands in a phrase of recovery words."""
_LIBRARY = (
    *("ArtifactoryDetector", "AWSKeyDetector", "AzureStorageKeyDetector", "CloudantDetector"),
    *(
        "DiscordBotTokenDetector",
        "GitHubTokenDetector",
        "GitLabTokenDetector",
        "IbmCloudIamDetector",
    ),
    *("IbmCosHmacDetector", "MailchimpDetector", "OpenAIDetector", "PypiTokenDetector"),
    *("SendGridDetector", "SlackDetector", "SoftlayerDetector", "SquareOAuthDetector"),
    *("StripeDetector", "TelegramBotTokenDetector", "TwilioKeyDetector"),
)
"""Detectors of detect-secrets whose work does not grow with the square of a text."""
_LEAST_VALUE = 8
"""Fewest signs of a pattern's group that is the secret, and not only its beginning."""


@cache
def library_patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of the library's detectors; importing it takes a fifth of a second."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    detectors: Iterable[Any] = get_mapping_from_secret_type_to_class().values()
    return tuple(
        pattern
        for detector in detectors
        if detector.__name__ in _LIBRARY
        for pattern in detector().denylist
    )


def formed(text: str, patterns: Sequence[tuple[str, re.Pattern[str]]] = FORMS) -> Iterator[Secret]:
    """Yield what has the form of a secret, in linear time.

    Args:
        text: What is looked through.
        patterns: As :data:`FORMS`.
    """
    for kind, pattern in patterns:
        for match in pattern.finditer(text):
            value = match["value"] if "value" in pattern.groupindex else match[0]
            yield Secret(kind, unquote(value) if kind == "password" else value, value)
    for pattern in library_patterns():
        for match in pattern.finditer(text):
            # A group is the value of an assignment, or else only the beginning of the secret.
            value = max((each or "" for each in match.groups()), key=len, default="")
            value = value if len(value) >= _LEAST_VALUE else match[0].strip(" \"'=:\t\n")
            yield Secret("key", value, value)
    for match in _QUERY.finditer(text):
        if signs_a_query(match["name"]):
            yield Secret("key", unquote(match["value"]), match["value"])
    for match in _COOKIE.finditer(text):
        yield from cookies(match["value"])
    yield from _emails(text)
    for match in _CARD.finditer(text):
        if _is_card(match[0]):
            yield Secret("card", match[0], match[0])
    for match in _IBAN.finditer(text):
        if _is_account(match[0]):
            yield Secret("account", match[0], match[0])
    for match in _WORDS.finditer(text):
        words = match[0].split()
        if len(words) % 3 == 0 and _PROSE.isdisjoint(words):
            yield Secret("phrase", match[0], match[0])
    for match in _RUN.finditer(text):
        token = _WORD_BEFORE.sub("", match[0], 1)
        if is_random(token):
            yield Secret("token", token, token)


def cookies(header: str) -> Iterator[Secret]:
    """Yield the values in a header of cookies: ``sid=…; theme=…``."""
    for match in _PAIR.finditer(header):
        if match["name"].lower() not in _ATTRIBUTES:
            yield Secret("cookie", match["value"], match["value"])


def _emails(text: str) -> Iterator[Secret]:
    """Yield e-mail addresses; they are looked for around the sign, which bounds the work."""
    for at in _AT.finditer(text):
        start = at.start()
        while start > max(0, at.start() - _LONGEST_LOCAL) and (
            text[start - 1] in _LOCALS or text[start - 1].isalnum()
        ):
            start -= 1
        local = text[start : at.start()].lstrip(".+-_")
        host = _HOST.match(text, at.end())
        if local and host:
            spelling = text[at.start() - len(local) : host.end()]
            yield Secret("email", f"{local}@{host[0]}", spelling)


def _is_card(text: str) -> bool:
    """Whether figures pass the test of Luhn."""
    digits = [int(each) for each in text if each.isdigit()]
    total = sum(digits[-1::-2])
    for digit in digits[-2::-2]:
        total += digit * 2 - 9 if digit > 4 else digit * 2
    return total % 10 == 0


def _is_account(text: str) -> bool:
    """Whether an international account number passes its test, the rest of a division by 97."""
    bare = text.replace(" ", "").replace("-", "")
    return (
        15 <= len(bare) <= 34
        and int("".join(str(int(c, 36)) for c in bare[4:] + bare[:4])) % 97 == 1
    )
