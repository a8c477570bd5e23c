"""How often a composition makes what was shown, beside the nearest demonstration re-bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...episodes.trajectories import Trajectory
from ...proof.rebound import Rebound
from ..composition import Composition
from ..composition_steps import ranked_texts
from ..listed_names import names_told
from ..text_tokens import key_of
from .abstracting import Composed
from .composition_learner import Learned, folds_of


@dataclass(frozen=True)
class RankingEvidence:
    """How often a composition makes the demonstrated text in worlds that were held out.

    Attributes:
        of: How many there were.
        first: Of how many the likeliest text is what was shown.
        tried: Of how many it is among those that are tried.
        rebound: Of how many the nearest demonstration, re-bound, is.
        missed: The demonstrations whose text is not tried, and why.
    """

    of: int
    first: int
    tried: int
    rebound: int
    missed: tuple[tuple[Composed, str], ...]


def proved(learned: Learned) -> RankingEvidence:
    """Count what came of demonstrations whose worlds were held out."""
    tries = learned.composition.most_tries
    places = [place for _, place in learned.places]
    missed = tuple(
        (each, "another text is likelier" if place is not None else "no template makes the text")
        for each, place in learned.places
        if place is None or place >= tries
    )
    return RankingEvidence(
        len(places),
        places.count(0),
        len(places) - len(missed),
        _count_of_rebound(learned.material.composed, len(learned.material.ends)),
        missed,
    )


def _count_of_rebound(composed: Sequence[Composed], ends: int) -> int:
    """Return how often the nearest demonstration of other worlds makes what was shown."""
    right = 0
    for fold in folds_of(composed):
        fold_ids = {id(each) for each in fold}
        others = [each.shown for each in composed if id(each) not in fold_ids]
        if not others:
            continue
        nearest = Rebound(others)
        for each in fold:
            actions = nearest.actions(each.shown.task, each.shown.obs[0])
            right += key_of(actions[-1 - ends]) == key_of(each.text)
    return right


def divergence_of(composition: Composition, demonstration: Trajectory) -> str:
    """Return why a composition does not try what was shown last; empty where it does.

    Args:
        composition: What is asked.
        demonstration: What its look-ups told is known, and what is known of its world.
    """
    calls = list(zip(demonstration.acts, demonstration.obs[1:], strict=True))
    names = names_told(composition.look_ups, calls)
    world = composition.world_of(names)
    names = names.merged(world) if world is not None else names
    if not names.tops:
        return "nothing told which names there are"
    texts = [key_of(text) for text, _ in ranked_texts(composition, demonstration.task, names)]
    answered_keys = {key_of(action) for action, _ in _answered_texts(composition, calls)}
    if answered_keys & set(texts[: composition.most_tries]):
        return ""
    return f"it would try {texts[0]!r}" if texts else "no template fits"


def _answered_texts(
    composition: Composition, calls: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    for action, result in calls:
        if not composition.about(action) and not composition.refuses(result):
            yield action, result
