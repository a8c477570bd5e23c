"""Candidates for a composed text, ranked by a log-linear model before any is tried."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from .cues import Cues
from .filling import Filler, Filling, Scene
from .listed_names import Names
from .name_mentions import Mentions
from .task_words import Said, Wording
from .template_choice import PartModel, parts_of, phrases_of
from .text_templates import Template

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

FEATURES = (
    "names",
    "values",
    "parts",
    "shown",
    "slots",
    "unspoken",
    "unsaid",
    "unread",
    "twice",
)
"""What is weighed: how well names, values and the parts of the template fit; in how many
demonstrations it was shown (logarithm), its slots; and what is left over of the task: words that
speak of names, values, unknown words, and names that others cover."""
START = dict(zip(FEATURES, (1.0, 1.5, 0.9, 0.3, -0.3, -3.0, -3.0, 0.0, -0.4), strict=True))
"""Weights before any is fitted."""
_MOST_TEMPLATES = 16
"""Templates that are filled."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be meant.

    Attributes:
        text: The text.
        template: With slots.
        fill: What stands in them.
        features: Values of :data:`FEATURES`.
        score: Their weighted sum.
    """

    text: str
    template: Template
    fill: tuple[Filler, ...]
    features: tuple[float, ...]
    score: float


@dataclass(frozen=True)
class Ranker:
    """A model that ranks the texts for a task, as learned.

    Attributes:
        templates: With how many demonstrations showed each.
        parts: Which templates tasks mean.
        cues: What speaks for fillers.
        weights: Of :data:`FEATURES`.
        words: Words of several worlds.
    """

    templates: Mapping[Template, int]
    parts: PartModel
    cues: Cues
    words: frozenset[str]
    weights: Mapping[str, float] = field(default_factory=lambda: dict(START))

    def scene(self, task: str, names: Names) -> Scene:
        """Return a task beside the names of a world."""
        return Scene(Mentions(Wording(task), names), self.words, self.cues)

    def rank(self, scene: Scene) -> list[Candidate]:
        """Return the candidates, the likeliest first."""
        import numpy as np  # on first use: who only opens a library does not wait for it

        phrases = phrases_of(scene.mentions, self.words)
        odds = self.parts.odds(phrases)
        sums = self._has @ np.fromiter(odds.values(), float, len(odds))
        weights = self.weights
        templates, own_features = self._known
        own_features = np.column_stack([sums, own_features])
        scores = own_features @ np.array([weights[name] for name in FEATURES[2:5]])
        first = np.argsort(-scores, kind="stable")[:_MOST_TEMPLATES]  # of equal ones, by their text
        candidate_by_text: dict[str, Candidate] = {}
        for template, template_features in (
            (templates[n], own_features[n].tolist()) for n in first
        ):
            for filling in scene.fillings(template):
                features = (
                    filling.names,
                    filling.values,
                    *template_features,
                    *_leftovers(scene, filling),
                )
                score = sum(weights[n] * v for n, v in zip(FEATURES, features, strict=True))
                text = template.fill([each.text for each in filling.fill])
                if text not in candidate_by_text or candidate_by_text[text].score < score:
                    candidate_by_text[text] = Candidate(
                        text, template, filling.fill, features, score
                    )
        return sorted(candidate_by_text.values(), key=lambda each: (-each.score, each.text))

    @cached_property
    def _known(self) -> tuple[list[Template], np.ndarray]:
        """Return the templates by their text, and the features that no task changes."""
        import numpy as np

        order = sorted(self.templates.items(), key=lambda each: each[0].text)
        rows = [(math.log(1 + n), float(len(t.slots))) for t, n in order]
        return [template for template, _ in order], np.array(rows).reshape(len(rows), 2)

    @cached_property
    def _has(self) -> csr_matrix:
        """Return which parts each template has, of shape (templates, parts)."""
        import numpy as np
        from scipy.sparse import csr_matrix  # on first use: it takes a quarter of a second

        index = {part: i for i, part in enumerate(self.parts.base)}
        part_numbers = [sorted(index[p] for p in parts_of(t) if p in index) for t in self._known[0]]
        places = [0, *itertools.accumulate(map(len, part_numbers))]
        columns = [i for each in part_numbers for i in each]
        return csr_matrix(
            (np.ones(len(columns)), columns, places), shape=(len(part_numbers), len(index))
        )


def _leftovers(scene: Scene, filling: Filling) -> tuple[float, float, float, float]:
    """Return the last four of :data:`FEATURES`: what a filling leaves over of a task."""
    mentions = scene.mentions
    covered: set[int] = set()
    used_words: set[int] = set()
    twice_count = 0
    for filler in filling.fill:
        if isinstance(filler, Said):
            used_words.update(range(filler.at, filler.end))
            continue
        words = mentions.of[filler.key].words
        twice_count += bool(words) and words <= covered
        covered |= words
    unspoken = math.fsum(
        score for i, score in mentions.best.items() if i not in covered and i not in used_words
    )
    leftover_values = [v for v in scene.values if v.at not in used_words and v.at not in covered]
    unsaid = sum(value.kind != "word" for value in leftover_values)
    unread = sum(
        value.kind == "word" and value.at not in mentions.best for value in leftover_values
    )
    return unspoken, float(unsaid), float(unread), float(twice_count)
