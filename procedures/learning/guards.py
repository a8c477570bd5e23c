"""Learn guards by contrast: the situations where an optional step was done, and where it was not.

Features that mention a variable of the step come first: guards on anything else easily fit by
chance. Where no such feature is accurate enough, a feature of another variable that is bound by
then may serve, if it is right nearly always: an observed lock decides whether to fetch a key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..conditions.text_patterns import quoted
from ..words.lexicon import Lexicon, fill_frame, placeholders
from ..words.sentence_patterns import naming_patterns
from .segments import Segment

Signature = tuple[str, tuple[int, ...]]
"""A step inside a segment: (frame, indices of the segment's variables)."""

_NAMES = "xyzwvutsrqponmlkjihgfedcba"
_MARGIN = 0.005
"""Least gain in accuracy over the best simpler guard."""
TRUSTED_GUARD = 0.85
"""Accuracy below which a guard is not used."""
_TELLING = 0.95
"""Accuracy from which a guard needs no deeper one; the least for a guard on other variables."""
_LEAST_SITUATIONS = 8
"""Situations; in fewer some feature of other variables fits by chance."""


def variable_name(index: int) -> str:
    """Name the i-th variable of a procedure: x, y, z, w, and so on."""
    return _NAMES[index] if index < len(_NAMES) else f"x{index}"


@dataclass(frozen=True, slots=True)
class StepGuard:
    """A learned condition for doing an optional step.

    Attributes:
        when: Condition under which the step is done, or None.
        unless: Condition under which it is left out, or None.
        accuracy: Share of situations that the guard decides as the demonstrations did.
    """

    when: str | None
    unless: str | None
    accuracy: float


@dataclass(frozen=True, slots=True)
class _Situation:
    taken: bool
    features: frozenset[str]


def learn_guard(
    signature: Signature,
    segments: Sequence[Segment],
    order: Sequence[Signature],
    lexicon: Lexicon,
) -> StepGuard | None:
    """Find the condition that best predicts whether a step was done.

    Args:
        signature: The step.
        segments: All segments that achieve the same thing.
        order: The procedure's steps in order; it places a step that was left out.
        lexicon: Finds entities.

    Returns:
        The best single-feature guard, or None if nothing beats always (or never) doing it.
    """
    step_variables = frozenset(signature[1])
    best = _best(_situations(signature, segments, order, lexicon, step_variables, history=False))
    if best is None or best.accuracy < _TELLING:
        history_guard = _best(
            _situations(signature, segments, order, lexicon, step_variables, history=True)
        )
        if history_guard is not None and (
            best is None or history_guard.accuracy > best.accuracy + 0.02
        ):
            best = history_guard
    if best is None or best.accuracy < TRUSTED_GUARD:
        bound_variables = bound_before(signature, order)
        wider_situations = _situations(
            signature, segments, order, lexicon, bound_variables, history=False
        )
        wider_guard = (
            _best(wider_situations) if len(wider_situations) >= _LEAST_SITUATIONS else None
        )
        if wider_guard is not None and wider_guard.accuracy >= _TELLING:
            return wider_guard
    return best


def bound_before(signature: Signature, order: Sequence[Signature]) -> frozenset[int]:
    """Return the variables bound at a step: those of it, of earlier steps and of the last one."""
    variables = {*signature[1], *order[-1][1]}
    for earlier in order[: order.index(signature)]:
        variables.update(earlier[1])
    return frozenset(variables)


def _best(situations: Sequence[_Situation]) -> StepGuard | None:
    total = len(situations)
    taken_count = sum(situation.taken for situation in situations)
    if taken_count in (0, total):
        return None
    with_feature: Counter[str] = Counter()
    with_and_taken: Counter[str] = Counter()
    for situation in situations:
        with_feature.update(situation.features)
        if situation.taken:
            with_and_taken.update(situation.features)
    best: StepGuard | None = None
    best_accuracy = max(taken_count, total - taken_count) / total
    # "done" first: among equals the simplest reading wins.
    for feature in sorted(with_feature, key=lambda text: (text != "done", text)):
        hits = with_and_taken[feature]
        false_hits = with_feature[feature] - hits
        accuracy = (hits + (total - taken_count - false_hits)) / total
        if feature.startswith("observed") and accuracy > best_accuracy + _MARGIN:
            best, best_accuracy = StepGuard(feature, None, accuracy), accuracy
        opposite = 1.0 - accuracy
        if not feature.startswith("observed") and opposite > best_accuracy + _MARGIN:
            best, best_accuracy = StepGuard(None, feature, opposite), opposite
    return best


def _situations(
    signature: Signature,
    segments: Sequence[Segment],
    order: Sequence[Signature],
    lexicon: Lexicon,
    mentioned: frozenset[int],
    *,
    history: bool,
) -> list[_Situation]:
    later = list(order[order.index(signature) + 1 :])
    situations: list[_Situation] = []
    for segment in segments:
        step = segment.signatures.get(signature)
        at = step
        if at is None:
            following = [segment.signatures[s] for s in later if s in segment.signatures]
            at = min(following, default=segment.end)
        features = frozenset(_features(signature, segment, at, lexicon, mentioned, history=history))
        situations.append(_Situation(step is not None, features))
    return situations


def _features(
    signature: Signature,
    segment: Segment,
    at: int,
    lexicon: Lexicon,
    mentioned: frozenset[int],
    *,
    history: bool,
) -> Iterable[str]:
    frame, variables = signature
    # This segment may lack an entity that only the omitted step uses.
    variable_count = len(segment.variables)
    arguments = tuple(segment.variables[v] for v in variables if v < variable_count)
    names = {
        segment.variables[v]: variable_name(v) for v in sorted(mentioned) if v < variable_count
    }
    episode = segment.episode
    if at > 0:
        for pattern in naming_patterns(lexicon, episode.trajectory.obs[at], names):
            yield f"observed({quoted(pattern)})"
    before = episode.actions[:at]
    latest = next(
        (
            earlier_arguments
            for earlier_frame, earlier_arguments in reversed(before)
            if earlier_frame == frame
        ),
        None,
    )
    if latest == arguments:
        yield "done"
    if history:
        yield from _history_features(before, names)


def _history_features(
    before: Sequence[tuple[str, tuple[str, ...]]], names: dict[str, str]
) -> Iterable[str]:
    """Yield a ``done`` condition for each earlier action on the named entities."""
    patterns: set[str] = set()
    for frame, arguments in before:
        if names.keys().isdisjoint(arguments):
            continue
        pattern = fill_frame(frame, placeholders(arguments, names))
        if pattern not in patterns:
            patterns.add(pattern)
            yield f"done({quoted(pattern)})"
