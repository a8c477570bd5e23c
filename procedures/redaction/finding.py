"""Secrets in nested values and texts, and the ways in which each may be written."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from ..tooling.values import LONGEST_RESULT, parse_result
from .command_lines import in_commands
from .folding import fold
from .groups import grouped, recovery_words
from .near import beside
from .secret_columns import columns
from .secret_names import Secrecy, inside, is_plain, secrecy
from .secret_patterns import MARK, Secret, cookies, formed
from .secret_texts import assigned, worth_keeping

_SCHEME = re.compile(
    r"(?i)(?P<scheme>bearer|basic|token|apikey|negotiate|digest)\s+(?P<value>\S.*)"
)
_NAMES = ("name", "key", "header", "field", "variable", "parameter", "id")
_WORD = re.compile(r"[A-Za-z]+")
_MOST_SIGNS = 200
"""Characters of a text that may be a secret as a whole, or is remembered to hold none."""
_MOST_HARMLESS = 20_000
"""Texts remembered to hold no secret; bounds the memory."""
_OPENING = re.compile(r"[\[{](?=\s{0,9}[\[{\"])")
_DECODER = json.JSONDecoder()
_MOST_ATTEMPTS = 20
"""Places of a text at which JSON is looked for; bounds the time."""
_FINDERS: tuple[tuple[str, Callable[[str], Iterable[str]]], ...] = (
    ("secret", beside),
    ("password", in_commands),
    ("key", grouped),
    ("phrase", recovery_words),
)
"""Kind → what finds such secrets in a folded text."""


class Secrets:
    """Collects secrets; what is found in one place is then known in every other.

    Args:
        patterns: Kind → pattern, as :data:`~.secret_patterns.FORMS`.
        harmless: Short texts in which these patterns find nothing, which are added to: names of
            tools and states come again in every run.

    Attributes:
        written: How a secret may be written → its kind and itself.
    """

    def __init__(
        self,
        patterns: Sequence[tuple[str, re.Pattern[str]]],
        harmless: set[str] | None = None,
    ) -> None:
        self._patterns = patterns
        self._harmless = set() if harmless is None else harmless
        self._found = 0
        self.written: dict[str, tuple[str, str]] = {}

    def look_into(self, value: Any, secret: Secrecy = Secrecy.NONE) -> None:
        """Take in the secrets of a nested value.

        Args:
            value: Texts, numbers, mappings and sequences.
            secret: How secret it is as a whole.
        """
        waiting: list[tuple[Any, Secrecy]] = [(value, secret)]
        while waiting:
            part, level = waiting.pop()
            if isinstance(part, str):
                waiting += self._text(part, level)
            elif isinstance(part, Mapping):
                for key, inner, deeper in named_values(part, level):
                    waiting += [(key, Secrecy.NONE), (inner, deeper)]
            elif isinstance(part, list | tuple):
                waiting += [(inner, deeper) for inner, deeper in _items_with_secrecy(part, level)]
            elif isinstance(part, int | float) and not isinstance(part, bool):
                self._number(part, level)

    def look_into_result(self, tool: str, text: str) -> None:
        """Take in the secrets of a tool's result; ``get_password`` may answer with nothing else."""
        bare = text.strip()
        alone = len(bare) <= _MOST_SIGNS and not re.search(r"\s", bare)
        may_be_secret = alone and not _WORD.fullmatch(bare) and bare[:1] not in "{[(\"'<"
        self.look_into(text, secrecy(tool) if may_be_secret else Secrecy.NONE)

    def _text(self, text: str, level: Secrecy) -> Iterable[tuple[Any, Secrecy]]:
        """Take in a text; return what it holds as data, to be looked into."""
        if text not in self._harmless:
            before = self._found
            self._said(text)
            if self._found == before and len(text) <= _MOST_SIGNS:
                if len(self._harmless) >= _MOST_HARMLESS:
                    self._harmless.pop()
                self._harmless.add(text)
        parsed = parse_result(text)
        if isinstance(parsed, dict | list):
            return [(parsed, level)]
        if level and worth_keeping(text, level):
            self._under(text.strip(), text.strip())
        return [(each, level) for each in _documents(text)]

    def _said(self, text: str) -> None:
        """Take in what is a secret by its form, or by the words beside it."""
        folded = fold(text)
        for variant in dict.fromkeys((text, folded)):
            for formed_secret in formed(variant, self._patterns):
                self.add(formed_secret)
            for value, spelling, _ in assigned(variant):
                self._under(value, spelling)
        bare = MARK.sub("\0", folded)  # the name of a mark is no word of the text
        for kind, find in _FINDERS:
            for value in find(bare):
                self.add(Secret(kind, value, value))
        for value, secret in columns(bare):
            if worth_keeping(value, secret):
                self.add(Secret("secret", value, value))

    def _under(self, value: str, spelling: str) -> None:
        """Take in what stands under a telling name: all of it, or what is secret in a header."""
        if scheme := _SCHEME.fullmatch(value):
            self.add(Secret("token", scheme["value"], scheme["value"]))
            return
        cookie_secrets = list(cookies(value))
        if cookie_secrets and (";" in value or re.fullmatch(r"[\w.-]{1,60}=[^=]{3,}=*", value)):
            for each in cookie_secrets:
                self.add(each)
            return
        self.add(Secret("secret", value, spelling))

    def _number(self, number: float, level: Secrecy) -> None:
        text = str(number)
        if level is Secrecy.ALL and len(text) >= 3:
            self.add(Secret("secret", text, text))
        elif len(text) >= 13:
            for secret in formed(text, self._patterns):
                self.add(secret)

    def add(self, secret: Secret) -> None:
        """Take in a secret, in all the ways in which it may be written."""
        self._found += 1
        if secret.value in self.written and secret.written in self.written:
            return
        if len(secret.value) < 3 or MARK.search(secret.value) or is_plain(secret.value):
            return
        kind_and_value = self.written.get(secret.value, (secret.kind, secret.value))
        for each in (secret.value, secret.written, fold(secret.value), *_spellings(secret.value)):
            self.written.setdefault(each, kind_and_value)
        if decoded := _decode_base64(secret.value):
            for part in {decoded, decoded.partition(":")[2] or decoded}:
                if len(part) >= 3:
                    self.written.setdefault(part, ("secret", part))


def _documents(text: str) -> Iterator[Any]:
    """Yield the JSON objects and lists that stand in a text, so far as a few attempts find them."""
    end = attempts = 0
    for match in _OPENING.finditer(text[:LONGEST_RESULT]):
        if match.start() < end:
            continue
        attempts += 1
        if attempts > _MOST_ATTEMPTS:
            return
        try:
            document, end = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        yield document


def named_values(mapping: Mapping[Any, Any], level: Secrecy) -> Iterator[tuple[str, Any, Secrecy]]:
    """Yield (key, value, how secret), also where a name stands beside: ``{"name": …, "value": …}``.

    Args:
        mapping: The mapping.
        level: How secret the mapping is as a whole.
    """
    named_level = max(
        (secrecy(mapping[each]) for each in _NAMES if isinstance(mapping.get(each), str)),
        default=Secrecy.NONE,
    )
    for key, value in mapping.items():
        own_level = inside(level, str(key))
        yield (
            str(key),
            value,
            max(own_level, named_level) if key in ("value", "val", "content") else own_level,
        )


def _items_with_secrecy(values: Sequence[Any], level: Secrecy) -> Iterator[tuple[Any, Secrecy]]:
    """Yield (value, how secret); a pair of texts may be a header's name and value."""
    pair = len(values) == 2 and all(isinstance(each, str) for each in values)
    if pair and len(values[0]) <= 60 and secrecy(values[0]) and not _WORD.fullmatch(values[1]):
        yield values[0], level
        yield values[1], max(level, secrecy(values[0]))
        return
    for each in values:
        yield each, level


def _spellings(value: str) -> Iterator[str]:
    """Yield how else a text is written: in JSON, in JSON in JSON, in Python, in URLs, in HTML."""
    if not value.isalnum() or not value.isascii():
        for ascii_only in (True, False):
            once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
            yield once
            yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
        yield repr(value)[1:-1]
        yield quote(value, safe="")
        yield quote(value)
        yield quote_plus(value)
        yield html.escape(value)
        if unquote(value) != value and len(unquote(value)) >= 3:
            yield unquote(value)
    if len(value) >= 6:
        yield base64.b64encode(value.encode("utf-8", "replace")).decode()


def _decode_base64(value: str) -> str:
    """Return what a value says in base64, as in basic authentication; empty if it is none."""
    if len(value) < 8 or len(value) > 4_096 or len(value) % 4:
        return ""
    try:
        text = base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return text if text.isprintable() and MARK.search(text) is None else ""
