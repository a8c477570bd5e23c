"""Sentences as patterns: known entities become ``{name}``, runs of others become ``*``."""

from __future__ import annotations

from collections.abc import Mapping

from ..common.text import REMEMBERED, sentences
from ..conditions.text_patterns import escape
from .lexicon import Lexicon

_SPECIAL = frozenset("\\*{}")


def generalise(lexicon: Lexicon, sentence: str, names: Mapping[str, str]) -> str:
    """Turn one sentence into a pattern.

    Args:
        lexicon: Finds the entities.
        sentence: Text of one sentence.
        names: Entity → parameter name, for those that stay distinct.

    Returns:
        The sentence with named entities as ``{name}`` and everything from the first to the last
        other entity as one ``*``.
    """
    pieces: list[str] = []
    first_other = last_other = -1
    end = 0
    for start, stop, entity in lexicon.mentions(sentence):
        pieces.append(_literal(sentence[end:start]))
        name = names.get(entity)
        if name is None:
            if first_other < 0:
                first_other = len(pieces)
            last_other = len(pieces)
            pieces.append("*")
        else:
            pieces.append("{" + name + "}")
        end = stop
    pieces.append(_literal(sentence[end:]))
    if first_other >= 0:
        pieces[first_other : last_other + 1] = ["*"]
    return "".join(pieces)


def _literal(text: str) -> str:
    # Most text has no special character, and escaping is slow.
    return escape(text) if _SPECIAL.intersection(text) else text


def observation_patterns(
    lexicon: Lexicon, observation: str, names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the distinct patterns of an observation's sentences, in order."""
    name_items = tuple(names.items())
    cache = lexicon.patterns
    patterns: dict[str, None] = {}
    for sentence in sentences(observation):
        key = (sentence, name_items)
        pattern = cache.get(key)
        if pattern is None:
            if len(cache) > REMEMBERED:
                cache.clear()
            pattern = cache[key] = generalise(lexicon, sentence, names)
        patterns[pattern] = None
    return tuple(patterns)


def naming_patterns(lexicon: Lexicon, observation: str, names: Mapping[str, str]) -> list[str]:
    """Return the patterns of :func:`observation_patterns` that name one of the entities."""
    slots = ["{" + name + "}" for name in names.values()]
    patterns = observation_patterns(lexicon, observation, names)
    return [pattern for pattern in patterns if any(slot in pattern for slot in slots)]
