"""Abstract segments that achieve the same thing into one draft procedure.

A draft refers to variables by index; ``abstraction`` writes it as a document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..words.lexicon import Lexicon, fill_frame
from .guards import TRUSTED_GUARD, Signature, StepGuard, learn_guard
from .provenance import OWN_PLAY
from .segments import Look, Segment, Wording, last_look

_RARE = 0.01
"""A step in less than this share is noise."""


@dataclass(frozen=True, slots=True)
class DraftStep:
    """One step: a signature, a guard where it is optional, how many segments have it."""

    signature: Signature
    guard: StepGuard | None
    support: int


@dataclass(slots=True)
class Draft:
    """The common part of the segments with one final frame.

    Attributes:
        final: Frame of the last step.
        arity: Number of its arguments; they are variables 0 … arity-1.
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
        """Another's wording of its segments; None where the learner cut them."""
        return self.segments[0].told if self.segments else None

    @property
    def variables(self) -> list[int]:
        """Indices of all variables that a step or a search uses."""
        indices = {v for step in self.steps for v in step.signature[1]}
        indices.update(range(self.arity), self.found_via, self.found_via.values())
        return sorted(indices)

    @property
    def is_played(self) -> bool:
        """Whether own play alone shows it."""
        return all(each.episode.trajectory.source == OWN_PLAY for each in self.segments)

    def is_given(self, variable: int) -> bool:
        """Whether most segments had a variable from before, so that the procedure is given it."""
        sources = self.sources.get(variable, Counter())
        searched = variable in self.found_via or variable in self.found_via.values()
        return not searched and sources["given"] > 0.5 * sum(sources.values())


def draft_procedure(
    final: str,
    segments: Sequence[Segment],
    lexicon: Lexicon,
    *,
    revealing: Collection[str] = (),
    guarded: bool = True,
) -> Draft:
    """Abstract one draft from all segments that end with the same frame.

    Args:
        final: The frame.
        segments: At least one.
        lexicon: Finds entities.
        revealing: Frames that show something: what is searched for is looked for by these.
        guarded: Whether optional steps get guards; else the majority decides on each.
    """
    arity = len(segments[0].episode.actions[segments[0].steps[-1]][1])
    draft = Draft(final, arity, segments=list(segments))
    _learn_sources(draft)
    for segment in segments:
        for variable, entity in enumerate(segment.variables):
            draft.kinds[variable][lexicon.kind(entity)] += 1
    _learn_steps(draft, lexicon, _looks(draft, revealing), guarded=guarded)
    return draft


def _learn_sources(draft: Draft) -> None:
    """Count how each argument of the final step was known; note what it was searched through."""
    hidden_places: list[tuple[Segment, int, str]] = []
    carrier_count_by_variable: dict[int, Counter[int]] = defaultdict(Counter)
    search_count: Counter[int] = Counter()
    for segment in draft.segments:
        episode = segment.episode
        last = segment.steps[-1]
        earlier_entities = {
            entity
            for step in episode.core
            if step < segment.steps[0]
            for entity in episode.actions[step][1]
        }
        for variable, entity in enumerate(episode.actions[last][1]):
            link = episode.core[last][entity]
            draft.sources[variable]["given" if entity in earlier_entities else link.how] += 1
            _note_earlier(draft, segment, variable, entity)
            if link.how != "mention":
                continue
            revealing_arguments = episode.actions[link.step][1] if link.step >= 0 else ()
            inside = [
                segment.variables.index(e) for e in revealing_arguments if e in segment.variables
            ]
            if inside:
                search_count[variable] += 1
                carrier_count_by_variable[variable][inside[0]] += 1
            elif revealing_arguments:
                # The step that revealed it came before this segment, which lacks its place.
                search_count[variable] += 1
                hidden_places.append((segment, variable, revealing_arguments[0]))
    for variable, count in sorted(search_count.items()):
        if carrier_count_by_variable[variable] and count > 0.5 * len(draft.segments):
            best = min(
                carrier_count_by_variable[variable],
                key=lambda c: (-carrier_count_by_variable[variable][c], c),
            )
            draft.found_via[variable] = best
    for segment, variable, place in hidden_places:
        carrier = draft.found_via.get(variable)
        if carrier is not None and carrier == len(segment.variables):
            segment.variables.append(place)


def _note_earlier(draft: Draft, segment: Segment, variable: int, entity: str) -> None:
    for frame, arguments in reversed(segment.episode.actions[: segment.steps[0]]):
        if entity in arguments:
            placeholders = ["*"] * len(arguments)
            placeholders[arguments.index(entity)] = "{v}"
            draft.earlier[variable][fill_frame(frame, placeholders)] += 1
            return
    draft.earlier[variable][""] += 1


def _looks(draft: Draft, revealing: Collection[str]) -> list[Look]:
    """Return looks in vain of a search: how a place is looked at shows in these as well."""
    looks: list[Look] = []
    for carrier in sorted(set(draft.found_via.values())):
        frames = {
            frame
            for segment in draft.segments
            for frame, variables in segment.signatures
            if variables == (carrier,)
        }
        last_looks = (last_look(each, carrier, frames, revealing) for each in draft.segments)
        looks += filter(None, last_looks)
    return looks


def _learn_steps(draft: Draft, lexicon: Lexicon, looks: Sequence[Look], *, guarded: bool) -> None:
    count_by_signature: Counter[Signature] = Counter()
    position_sum_by_signature: dict[Signature, float] = defaultdict(float)
    for segment in (*draft.segments, *looks):
        place = {step: i for i, step in enumerate(segment.steps)}
        for signature, step in segment.signatures.items():
            count_by_signature[signature] += 1
            position_sum_by_signature[signature] += place[step] / len(segment.steps)
    final: Signature = (draft.final, tuple(range(draft.arity)))
    order = sorted(
        count_by_signature,
        key=lambda s: (s == final, position_sum_by_signature[s] / count_by_signature[s], s),
    )
    for signature in order:
        support = count_by_signature[signature]
        # Looks say nothing of steps on other things than their place.
        own_looks = (look for look in looks if signature[1] == (look.carrier,))
        examples = [*draft.segments, *own_looks]
        total = len(examples)
        if signature == final:
            draft.steps.append(DraftStep(signature, None, support))
            continue
        if support < max(1, _RARE * total):
            continue
        guard = learn_guard(signature, examples, order, lexicon) if guarded else None
        if guard is None or guard.accuracy < TRUSTED_GUARD:
            # Without a trusted guard, the majority of the segments decides.
            if support > 0.5 * total:
                draft.steps.append(DraftStep(signature, None, support))
            continue
        draft.steps.append(DraftStep(signature, guard, support))
