"""The lexicon of an ontology, and the outcome patterns of its frames."""

from __future__ import annotations

import re

from ..conditions.text_patterns import Pattern
from ..words.lexicon import Lexicon
from ..words.word_clusters import Clusters
from .procedure import Ontology


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
    patterns_by_frame: dict[str, tuple[Pattern, ...]] = {}
    for operator in ontology.operators.values():
        texts_by_frame = operator.extra.get("outcomes", {})
        for frame, patterns in texts_by_frame.items():
            texts = [re.sub(r"(?<!\\)\{(\d+)\}", r"{a\1}", pattern) for pattern in patterns]
            patterns_by_frame[frame] = tuple(Pattern.parse(pattern) for pattern in texts)
    return patterns_by_frame
