"""Keep secrets out of what is learned: keys, tokens, passwords, e-mail addresses, card numbers.

A secret is replaced by a mark that says its kind and a keyed hash, ``redacted_email_1f2e3d4c``. The
same secret has the same mark, so that it is still seen to flow from a task into a call; the key
stays on this machine.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..episodes.trajectories import Trajectory, cleaned
from ..local.machine_folder import machine_key
from ..tooling.tool_episodes import ToolCall, ToolEpisode
from .finding import Secrets, named_values
from .folding import fold, places
from .groups import recovery_lists
from .secret_names import Secrecy, is_plain, secrecy
from .secret_patterns import FORMS, MARK, Secret, library_patterns
from .single_use import single_use
from .substrings import Substrings

_LABELS = frozenset("=@ ")
"""Signs between what a secret is called and the secret, or in an address."""
_MOST_CLEAR = 100_000
"""Most texts remembered to hold no secret."""


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
        self._clear: set[str] = set()
        self._harmless: set[str] = set()
        library_patterns()  # imported now, and not while an agent waits; and so are the words
        recovery_lists()

    @classmethod
    def of_machine(cls) -> Redactor:
        """Return the redactor whose marks are the same for ever on this machine, and only here.

        Raises:
            LibraryError: The machine's key cannot be kept.
        """
        return cls(machine_key("redaction"))

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
        known_secrets = Secrets(self._patterns, self._harmless)
        for each in heard:
            known_secrets.look_into(each)
        known_secrets.look_into(value, level)
        return self._cleaner(known_secrets).value(value, level)

    def trajectory(self, episode: Trajectory) -> Trajectory:
        """Return an episode of text actions without secrets; see :meth:`episode`."""
        texts = (episode.task, *episode.also, *episode.obs, *episode.acts)
        doubtful = [text for text in dict.fromkeys(texts) if self._is_doubtful(text)]
        # What is random in an id makes it the only one; what is called a secret in it is one.
        labelled = [each for each in (episode.id, episode.source) if not _LABELS.isdisjoint(each)]
        if not doubtful and not episode.info and not any(map(self._names_a_secret, labelled)):
            return episode
        known_secrets = Secrets(self._patterns, self._harmless)
        for text in doubtful:
            before = len(known_secrets.written)
            known_secrets.look_into(text)
            # What was found before grows by nothing: whether it stands here, the text alone tells.
            if len(known_secrets.written) == before and (not before or self._is_clear(text)):
                self._clear.add(text)
        for value in (episode.info, *labelled):
            known_secrets.look_into(value)
        if not known_secrets.written:
            return episode
        clean = self._cleaner(known_secrets)
        return replace(
            episode,
            task=clean.text(episode.task),
            also=tuple(map(clean.text, episode.also)),
            obs=tuple(map(clean.text, episode.obs)),
            acts=tuple(map(clean.text, episode.acts)),
            id=clean.text(episode.id),
            source=clean.text(episode.source),
            info=clean.value(episode.info, Secrecy.NONE),
        )

    def _names_a_secret(self, text: str) -> bool:
        return bool(text) and not self._is_clear(text)

    def _is_clear(self, text: str) -> bool:
        """Whether there is no secret in a text by itself."""
        own_secrets = Secrets(self._patterns, self._harmless)
        own_secrets.look_into(text)
        return not own_secrets.written

    def _is_doubtful(self, text: str) -> bool:
        """Whether a text may hold a secret; worlds say the same texts again and again."""
        if len(self._clear) > _MOST_CLEAR:
            self._clear.clear()
        return text not in self._clear

    def episodes(self, episodes: Sequence[ToolEpisode]) -> list[ToolEpisode]:
        """Return episodes without secrets, those included that only many runs show to be some."""
        single = single_use(episodes)
        return [self.episode(each, single) for each in episodes]

    def episode(self, episode: ToolEpisode, known: Iterable[str] = ()) -> ToolEpisode:
        """Return an episode without secrets.

        What is seen to be a secret in one place of it, in the task, a call, a result or the
        answer, is one in every other place too, and has the same mark.

        Args:
            episode: The episode.
            known: What is a secret wherever it stands.
        """
        episode = replace(
            episode,
            task=cleaned(episode.task),
            calls=tuple(replace(each, result=cleaned(each.result)) for each in episode.calls),
            answer=None if episode.answer is None else cleaned(episode.answer),
        )
        known_secrets = Secrets(self._patterns, self._harmless)
        for text in (episode.task, episode.answer, episode.source, episode.id):
            known_secrets.look_into(text)
        for each in known:
            known_secrets.add(Secret("value", each, each))
        for call in episode.calls:
            known_secrets.look_into(call.arguments)
            known_secrets.look_into_result(call.tool, call.result)
        clean = self._cleaner(known_secrets)
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

    def _knowing(self, values: Iterable[Any]) -> Cleaner:
        known_secrets = Secrets(self._patterns, self._harmless)
        for each in values:
            known_secrets.look_into(each)
        return self._cleaner(known_secrets)

    def _cleaner(self, known_secrets: Secrets) -> Cleaner:
        return Cleaner(known_secrets, self._key)


class Cleaner:
    """Puts marks in the place of known secrets, and of all that stands under telling names.

    Args:
        known_secrets: The secrets.
        key: Key of the marks' hashes.
    """

    def __init__(self, known_secrets: Secrets, key: bytes) -> None:
        self._marks = {
            w: _mark(key, kind, value) for w, (kind, value) in known_secrets.written.items()
        }
        self._substrings = Substrings(self._marks, keep=MARK)
        self._key = key

    def text(self, text: str) -> str:
        """Return a text without them."""
        cleaned_text = self._substrings.replace(text)
        folded = fold(cleaned_text)
        if folded == cleaned_text:
            return cleaned_text
        spans = list(self._substrings.spans(folded))
        if not spans:
            return cleaned_text
        positions = places(cleaned_text)
        parts: list[str] = []
        copied_to = 0
        for start, end, mark in spans:
            parts += (cleaned_text[copied_to : positions[start]], mark)
            copied_to = positions[end]
        return "".join((*parts, cleaned_text[copied_to:]))

    def value(self, value: Any, level: Secrecy) -> Any:
        """Return a nested value, as secret as a whole as ``level`` says, without them."""
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
            cleaned_text = self.text(value)
            is_secret = (
                level and cleaned_text == value and not is_plain(value) and not MARK.search(value)
            )
            is_count = value.replace(".", "").isdigit() and level is not Secrecy.ALL
            return _mark(self._key, "secret", value) if is_secret and not is_count else cleaned_text
        mark = self._marks.get(str(value))
        if mark is None and level is Secrecy.ALL:
            return _mark(self._key, "secret", str(value))
        return value if mark is None else mark


def _mark(key: bytes, kind: str, secret: str) -> str:
    digest = hmac.new(key, secret.encode("utf-8", "replace"), "sha256").hexdigest()
    return f"redacted_{kind}_{digest[:8]}"
