"""Each world is learned apart: what shows one, costs another nothing.

One library has one set of words. Where two worlds read a word in two ways, that of which more was
shown decides. Where things of one have a shape (``cup 3``) and those of the other have none, no
words serve both: procedures and plans are learned of that which was shown first, and the other is
named. What a library was taught before is shown before what it is taught now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from ..episodes.worlds import worlds_of
from ..model import Ontology
from ..trajectories import Trajectory
from .abstraction import slug
from .kept_words import with_words_of
from .learner import Learned, successes
from .renaming import renamed
from .search import SearchCount

__all__ = ["learn_worlds"]


def learn_worlds(
    trajectories: Sequence[Trajectory], learn: Callable[[Sequence[Trajectory]], Learned]
) -> Learned:
    """Learn procedures, plans and evidence from trajectories of one world or several.

    Args:
        trajectories: Episodes; those of a world in which none succeeded go with the largest.
        learn: Learns one world.

    Raises:
        TrajectoryError: If there is no successful trajectory with at least one action.
    """
    successes(trajectories)
    worlds = worlds_of([each for each in trajectories if each.acts])
    _, *apart = [world for world in worlds if any(shown.success for shown in world)]
    aside = {id(shown) for world in apart for shown in world}
    rest = [shown for shown in trajectories if id(shown) not in aside]
    places = {id(shown): place for place, shown in enumerate(trajectories)}
    shown_first = [min(places[id(shown)] for shown in world) for world in (rest, *apart)]
    return reduce(_joined, _of_one_shape([learn(world) for world in (rest, *apart)], shown_first))


def _of_one_shape(learned: Sequence[Learned], shown_first: Sequence[int]) -> Sequence[Learned]:
    """Return what was learned of worlds whose things are named alike; the others taught nothing.

    Args:
        learned: Of each world.
        shown_first: Of each the place of its first episode among all.
    """
    shapes = [each.ontology.get("entities", {}).get("shape") for each in learned]
    of_plans = [at for at, each in enumerate(learned) if each.metas and shapes[at] is not None]
    first = min(of_plans, key=shown_first.__getitem__, default=0)
    others = [at for at in of_plans if shapes[at] != shapes[first]]
    why = tuple(
        f"{learned[at].episodes} episodes of another world taught no procedure or plan "
        f"({', '.join(sorted(learned[at].metas)[:3])}): their things are named by {shapes[at]}, "
        f"those shown first by {shapes[first]}; learn them into a library of their own"
        for at in others
    )
    kept = [each for at, each in enumerate(learned) if at not in others]
    return [replace(kept[0], left_out=why), *kept[1:]]


def _joined(first: Learned, second: Learned) -> Learned:
    """Return both; of two things with one name the second gets another."""
    taken = {*first.procedures, *first.metas}
    names: dict[str, str] = {}
    for name in sorted(taken.intersection({*second.procedures, *second.metas})):
        names[name] = slug(name, {*taken, *second.procedures, *second.metas})
        taken.add(names[name])
    second = renamed(second, names)
    words = with_words_of(
        Ontology.from_document(second.ontology), Ontology.from_document(first.ontology)
    )
    return replace(
        first,
        procedures={**first.procedures, **second.procedures},
        metas={**first.metas, **second.metas},
        ontology=words.to_document(),
        procedure_counts={**first.procedure_counts, **second.procedure_counts},
        meta_counts={**first.meta_counts, **second.meta_counts},
        kind_counts={**first.kind_counts, **second.kind_counts},
        search=_summed([*first.search, *second.search]),
        episodes=first.episodes + second.episodes,
        demonstrations={**second.demonstrations, **first.demonstrations},
    )


def _summed(rows: Sequence[SearchCount]) -> list[SearchCount]:
    """Return one row a subject and binding: a ledger takes no second one of a run."""
    good: defaultdict[tuple[str, str], float] = defaultdict(float)
    bad: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        good[row.subject, row.binding] += row.successes
        bad[row.subject, row.binding] += row.failures
    return [SearchCount(*key, good[key], bad[key]) for key in good]
