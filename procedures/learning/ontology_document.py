"""What was learned of a world's words, as the content of ``ontology.yaml``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from ..lexicon import Lexicon
from .abstraction import FrameOutcomes, slug
from .analysis import Episode

__all__ = ["ontology_document"]


def ontology_document(
    lexicon: Lexicon, episodes: Sequence[Episode], outcomes: FrameOutcomes
) -> dict[str, Any]:
    """Write entities and operators. All frames of one verb are one operator."""
    uses = Counter(frame for episode in episodes for frame, _ in episode.actions)
    verbs: dict[str, list[str]] = defaultdict(list)
    for frame in sorted(lexicon.frames, key=lambda f: (-uses[f], f)):
        verbs[frame.split(" ", 1)[0]].append(frame)
    operators: dict[str, Any] = {}
    for frames in verbs.values():
        identifier = slug(frames[0], operators)
        operators[identifier] = {
            "frames": frames,
            "effect": "acts",
            "outcomes": {frame: list(outcomes[frame]) for frame in frames if outcomes.get(frame)},
        }
    return {
        "kind": "ontology",
        "version": 1,
        "entities": {
            "shape": "kind and number" if lexicon.numbered else "phrase",
            "kinds": sorted(lexicon.kinds),
        },
        "operators": operators,
    }
