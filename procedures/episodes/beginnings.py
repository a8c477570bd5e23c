"""The beginning of a world: the common first words of its first observations."""

from __future__ import annotations

from collections.abc import Iterable

_WORDS = 12
"""Most words of a beginning: enough to distinguish worlds, few enough to read."""


def common_beginning(observations: Iterable[str]) -> str:
    """Return the common first words of observations, whole and with single blanks."""
    shared: list[str] = []
    for words in zip(
        *(text.split(maxsplit=_WORDS)[:_WORDS] for text in observations), strict=False
    ):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return " ".join(shared)


def begins_with(observation: str, beginning: str) -> bool:
    """Tell whether an observation begins with these words; blanks and capitals do not count."""
    if not beginning:
        return True  # of most programs; an observation may be long
    words = beginning.casefold().split()
    return observation.casefold().split(maxsplit=len(words))[: len(words)] == words
