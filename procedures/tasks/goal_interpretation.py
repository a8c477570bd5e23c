"""Readings of a goal in free words, the most probable first.

The score of a reading is the log-linear model's log-probability of its plan and of the kind in each
role. Earlier requests in similar situations add to it (counts smoothed by :data:`_UNSEEN`); kinds
that are absent from the world subtract.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeVar

from ..common.text import words
from ..model.procedure import MetaProcedure
from ..words.goal_lexicon import GoalLexicon, features, likeness, total

_MOST_KINDS = 8
"""Most kinds considered for one role of a reading."""
_WHOLE, _PARTS = 0.5, 0.2
"""Weights of earlier requests: of the whole reading, and of each pair of its parts."""
_UNSEEN = 0.1
"""Pseudo-count of a request that was never made."""
_LIKENESS_POWER = 16
"""Power of a situation's likeness in its weight: nearly only the same situation counts."""
_LEAST_LATER = 0.01
"""Least probability that a kind which is always present at the beginning is met later."""
_MOST_TEXTS = 256
"""Most cached sentences; an episode reads one or two of them often."""
_LEAST_SIMILARITY = 0.5
"""Similarity from which a known word stands for an unknown one."""

Similarity = Callable[[str, str], float]
_Key = TypeVar("_Key", str, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class GoalReading:
    """One reading.

    Attributes:
        plan: Id of the meta-procedure.
        fillers: Slot of its goal → kind.
        probability: Probability among all readings considered, in [0, 1].
    """

    plan: str
    fillers: Mapping[str, str]
    probability: float


def plan_roles(meta: MetaProcedure) -> dict[str, str]:
    """Map each slot of a plan's goal to its role: the plan's first use of the slot's entity."""
    roles: dict[str, str] = {}
    for place in meta.plan:
        for parameter_name, name in place.with_.items():
            parameter = meta.parameters.get(name)
            if parameter is not None and parameter.of is not None and place.run is not None:
                roles.setdefault(parameter.of, f"{place.run} {parameter_name}")
    return dict(sorted(roles.items()))


def plan_deeds(meta: MetaProcedure) -> str:
    """Return a plan's runs as text, equal for plans that differ only in their goal's words."""
    roles = plan_roles(meta)

    def role_of(name: str) -> str:
        parameter = meta.parameters.get(name)
        return roles.get(parameter.of, name) if parameter is not None and parameter.of else name

    return repr(
        [
            (
                place.run or place.follow,
                sorted((parameter_name, role_of(n)) for parameter_name, n in place.with_.items()),
            )
            for place in meta.plan
        ]
    )


class GoalReader:
    """Reads sentences with a lexicon of goals.

    Args:
        lexicon: The learned lexicon of goals.
        metas: Meta-procedures by id.
        kinds: All kinds known in the domain.
        similarity: Similarity of two words, for words without learned weights.
    """

    def __init__(
        self,
        lexicon: GoalLexicon,
        metas: Mapping[str, MetaProcedure],
        kinds: Iterable[str],
        similarity: Similarity | None = None,
    ) -> None:
        self._lexicon = lexicon
        self._similarity = similarity
        self._slots = {
            plan: roles
            for plan in lexicon.plans
            if plan in metas and metas[plan].status != "retired"
            if (roles := plan_roles(metas[plan])).keys()
            and all(role in lexicon.roles for role in roles.values())
        }
        known_kinds = {kind for role in lexicon.roles.values() for kind in role.kinds}
        self._named = frozenset(kinds) | known_kinds
        self._strange = tuple(sorted(set(kinds) - known_kinds))
        weights = [*lexicon.plans.values()]
        weights += [w for role in lexicon.roles.values() for w in role.kinds.values()]
        self._known = frozenset(word for each in weights for word in each)
        # Words of letters alone, in any script: no pairs, numbers or marks.
        self._single = tuple(sorted(word for word in self._known if word.isalpha()))
        self._longest = max((len(kind.replace(" ", "")) for kind in self._strange), default=0)
        self._texts: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def __bool__(self) -> bool:
        return bool(self._slots)

    def is_wording(self, word: str) -> bool:
        """Tell whether sentences use this word and no kind has it as its name."""
        return word in self._known and word not in self._named

    def readings(
        self, sentence: str, things: Mapping[str, int], present: Iterable[str]
    ) -> list[GoalReading]:
        """Return the readings of a sentence, best first, probabilities over all considered.

        Args:
            sentence: The goal in free words.
            things: Kind → number of its entities in the first observation.
            present: Kinds met so far.
        """
        sentence_features, spoken_names = self._heard(sentence)
        present_kinds = set(present)
        request_count = self._asked(things)
        plans = _log_softmax(
            {p: total(self._lexicon.plans[p], sentence_features) for p in self._slots}
        )
        roles = {
            name: self._ranked(name, sentence_features, spoken_names, present_kinds, request_count)
            for name in {role for slots in self._slots.values() for role in slots.values()}
        }
        count_by_part = _counts_with_pairs(request_count)
        scores: dict[tuple[str, ...], float] = {}
        for plan, slots in self._slots.items():
            options = [roles[role] for role in slots.values()]
            for kinds_and_scores in product(*options):
                fillers = [kind for kind, _ in kinds_and_scores]
                reading = (plan, *fillers)
                scores[reading] = plans[plan] + sum(score for _, score in kinds_and_scores)
                scores[reading] += _history_score(reading, count_by_part)
        ranked = sorted(_log_softmax(scores).items(), key=lambda item: (-item[1], item[0]))
        return [
            GoalReading(
                reading[0],
                dict(zip(self._slots[reading[0]], reading[1:], strict=True)),
                math.exp(log),
            )
            for reading, log in ranked
        ]

    def _heard(self, sentence: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """Return a sentence's features and the names that it may hold, cached by sentence."""
        entry = self._texts.get(sentence)
        if entry is None:
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            sentence_features = self._with_known_words(features(sentence))
            spoken_names = {*sentence_features, *_joined_words(sentence, self._longest)}
            entry = self._texts[sentence] = sentence_features, frozenset(spoken_names)
        return entry

    def _with_known_words(self, sentence_features: tuple[str, ...]) -> tuple[str, ...]:
        """Add the most similar known word for each word without learned weights."""
        if self._similarity is None:
            return sentence_features
        extended = list(sentence_features)
        for word in sentence_features:
            if word.isalpha() and word not in self._known and self._single:
                score, similar = max((self._similarity(word, each), each) for each in self._single)
                if score >= _LEAST_SIMILARITY and similar not in extended:
                    extended.append(similar)
        return tuple(extended)

    def _ranked(
        self,
        name: str,
        sentence_features: Sequence[str],
        spoken_names: Collection[str],
        present_kinds: set[str],
        request_count: Mapping[tuple[str, ...], float],
    ) -> list[tuple[str, float]]:
        """Return a role's most probable kinds with their log-probabilities."""
        role = self._lexicon.roles[name]
        scores = {kind: total(weights, sentence_features) for kind, weights in role.kinds.items()}
        best = max(scores.values(), default=0.0)
        # A kind that no learned sentence asks for is meant where the sentence names it.
        scores.update({k: best for k in self._strange if k.replace(" ", "") in spoken_names})
        absence_penalty = math.log(max(1.0 - role.initial, _LEAST_LATER))
        logs = _log_softmax(scores)
        logs = {
            kind: log + (0.0 if kind in present_kinds else absence_penalty)
            for kind, log in logs.items()
        }
        requested_kinds = {kind for request in request_count for kind in request[1:]}
        ranked = sorted(
            logs, key=lambda kind: (-logs[kind] - 2.0 * (kind in requested_kinds), kind)
        )
        return [(kind, logs[kind]) for kind in ranked[:_MOST_KINDS]]

    def _asked(self, things: Mapping[str, int]) -> dict[tuple[str, ...], float]:
        """Return request → its count in situations like this one, weighted by likeness."""
        count_by_request: dict[tuple[str, ...], float] = {}
        for situation in self._lexicon.situations:
            weight = likeness(things, situation.things) ** _LIKENESS_POWER
            if weight > 0.01:
                for request, count in situation.asked.items():
                    count_by_request[request] = count_by_request.get(request, 0.0) + weight * count
        return count_by_request


def _joined_words(sentence: str, longest: int) -> Iterator[str]:
    """Yield consecutive words of a sentence joined into one of at most ``longest`` letters."""
    parts = words(sentence)
    for start in range(len(parts)):
        run = ""
        for word in parts[start:]:
            run += word
            if len(run) > longest:
                break
            yield run


def _counts_with_pairs(
    request_count: Mapping[tuple[str, ...], float],
) -> dict[tuple[object, ...], float]:
    """Return counts of whole requests and of all pairs of their parts, by position."""
    counts: dict[tuple[object, ...], float] = {}
    for request, count in request_count.items():
        counts[request] = counts.get(request, 0.0) + count
        for pair in combinations(enumerate(request), 2):
            counts[pair] = counts.get(pair, 0.0) + count
    return counts


def _history_score(
    reading: tuple[str, ...], count_by_part: Mapping[tuple[object, ...], float]
) -> float:
    if not count_by_part:
        return 0.0
    score = _WHOLE * math.log(count_by_part.get(reading, 0.0) + _UNSEEN)
    for pair in combinations(enumerate(reading), 2):
        score += _PARTS * math.log(count_by_part.get(pair, 0.0) + _UNSEEN)
    return score


def _log_softmax(scores: Mapping[_Key, float]) -> dict[_Key, float]:
    """Return log-probabilities from scores."""
    if not scores:
        return {}
    highest = max(scores.values())
    normaliser = highest + math.log(sum(math.exp(score - highest) for score in scores.values()))
    return {key: score - normaliser for key, score in scores.items()}
