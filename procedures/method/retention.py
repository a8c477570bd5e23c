"""Retention: the value of each procedure, and a choice that is fair to all goals.

Two values. ``paper``: 0.5 reliability + 0.3 frequency + 0.2 recency, as printed. ``future``: the
expected discounted value of the uses still to come,

    V = λ / δ * (ρ̂ * R_max - (1 - ρ̂) * C_fail),

with uses as a Poisson process of rate λ (posterior mean under a Gamma prior) and value discounted
at rate δ per episode: ``∫ λ e^(-δt) dt = λ / δ``.

Value alone would remove every rare goal, because its procedures are seldom used. So the choice is
stratified: each goal cluster keeps its best item before any cluster keeps a second.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from ..common.errors import MaclaError
from .presets import UtilityWeights

_WEIGHTS = UtilityWeights()


@dataclass(frozen=True, slots=True)
class Item:
    """A candidate for retention.

    Attributes:
        id: Its id.
        value: Its retention value; any scale.
        cluster: The goals that it serves.
    """

    id: str
    value: float
    cluster: Hashable = ""


def discounted_value(
    success_rate: float,
    uses: float,
    episodes: float,
    idle: float,
    *,
    discount: float = 0.01,
    weights: UtilityWeights = _WEIGHTS,
) -> float:
    """Return the expected discounted value of a procedure's uses to come.

    The rate of use has a Gamma prior worth one use in 1/discount episodes. An idle procedure may
    have gone out of use: with 1/discount episodes as the mean life of a use pattern, it is still
    alive with probability ``e^(-discount * idle)``.

    Args:
        success_rate: Posterior mean, in [0, 1].
        uses: Number of uses, >= 0.
        episodes: Episodes since its creation, >= uses' episodes, > 0 where uses > 0.
        idle: Episodes since its last use, >= 0.
        discount: δ, the discount rate per episode, > 0.
        weights: R_max and C_fail.

    Raises:
        MaclaError: A number is out of range.
    """
    if not 0.0 <= success_rate <= 1.0:
        raise MaclaError(f"success_rate must lie in [0, 1], got {success_rate!r}")
    if not all(0.0 <= value < math.inf for value in (uses, episodes, idle)) or not (
        0.0 < discount < math.inf
    ):
        raise MaclaError(
            "uses, episodes and idle must be at least 0 and discount above 0, got "
            f"{uses!r}, {episodes!r}, {idle!r}, {discount!r}"
        )
    rate = (uses + 1.0) / (episodes + 1.0 / discount)
    alive = math.exp(-discount * idle)
    gain = success_rate * weights.reward_max - (1.0 - success_rate) * weights.cost_failure
    return alive * rate / discount * gain


def keep(items: Sequence[Item], capacity: int, protected: Collection[str] = ()) -> set[str]:
    """Choose what to keep.

    Protected items stay, even beyond the capacity. Then clusters take turns: in round k each
    cluster's k-th best is kept, the most valuable first, until the memory is full.

    Args:
        items: All items; ids are unique.
        capacity: Number of items that may stay, >= 0.
        protected: Ids that stay in any case.

    Returns:
        Ids that stay.
    """
    kept_ids = {item.id for item in items if item.id in protected}
    next_round_by_cluster: dict[Hashable, int] = {}
    for item in items:
        if item.id in kept_ids:
            next_round_by_cluster[item.cluster] = next_round_by_cluster.get(item.cluster, 0) + 1
    ranked_turns: list[tuple[int, float, str]] = []
    for item in sorted(items, key=lambda each: (-each.value, each.id)):
        if item.id in kept_ids:
            continue
        turn = next_round_by_cluster.get(item.cluster, 0)
        next_round_by_cluster[item.cluster] = turn + 1
        ranked_turns.append((turn, -item.value, item.id))
    free = max(0, capacity - len(kept_ids))
    return kept_ids | {name for _, _, name in sorted(ranked_turns)[:free]}
