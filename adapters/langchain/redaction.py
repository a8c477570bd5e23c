"""Keep secrets out of what is learned: keys, tokens, passwords, e-mail addresses, card numbers.

A secret is replaced by a mark that says its kind and a keyed hash, ``redacted_email_1f2e3d4c``. The
same secret has the same mark, so that it is still seen to flow from a task into a call; the key
stays on this machine.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ...procedures.tooling.episodes import ToolCall, ToolEpisode
from ...procedures.tooling.values import leaves, parse_result
from .secret_patterns import PATTERNS, assigned, is_secret_name, may_be_number

__all__ = ["Redactor"]

_KEY_FILE = "redaction.key"
_DISTINCT = 6
"""A secret of so many signs is replaced inside of words too."""


class Redactor:
    """Replaces secrets in texts and nested values by marks.

    Args:
        key: Key of the hashes; a random one by default, so that marks differ between runs.
        patterns: Further patterns, kind → regular expression; a group named ``value`` is the
            secret, otherwise all of the match is. Kinds are lower-case letters.
    """

    def __init__(
        self, key: bytes | None = None, patterns: Mapping[str, re.Pattern[str]] | None = None
    ) -> None:
        self._key = key or secrets.token_bytes(16)
        self._patterns = (*(patterns or {}).items(), *PATTERNS)

    @classmethod
    def of(cls, folder: Path) -> Redactor:
        """Return the redactor of a library; its key is made on first use and never leaves it.

        Args:
            folder: The library's machine-local folder, ``.macla``.
        """
        path = folder / _KEY_FILE
        try:
            if not path.exists():
                folder.mkdir(exist_ok=True)
                temporary = path.with_suffix(f".{secrets.token_hex(4)}")
                temporary.write_bytes(secrets.token_bytes(16))
                temporary.chmod(0o600)
                try:
                    path.hardlink_to(temporary)
                except FileExistsError:
                    pass  # another process was first
                finally:
                    temporary.unlink()
            return cls(path.read_bytes())
        except OSError:
            return cls()

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        return self._patterned(_without(text, assigned(text), self._mark))

    def value(self, value: Any, name: str = "") -> Any:
        """Return a nested value without secrets; under a telling name everything is one."""
        return self._cleaned(value, is_secret_name(name), name, self.text)

    def episode(self, episode: ToolEpisode) -> ToolEpisode:
        """Return an episode without secrets.

        What is seen to be a secret in one place of it, in the task, a call, a result or the
        answer, is one in every other place too, and has the same mark.
        """
        known = self._known(episode)

        def clean(text: str) -> str:
            return self._patterned(_without(text, known, self._mark))

        calls = tuple(
            ToolCall(
                call.tool,
                self._cleaned(call.arguments, False, "", clean),
                clean(call.result),
                call.ok,
                call.turn,
            )
            for call in episode.calls
        )
        answer = None if episode.answer is None else clean(episode.answer)
        context = tuple(map(clean, episode.context))
        return replace(
            episode, task=clean(episode.task), calls=calls, answer=answer, context=context
        )

    def _known(self, episode: ToolEpisode) -> set[str]:
        """Return what is under a telling name anywhere in an episode."""
        found = set(assigned(episode.task)) | set(assigned(episode.answer or ""))
        for call in episode.calls:
            found |= set(_named(call.arguments)) | set(assigned(call.result))
            parsed = parse_result(call.result)
            if not isinstance(parsed, str):
                found |= set(_named(parsed))
            for _, leaf in leaves(call.arguments):
                if isinstance(leaf, str):
                    found |= set(assigned(leaf))
        return {each for each in found if not each.startswith("redacted_")}

    def _cleaned(self, value: Any, secret: bool, name: str, clean: Callable[[str], str]) -> Any:
        """Return a nested value with every text cleaned, keys too."""
        if isinstance(value, Mapping):
            return {
                clean(str(key)): self._cleaned(
                    inner, secret or is_secret_name(str(key)), str(key), clean
                )
                for key, inner in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._cleaned(each, secret, name, clean) for each in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._mark(str(value)) if secret and may_be_number(name) else value
        if not isinstance(value, str):
            return value
        if value and secret and not value.startswith("redacted_"):
            return self._mark(value)
        return clean(value)

    def _patterned(self, text: str) -> str:
        for kind, pattern in self._patterns:
            text = pattern.sub(partial(self._replaced, kind), text)
        return text

    def _replaced(self, kind: str, found: re.Match[str]) -> str:
        if kind == "card" and not _is_card(found[0]):
            return found[0]
        if "value" in found.re.groupindex:
            start, end = found.span("value")
            at = found.start()
            return found[0][: start - at] + self._mark(found["value"], kind) + found[0][end - at :]
        return self._mark(found[0], kind)

    def _mark(self, secret: str, kind: str = "secret") -> str:
        digest = hmac.new(self._key, secret.encode("utf-8", "replace"), "sha256").hexdigest()
        return f"redacted_{kind}_{digest[:8]}"


def _named(value: Any, secret: bool = False, name: str = "") -> Iterator[str]:
    """Yield what stands under telling names in a nested value, JSON inside of texts too."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _named(inner, secret or is_secret_name(str(key)), str(key))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _named(each, secret, name)
    elif isinstance(value, str):
        if secret and len(value) >= 3:
            yield value
        elif value[:1] in ("{", "[") and not isinstance(parsed := parse_result(value), str):
            yield from _named(parsed)
    elif secret and may_be_number(name) and not isinstance(value, bool | None):
        yield str(value)


def _without(text: str, secrets_: Iterable[str], mark: Callable[[str], str]) -> str:
    """Return a text with each secret replaced by its mark, the longest first."""
    for secret in sorted(set(secrets_), key=lambda each: (-len(each), each)):
        if secret not in text:
            continue
        if len(secret) >= _DISTINCT:
            text = text.replace(secret, mark(secret))
        else:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", mark(secret), text)
    return text


def _is_card(text: str) -> bool:
    digits = [int(each) for each in text if each.isdigit()]
    if not 13 <= len(digits) <= 19:
        return False
    total = sum(digits[-1::-2])
    for digit in digits[-2::-2]:
        total += digit * 2 - 9 if digit > 4 else digit * 2
    return total % 10 == 0
