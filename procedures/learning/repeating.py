"""Steps that are repeated until something is observed: waiting, polling, trying again.

How often differs from episode to episode, so the number teaches nothing; what followed the last
repetition and none before it tells when to stop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..condition_patterns import quoted
from ..lexicon import Lexicon
from ..patterns import observation_patterns
from .analysis import Episode, SupportStatistics, close_core
from .guards import Signature, variable_name
from .segments import Segment

__all__ = ["Repetition", "add_repetitions", "learn_repetition"]

_TELLING = 0.95
"""Share of observations that the condition for stopping must sort as the demonstrations did."""
_LEAST_REPEATED = 3
"""Fewer segments than this that repeat a step prove nothing."""
_MARGIN = 2
"""A step may be repeated this many times as often as was ever seen."""
_MOST = 10_000
"""The schema's limit of ``at_most``."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Until when a step is repeated.

    Attributes:
        until: Condition, checked after each repetition.
        at_most: Repetitions after which it is given up, 1 to 10,000.
    """

    until: str
    at_most: int


def add_repetitions(episode: Episode, support: SupportStatistics) -> None:
    """Add to the core what repeats a core step at once, before or after it."""
    actions = episode.actions
    for t in episode.order:
        for direction in (-1, 1):
            at = t + direction
            while 0 <= at < len(actions) and actions[at] == actions[t]:
                close_core(episode, at, support)
                at += direction


def learn_repetition(
    signature: Signature,
    segments: Iterable[Segment],
    bound: frozenset[int],
    lexicon: Lexicon,
) -> Repetition | None:
    """Find what tells that a step has been repeated often enough.

    Args:
        signature: The step.
        segments: All segments that achieve the same thing.
        bound: Variables that the condition may mention.
        lexicon: Finds entities.

    Returns:
        The condition and the bound, or None where the step is not repeated or nothing tells.
    """
    runs = [(s, _run(s, signature)) for s in segments if signature in s.signatures]
    lengths = [len(run) for _, run in runs]
    if sum(length > 1 for length in lengths) < _LEAST_REPEATED:
        return None
    after_last: Counter[str] = Counter()
    after_earlier: Counter[str] = Counter()
    for segment, run in runs:
        names = {
            entity: variable_name(v) for v, entity in enumerate(segment.variables) if v in bound
        }
        for step in run:
            observation = segment.episode.trajectory.obs[step + 1]
            patterns = observation_patterns(lexicon, observation, names)
            (after_last if step == run[-1] else after_earlier).update(patterns)
    ends, others = len(runs), sum(lengths) - len(runs)
    condition = _telling(after_last, after_earlier, ends, others)
    return None if condition is None else Repetition(condition, min(_MOST, _MARGIN * max(lengths)))


def _run(segment: Segment, signature: Signature) -> Sequence[int]:
    first = segment.signatures[signature]
    actions = segment.episode.actions
    stop = first
    while stop < len(actions) and actions[stop] == actions[first]:
        stop += 1
    return range(first, stop)


def _telling(
    after_last: Counter[str], after_earlier: Counter[str], ends: int, others: int
) -> str | None:
    """What is observed after the last repetition alone, or else after all others alone."""
    best: tuple[float, bool, int, str] | None = None
    for pattern in after_last.keys() | after_earlier.keys():
        if not pattern.replace("*", "").strip():
            continue
        seen, early = after_last[pattern] / ends, after_earlier[pattern] / others
        for negated, right in ((False, min(seen, 1 - early)), (True, min(1 - seen, early))):
            rank = (-right, negated, -pattern.count("{"), pattern)
            if right >= _TELLING and (best is None or rank < best):
                best = rank
    if best is None:
        return None
    said = f"observed({quoted(best[3])})"
    return f"not {said}" if best[1] else said
