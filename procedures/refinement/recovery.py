"""Recovery rules: what to do where one cannot go on, from the experiments of all procedures.

Evidence is keyed on procedure and (preceding step, blocking observation) → action, as Beta counts
in the ledger. What was found out in one procedure says what every other tries first that takes the
same preceding step. A procedure gets a step only by experiments of its own.
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
from ..evidence.ledger_rows import Outcome, OutcomeKind
from ..evidence.posterior import posterior_mean, posterior_sd
from ..words.lexicon import Lexicon
from ..words.sentence_patterns import observation_patterns
from .bayes_factors import Table, Trigger, credible
from .occasions import about, occasions_of, written

__all__ = ["RECOVERY", "Recovery", "RecoveryEvidence", "recovery_rows"]

RECOVERY = "@recovery"
"""Ledger subject of experiments. No id of a procedure begins so."""

_LEAST = 3
"""Repairs before which nothing is believed (the paper's n_min)."""
_TRIGGER = Trigger()
"""When it is believed that one can go on more often with an action than without."""

Counts = tuple[float, float]
_NONE: Counts = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Recovery:
    """Do ``do`` when ``blocked`` is observed after ``after``; all over ``{0}``, ``{1}``, ….

    Attributes:
        after: Frame of the preceding step.
        blocked: Pattern of the observation that says that one cannot go on.
        do: What makes it possible.
        expect: Pattern of what follows when it works, or "".
        successes: Trials after which one could go on.
        failures: Trials after which one could not.
        stuck: Times that one could not go on with this observation.
        free: Times that one could.
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
    """Return the evidence of an episode's experiments, one row a key, in a stable order.

    Which procedure it was, what was done and what it showed stand in the row's binding.

    Args:
        episode: Its ``info`` holds the occasions.
        lexicon: Reads its texts.
        obstacles: (frame, pattern) after which one could not go on, ever; this episode's are
            added. Being able to go on is worth a row only after such.
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
            count((occasion.procedure, frame, pattern, "", ""), occasion.blocked)
            for index, repaired in occasion.trials:
                do = written(lexicon, episode.acts[index], slots)
                if do is not None:
                    shown = _shown(lexicon, episode.obs[index + 1], slots) if repaired else ""
                    count((occasion.procedure, frame, pattern, do, shown), repaired)
    at = now()
    return [
        Outcome(
            run=episode.id,
            step=step,
            subject_kind="binding",
            subject=RECOVERY,
            version=0,
            outcome=OutcomeKind.SUCCESS if good else OutcomeKind.EXECUTION_FAILED,
            successes=good,
            failures=bad,
            at=at,
            binding=key,
        )
        for step, (key, (good, bad)) in enumerate(sorted(counts.items()))
    ]


def _shown(lexicon: Lexicon, observation: str, slots: Mapping[str, str]) -> str:
    """Return the first sentence that names what the action was about and nothing else."""
    patterns = observation_patterns(lexicon, observation, dict(slots))
    own = [p for p in patterns if any("{" + slot + "}" in p for slot in slots.values())]
    return next((p for p in own if "*" not in p), own[0] if own else "")


class RecoveryEvidence:
    """Read-only view of the experiments in the ledger.

    Args:
        counts: Binding key → (successes, failures), of subject :data:`RECOVERY`.
    """

    def __init__(self, counts: Mapping[str, Counts]) -> None:
        self._tried: dict[tuple[str, str, str], Counts] = {}
        self._stuck: dict[tuple[str, str], Counts] = {}
        self._own: dict[tuple[str, str, str], Counts] = {}
        self._own_tried: dict[tuple[str, str, str], dict[str, Counts]] = defaultdict(dict)
        self._shown: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
        for key, (good, bad) in sorted(counts.items()):
            procedure, after, pattern, do, shown = _parts(key)
            if not do:
                self._stuck[after, pattern] = _plus(self._stuck.get((after, pattern)), good, bad)
                mine = (procedure, after, pattern)
                self._own[mine] = _plus(self._own.get(mine), good, bad)
                continue
            rule = (after, pattern, do)
            self._tried[rule] = _plus(self._tried.get(rule), good, bad)
            own = self._own_tried[procedure, after, pattern]
            own[do] = _plus(own.get(do), good, bad)
            if shown:
                seen = self._shown[rule]
                seen[shown] = seen.get(shown, 0.0) + good

    def promise(self, after: str, patterns: Iterable[str], do: str | None) -> tuple[float, float]:
        """Return the chance that an action helps here: its mean and standard deviation.

        Both in (0, 1); those of Beta(1, 1) where it was never tried.
        """
        tried = [self._tried.get((after, pattern, do or ""), _NONE) for pattern in patterns]
        good, bad = min(tried, key=lambda c: (1.0 + c[0]) / (2.0 + c[0] + c[1]), default=_NONE)
        return posterior_mean(1.0 + good, 1.0 + bad), posterior_sd(1.0 + good, 1.0 + bad)

    def obstacles(self, most: int) -> set[tuple[str, str]]:
        """Return (frame, pattern) after which one could not go on, the most frequent ones."""
        times = {key: stuck for key, (stuck, _) in self._stuck.items() if stuck}
        return set(nsmallest(most, times, key=lambda key: (-times[key], key)))

    def own_rule(self, procedure: str, rule: Recovery) -> Recovery | None:
        """Return a rule with what one procedure saw of it; None where that is not credible."""
        mine = (procedure, rule.after, rule.blocked)
        stuck, free = self._own.get(mine, _NONE)
        tried = self._own_tried.get(mine, {})
        good, bad = tried.get(rule.do, _NONE)
        own = replace(rule, successes=good, failures=bad, stuck=stuck, free=free)
        table = Table(good, bad, free, stuck)
        if good < _LEAST or not credible(table, 1.0 / len(tried), _TRIGGER):
            return None
        return own

    def rules(self, ordinary: Collection[tuple[str, str]] = ()) -> list[Recovery]:
        """Return the credible rules, one for each preceding step and action, in a stable order.

        Of the sentences of one observation, that one counts as blocking after which one was
        stuck in the largest share of cases; a rule is credible if after its action one could go
        on credibly more often than without it (:func:`.bayes_factors.credible`), however many
        actions were tried there.

        Args:
            ordinary: (frame, pattern) of what follows when all is well; such a sentence counts as
                blocking only if there is no other.
        """
        best: dict[tuple[str, str], tuple[tuple[bool, float, int], Recovery]] = {}
        tried = Counter((after, pattern) for after, pattern, _ in self._tried)
        for (after, pattern, do), (good, bad) in sorted(self._tried.items()):
            stuck, free = self._stuck.get((after, pattern), _NONE)
            if good < _LEAST:
                continue
            if not credible(Table(good, bad, free, stuck), 1.0 / tried[after, pattern], _TRIGGER):
                continue
            shown = self._shown.get((after, pattern, do), {})
            expect = min(shown, key=lambda text: (-shown[text], text), default="")
            rule = Recovery(after, pattern, do, expect, good, bad, stuck, free)
            share = (1.0 + stuck) / (2.0 + stuck + free)
            rank = ((after, pattern) not in ordinary, share, len(pattern))
            if (after, do) not in best or rank > best[after, do][0]:
                best[after, do] = rank, rule
        return [best[key][1] for key in sorted(best)]


@lru_cache(maxsize=10_000)
def _parts(key: str) -> tuple[str, ...]:
    """Read a key; the same ones are read after every episode."""
    return tuple(json.loads(key))


def _plus(known: Counts | None, good: float, bad: float) -> Counts:
    return (good, bad) if known is None else (known[0] + good, known[1] + bad)
