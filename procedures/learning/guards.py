"""Contrast: in which situations was an optional step done, and in which was it left out?

Situations are described only by features that mention a variable of the step; guards on anything
else fit by chance (on household games they cost two thirds of the wins).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..condition_patterns import quoted
from ..lexicon import Lexicon, fill_frame
from ..patterns import observation_patterns
from .segments import Segment

__all__ = ["Guard", "Signature", "learn_guard", "variable_name"]

Signature = tuple[str, tuple[int, ...]]
"""A step inside a segment: (frame, indices of the segment's variables)."""

_NAMES = "xyzwvutsrqponmlkjihgfedcba"
_MARGIN = 0.005
"""A guard must beat the best simpler one by this much accuracy."""


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
    situations = _situations(signature, segments, order, lexicon, history=False)
    best = _best(situations)
    if best is None or best.accuracy < 0.95:
        deeper = _best(_situations(signature, segments, order, lexicon, history=True))
        if deeper is not None and (best is None or deeper.accuracy > best.accuracy + 0.02):
            return deeper
    return best


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
    *,
    history: bool,
) -> list[_Situation]:
    later = list(order[order.index(signature) + 1 :])
    out: list[_Situation] = []
    for segment in segments:
        if any(variable >= len(segment.variables) for variable in signature[1]):
            continue
        step = segment.signatures.get(signature)
        at = step
        if at is None:
            following = [segment.signatures[s] for s in later if s in segment.signatures]
            at = min(following, default=segment.steps[-1])
        features = frozenset(_features(signature, segment, at, lexicon, history=history))
        out.append(_Situation(step is not None, features))
    return out


def _features(
    signature: Signature, segment: Segment, at: int, lexicon: Lexicon, *, history: bool
) -> Iterable[str]:
    frame, variables = signature
    arguments = tuple(segment.variables[variable] for variable in variables)
    names = {segment.variables[v]: variable_name(v) for v in variables}
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
