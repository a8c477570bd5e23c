"""Learning to compose: templates, cues, parts, and the weights of the ranking by cross-fitting."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...episodes.trajectories import Trajectory
from ..composition import Composition
from ..composition_document import composition_document, composition_from_document
from ..cues import Cues
from ..filling import Scene
from ..listed_names import LookUp
from ..name_mentions import Mentions
from ..ranking import FEATURES, START, Candidate, Ranker
from ..template_choice import PartModel, phrases_of
from ..text_templates import Template
from ..text_tokens import text_tokens
from .abstracting import Composed, Material, gather
from .look_ups import learn_look_ups
from .weight_fitting import fit_cues, fit_parts, fit_weights, shared_words

_FOLDS = 5
"""Folds of worlds in which the ranking is fitted and proved."""
_LEAST_DEMONSTRATIONS = 10
"""Fewest demonstrations from which a composition is learned."""
_REFUSAL_WORDS = 2
"""Words at the beginning of a result that show that it refuses a text."""


@dataclass(frozen=True)
class Learned:
    """A composition, and what it makes of demonstrations whose worlds were held out.

    Attributes:
        composition: Learned from all of them.
        material: The demonstrations.
        places: Each demonstration, and the place of what was shown among the candidates that were
            made without its world, from 0; None where it is none of them.
    """

    composition: Composition
    material: Material
    places: tuple[tuple[Composed, int | None], ...]


def learn_composition(demonstrations: Sequence[Trajectory]) -> Learned | None:
    """Learn how texts are composed; None where demonstrations compose none.

    Args:
        demonstrations: Episodes that succeeded.
    """
    look_ups, short = learn_look_ups(demonstrations)
    if not look_ups or not _is_usual(look_ups[0], demonstrations):
        return None
    material = gather(demonstrations, look_ups)
    if (
        len(material.composed) < _LEAST_DEMONSTRATIONS
        or len({each.world for each in material.composed}) < 2
    ):
        return None
    weights, places = _fit_by_folds(material)
    ranker = replace(_ranker(material, material.composed), weights=weights)
    if not ranker.templates or not ranker.cues.weights:
        return None  # every text is of one world only, or nothing tells which names a task is about
    composition = Composition(
        look_ups,
        ranker,
        max(len(each.acts) for each in demonstrations),
        None,
        _refusals(material),
        material.worlds,
        short,
    )
    if material.ends:
        composition = replace(composition, tries=_tries(composition, material))
    # As it is written, so that a library does what was proved.
    as_written = composition_from_document(composition_document(composition))
    return Learned(as_written, material, places)


def _tries(composition: Composition, material: Material) -> int:
    """Return how many texts were answered at most before one was handed in."""
    most = max(
        sum(
            not composition.about(action) and not composition.refuses(result)
            for action, result in zip(each.shown.acts, each.shown.obs[1:], strict=True)
        )
        for each in material.composed
    )
    return max(1, most - len(material.ends))


def _is_usual(look_up: LookUp, demonstrations: Sequence[Trajectory]) -> bool:
    """Whether at least half of the demonstrations make a look-up."""
    count = sum(any(look_up.about(a) is not None for a in each.acts) for each in demonstrations)
    return 2 * count >= len(demonstrations)


def _ranker(material: Material, composed: Sequence[Composed]) -> Ranker:
    """Learn everything but the weights of the ranking."""
    words = shared_words(composed)
    scenes = [
        (each, Scene(Mentions(each.wording, material.worlds[each.world]), words, Cues()))
        for each in composed
    ]
    shared_constants = _shared_constants(composed)
    shapes: dict[tuple[str, ...], Counter[Template]] = defaultdict(Counter)
    examples = []
    for each, scene in scenes:
        if each.template.constants <= shared_constants:
            shapes[each.template.shape][each.template] += 1
            examples.append((phrases_of(scene.mentions, words), each.template))
    templates: dict[Template, int] = {}
    for (
        count_by_template
    ) in shapes.values():  # of templates that say the same the most frequent, then shortest
        best = min(count_by_template, key=lambda t: (-count_by_template[t], len(t.text), t.text))
        templates[best] = count_by_template.total()
    # In this order people read them.
    templates = dict(sorted(templates.items(), key=lambda each: (-each[1], each[0].text)))
    ranker = Ranker(templates, PartModel({}), fit_cues(scenes), words)
    return replace(ranker, parts=fit_parts(examples, list(ranker.templates)))


def _shared_constants(composed: Sequence[Composed]) -> frozenset[str]:
    """Return the constants that texts of several worlds have."""
    worlds: dict[str, set[int]] = defaultdict(set)
    for each in composed:
        for token in each.template.constants:
            worlds[token].add(each.world)
    return frozenset(token for token, where in worlds.items() if len(where) > 1)


def _fit_by_folds(
    material: Material,
) -> tuple[dict[str, float], tuple[tuple[Composed, int | None], ...]]:
    """Return weights of the ranking, and where what was shown stands among the candidates.

    Whole worlds are held out, so that what is specific to one proves nothing.
    """
    lists: list[tuple[Composed, list[Candidate], np.ndarray]] = []
    for fold in folds_of(material.composed):
        fold_ids = {id(composed) for composed in fold}
        others = [composed for composed in material.composed if id(composed) not in fold_ids]
        ranker = _ranker(material, others)
        for composed in fold:
            candidates = ranker.rank(
                ranker.scene(composed.shown.task, material.worlds[composed.world])
            )
            key = composed.template.key(
                [f if isinstance(f, str) else f.text for f in composed.fill]
            )
            right = [c.template.key([f.text for f in c.fill]) == key for c in candidates]
            lists.append((composed, candidates, np.array(right, dtype=bool)))
    start = np.array([START[name] for name in FEATURES])
    data = [
        (np.array([c.features for c in candidates]), right)
        for _, candidates, right in lists
        if right.any()
    ]
    fitted = fit_weights(data, start) if data else start
    places: list[tuple[Composed, int | None]] = []
    for composed, candidates, good in lists:
        order = np.argsort([-float(np.dot(fitted, c.features)) for c in candidates], kind="stable")
        place = next((n for n, i in enumerate(order) if good[i]), None)
        places.append((composed, place))
    weights = {name: round(float(w), 2) for name, w in zip(FEATURES, fitted, strict=True)}
    return weights, tuple(places)


def folds_of(composed: Sequence[Composed]) -> list[list[Composed]]:
    """Return folds of whole worlds, about equally large."""
    worlds = Counter(each.world for each in composed)
    folds: list[list[Composed]] = [[] for _ in range(min(_FOLDS, len(worlds)))]
    for world, _ in worlds.most_common():
        fold = min(folds, key=len)
        fold += [each for each in composed if each.world == world]
    return folds


def _refusals(material: Material) -> tuple[str, ...]:
    """Return how results begin after which texts were written anew, and never ended."""
    final_beginnings: set[str] = set()
    count_by_beginning: Counter[str] = Counter()
    for composed in material.composed:
        last = len(composed.shown.acts) - len(material.ends)
        for number, result in enumerate(composed.shown.obs[1 : last + 1], 1):
            begin = _beginning(result)
            if number == last:
                final_beginnings.add(begin)
            elif begin:
                count_by_beginning[begin] += 1
    return tuple(
        begin
        for begin, n in count_by_beginning.most_common()
        if n > 1 and begin not in final_beginnings
    )


def _beginning(result: str) -> str:
    """Return the first words of a result; empty where it begins with anything else."""
    tokens = text_tokens(result)[:_REFUSAL_WORDS]
    if len(tokens) < _REFUSAL_WORDS or not all(token.is_word for token in tokens):
        return ""
    return " ".join(token.text for token in tokens)
