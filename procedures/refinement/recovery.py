"""Recovery rules: what to do where a run is stuck, from the experiments of all procedures.

The ledger holds Beta counts of (procedure, preceding step, blocking observation, action). Counts of
one procedure guide the first trials of every other with the same preceding step. A procedure gets a
step only by experiments of its own.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nsmallest

from ..common.clock import now
from ..episodes.trajectories import Trajectory
from ..evidence.ledger_rows import Counts, Outcome
from ..evidence.posterior import posterior_mean, posterior_sd
from ..words.lexicon import Lexicon
from ..words.sentence_patterns import naming_patterns
from .bayes_factors import Table, Trigger, credible
from .occasions import Occasion, about, occasions_of, written

RECOVERY = "@recovery"
"""Ledger subject of experiments. No id of a procedure begins with ``@``."""

_LEAST = 3
"""Repairs; with fewer no rule is credible (the paper's n_min)."""
_TRIGGER = Trigger()
"""When it is credible that an action lets a run go on more often."""

_NO_COUNTS: Counts = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Recovery:
    """Do ``do`` when ``blocked`` is observed after ``after``; all over ``{0}``, ``{1}``, ….

    Attributes:
        after: Frame of the preceding step.
        blocked: Pattern of the observation after which a run is stuck.
        do: Action that frees it.
        expect: Pattern of the observation when it works, or "".
        successes: Trials after which the run could go on.
        failures: Trials after which it could not.
        stuck: Times that a run was stuck after this observation.
        free: Times that it could go on after this observation by something else than ``do``.
    """

    after: str
    blocked: str
    do: str
    expect: str
    successes: float
    failures: float
    stuck: float
    free: float

    @property
    def rate(self) -> float:
        """Posterior mean of the chance that it repairs, in (0, 1)."""
        return (1.0 + self.successes) / (2.0 + self.successes + self.failures)


def recovery_rows(
    episode: Trajectory, lexicon: Lexicon, obstacles: set[tuple[str, str]]
) -> list[Outcome]:
    """Return the evidence of an episode's experiments, one row per key, in a stable order.

    The row's binding holds the procedure, the action and its answer; where a run could go on, the
    action by which it did stands for the answer. So a step that mends an obstacle does not speak
    against itself: runs that go on by it could not go on without it.

    Args:
        episode: Its ``info`` holds the occasions.
        lexicon: Reads its texts.
        obstacles: Each (frame, pattern) after which a run was ever stuck; this episode's are
            added. Free occasions get a row only after such an observation.
    """
    counts: dict[str, list[float]] = {}

    def count(key: Sequence[str], good: bool) -> None:
        entry = counts.setdefault(json.dumps(key, ensure_ascii=False), [0.0, 0.0])
        entry[0 if good else 1] += 1.0

    for occasion in occasions_of(episode):
        after = episode.acts[occasion.after]
        frame, slots, patterns = about(lexicon, after, episode.obs[occasion.after + 1])
        for pattern in patterns:
            if occasion.blocked:
                obstacles.add((frame, pattern))
            elif (frame, pattern) not in obstacles:
                continue
            following = "" if occasion.blocked else _following(lexicon, episode, occasion, slots)
            count((occasion.procedure, frame, pattern, "", following), occasion.blocked)
            for index, repaired in occasion.trials:
                do = written(lexicon, episode.acts[index], slots)
                if do is not None:
                    answer = (
                        _sentence_about(lexicon, episode.obs[index + 1], slots) if repaired else ""
                    )
                    count((occasion.procedure, frame, pattern, do, answer), repaired)
    at = now()
    return [
        Outcome.of_sums(episode.id, ("binding", RECOVERY, 0, key), (good, bad), at, step=step)
        for step, (key, (good, bad)) in enumerate(sorted(counts.items()))
    ]


def _following(
    lexicon: Lexicon, episode: Trajectory, occasion: Occasion, slots: Mapping[str, str]
) -> str:
    """Return the action by which a run went on, over a situation's slots; "" for any other."""
    actions = episode.acts[occasion.after + 1 : occasion.after + 2]
    return next((written(lexicon, each, slots) or "" for each in actions), "")


def _sentence_about(lexicon: Lexicon, observation: str, slots: Mapping[str, str]) -> str:
    """Return the first sentence that names the action's entities only, else one that names one."""
    naming = naming_patterns(lexicon, observation, slots)
    return next((p for p in naming if "*" not in p), naming[0] if naming else "")


class RecoveryEvidence:
    """Read-only view of the experiments in the ledger.

    Args:
        counts: Binding key → (successes, failures), of subject :data:`RECOVERY`.
    """

    def __init__(self, counts: Mapping[str, Counts]) -> None:
        self._tried: dict[tuple[str, str, str], Counts] = {}
        self._stuck: dict[tuple[str, str], Counts] = {}
        self._own: dict[tuple[str, str, str], Counts] = {}
        self._by: dict[tuple[str, str, str], float] = defaultdict(float)
        self._own_by: dict[tuple[str, str, str, str], float] = defaultdict(float)
        self._own_tried: dict[tuple[str, str, str], dict[str, Counts]] = defaultdict(dict)
        self._shown: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
        for key, (good, bad) in sorted(counts.items()):
            procedure, after, pattern, do, answer = _parts(key)
            if not do:
                self._stuck[after, pattern] = _added(self._stuck.get((after, pattern)), good, bad)
                own_key = (procedure, after, pattern)
                self._own[own_key] = _added(self._own.get(own_key), good, bad)
                self._by[after, pattern, answer] += bad
                self._own_by[procedure, after, pattern, answer] += bad
                continue
            rule = (after, pattern, do)
            self._tried[rule] = _added(self._tried.get(rule), good, bad)
            counts_by_action = self._own_tried[procedure, after, pattern]
            counts_by_action[do] = _added(counts_by_action.get(do), good, bad)
            if answer:
                count_by_answer = self._shown[rule]
                count_by_answer[answer] = count_by_answer.get(answer, 0.0) + good

    def promise(self, after: str, patterns: Iterable[str], do: str | None) -> tuple[float, float]:
        """Return mean and standard deviation of the chance that an action helps here, in (0, 1).

        Without a trial they are those of Beta(1, 1).
        """
        counts = [self._tried.get((after, pattern, do or ""), _NO_COUNTS) for pattern in patterns]
        good, bad = min(
            counts, key=lambda c: (1.0 + c[0]) / (2.0 + c[0] + c[1]), default=_NO_COUNTS
        )
        return posterior_mean(1.0 + good, 1.0 + bad), posterior_sd(1.0 + good, 1.0 + bad)

    def obstacles(self, most: int) -> set[tuple[str, str]]:
        """Return the most frequent (frame, pattern) after which a run was stuck."""
        times = {key: stuck for key, (stuck, _) in self._stuck.items() if stuck}
        return set(nsmallest(most, times, key=lambda key: (-times[key], key)))

    def own_rule(self, procedure: str, rule: Recovery) -> Recovery | None:
        """Return a rule with one procedure's own counts; None where they are not credible."""
        own_key = (procedure, rule.after, rule.blocked)
        stuck, free = self._own.get(own_key, _NO_COUNTS)
        free -= self._own_by.get((*own_key, rule.do), 0.0)
        counts_by_action = self._own_tried.get(own_key, {})
        good, bad = counts_by_action.get(rule.do, _NO_COUNTS)
        counted_rule = replace(rule, successes=good, failures=bad, stuck=stuck, free=free)
        table = Table(good, bad, free, stuck)
        if good < _LEAST or not credible(table, 1.0 / len(counts_by_action), _TRIGGER):
            return None
        return counted_rule

    def rules(self, ordinary: Collection[tuple[str, str]] = ()) -> list[Recovery]:
        """Return the credible rules, one for each preceding step and action, in a stable order.

        The blocking sentence of an observation is the one with the largest share of stuck runs.
        A rule is credible if runs go on credibly more often after its action than without it
        (:func:`.bayes_factors.credible`, corrected for the number of actions tried there).

        Args:
            ordinary: (frame, pattern) that steps expect; such a sentence counts as blocking only
                if there is no other.
        """
        best_by_situation: dict[tuple[str, str], tuple[tuple[bool, float, int], Recovery]] = {}
        action_count = Counter((after, pattern) for after, pattern, _ in self._tried)
        for (after, pattern, do), (good, bad) in sorted(self._tried.items()):
            stuck, went_on = self._stuck.get((after, pattern), _NO_COUNTS)
            free = went_on - self._by.get((after, pattern, do), 0.0)
            if good < _LEAST:
                continue
            if not credible(
                Table(good, bad, free, stuck), 1.0 / action_count[after, pattern], _TRIGGER
            ):
                continue
            count_by_answer = self._shown.get((after, pattern, do), {})
            expect = min(
                count_by_answer, key=lambda text: (-count_by_answer[text], text), default=""
            )
            rule = Recovery(after, pattern, do, expect, good, bad, stuck, free)
            share = (1.0 + stuck) / (2.0 + stuck + went_on)
            rank = ((after, pattern) not in ordinary, share, len(pattern))
            if (after, do) not in best_by_situation or rank > best_by_situation[after, do][0]:
                best_by_situation[after, do] = rank, rule
        return [best_by_situation[key][1] for key in sorted(best_by_situation)]


@lru_cache(maxsize=10_000)
def _parts(key: str) -> tuple[str, ...]:
    """Parse a binding key; the cache serves the same keys after every episode."""
    return tuple(json.loads(key))


def _added(counts: Counts | None, good: float, bad: float) -> Counts:
    return (good, bad) if counts is None else (counts[0] + good, counts[1] + bad)
