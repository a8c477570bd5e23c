"""Each world is learned apart: what shows one, costs another nothing.

One library has one set of words. Where two worlds read a word in two ways, that of which more was
shown decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from ..clusters import K_VOCAB, THETA_SIM
from ..episodes.worlds import worlds_of
from ..model import Ontology
from ..trajectories import Trajectory
from .abstraction import slug
from .cuts import Cut, Mark
from .kept_words import with_words_of
from .learner import Learned, learn, successes
from .merging import THETA_DUP, Similarity
from .search import SearchCount

__all__ = ["learn_worlds"]


def learn_worlds(
    trajectories: Sequence[Trajectory],
    similarity: Similarity | None = None,
    theta_dup: float = THETA_DUP,
    theta_sim: float = THETA_SIM,
    k_vocab: int = K_VOCAB,
    without: Container[str] = (),
    cuts: Mapping[str, Cut | tuple[Mark, ...]] | None = None,
) -> Learned:
    """Learn procedures, plans and evidence from trajectories of one world or several.

    Args:
        trajectories: Episodes; where none of a world succeeded, they are of the largest.
        similarity: See :func:`~macla.procedures.learning.learner.learn`, like what follows.
        theta_dup: See there.
        theta_sim: See there.
        k_vocab: See there.
        without: See there.
        cuts: See there.

    Raises:
        TrajectoryError: If there is no successful trajectory with at least one action.
    """
    successes(trajectories)
    largest, *others = worlds_of([each for each in trajectories if each.acts])
    apart = [each for each in others if any(shown.success for shown in each)]
    if not any(shown.success for shown in largest):  # then nothing tells what is alike
        apart = []
    if not apart:
        return learn(trajectories, similarity, theta_dup, theta_sim, k_vocab, without, cuts)
    aside = {id(shown) for world in apart for shown in world}
    rest = [shown for shown in trajectories if id(shown) not in aside]
    learned = (
        learn(world, similarity, theta_dup, theta_sim, k_vocab, without, cuts)
        for world in (rest, *apart)
    )
    return reduce(_joined, learned)


def _joined(first: Learned, second: Learned) -> Learned:
    """Return both; of two things with one name the second gets another."""
    second = _renamed(second, first)
    known = Ontology.from_document(first.ontology)
    words = with_words_of(Ontology.from_document(second.ontology), known)
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
    """Return one row a subject and binding."""
    good, bad = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows:
        good[row.subject, row.binding] += row.successes  # type: ignore[assignment]
        bad[row.subject, row.binding] += row.failures  # type: ignore[assignment]
    return [SearchCount(*key, good[key], bad[key]) for key in good]


def _renamed(learned: Learned, known: Learned) -> Learned:
    """Give what was learned ids that nothing known has."""
    taken = {*known.procedures, *known.metas}
    names: dict[str, str] = {}
    for name in (*learned.procedures, *learned.metas):
        names[name] = slug(name, taken) if name in taken else name
        taken.add(names[name])
    if all(new == old for old, new in names.items()):
        return learned

    def places(plan: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**place, **({"run": names.get(place["run"], place["run"])} if "run" in place else {})}
            for place in plan
        ]

    return replace(
        learned,
        procedures={names[k]: {**d, "id": names[k]} for k, d in learned.procedures.items()},
        metas={
            names[k]: {**d, "id": names[k], "plan": places(d["plan"])}
            for k, d in learned.metas.items()
        },
        procedure_counts={names.get(k, k): n for k, n in learned.procedure_counts.items()},
        meta_counts={names.get(k, k): n for k, n in learned.meta_counts.items()},
        kind_counts={
            (names.get(k, k), p, kind): n for (k, p, kind), n in learned.kind_counts.items()
        },
    )
