"""From segments that achieve the same thing to one draft procedure.

A draft still speaks of variables by index; it becomes a file's content in ``abstraction``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..words.lexicon import Lexicon, fill_frame
from .guards import TRUSTED_GUARD, Guard, Signature, learn_guard
from .segments import Segment, Wording

__all__ = ["Draft", "DraftStep", "draft_procedure"]

_ALWAYS = 0.98
"""A step in at least this share of the segments is not optional."""
_RARE = 0.01
"""A step in less than this share is noise."""


@dataclass(frozen=True, slots=True)
class DraftStep:
    """One step: a signature, a guard where it is optional, how many segments have it."""

    signature: Signature
    guard: Guard | None
    support: int


@dataclass(slots=True)
class Draft:
    """What the segments with one final frame have in common.

    Attributes:
        final: Frame of the last step.
        arity: Number of its arguments; variables 0 … arity-1 are those.
        steps: Steps in order, the final one last.
        found_via: Variable that is found by search → the variable searched through.
        kinds: Variable → kinds it was bound to, counted.
        sources: Variable of the final step → how its argument was known, counted.
        earlier: Variable → what was last done to its entity before the segment, counted.
        segments: What it was abstracted from.
    """

    final: str
    arity: int
    steps: list[DraftStep] = field(default_factory=list)
    found_via: dict[int, int] = field(default_factory=dict)
    kinds: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sources: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    earlier: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    segments: list[Segment] = field(default_factory=list)

    @property
    def told(self) -> Wording | None:
        """What somebody else says of its segments; None where the learner cut them."""
        return self.segments[0].told if self.segments else None

    @property
    def variables(self) -> list[int]:
        """Indices of all variables that a step or a search uses."""
        used = {v for step in self.steps for v in step.signature[1]}
        used.update(range(self.arity), self.found_via, self.found_via.values())
        return sorted(used)


def draft_procedure(
    final: str, segments: Sequence[Segment], lexicon: Lexicon, *, guarded: bool = True
) -> Draft:
    """Abstract one draft from all segments that end with the same frame.

    Args:
        final: The frame.
        segments: At least one.
        lexicon: Finds entities.
        guarded: Whether optional steps get guards; else the majority decides on each.
    """
    arity = len(segments[0].episode.actions[segments[0].steps[-1]][1])
    draft = Draft(final, arity, segments=list(segments))
    _learn_sources(draft)
    for segment in segments:
        for variable, entity in enumerate(segment.variables):
            draft.kinds[variable][lexicon.kind(entity)] += 1
    _learn_steps(draft, lexicon, guarded=guarded)
    return draft


def _learn_sources(draft: Draft) -> None:
    """How was each argument of the final step known: given, met at the start, or searched for?"""
    outside: list[tuple[Segment, int, str]] = []
    carriers: dict[int, Counter[int]] = defaultdict(Counter)
    searched: Counter[int] = Counter()
    for segment in draft.segments:
        episode = segment.episode
        last = segment.steps[-1]
        before = {
            entity
            for step in episode.core
            if step < segment.steps[0]
            for entity in episode.actions[step][1]
        }
        for variable, entity in enumerate(episode.actions[last][1]):
            link = episode.core[last][entity]
            draft.sources[variable]["given" if entity in before else link.how] += 1
            _note_earlier(draft, segment, variable, entity)
            if link.how != "mention":
                continue
            used = episode.actions[link.step][1] if link.step >= 0 else ()
            inside = [segment.variables.index(e) for e in used if e in segment.variables]
            if inside:
                searched[variable] += 1
                carriers[variable][inside[0]] += 1
            elif used:
                # What revealed it was done before this segment began: its place is hidden here.
                searched[variable] += 1
                outside.append((segment, variable, used[0]))
    for variable, count in sorted(searched.items()):
        if carriers[variable] and count > 0.5 * len(draft.segments):
            best = min(carriers[variable], key=lambda c: (-carriers[variable][c], c))
            draft.found_via[variable] = best
    for segment, variable, place in outside:
        carrier = draft.found_via.get(variable)
        if carrier is not None and carrier == len(segment.variables):
            segment.variables.append(place)


def _note_earlier(draft: Draft, segment: Segment, variable: int, entity: str) -> None:
    for frame, arguments in reversed(segment.episode.actions[: segment.steps[0]]):
        if entity in arguments:
            shown = ["*"] * len(arguments)
            shown[arguments.index(entity)] = "{v}"
            draft.earlier[variable][fill_frame(frame, shown)] += 1
            return
    draft.earlier[variable][""] += 1


def _learn_steps(draft: Draft, lexicon: Lexicon, *, guarded: bool) -> None:
    total = len(draft.segments)
    count: Counter[Signature] = Counter()
    position: dict[Signature, float] = defaultdict(float)
    for segment in draft.segments:
        place = {step: i for i, step in enumerate(segment.steps)}
        for signature, step in segment.signatures.items():
            count[signature] += 1
            position[signature] += place[step] / len(segment.steps)
    final: Signature = (draft.final, tuple(range(draft.arity)))
    order = sorted(count, key=lambda s: (s == final, position[s] / count[s], s))
    for signature in order:
        support = count[signature]
        if signature == final:
            draft.steps.append(DraftStep(signature, None, support))
            continue
        if support < max(1, _RARE * total):
            continue
        guard = learn_guard(signature, draft.segments, order, lexicon) if guarded else None
        if guard is None or guard.accuracy < TRUSTED_GUARD:
            # Without a reason to leave it out, what the majority did is done.
            if support > 0.5 * total:
                draft.steps.append(DraftStep(signature, None, support))
            continue
        draft.steps.append(DraftStep(signature, guard, support))
