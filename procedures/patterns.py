"""Sentences as patterns: known entities become ``{name}``, runs of others become ``*``."""

from __future__ import annotations

from collections.abc import Mapping

from .condition_patterns import escape
from .lexicon import Lexicon
from .text import sentences

__all__ = ["generalise", "observation_patterns"]


def generalise(lexicon: Lexicon, sentence: str, names: Mapping[str, str]) -> str:
    """Turn one sentence into a pattern.

    Args:
        lexicon: Finds the entities.
        sentence: Text of one sentence.
        names: Entity → parameter name, for those that stay told apart.

    Returns:
        The sentence with named entities as ``{name}`` and everything from the first to the last
        other entity as one ``*``.
    """
    pieces: list[str] = []
    first_other = last_other = -1
    end = 0
    for start, stop, entity in lexicon.mentions(sentence):
        pieces.append(escape(sentence[end:start]))
        name = names.get(entity)
        if name is None:
            if first_other < 0:
                first_other = len(pieces)
            last_other = len(pieces)
            pieces.append("*")
        else:
            pieces.append("{" + name + "}")
        end = stop
    pieces.append(escape(sentence[end:]))
    if first_other >= 0:
        pieces[first_other : last_other + 1] = ["*"]
    return "".join(pieces)


def observation_patterns(
    lexicon: Lexicon, observation: str, names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the distinct patterns of an observation's sentences, in order."""
    return tuple(
        dict.fromkeys(generalise(lexicon, sentence, names) for sentence in sentences(observation))
    )
