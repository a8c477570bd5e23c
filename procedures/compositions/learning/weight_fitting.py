"""Fitting of the small models: counts, logistic regression, and the weights of the ranking."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ...common.minimizing import minimum_of
from ..cues import Cues
from ..filling import Filler, Scene
from ..listed_names import Name
from ..template_choice import PartModel, parts_of
from ..text_templates import Template
from .abstracting import Composed

Loss = Callable[[np.ndarray], tuple[float, np.ndarray]]
"""Weights → the loss and its gradient."""
_LEAST_PARTS, _LEAST_PHRASES = 3, 3
"""Demonstrations that have a part, or a phrase, so that it is weighed: fewer may be chance."""
_PENALTY, _CUE_PENALTY = 2.0, 1.0
"""Penalties of squared weights: the inverse variances of their normal priors."""
_MOST_PHRASES = 20
"""Phrases that count for one part."""
_NEAR_ZERO, _WEAK = 0.02, 0.05
"""Weights of phrases and of cues that are too small to be worth a line."""
_ITERATIONS = 60
"""Steps of the search; what comes later changes no order."""


def shared_words(composed: Iterable[Composed]) -> frozenset[str]:
    """Return the words that tasks of several worlds have."""
    worlds: dict[str, set[int]] = defaultdict(set)
    for each in composed:
        for word in each.wording.small:
            worlds[word].add(each.world)
    return frozenset(w for w, where in worlds.items() if len(where) > 1 and w[0].isalpha())


def fit_cues(demonstrations: Iterable[tuple[Composed, Scene]]) -> Cues:
    """Fit what speaks for fillers: of those that fit, the one that was shown is the likeliest."""
    groups: list[tuple[list[tuple[str, ...]], int, str, int]] = []
    for composed, scene in demonstrations:
        fillers: list[Filler | None] = [None] * len(composed.fill)
        for number in composed.template.choosing:
            slot, context = composed.template.slots[number], composed.template.contexts[number]
            filler = composed.fill[number]
            pool = list(scene.pool(slot, fillers))
            right = next(
                (n for n, other in enumerate(pool) if _is_same_filler(filler, other)), None
            )
            if right is not None:
                fillers[number] = pool[right]
                events = [scene.events(other) for other in pool]
                groups.append((events, right, context, slot.level))
            elif isinstance(filler, Name) and filler.level == 0:
                fillers[number] = filler
    index: dict[tuple[str, str], int] = {}
    rows, columns, starts, rights = [], [], [], []
    row = 0
    for events, right, context, slot_level in groups:
        starts.append(row)
        rights.append(row + right)
        for candidate_events in events:
            for event in candidate_events:
                for place in (str(slot_level), context):
                    key = (place, event)
                    rows.append(row)
                    columns.append(index.setdefault(key, len(index)))
            row += 1
    if not index:
        return Cues()
    # Imported on first use, here and below: most learning fits nothing, and it takes half a second.
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    x = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(row, len(index)))
    at = np.array(starts)
    sizes = np.diff([*starts, row])
    good = np.zeros(row)
    good[rights] = 1.0
    general = np.array([key[0] in ("0", "1", "2") for key in index])
    penalty = np.where(general, _CUE_PENALTY, 2 * _CUE_PENALTY)

    mask = np.ones(len(index))

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w = flat * mask
        z = x @ w
        z -= np.repeat(np.maximum.reduceat(z, at), sizes)
        e = np.exp(z)
        sums = np.add.reduceat(e, at)
        value = float(np.log(sums).sum() - z[rights].sum())
        gradient = x.T @ (e / np.repeat(sums, sizes) - good)
        gradient = (gradient + penalty * w) * mask
        return value + 0.5 * float((penalty * w * w).sum()), gradient

    w = _minimum(loss, np.zeros(len(index)))
    mask[:] = np.abs(w) > _WEAK
    w = _minimum(loss, w * mask) * mask
    weights: dict[str, dict[str, float]] = defaultdict(dict)
    for (place, event), number in index.items():
        if mask[number]:
            weights[place][event] = float(w[number])
    return Cues(dict(weights))


def _is_same_filler(filler: Name | str, other: Filler) -> bool:
    if isinstance(filler, Name):
        return isinstance(other, Name) and filler.key == other.key
    return other.text.casefold() == filler.casefold()


def fit_parts(
    examples: Sequence[tuple[frozenset[str], Template]], templates: Sequence[Template]
) -> PartModel:
    """Fit the model so that of all templates the one that was shown is the likeliest.

    Args:
        examples: Phrases of a task, and its template.
        templates: Those among which it is chosen.
    """
    phrase_count = Counter(p for phrases, _ in examples for p in phrases)
    n = len(examples)
    phrases = sorted(p for p, k in phrase_count.items() if _LEAST_PHRASES <= k < n)
    has = [parts_of(template) for template in templates]
    part_count = Counter(p for _, template in examples for p in parts_of(template))
    parts = sorted(p for p, k in part_count.items() if k >= _LEAST_PARTS)
    if not parts or not phrases:
        return PartModel({})
    index = {p: i for i, p in enumerate(phrases)}
    x = np.zeros((n, len(phrases) + 1))
    x[:, -1] = 1.0
    for row, (each, _) in enumerate(examples):
        for phrase in each:
            if phrase in index:
                x[row, index[phrase]] = 1.0
    a = np.array([[p in template_parts for p in parts] for template_parts in has], dtype=float)
    shapes: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, template in enumerate(templates):
        shapes[template.shape].append(number)
    target = np.zeros((n, len(templates)))
    for row, (_, template) in enumerate(examples):
        same = shapes[template.shape]
        target[row, same] = 1.0 / len(same)
    shape = (x.shape[1], len(parts))

    mask = np.ones(shape)

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w = flat.reshape(shape) * mask
        z = (x @ w) @ a.T
        z -= z.max(axis=1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        penalty = w * _PENALTY
        penalty[-1] *= 0.1
        gradient = (x.T @ ((np.exp(log_p) - target) @ a) + penalty) * mask
        return float(-(target * log_p).sum() + 0.5 * (w * penalty).sum()), gradient.ravel()

    w = _minimum(loss, np.zeros(shape))
    # What people can read: the strongest phrases of each part, fitted once more by themselves.
    strongest = np.sort(np.abs(w[:-1]), axis=0)[-_MOST_PHRASES:][0]
    mask[:-1] = np.abs(w[:-1]) >= np.maximum(strongest, _NEAR_ZERO)
    w = _minimum(loss, w * mask) * mask
    return PartModel(
        {part: float(w[-1, j]) for j, part in enumerate(parts)},
        {
            part: {p: float(w[i, j]) for p, i in index.items() if mask[i, j]}
            for j, part in enumerate(parts)
        },
    )


def fit_weights(lists: Sequence[tuple[np.ndarray, np.ndarray]], start: np.ndarray) -> np.ndarray:
    """Fit weights so that the right candidates of each list come first.

    Args:
        lists: Features, of shape (candidates, features), and which are right.
        start: Weights without any evidence, towards which they are drawn.
    """

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = 0.5 * float(((w - start) ** 2).sum()), w - start
        for features, right in lists:
            z = features @ w
            z = z - z.max()
            p = np.exp(z)
            good = float(p[right].sum())
            value -= np.log(good / p.sum())
            gradient = gradient + features.T @ (p / p.sum()) - features[right].T @ (p[right] / good)
        return value, gradient

    return _minimum(loss, start)


def _minimum(loss: Loss, start: np.ndarray) -> np.ndarray:
    point, _ = minimum_of(loss, start.ravel(), jac=True, options={"maxiter": _ITERATIONS})
    return point.reshape(start.shape)
