"""Learn what words mean from sentences aligned with episodes.

Multinomial logistic regression with an L2 penalty, fitted with L-BFGS (SciPy), one for plans and
one for each role. Small weights are left out. Only the pairs of sentences and episodes give words
a meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.minimizing import minimum_of
from ..model.procedure import MetaProcedure
from ..tasks.goal_interpretation import plan_deeds, plan_roles
from ..words.goal_lexicon import ALWAYS, GoalLexicon, Role, Situation, features
from ..words.lexicon import Lexicon
from .analysis import Episode

_LEAST_SENTENCES = 2
"""Sentences that must have a word before it is learned from."""
_PENALTY = 1.0
"""Factor of the L2 penalty; it keeps words of few sentences from getting large weights."""
_ITERATIONS = 30
"""Most iterations of L-BFGS; it bounds the time of a fit."""
_LEAST_WEIGHT = 0.3
"""Smaller weights change hardly any reading; leaving them out makes the file readable."""
_DIGITS = 2
"""Decimals of a weight in the file."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One episode with the sentences that ask for it.

    Attributes:
        sentences: Sentences as people wrote them.
        plan: Id of the meta-procedure that it followed.
        roles: Role → kind, in the order of the plan's slots.
        things: Kind → number of its entities in the first observation.
    """

    sentences: tuple[str, ...]
    plan: str
    roles: Mapping[str, str]
    things: Mapping[str, int]


def learn_goal_words(
    episodes: Sequence[Episode], metas: Mapping[str, dict[str, Any]], lexicon: Lexicon
) -> GoalLexicon:
    """Learn from the episodes that have further wordings of their task.

    Args:
        episodes: Read episodes, with goals and fillers.
        metas: Documents of the learned plans by id.
        lexicon: Tells an entity's kind.
    """
    if not any(episode.trajectory.also for episode in episodes):
        return GoalLexicon()
    plans = _plans_by_goal(metas)
    samples = []
    for episode in episodes:
        plan_and_roles = plans.get(episode.goal)
        if not episode.trajectory.also or plan_and_roles is None:
            continue
        plan, roles = plan_and_roles
        if len(roles) != len(episode.fillers):
            continue
        fillers = dict(zip(roles.values(), episode.fillers, strict=True))
        things = Counter(lexicon.kind(entity) for entity in episode.mentions[0])
        samples.append(Sample(episode.trajectory.also, plan, fillers, things))
    return goal_lexicon(samples)


def goal_lexicon(samples: Sequence[Sample]) -> GoalLexicon:
    """Fit a lexicon to samples."""
    if not samples:
        return GoalLexicon()
    features_by_sentence: list[tuple[str, ...]] = []
    sample_by_sentence: list[Sample] = []
    for sample in samples:
        for sentence in sample.sentences:
            features_by_sentence.append(features(sentence))
            sample_by_sentence.append(sample)
    plans = fit_weights(features_by_sentence, [sample.plan for sample in sample_by_sentence])
    roles: dict[str, Role] = {}
    for role in sorted({role for sample in samples for role in sample.roles}):
        indices = [i for i, sample in enumerate(sample_by_sentence) if role in sample.roles]
        kinds = fit_weights(
            [features_by_sentence[i] for i in indices],
            [sample_by_sentence[i].roles[role] for i in indices],
        )
        samples_with_role = [sample for sample in samples if role in sample.roles]
        initial_share = sum(
            sample.roles[role] in sample.things for sample in samples_with_role
        ) / len(samples_with_role)
        roles[role] = Role(round(initial_share, 3), kinds)
    return GoalLexicon(plans, roles, _situations(samples))


def fit_weights(
    sentences: Sequence[Sequence[str]], meanings: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Fit a multinomial logistic regression.

    Args:
        sentences: Features of each sentence; :data:`~.words.goal_lexicon.ALWAYS` among them is
            not penalised.
        meanings: Meaning of each sentence; at least one.

    Returns:
        Meaning → feature → weight, greatest first, rounded; small weights are left out.
    """
    count_by_feature = Counter(feature for each in sentences for feature in each)
    columns = sorted(f for f, count in count_by_feature.items() if count >= _LEAST_SENTENCES)
    index = {feature: i for i, feature in enumerate(columns)}
    names = sorted(set(meanings))
    rows = _matrix(sentences, index)
    targets = np.zeros((len(sentences), len(names)))
    targets[np.arange(len(sentences)), [names.index(meaning) for meaning in meanings]] = 1.0
    penalty = np.full((len(columns), 1), _PENALTY)
    if ALWAYS in index:
        penalty[index[ALWAYS]] = 0.0
    weights = _fit(rows, targets, penalty)
    weights_by_meaning: dict[str, dict[str, float]] = {}
    for k, name in enumerate(names):
        feature_weights = [
            (feature, round(float(weights[i, k]), _DIGITS))
            for i, feature in enumerate(columns)
            if abs(weights[i, k]) >= _LEAST_WEIGHT or feature == ALWAYS
        ]
        weights_by_meaning[name] = dict(
            sorted(feature_weights, key=lambda item: (-item[1], item[0]))
        )
    return weights_by_meaning


def _matrix(sentences: Sequence[Sequence[str]], index: Mapping[str, int]) -> Any:
    """Return the features of the sentences (rows) as a sparse matrix of zeros and ones."""
    # Imported on first use: most learning has no sentences, and this takes a third of a second.
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]  # SciPy ships no types

    starts, columns = [0], list[int]()
    for each in sentences:
        columns.extend(index[feature] for feature in each if feature in index)
        starts.append(len(columns))
    shape = (len(sentences), len(index))
    return csr_matrix((np.ones(len(columns)), columns, starts), shape=shape)


def _fit(
    rows: Any, targets: NDArray[np.float64], penalty: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minimise the penalised negative log-likelihood; return weights (features × meanings)."""
    shape = (rows.shape[1], targets.shape[1])
    transposed = rows.T.tocsr()

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        scores = rows @ weights
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        sums = shares.sum(axis=1, keepdims=True)
        shares /= sums
        likelihood = (scores * targets).sum() - np.log(sums).sum()
        value = 0.5 * (penalty * weights * weights).sum() - likelihood
        return float(value), (transposed @ (shares - targets) + penalty * weights).ravel()

    start = np.zeros(shape).ravel()
    point, _ = minimum_of(loss, start, jac=True, options={"maxiter": _ITERATIONS})
    return point.reshape(shape)


def _plans_by_goal(
    metas: Mapping[str, dict[str, Any]],
) -> dict[str, tuple[str, dict[str, str]]]:
    """Map each goal with numbered slots to (first plan with the same deeds, slot → role)."""
    plan_by_deeds: dict[str, str] = {}
    plan_by_goal: dict[str, tuple[str, dict[str, str]]] = {}
    for identifier, document in metas.items():
        meta = MetaProcedure.from_document(document)
        roles = plan_roles(meta)
        if not roles or meta.follows_task:
            continue
        goal = meta.goal
        for i, slot in enumerate(roles):
            goal = goal.replace("{" + slot + "}", "{" + str(i) + "}")
        plan_by_goal.setdefault(
            goal, (plan_by_deeds.setdefault(plan_deeds(meta), identifier), roles)
        )
    return plan_by_goal


def _situations(samples: Sequence[Sample]) -> tuple[Situation, ...]:
    """Count plans and kinds by the entities of the first observation."""
    request_count_by_things: dict[tuple[tuple[str, int], ...], Counter[tuple[str, ...]]] = {}
    for sample in samples:
        key = tuple(sorted(sample.things.items()))
        request = (sample.plan, *sample.roles.values())
        request_count_by_things.setdefault(key, Counter())[request] += 1
    return tuple(
        Situation(dict(things), dict(sorted(requests.items())))
        for things, requests in sorted(request_count_by_things.items())
        if things
    )
