"""Learn what words mean from sentences aligned with episodes.

Multinomial logistic regression with an L2 penalty, fitted with L-BFGS (SciPy), one for plans and
one for each role; small weights are left out of the result. Words carry no meaning of their own
here: all that counts is which sentences stand beside which episodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.procedure import MetaProcedure
from ..tasks.goal_interpretation import plan_deeds, plan_roles
from ..words.goal_lexicon import ALWAYS, GoalLexicon, Role, Situation, features
from ..words.lexicon import Lexicon
from .analysis import Episode

__all__ = ["Sample", "fit_weights", "goal_lexicon", "learn_goal_words"]

_LEAST_SENTENCES = 2
"""Sentences that must have a word before it is learned from."""
_PENALTY = 1.0
_ITERATIONS = 30
_LEAST_WEIGHT = 0.3
"""Smaller weights change hardly any reading; leaving them out makes the file readable."""
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """One episode with the sentences that ask for it.

    Attributes:
        sentences: As people wrote them.
        plan: Id of the meta-procedure that it followed.
        roles: Role → kind, in the order of the plan's slots.
        things: Kind → how many there were at the beginning.
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
        known = plans.get(episode.goal)
        if not episode.trajectory.also or known is None:
            continue
        plan, roles = known
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
    said: list[tuple[str, ...]] = []
    owner: list[Sample] = []
    for sample in samples:
        for sentence in sample.sentences:
            said.append(features(sentence))
            owner.append(sample)
    plans = fit_weights(said, [sample.plan for sample in owner])
    roles: dict[str, Role] = {}
    for role in sorted({role for sample in samples for role in sample.roles}):
        own = [i for i, sample in enumerate(owner) if role in sample.roles]
        kinds = fit_weights([said[i] for i in own], [owner[i].roles[role] for i in own])
        told = [sample for sample in samples if role in sample.roles]
        initial = sum(sample.roles[role] in sample.things for sample in told) / len(told)
        roles[role] = Role(round(initial, 3), kinds)
    return GoalLexicon(plans, roles, _situations(samples))


def fit_weights(
    said: Sequence[Sequence[str]], meanings: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Fit a multinomial logistic regression.

    Args:
        said: Features of each sentence; :data:`~.words.goal_lexicon.ALWAYS` among them is not
            penalised.
        meanings: What each means; as long as ``said``, at least one.

    Returns:
        Meaning → feature → weight, greatest first, rounded; small weights are left out.
    """
    often = Counter(feature for each in said for feature in each)
    columns = sorted(f for f, count in often.items() if count >= _LEAST_SENTENCES)
    index = {feature: i for i, feature in enumerate(columns)}
    names = sorted(set(meanings))
    rows = _matrix(said, index)
    wanted = np.zeros((len(said), len(names)))
    wanted[np.arange(len(said)), [names.index(meaning) for meaning in meanings]] = 1.0
    penalty = np.full((len(columns), 1), _PENALTY)
    if ALWAYS in index:
        penalty[index[ALWAYS]] = 0.0
    weights = _fit(rows, wanted, penalty)
    found: dict[str, dict[str, float]] = {}
    for k, name in enumerate(names):
        kept = [
            (feature, round(float(weights[i, k]), _DIGITS))
            for i, feature in enumerate(columns)
            if abs(weights[i, k]) >= _LEAST_WEIGHT or feature == ALWAYS
        ]
        found[name] = dict(sorted(kept, key=lambda item: (-item[1], item[0])))
    return found


def _matrix(said: Sequence[Sequence[str]], index: Mapping[str, int]) -> Any:
    """Return which sentence has which feature, as a sparse matrix of zeros and ones."""
    # Imported on first use: most learning has no sentences, and this takes a third of a second.
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]  # SciPy ships no types

    starts, columns = [0], list[int]()
    for each in said:
        columns.extend(index[feature] for feature in each if feature in index)
        starts.append(len(columns))
    shape = (len(said), len(index))
    return csr_matrix((np.ones(len(columns)), columns, starts), shape=shape)


def _fit(
    rows: Any, wanted: NDArray[np.float64], penalty: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minimise the penalised negative log-likelihood; weights of shape (features, meanings)."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    shape = (rows.shape[1], wanted.shape[1])
    across = rows.T.tocsr()

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        scores = rows @ weights
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        sums = shares.sum(axis=1, keepdims=True)
        shares /= sums
        likelihood = (scores * wanted).sum() - np.log(sums).sum()
        value = 0.5 * (penalty * weights * weights).sum() - likelihood
        return float(value), (across @ (shares - wanted) + penalty * weights).ravel()

    start = np.zeros(shape).ravel()
    options = {"maxiter": _ITERATIONS}
    result = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(result.x, dtype=np.float64).reshape(shape)


def _plans_by_goal(
    metas: Mapping[str, dict[str, Any]],
) -> dict[str, tuple[str, dict[str, str]]]:
    """Goal with numbered slots → (plan that stands for all that do the same, slot → role)."""
    same: dict[str, str] = {}
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for identifier, document in metas.items():
        meta = MetaProcedure.from_document(document)
        roles = plan_roles(meta)
        if not roles or meta.follows_task:
            continue
        numbered = meta.goal
        for i, slot in enumerate(roles):
            numbered = numbered.replace("{" + slot + "}", "{" + str(i) + "}")
        found.setdefault(numbered, (same.setdefault(plan_deeds(meta), identifier), roles))
    return found


def _situations(samples: Sequence[Sample]) -> tuple[Situation, ...]:
    """Group samples by what there was at the beginning."""
    groups: dict[tuple[tuple[str, int], ...], Counter[tuple[str, ...]]] = {}
    for sample in samples:
        key = tuple(sorted(sample.things.items()))
        what = (sample.plan, *sample.roles.values())
        groups.setdefault(key, Counter())[what] += 1
    return tuple(
        Situation(dict(things), dict(sorted(asked.items())))
        for things, asked in sorted(groups.items())
        if things
    )
