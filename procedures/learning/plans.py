"""From segmented episodes to plans: which procedures a goal takes, in which order, with what.

Episodes with the same goal template and the same sequence of segments are aligned; positions that
hold the same entity throughout become one variable, and positions whose entity is of the kind that
the task names become that slot.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..common.text import speaks_of
from ..words.lexicon import Lexicon
from .analysis import Episode
from .drafts import Draft
from .provenance import OWN_PLAY
from .segments import Segment
from .telling_observations import telling_place

__all__ = ["Plan", "learn_plans"]

Position = tuple[int, int]
"""(index of the segment, index of its variable)."""

_SHAPES = 3
"""Most ways of reaching one goal that are kept."""
_SHAPE_SHARE = 0.15
"""θ_meta: least share of a goal's episodes that a shape must have."""
_SLOT_SHARE = 0.8
_SEARCH_COREFERENCE = 0.95
"""Search variables are unified only when they practically always agree."""

SegmentedEpisode = tuple[Episode, Sequence[Segment]]


@dataclass(slots=True)
class Plan:
    """A draft meta-procedure.

    Attributes:
        goal: Task template with slots ``{0}``, ``{1}``, ….
        shape: Keys of the procedures (final frames), in order.
        variables: For each place, procedure variable → name of the plan's variable.
        slots: Plan variable → slot of the goal whose kind it has.
        avoid: Plan variable → slots whose kind it should not have (chances never taken).
        told: Plan variable → index in ``shape`` of the procedure whose observation tells it.
        support: Demonstrations it was learned from.
        played: Episodes of own play it was learned from.
        others: Episodes of the same goal that went another way.
    """

    goal: str
    shape: tuple[str, ...]
    variables: list[dict[int, str]] = field(default_factory=list)
    slots: dict[str, int] = field(default_factory=dict)
    avoid: dict[str, list[int]] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    support: int = 0
    played: int = 0
    others: int = 0


def learn_plans(
    episodes: Sequence[SegmentedEpisode], drafts: Mapping[str, Draft], lexicon: Lexicon
) -> list[Plan]:
    """Learn the plans of all goals; see the module's text.

    Args:
        episodes: Successful episodes with their segments.
        drafts: Draft procedures by key.
        lexicon: Tells an entity's kind.

    Returns:
        Plans that regenerate their own demonstrations, in a stable order.
    """
    by_goal: dict[str, list[SegmentedEpisode]] = defaultdict(list)
    by_shape: dict[tuple[str, ...], list[SegmentedEpisode]] = defaultdict(list)
    for item in episodes:
        by_goal[item[0].goal].append(item)
        by_shape[_shape(item)].append(item)
    plans: list[Plan] = []
    for goal, members in by_goal.items():
        for shape in _common_shapes(members):
            if not all(final in drafts for final in shape):
                continue
            own = [item for item in members if _shape(item) == shape]
            plan = _align(goal, shape, own, by_shape[shape], drafts, lexicon)
            told = sum(item[0].trajectory.source != OWN_PLAY for item in members)
            plan.support = sum(item[0].trajectory.source != OWN_PLAY for item in own)
            plan.played = len(own) - plan.support
            plan.others = told - plan.support
            if _regenerates(plan, own, lexicon):
                plans.append(plan)
    return plans


def _shape(item: SegmentedEpisode) -> tuple[str, ...]:
    return tuple(segment.key for segment in item[1])


def _common_shapes(members: Sequence[SegmentedEpisode]) -> list[tuple[str, ...]]:
    counts = Counter(_shape(item) for item in members)
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    kept = [s for s, count in ranked[:_SHAPES] if count >= _SHAPE_SHARE * len(members)]
    # An episode ends when its task is done: what goes on solves all that its beginning does, so a
    # beginning that sufficed once is no way of its own.
    cut = {
        shape
        for shape in kept
        for longer in kept
        if len(shape) < len(longer)
        and longer[: len(shape)] == shape
        and counts[longer] >= counts[shape]
    }
    return [shape for shape in kept or [ranked[0][0]] if shape and shape not in cut]


def _value(item: SegmentedEpisode, position: Position) -> str | None:
    variables = item[1][position[0]].variables
    return variables[position[1]] if position[1] < len(variables) else None


def _align(
    goal: str,
    shape: tuple[str, ...],
    own: Sequence[SegmentedEpisode],
    pooled: Sequence[SegmentedEpisode],
    drafts: Mapping[str, Draft],
    lexicon: Lexicon,
) -> Plan:
    positions = [(i, v) for i, final in enumerate(shape) for v in drafts[final].variables]
    searched = {(i, c) for i, final in enumerate(shape) for c in drafts[final].found_via.values()}
    filled = {p: _slot(p, own, lexicon) for p in positions if p not in searched}
    names = _unify(positions, searched, pooled)
    plan = Plan(goal, shape)
    plan.variables = [
        {v: names[i, v] for v in drafts[final].variables} for i, final in enumerate(shape)
    ]
    plan.slots = {names[p]: slot for p, slot in filled.items() if slot is not None}
    for p in positions:
        if p not in searched and filled[p] is None and _first_use(names, p):
            teller = telling_place(p, own, lexicon)
            if teller is not None:
                plan.told[names[p]] = teller
    for i, final in enumerate(shape):
        for variable, carrier in drafts[final].found_via.items():
            slot = filled.get((i, variable))
            if slot is None:
                continue
            shunned = _shunned(own, i, carrier, slot, lexicon)
            if shunned:
                plan.avoid.setdefault(names[i, carrier], []).extend(shunned)
    return plan


def _first_use(names: Mapping[Position, str], position: Position) -> bool:
    """Whether a variable is first used here; elsewhere it is bound by then."""
    return min(p for p, name in names.items() if name == names[position]) == position


def _slot(position: Position, own: Sequence[SegmentedEpisode], lexicon: Lexicon) -> int | None:
    """Return the goal's slot whose kind this position nearly always has."""
    width = max(len(episode.fillers) for episode, _ in own)
    best = None
    for k in range(width):
        hits = 0
        for item in own:
            entity = _value(item, position)
            fillers = item[0].fillers
            hits += (
                entity is not None
                and k < len(fillers)
                and speaks_of(lexicon.kind(entity), fillers[k])
            )
        if hits >= _SLOT_SHARE * len(own):
            best = k
    return best


def _unify(
    positions: Sequence[Position],
    searched: set[Position],
    pooled: Sequence[SegmentedEpisode],
) -> dict[Position, str]:
    """Give positions that hold the same entity throughout one name.

    Votes are pooled over all goals with the same shape and smoothed (Laplace), so that one
    episode alone does not unify what only happened to agree.
    """
    values = {p: [_value(item, p) for item in pooled] for p in positions}
    total = len(pooled)
    bar = 0.8 if total > 3 else 0.6
    names: dict[Position, str] = {}
    for p in positions:
        for q in names:
            is_search = p in searched or q in searched
            same = sum(a == b and a is not None for a, b in zip(values[p], values[q], strict=True))
            agreement = (same + (0 if is_search else 1)) / (total + 2)
            if agreement >= (max(bar, _SEARCH_COREFERENCE) if is_search else bar):
                names[p] = names[q]
                break
        else:
            names[p] = f"v{len(set(names.values()))}"
    return names


def _shunned(
    own: Sequence[SegmentedEpisode], place: int, carrier: int, slot: int, lexicon: Lexicon
) -> list[int]:
    """Slots whose kind was a chance to find the thing, and never taken.

    Seen only in successes: where the wanted kind lay on a place of the goal's other kind, did the
    demonstrations take it from there?
    """
    width = max(len(episode.fillers) for episode, _ in own)
    out = []
    for k in range(width):
        if k == slot:
            continue
        chances = taken = 0
        for episode, segments in own:
            if k >= len(episode.fillers) or slot >= len(episode.fillers):
                continue
            segment = segments[place]
            if not _had_chance(
                episode, segment, episode.fillers[k], episode.fillers[slot], lexicon
            ):
                continue
            chances += 1
            if carrier < len(segment.variables):
                taken += lexicon.kind(segment.variables[carrier]) == episode.fillers[k]
        if chances >= 3 and taken <= 0.2 * chances:
            out.append(k)
    return out


def _had_chance(
    episode: Episode, segment: Segment, place_kind: str, wanted: str, lexicon: Lexicon
) -> bool:
    for t in range(segment.steps[-1]):
        arguments = episode.actions[t][1]
        if not any(lexicon.kind(argument) == place_kind for argument in arguments):
            continue
        found = episode.mentions[t + 1]
        if any(lexicon.kind(e) == wanted and e not in arguments for e in found):
            return True
    return False


def _regenerates(plan: Plan, own: Iterable[SegmentedEpisode], lexicon: Lexicon) -> bool:
    """Replay check: bound as the plan says, do its steps come out as demonstrated?

    For each demonstration the plan's variables are bound in order; a variable that is already
    bound must hold the demonstrated entity, and a slot must hold the kind the task names.
    """
    total = good = 0
    for episode, segments in own:
        total += 1
        bound: dict[str, str] = {}
        for segment, names in zip(segments, plan.variables, strict=True):
            for variable, name in names.items():
                if variable >= len(segment.variables):
                    continue
                entity = segment.variables[variable]
                slot = plan.slots.get(name)
                wrong_kind = slot is not None and (
                    slot >= len(episode.fillers)
                    or not speaks_of(lexicon.kind(entity), episode.fillers[slot])
                )
                if bound.setdefault(name, entity) != entity or wrong_kind:
                    break
            else:
                continue
            break
        else:
            good += 1
    return total > 0 and good >= 0.5 * total
