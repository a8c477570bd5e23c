"""An ontology's words, ready for use: the lexicon, and what follows actions that work."""

from __future__ import annotations

import re

from ..conditions.text_patterns import Pattern
from ..words.lexicon import Lexicon
from ..words.word_clusters import Clusters
from .procedure import Ontology

__all__ = ["lexicon_from", "outcomes_from"]


def lexicon_from(ontology: Ontology, *, clusters: bool = True) -> Lexicon:
    """Build the lexicon that an ontology describes, with or without its clusters."""
    frames = [frame for operator in ontology.operators.values() for frame in operator.frames]
    return Lexicon(
        numbered=ontology.entities.shape == "kind and number",
        kinds=ontology.entities.kinds,
        frames=frames,
        clusters=Clusters(
            [word.lower() for word in each.words] for each in ontology.clusters if clusters
        ),
    )


def outcomes_from(ontology: Ontology) -> dict[str, tuple[Pattern, ...]]:
    """Read the outcome patterns of all frames; slots ``{0}`` become parameters ``{a0}``."""
    out: dict[str, tuple[Pattern, ...]] = {}
    for operator in ontology.operators.values():
        listed = operator.extra.get("outcomes", {})
        for frame, patterns in listed.items():
            written = [re.sub(r"(?<!\\)\{(\d+)\}", r"{a\1}", pattern) for pattern in patterns]
            out[frame] = tuple(Pattern.parse(pattern) for pattern in written)
    return out
