"""Each world is learned apart, in words of its own: what shows one, costs another nothing.

The world that was shown first has no name, and its words stand first in ``ontology.yaml``. Another
is named by how its episodes begin; its procedures and plans say so. What a library was taught
before is shown before what it is taught now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from ..episodes.beginnings import common_beginning
from ..episodes.recognising import beginning_of, telling_words
from ..episodes.tokens import words_of
from ..episodes.trajectories import Trajectory
from ..episodes.world_split import worlds_of
from ..words.function_words import FUNCTION_WORDS
from .abstraction import slug
from .id_renaming import renamed
from .learner import Learned, successes
from .search_counts import SearchCount

__all__ = ["in_world", "learn_worlds"]

_NAMING = 4
"""Words of a world's name."""
_LEAST = 2
"""Words without which a beginning names nothing."""


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
    in_order = sorted((rest, *apart), key=lambda world: min(places[id(shown)] for shown in world))
    taught = [(world, _recognised(learn(world), world)) for world in in_order]
    (_, first), *others = [each for each in taught if _teaches(each[1])] or taught[:1]
    names: set[str] = set()
    for world, learned in others:
        name = slug(_name(world, learned), names)
        names.add(name)
        first = _joined(first, in_world(learned, name))
    return first


def _teaches(learned: Learned) -> bool:
    return bool(learned.procedures or learned.metas)


def _recognised(learned: Learned, world: Sequence[Trajectory]) -> Learned:
    """Return what was learned of a world with the words by which its episodes are known."""
    told = list(
        telling_words(beginning_of(shown.task, shown.obs[0]) for shown in world if shown.obs)
    )
    return replace(learned, ontology={**learned.ontology, **({"told": told} if told else {})})


def _name(world: Sequence[Trajectory], learned: Learned) -> str:
    """Return the first words with which all episodes begin, else those of the first goal."""
    beginning = common_beginning(shown.obs[0] for shown in world if shown.obs)
    words = [word for word in words_of(beginning.casefold()) if word.isalpha()]
    naming = [word for word in words if word not in FUNCTION_WORDS]
    if len(naming) < _LEAST:
        goals = sorted(name for name, meta in learned.metas.items() if meta["goal"] != "*")
        naming = goals[0].split("-") if goals else ["world"]
    return " ".join(naming[:_NAMING])


def in_world(learned: Learned, name: str) -> Learned:
    """Return what was learned of one world as that of a world with this name."""

    def placed(documents: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {id_: {**each, "world": name} for id_, each in documents.items()}

    return replace(learned, procedures=placed(learned.procedures), metas=placed(learned.metas))


def _joined(first: Learned, second: Learned) -> Learned:
    """Return both; of two things with one name the second gets another."""
    second = renamed(second, _free({*first.procedures, *first.metas}, second))
    world = next(iter({**second.procedures, **second.metas}.values()))["world"]
    words = {key: value for key, value in second.ontology.items() if key not in ("kind", "version")}
    worlds = {**first.ontology.get("worlds", {}), world: words}
    return replace(
        first,
        procedures={**first.procedures, **second.procedures},
        metas={**first.metas, **second.metas},
        ontology={**first.ontology, "worlds": worlds},
        procedure_counts={**first.procedure_counts, **second.procedure_counts},
        meta_counts={**first.meta_counts, **second.meta_counts},
        kind_counts={**first.kind_counts, **second.kind_counts},
        search=_summed([*first.search, *second.search]),
        episodes=first.episodes + second.episodes,
        demonstrations={**second.demonstrations, **first.demonstrations},
    )


def _free(taken: Collection[str], learned: Learned) -> dict[str, str]:
    """Return new names for what has one that is taken."""
    own = {*learned.procedures, *learned.metas}
    names: dict[str, str] = {}
    for name in sorted(own.intersection(taken)):
        names[name] = slug(name, {*taken, *own, *names.values()})
    return names


def _summed(rows: Sequence[SearchCount]) -> list[SearchCount]:
    """Return one row a subject and binding: a ledger takes no second one of a run."""
    good: defaultdict[tuple[str, str], float] = defaultdict(float)
    bad: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        good[row.subject, row.binding] += row.successes
        bad[row.subject, row.binding] += row.failures
    return [SearchCount(*key, good[key], bad[key]) for key in good]
