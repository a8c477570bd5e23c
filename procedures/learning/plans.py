"""Learn plans from segmented episodes: a goal's procedures, their order and their bindings.

Episodes with one goal template and one sequence of segments are aligned. Positions that hold the
same entity throughout become one variable. A position whose entity is of the kind that the task
names becomes that slot.
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

Position = tuple[int, int]
"""(index of the segment, index of its variable)."""

_SHAPES = 3
"""Most ways of reaching one goal that are kept."""
_SHAPE_SHARE = 0.15
"""θ_meta: least share of a goal's episodes that a shape must have."""
_LEAST_PLAYED = 2
"""Least episodes of own play for a way beside others: one alone may be luck."""
_SLOT_SHARE = 0.8
"""Least share of episodes in which a position has the kind of the goal's slot."""
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
        told: Plan variable → index in ``shape`` of the procedure whose observation names it.
        support: Demonstrations it was learned from.
        played: Episodes of own play it was learned from.
        others: Episodes of the same goal that went another way.
    """

    goal: str
    shape: tuple[str, ...]
    variables: list[dict[int, str]] = field(default_factory=list)
    slots: dict[str, int] = field(default_factory=dict)
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
            members_of_shape = [item for item in members if _shape(item) == shape]
            plan = _align(goal, shape, members_of_shape, by_shape[shape], drafts, lexicon)
            demonstration_count = sum(item[0].trajectory.source != OWN_PLAY for item in members)
            plan.support = sum(item[0].trajectory.source != OWN_PLAY for item in members_of_shape)
            plan.played = len(members_of_shape) - plan.support
            plan.others = demonstration_count - plan.support
            if _regenerates(plan, members_of_shape, lexicon):
                plans.append(plan)
    return plans


def _shape(item: SegmentedEpisode) -> tuple[str, ...]:
    return tuple(segment.key for segment in item[1])


def _common_shapes(members: Sequence[SegmentedEpisode]) -> list[tuple[str, ...]]:
    counts = Counter(_shape(item) for item in members)
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], len(entry[0]), entry[0]))
    common = [s for s, count in ranked[:_SHAPES] if count >= _SHAPE_SHARE * len(members)]
    # An episode ends when its task is done. A longer shape solves all that its beginning does, so
    # a beginning that is no more frequent is no shape of its own.
    incomplete = {
        shape
        for shape in common
        for longer in common
        if len(shape) < len(longer)
        and longer[: len(shape)] == shape
        and counts[longer] >= counts[shape]
    }
    complete = [shape for shape in common or [ranked[0][0]] if shape and shape not in incomplete]
    # What one episode of own play alone shows may be luck, and have idle steps.
    shown = {_shape(item) for item in members if item[0].trajectory.source != OWN_PLAY}
    return [s for s in complete if s in shown or counts[s] >= _LEAST_PLAYED] or complete[:1]


def _value(item: SegmentedEpisode, position: Position) -> str | None:
    variables = item[1][position[0]].variables
    return variables[position[1]] if position[1] < len(variables) else None


def _align(
    goal: str,
    shape: tuple[str, ...],
    members: Sequence[SegmentedEpisode],
    pooled: Sequence[SegmentedEpisode],
    drafts: Mapping[str, Draft],
    lexicon: Lexicon,
) -> Plan:
    positions = [(i, v) for i, final in enumerate(shape) for v in drafts[final].variables]
    searched = {(i, c) for i, final in enumerate(shape) for c in drafts[final].found_via.values()}
    slot_by_position = {p: _slot(p, members, lexicon) for p in positions if p not in searched}
    names = _unify(positions, searched, pooled)
    plan = Plan(goal, shape)
    plan.variables = [
        {v: names[i, v] for v in drafts[final].variables} for i, final in enumerate(shape)
    ]
    plan.slots = {names[p]: slot for p, slot in slot_by_position.items() if slot is not None}
    for p in positions:
        if p not in searched and slot_by_position[p] is None and _first_use(names, p):
            teller_index = telling_place(p, members, lexicon)
            if teller_index is not None:
                plan.told[names[p]] = teller_index
    return plan


def _first_use(names: Mapping[Position, str], position: Position) -> bool:
    """Tell whether a variable is first used at this position; it is bound at later ones."""
    return min(p for p, name in names.items() if name == names[position]) == position


def _slot(position: Position, members: Sequence[SegmentedEpisode], lexicon: Lexicon) -> int | None:
    """Return the goal's slot whose kind this position nearly always has."""
    width = max(len(episode.fillers) for episode, _ in members)
    best = None
    for k in range(width):
        hits = 0
        for item in members:
            entity = _value(item, position)
            fillers = item[0].fillers
            hits += (
                entity is not None
                and k < len(fillers)
                and speaks_of(lexicon.kind(entity), fillers[k])
            )
        if hits >= _SLOT_SHARE * len(members):
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


def _regenerates(plan: Plan, members: Iterable[SegmentedEpisode], lexicon: Lexicon) -> bool:
    """Tell whether the plan's bindings reproduce at least half of its demonstrations.

    The variables are bound in the order of each demonstration. A bound variable must hold the
    demonstrated entity, and a slot must hold the kind that the task names.
    """
    total = reproduced_count = 0
    for episode, segments in members:
        total += 1
        entity_by_name: dict[str, str] = {}
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
                if entity_by_name.setdefault(name, entity) != entity or wrong_kind:
                    break
            else:
                continue
            break
        else:
            reproduced_count += 1
    return total > 0 and reproduced_count >= 0.5 * total
