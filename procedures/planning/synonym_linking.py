"""Find stand-ins for a word that names nothing here: entities with a word of its cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from ..common.text import speaks_of
from .episode_memory import EpisodeMemory

_MOST = 6
"""Most combinations of replacements; it bounds the attempts."""


def stand_ins(word_by_parameter: Mapping[str, str], memory: EpisodeMemory) -> list[dict[str, str]]:
    """Return readings of the requested words, in the order in which to try them.

    A word that some entity here has is never replaced. For any other word, the words of its
    cluster are further readings. They come after the word itself, whose entity may be found later.
    They come before it if the library does not know the word, or if a stand-in was already used.

    Args:
        word_by_parameter: Parameter → word for its entity.
        memory: The episode so far.

    Returns:
        Readings: parameter → replacement of its word. The empty reading, which replaces nothing,
        is always among them.
    """
    kinds = {memory.kind_of(entity) for entity in memory.known}
    options: dict[str, list[str]] = {}
    for name, word in word_by_parameter.items():
        mates = memory.lexicon.clusters.mates(word)
        if mates and not _is_present(word, kinds):
            present_mates = [mate for mate in mates if _is_present(mate, kinds)]
            if present_mates:
                options[name] = present_mates
    if not options:
        return [{}]
    readings = [
        dict(zip(options, words, strict=True))
        for words, _ in zip(product(*options.values()), range(_MOST), strict=False)
    ]
    used_kinds = {memory.kind_of(entity) for entity in memory.acted_on}
    preferred = [
        each for each in readings if _is_preferred(each, word_by_parameter, memory, used_kinds)
    ]
    return [*preferred, {}, *(each for each in readings if each not in preferred)]


def _is_present(word: str, kinds: Iterable[str]) -> bool:
    return any(speaks_of(kind, word) for kind in kinds)


def _is_preferred(
    reading: Mapping[str, str],
    word_by_parameter: Mapping[str, str],
    memory: EpisodeMemory,
    used_kinds: Iterable[str],
) -> bool:
    return all(
        memory.mates(word_by_parameter[name]) or _is_present(word, used_kinds)
        for name, word in reading.items()
    )
