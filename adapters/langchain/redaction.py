"""Keep secrets out of what is learned: keys, tokens, passwords, e-mail addresses, card numbers.

A secret is replaced by a mark that says its kind and a keyed hash, ``redacted_email_1f2e3d4c``. The
same secret has the same mark, so that it is still seen to flow from a task into a call; the key
stays on this machine.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...procedures.local.state import make_parent
from ...procedures.tooling.episodes import ToolCall, ToolEpisode
from ...procedures.trajectories import cleaned
from .secret_finding import Secrets, named_values
from .secret_names import Secrecy, is_plain, secrecy
from .secret_patterns import FORMS, MARK
from .substrings import Substrings

__all__ = ["Redactor"]

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
        self._patterns = (*(patterns or {}).items(), *FORMS)

    @classmethod
    def of(cls, folder: Path) -> Redactor:
        """Return the redactor of a library; its key is made on first use and never leaves it.

        Args:
            folder: The library's machine-local folder, ``.macla``.
        """
        path = folder / _KEY_FILE
        try:
            if not path.exists():
                make_parent(path)
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
        return self._knowing([text]).text(text)

    def value(self, value: Any, name: str = "", heard: Iterable[Any] = ()) -> Any:
        """Return a nested value without secrets.

        Args:
            value: Texts, numbers, mappings and sequences.
            name: Under which it stands; under a telling name everything is a secret.
            heard: Further values: what is a secret in them is one in ``value``, too.
        """
        level = secrecy(name)
        found = Secrets(self._patterns)
        for each in heard:
            found.look_into(each)
        found.look_into(value, level)
        return self._cleaner(found).value(value, level)

    def episode(self, episode: ToolEpisode) -> ToolEpisode:
        """Return an episode without secrets.

        What is seen to be a secret in one place of it, in the task, a call, a result or the
        answer, is one in every other place too, and has the same mark.
        """
        episode = replace(
            episode,
            task=cleaned(episode.task),
            calls=tuple(replace(each, result=cleaned(each.result)) for each in episode.calls),
            answer=None if episode.answer is None else cleaned(episode.answer),
        )
        found = Secrets(self._patterns)
        for text in (episode.task, episode.answer, episode.source, episode.id):
            found.look_into(text)
        for call in episode.calls:
            found.look_into(call.arguments)
            found.look_into_result(call.tool, call.result)
        clean = self._cleaner(found)
        return replace(
            episode,
            task=clean.text(episode.task),
            calls=tuple(
                ToolCall(
                    call.tool,
                    clean.value(call.arguments, Secrecy.NONE),
                    clean.text(call.result),
                    call.ok,
                    call.turn,
                )
                for call in episode.calls
            ),
            answer=None if episode.answer is None else clean.text(episode.answer),
            id=clean.text(episode.id),
            source=clean.text(episode.source),
        )

    def _knowing(self, values: Iterable[Any]) -> _Cleaner:
        found = Secrets(self._patterns)
        for each in values:
            found.look_into(each)
        return self._cleaner(found)

    def _cleaner(self, found: Secrets) -> _Cleaner:
        return _Cleaner(
            {w: _mark(self._key, kind, value) for w, (kind, value) in found.written.items()},
            self._key,
        )


class _Cleaner:
    """Puts marks in the place of known secrets, and of all that stands under telling names."""

    def __init__(self, marks: Mapping[str, str], key: bytes) -> None:
        self._marks = marks
        self._substrings = Substrings(marks, keep=MARK)
        self._key = key

    def text(self, text: str) -> str:
        return self._substrings.replace(text)

    def value(self, value: Any, level: Secrecy) -> Any:
        if isinstance(value, Mapping):
            return {
                self.text(key): self.value(inner, deeper)
                for key, inner, deeper in named_values(value, level)
            }
        if isinstance(value, list | tuple):
            return [self.value(each, level) for each in value]
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return value
        if isinstance(value, str):
            told = self.text(value)
            whole = level and told == value and not is_plain(value) and not MARK.search(value)
            figures = value.replace(".", "").isdigit() and level is not Secrecy.ALL
            return _mark(self._key, "secret", value) if whole and not figures else told
        known = self._marks.get(str(value))
        if known is None and level is Secrecy.ALL:
            return _mark(self._key, "secret", str(value))
        return value if known is None else known


def _mark(key: bytes, kind: str, secret: str) -> str:
    digest = hmac.new(key, secret.encode("utf-8", "replace"), "sha256").hexdigest()
    return f"redacted_{kind}_{digest[:8]}"
