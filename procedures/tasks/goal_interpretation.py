"""Readings of a goal in people's words, the most probable first.

The score of a reading is the log-linear model's log-probability of its plan and of the kind in
each of its roles, plus what was asked before in situations like this one (counts smoothed by
:data:`_UNSEEN`), minus what the world already contradicts.
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

__all__ = ["GoalReader", "GoalReading", "plan_deeds", "plan_roles"]

_KINDS = 8
"""Most kinds considered for one role of a reading."""
_WHOLE, _PARTS = 0.5, 0.2
"""Weight of whole readings asked before in like situations, and of each pair of their parts."""
_UNSEEN = 0.1
"""Times that something never asked counts as asked."""
_SHARP = 16
"""Power of the likeness with which a situation's goals count: nearly only the same place does."""
_NOT_HERE = 0.01
"""Least probability that a kind that is always there at the beginning is met later."""
_TEXTS = 256
"""Most sentences of which is remembered what they have; an episode reads one or two, often."""
_ALIKE = 0.5
"""Similarity from which a known word stands for an unknown one."""

Similarity = Callable[[str, str], float]
_Key = TypeVar("_Key", str, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class GoalReading:
    """One reading.

    Attributes:
        plan: Id of the meta-procedure.
        fillers: Slot of its goal → kind.
        probability: Of this reading among all considered, in [0, 1].
    """

    plan: str
    fillers: Mapping[str, str]
    probability: float


def plan_roles(meta: MetaProcedure) -> dict[str, str]:
    """Slot of a plan's goal → its role: where the plan first uses what the slot names."""
    roles: dict[str, str] = {}
    for place in meta.plan:
        for own, name in place.with_.items():
            parameter = meta.parameters.get(name)
            if parameter is not None and parameter.of is not None and place.run is not None:
                roles.setdefault(parameter.of, f"{place.run} {own}")
    return dict(sorted(roles.items()))


def plan_deeds(meta: MetaProcedure) -> str:
    """Name what a plan does, so that plans that differ only in their goal's words are equal."""
    roles = plan_roles(meta)

    def named(name: str) -> str:
        parameter = meta.parameters.get(name)
        return roles.get(parameter.of, name) if parameter is not None and parameter.of else name

    return repr(
        [
            (place.run or place.follow, sorted((own, named(n)) for own, n in place.with_.items()))
            for place in meta.plan
        ]
    )


class GoalReader:
    """Reads sentences with a lexicon of goals.

    Args:
        lexicon: What was learned.
        metas: Meta-procedures by id.
        kinds: All kinds known in the domain.
        similarity: Of two words, for words that were never learned from.
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
        told = {kind for role in lexicon.roles.values() for kind in role.kinds}
        self._named = frozenset(kinds) | told
        self._strange = tuple(sorted(set(kinds) - told))
        weights = [*lexicon.plans.values()]
        weights += [w for role in lexicon.roles.values() for w in role.kinds.values()]
        self._known = frozenset(word for each in weights for word in each)
        # Of letters alone, in any script: words, and neither pairs of them nor numbers nor marks.
        self._single = tuple(sorted(word for word in self._known if word.isalpha()))
        self._longest = max((len(kind.replace(" ", "")) for kind in self._strange), default=0)
        self._texts: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def __bool__(self) -> bool:
        return bool(self._slots)

    def is_wording(self, word: str) -> bool:
        """Whether sentences use this word, but no kind is called so: it is no kind's name."""
        return word in self._known and word not in self._named

    def readings(
        self, sentence: str, things: Mapping[str, int], present: Iterable[str]
    ) -> list[GoalReading]:
        """Return the readings of a sentence, best first, probabilities over all considered.

        Args:
            sentence: The goal as somebody wrote it.
            things: Kind → how many of it there were at the beginning.
            present: Kinds met so far.
        """
        said, spoken = self._heard(sentence)
        here = set(present)
        asked = self._asked(things)
        plans = _log_softmax({p: total(self._lexicon.plans[p], said) for p in self._slots})
        roles = {
            name: self._ranked(name, said, spoken, here, asked)
            for name in {role for slots in self._slots.values() for role in slots.values()}
        }
        counted = _parts(asked)
        scores: dict[tuple[str, ...], float] = {}
        for plan, slots in self._slots.items():
            options = [roles[role] for role in slots.values()]
            for chosen in product(*options):
                fillers = [kind for kind, _ in chosen]
                what = (plan, *fillers)
                scores[what] = plans[plan] + sum(score for _, score in chosen)
                scores[what] += _before(what, counted)
        ranked = sorted(_log_softmax(scores).items(), key=lambda item: (-item[1], item[0]))
        return [
            GoalReading(
                what[0], dict(zip(self._slots[what[0]], what[1:], strict=True)), math.exp(log)
            )
            for what, log in ranked
        ]

    def _heard(self, sentence: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """Return what a sentence has, and the names it may speak; found once for each sentence."""
        known = self._texts.get(sentence)
        if known is None:
            if len(self._texts) >= _TEXTS:
                self._texts.clear()
            said = self._with_known_words(features(sentence))
            spoken = {*said, *_runs(sentence, self._longest)}
            known = self._texts[sentence] = said, frozenset(spoken)
        return known

    def _with_known_words(self, said: tuple[str, ...]) -> tuple[str, ...]:
        """Add a known word for each one that was never learned from."""
        if self._similarity is None:
            return said
        found = list(said)
        for word in said:
            if word.isalpha() and word not in self._known and self._single:
                score, like = max((self._similarity(word, each), each) for each in self._single)
                if score >= _ALIKE and like not in found:
                    found.append(like)
        return tuple(found)

    def _ranked(
        self,
        name: str,
        said: Sequence[str],
        spoken: Collection[str],
        here: set[str],
        asked: Mapping[tuple[str, ...], float],
    ) -> list[tuple[str, float]]:
        """Return a role's most probable kinds with their log-probabilities."""
        role = self._lexicon.roles[name]
        scores = {kind: total(weights, said) for kind, weights in role.kinds.items()}
        best = max(scores.values(), default=0.0)
        # A kind of which nothing was ever asked is meant where it is called by its name.
        scores.update({k: best for k in self._strange if k.replace(" ", "") in spoken})
        missing = math.log(max(1.0 - role.initial, _NOT_HERE))
        logs = _log_softmax(scores)
        logs = {kind: log + (0.0 if kind in here else missing) for kind, log in logs.items()}
        usual = {kind for what in asked for kind in what[1:]}
        ranked = sorted(logs, key=lambda kind: (-logs[kind] - 2.0 * (kind in usual), kind))
        return [(kind, logs[kind]) for kind in ranked[:_KINDS]]

    def _asked(self, things: Mapping[str, int]) -> dict[tuple[str, ...], float]:
        """Return how often each goal was asked in situations like this one."""
        counts: dict[tuple[str, ...], float] = {}
        for situation in self._lexicon.situations:
            weight = likeness(things, situation.things) ** _SHARP
            if weight > 0.01:
                for what, count in situation.asked.items():
                    counts[what] = counts.get(what, 0.0) + weight * count
        return counts


def _runs(sentence: str, longest: int) -> Iterator[str]:
    """Yield the words in a row of a sentence, written as one word of at most so many letters."""
    said = words(sentence)
    for start in range(len(said)):
        run = ""
        for word in said[start:]:
            run += word
            if len(run) > longest:
                break
            yield run


def _parts(asked: Mapping[tuple[str, ...], float]) -> dict[tuple[object, ...], float]:
    """Counts of whole goals and of all pairs of their parts, by position."""
    counts: dict[tuple[object, ...], float] = {}
    for what, count in asked.items():
        counts[what] = counts.get(what, 0.0) + count
        for pair in combinations(enumerate(what), 2):
            counts[pair] = counts.get(pair, 0.0) + count
    return counts


def _before(what: tuple[str, ...], counted: Mapping[tuple[object, ...], float]) -> float:
    if not counted:
        return 0.0
    score = _WHOLE * math.log(counted.get(what, 0.0) + _UNSEEN)
    for pair in combinations(enumerate(what), 2):
        score += _PARTS * math.log(counted.get(pair, 0.0) + _UNSEEN)
    return score


def _log_softmax(scores: Mapping[_Key, float]) -> dict[_Key, float]:
    """Return log-probabilities from scores."""
    if not scores:
        return {}
    highest = max(scores.values())
    normaliser = highest + math.log(sum(math.exp(score - highest) for score in scores.values()))
    return {key: score - normaliser for key, score in scores.items()}
