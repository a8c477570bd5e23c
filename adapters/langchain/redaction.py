"""Keep secrets out of what is learned: keys, tokens, passwords, e-mail addresses, card numbers.

A secret is replaced by a mark that says its kind and a keyed hash, ``redacted_email_1f2e3d4c``. The
same secret has the same mark, so that it is still seen to flow from a task into a call; the key
stays on this machine.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...procedures.tooling.episodes import ToolCall, ToolEpisode

__all__ = ["Redactor"]

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "key",
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S
        ),
    ),
    ("token", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")),
    (
        "key",
        re.compile(
            r"\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|lsv2|hf|npm|pypi)[-_][\w-]{10,}"
            r"|\bgithub_pat_\w{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}"
        ),
    ),
    ("token", re.compile(r"(?<=[Bb]earer )[\w.~+/-]{8,}=*")),
    (
        "secret",
        re.compile(
            r"(?i)(?<![a-z])(?:api[_-]?key|access[_-]?key|secret(?:[_-]?key)?|password|passwd|pwd|"
            r"(?:access|auth|refresh)?[_-]?token|client[_-]?secret)\"?\s*[=:]\s*[\"']?"
            r"(?P<value>(?!redacted_)[^\s\"',;&}]{3,})"
        ),
    ),
    ("password", re.compile(r"(?<=://)[^\s/:@]+:(?P<value>[^\s/@]+)(?=@)")),
    ("email", re.compile(r"[A-Za-z0-9][\w.%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")),
    ("card", re.compile(r"\b(?:\d[ -]?){12,18}\d\b")),
)
_SECRET_NAME = re.compile(
    r"(?i)(?:^|[_-])(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key|"
    r"credentials?|authorization)(?:$|[_-])"
)
_KEY_FILE = "redaction.key"


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
        self._patterns = (*(patterns or {}).items(), *_PATTERNS)

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
        for kind, pattern in self._patterns:
            text = pattern.sub(lambda found, kind=kind: self._replaced(kind, found), text)  # type: ignore[misc]
        return text

    def value(self, value: Any, name: str = "") -> Any:
        """Return a nested value without secrets; under a telling name every text is one."""
        if isinstance(value, Mapping):
            return {str(key): self.value(inner, str(key)) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each, name) for each in value]
        if not isinstance(value, str):
            return value
        if value and _SECRET_NAME.search(name) and not value.startswith("redacted_"):
            return self._mark("secret", value)
        return self.text(value)

    def episode(self, episode: ToolEpisode) -> ToolEpisode:
        """Return an episode without secrets.

        What stands under a telling name in a call is a secret wherever else it stands.
        """
        named = {
            text for call in episode.calls for text in _named(call.arguments) if len(text) >= 3
        }

        def clean(text: str) -> str:
            for secret in sorted(named, key=len, reverse=True):
                text = text.replace(secret, self._mark("secret", secret))
            return self.text(text)

        calls = tuple(
            ToolCall(
                call.tool,
                self.value(call.arguments),
                clean(call.result),
                call.ok,
                call.turn,
            )
            for call in episode.calls
        )
        answer = None if episode.answer is None else clean(episode.answer)
        return replace(episode, task=clean(episode.task), calls=calls, answer=answer)

    def _replaced(self, kind: str, found: re.Match[str]) -> str:
        if kind == "card" and not _is_card(found[0]):
            return found[0]
        if "value" in found.re.groupindex:
            start, end = found.span("value")
            at = found.start()
            return found[0][: start - at] + self._mark(kind, found["value"]) + found[0][end - at :]
        return self._mark(kind, found[0])

    def _mark(self, kind: str, secret: str) -> str:
        digest = hmac.new(self._key, secret.encode("utf-8", "replace"), "sha256").hexdigest()
        return f"redacted_{kind}_{digest[:8]}"


def _named(value: Any, name: str = "") -> list[str]:
    if isinstance(value, Mapping):
        return [text for key, inner in value.items() for text in _named(inner, str(key))]
    if isinstance(value, list):
        return [text for each in value for text in _named(each, name)]
    return [value] if isinstance(value, str) and _SECRET_NAME.search(name) else []


def _is_card(text: str) -> bool:
    digits = [int(each) for each in text if each.isdigit()]
    if not 13 <= len(digits) <= 19:
        return False
    total = sum(digits[-1::-2])
    for digit in digits[-2::-2]:
        total += digit * 2 - 9 if digit > 4 else digit * 2
    return total % 10 == 0
