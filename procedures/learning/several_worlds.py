"""Learn each world by itself, with an ontology of its own.

The world of the first episodes has no name, and its ontology stands first in ``ontology.yaml``.
Another world is named by the beginning of its episodes; its procedures and plans carry the name.
Earlier demonstrations of a library come before new ones.
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

_NAMING = 4
"""Most words of a world's name."""
_LEAST = 2
"""Words; a beginning with fewer names no world."""


def learn_worlds(
    trajectories: Sequence[Trajectory], learn: Callable[[Sequence[Trajectory]], Learned]
) -> Learned:
    """Learn procedures, plans and evidence from trajectories of one world or several.

    Args:
        trajectories: Episodes; those of a world without a success go with the largest world.
        learn: Learns one world.

    Raises:
        TrajectoryError: If there is no successful trajectory with at least one action.
    """
    successes(trajectories)
    worlds = worlds_of([each for each in trajectories if each.acts])
    _, *other_worlds = [world for world in worlds if any(episode.success for episode in world)]
    other_ids = {id(episode) for world in other_worlds for episode in world}
    first_world = [episode for episode in trajectories if id(episode) not in other_ids]
    index_by_id = {id(episode): place for place, episode in enumerate(trajectories)}
    in_order = sorted(
        (first_world, *other_worlds),
        key=lambda world: min(index_by_id[id(episode)] for episode in world),
    )
    learned_worlds = [(world, _with_telling_words(learn(world), world)) for world in in_order]
    (_, first), *others = [each for each in learned_worlds if _teaches(each[1])] or learned_worlds[
        :1
    ]
    names: set[str] = set()
    for world, learned in others:
        name = slug(_name(world, learned), names)
        names.add(name)
        first = _combine(first, in_world(learned, name))
    return first


def _teaches(learned: Learned) -> bool:
    return bool(learned.procedures or learned.metas)


def _with_telling_words(learned: Learned, world: Sequence[Trajectory]) -> Learned:
    """Return learned documents of a world with the telling words of its episodes."""
    telling = list(
        telling_words(
            beginning_of(episode.task, episode.obs[0]) for episode in world if episode.obs
        )
    )
    return replace(learned, ontology={**learned.ontology, **({"told": telling} if telling else {})})


def _name(world: Sequence[Trajectory], learned: Learned) -> str:
    """Return the first words that all episodes begin with, else those of the first goal."""
    beginning = common_beginning(episode.obs[0] for episode in world if episode.obs)
    words = [word for word in words_of(beginning.casefold()) if word.isalpha()]
    name_words = [word for word in words if word not in FUNCTION_WORDS]
    if len(name_words) < _LEAST:
        goals = sorted(name for name, meta in learned.metas.items() if meta["goal"] != "*")
        name_words = goals[0].split("-") if goals else ["world"]
    return " ".join(name_words[:_NAMING])


def in_world(learned: Learned, name: str) -> Learned:
    """Return learned documents with their world's name."""

    def with_world(documents: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {id_: {**each, "world": name} for id_, each in documents.items()}

    return replace(
        learned, procedures=with_world(learned.procedures), metas=with_world(learned.metas)
    )


def _combine(first: Learned, second: Learned) -> Learned:
    """Return both together; ids of the second that clash with the first are changed."""
    second = renamed(second, _new_ids({*first.procedures, *first.metas}, second))
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
        search=_sum_rows([*first.search, *second.search]),
        likeness={**first.likeness, **second.likeness},
        episodes=first.episodes + second.episodes,
        demonstrations={**second.demonstrations, **first.demonstrations},
    )


def _new_ids(taken_ids: Collection[str], learned: Learned) -> dict[str, str]:
    """Return new ids for the learned items whose ids are taken: old id → new id."""
    ids = {*learned.procedures, *learned.metas}
    names: dict[str, str] = {}
    for name in sorted(ids.intersection(taken_ids)):
        names[name] = slug(name, {*taken_ids, *ids, *names.values()})
    return names


def _sum_rows(rows: Sequence[SearchCount]) -> list[SearchCount]:
    """Return one row per subject and binding: a ledger takes no second one of a run."""
    good: defaultdict[tuple[str, str], float] = defaultdict(float)
    bad: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        good[row.subject, row.binding] += row.successes
        bad[row.subject, row.binding] += row.failures
    return [SearchCount(*key, good[key], bad[key]) for key in good]
