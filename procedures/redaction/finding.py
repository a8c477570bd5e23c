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

__all__ = ["Secrets", "named_values"]

_SCHEME = re.compile(
    r"(?i)(?P<scheme>bearer|basic|token|apikey|negotiate|digest)\s+(?P<value>\S.*)"
)
_NAMES = ("name", "key", "header", "field", "variable", "parameter", "id")
_WORD = re.compile(r"[A-Za-z]+")
_MOST_SIGNS = 200
_MOST_HARMLESS = 20_000
_OPENING = re.compile(r"[\[{](?=\s{0,9}[\[{\"])")
_DECODER = json.JSONDecoder()
_MOST_ATTEMPTS = 20
_FOLDED: tuple[tuple[str, Callable[[str], Iterable[str]]], ...] = (
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
            each, level = waiting.pop()
            if isinstance(each, str):
                waiting += self._text(each, level)
            elif isinstance(each, Mapping):
                for key, inner, deeper in named_values(each, level):
                    waiting += [(key, Secrecy.NONE), (inner, deeper)]
            elif isinstance(each, list | tuple):
                waiting += [(inner, deeper) for inner, deeper in _listed(each, level)]
            elif isinstance(each, int | float) and not isinstance(each, bool):
                self._number(each, level)

    def look_into_result(self, tool: str, text: str) -> None:
        """Take in the secrets of a tool's result; ``get_password`` may answer with nothing else."""
        bare = text.strip()
        alone = len(bare) <= _MOST_SIGNS and not re.search(r"\s", bare)
        named = alone and not _WORD.fullmatch(bare) and bare[:1] not in "{[(\"'<"
        self.look_into(text, secrecy(tool) if named else Secrecy.NONE)

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
        """Take in what a text itself shows to be a secret, by its form or by what stands by it."""
        folded = fold(text)
        for each in dict.fromkeys((text, folded)):
            for found in formed(each, self._patterns):
                self.add(found)
            for value, written, _ in assigned(each):
                self._under(value, written)
        bare = MARK.sub("\0", folded)  # the name of a mark is no word of the text
        for kind, find in _FOLDED:
            for value in find(bare):
                self.add(Secret(kind, value, value))
        for value, secret in columns(bare):
            if worth_keeping(value, secret):
                self.add(Secret("secret", value, value))

    def _under(self, value: str, written: str) -> None:
        """Take in what stands under a telling name: all of it, or what is secret in a header."""
        if scheme := _SCHEME.fullmatch(value):
            self.add(Secret("token", scheme["value"], scheme["value"]))
            return
        held = list(cookies(value))
        if held and (";" in value or re.fullmatch(r"[\w.-]{1,60}=[^=]{3,}=*", value)):
            for each in held:
                self.add(each)
            return
        self.add(Secret("secret", value, written))

    def _number(self, number: float, level: Secrecy) -> None:
        text = str(number)
        if level is Secrecy.ALL and len(text) >= 3:
            self.add(Secret("secret", text, text))
        elif len(text) >= 13:
            for found in formed(text, self._patterns):
                self.add(found)

    def add(self, found: Secret) -> None:
        """Take in a secret, in all the ways in which it may be written."""
        self._found += 1
        if found.value in self.written and found.written in self.written:
            return
        if len(found.value) < 3 or MARK.search(found.value) or is_plain(found.value):
            return
        meant = self.written.get(found.value, (found.kind, found.value))
        for each in (found.value, found.written, fold(found.value), *_spellings(found.value)):
            self.written.setdefault(each, meant)
        if said := _decoded(found.value):
            for part in {said, said.partition(":")[2] or said}:
                if len(part) >= 3:
                    self.written.setdefault(part, ("secret", part))


def _documents(text: str) -> Iterator[Any]:
    """Yield the JSON objects and lists that stand in a text, so far as a few attempts find them."""
    done = attempts = 0
    for found in _OPENING.finditer(text[:LONGEST_RESULT]):
        if found.start() < done:
            continue
        attempts += 1
        if attempts > _MOST_ATTEMPTS:
            return
        try:
            document, done = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        yield document


def named_values(mapping: Mapping[Any, Any], level: Secrecy) -> Iterator[tuple[str, Any, Secrecy]]:
    """Yield (key, value, how secret), also where a name stands beside: ``{"name": …, "value": …}``.

    Args:
        mapping: The mapping.
        level: How secret the mapping is as a whole.
    """
    beside = max(
        (secrecy(mapping[each]) for each in _NAMES if isinstance(mapping.get(each), str)),
        default=Secrecy.NONE,
    )
    for key, value in mapping.items():
        own = inside(level, str(key))
        yield str(key), value, max(own, beside) if key in ("value", "val", "content") else own


def _listed(values: Sequence[Any], level: Secrecy) -> Iterator[tuple[Any, Secrecy]]:
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


def _decoded(value: str) -> str:
    """Return what a value says in base64, as in basic authentication; empty if it is none."""
    if len(value) < 8 or len(value) > 4_096 or len(value) % 4:
        return ""
    try:
        told = base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return told if told.isprintable() and MARK.search(told) is None else ""
