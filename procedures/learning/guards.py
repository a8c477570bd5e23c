"""Contrast: in which situations was an optional step done, and in which was it left out?

Situations are described first by features that mention a variable of the step: guards on anything
else easily fit by chance (on household games they cost two thirds of the wins). Only where no such
feature tells, another variable of the procedure that is bound by then may, and it must tell nearly
always: the lock that was looked at says whether to fetch a key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..conditions.text_patterns import quoted
from ..words.lexicon import Lexicon, fill_frame
from ..words.sentence_patterns import observation_patterns
from .segments import Segment

__all__ = ["TRUSTED_GUARD", "Guard", "Signature", "bound_before", "learn_guard", "variable_name"]

Signature = tuple[str, tuple[int, ...]]
"""A step inside a segment: (frame, indices of the segment's variables)."""

_NAMES = "xyzwvutsrqponmlkjihgfedcba"
_MARGIN = 0.005
"""A guard must beat the best simpler one by this much accuracy."""
TRUSTED_GUARD = 0.85
"""Accuracy below which a guard is not used."""
_TELLING = 0.95
"""Accuracy from which a guard needs no deeper one, and which one on other variables must have."""
_LEAST_SITUATIONS = 8
"""In fewer situations than this some feature of other variables fits by chance."""


def variable_name(index: int) -> str:
    """Name the i-th variable of a procedure: x, y, z, w, and so on."""
    return _NAMES[index] if index < len(_NAMES) else f"x{index}"


@dataclass(frozen=True, slots=True)
class Guard:
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
) -> Guard | None:
    """Find the condition that best tells when a step was done.

    Args:
        signature: The step.
        segments: All segments that achieve the same thing.
        order: The procedure's steps in order; it tells where a step that was left out would stand.
        lexicon: Finds entities.

    Returns:
        The best single-feature guard, or None if nothing beats always (or never) doing it.
    """
    own = frozenset(signature[1])
    best = _best(_situations(signature, segments, order, lexicon, own, history=False))
    if best is None or best.accuracy < _TELLING:
        deeper = _best(_situations(signature, segments, order, lexicon, own, history=True))
        if deeper is not None and (best is None or deeper.accuracy > best.accuracy + 0.02):
            best = deeper
    if best is None or best.accuracy < TRUSTED_GUARD:
        bound = bound_before(signature, order)
        wider = _situations(signature, segments, order, lexicon, bound, history=False)
        other = _best(wider) if len(wider) >= _LEAST_SITUATIONS else None
        if other is not None and other.accuracy >= _TELLING:
            return other
    return best


def bound_before(signature: Signature, order: Sequence[Signature]) -> frozenset[int]:
    """Variables of the step, of those before it and of the final one: bound when it is reached."""
    known = {*signature[1], *order[-1][1]}
    for earlier in order[: order.index(signature)]:
        known.update(earlier[1])
    return frozenset(known)


def _best(situations: Sequence[_Situation]) -> Guard | None:
    total = len(situations)
    taken = sum(situation.taken for situation in situations)
    if taken in (0, total):
        return None
    with_feature: Counter[str] = Counter()
    with_and_taken: Counter[str] = Counter()
    for situation in situations:
        with_feature.update(situation.features)
        if situation.taken:
            with_and_taken.update(situation.features)
    best: Guard | None = None
    bar = max(taken, total - taken) / total
    # "done" first: among equals the simplest reading wins.
    for feature in sorted(with_feature, key=lambda text: (text != "done", text)):
        hit = with_and_taken[feature]
        false_hit = with_feature[feature] - hit
        accuracy = (hit + (total - taken - false_hit)) / total
        if feature.startswith("observed") and accuracy > bar + _MARGIN:
            best, bar = Guard(feature, None, accuracy), accuracy
        opposite = 1.0 - accuracy
        if not feature.startswith("observed") and opposite > bar + _MARGIN:
            best, bar = Guard(None, feature, opposite), opposite
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
    out: list[_Situation] = []
    for segment in segments:
        step = segment.signatures.get(signature)
        at = step
        if at is None:
            following = [segment.signatures[s] for s in later if s in segment.signatures]
            at = min(following, default=segment.steps[-1])
        features = frozenset(_features(signature, segment, at, lexicon, mentioned, history=history))
        out.append(_Situation(step is not None, features))
    return out


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
    # A step that was left out may have had an entity of its own, which this segment lacks.
    held = len(segment.variables)
    arguments = tuple(segment.variables[v] for v in variables if v < held)
    names = {segment.variables[v]: variable_name(v) for v in sorted(mentioned) if v < held}
    episode = segment.episode
    if at > 0:
        for pattern in observation_patterns(lexicon, episode.trajectory.obs[at], names):
            if any("{" + name + "}" in pattern for name in names.values()):
                yield f"observed({quoted(pattern)})"
    before = episode.actions[:at]
    latest = next((used for known, used in reversed(before) if known == frame), None)
    if latest == arguments:
        yield "done"
    if history:
        yield from _history_features(segment, before, names)


def _history_features(
    segment: Segment, before: Sequence[tuple[str, tuple[str, ...]]], names: dict[str, str]
) -> Iterable[str]:
    """What has been done to the step's entities at any time before."""
    seen: set[str] = set()
    for frame, arguments in before:
        if names.keys().isdisjoint(arguments):
            continue
        shown = tuple("{" + names[a] + "}" if a in names else "*" for a in arguments)
        pattern = fill_frame(frame, shown)
        if pattern not in seen:
            seen.add(pattern)
            yield f"done({quoted(pattern)})"
