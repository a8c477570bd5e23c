"""Learning with a model's segmentation: kept where it reproduces its demonstrations.

Each goal is decided on by itself: the library that comes of the model's cuts is proved on the
demonstrations of every goal, beside the one that symbols learned. A goal whose demonstrations it
reproduces less often goes back to the symbols' segmentation, and what is left is learned and proved
again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...graph.budget import Budget
from ...graph.protocols import Abstracter
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.cuts import Cut
from ...procedures.learning.kept_cuts import SEGMENTED_BY, goal_of
from ...procedures.learning.learner import Learned
from ...procedures.learning.store_learned import store
from ...procedures.library.library import Library
from ...procedures.local.private import PrivateFolder
from ...procedures.proof.folds import sample_within
from ...procedures.proof.proof import prove
from ..embeddings import DEFAULT_EMBEDDING
from ..reasoners.cutting import ask_for_cuts
from ..reasoners.prompts import as_data
from ..session import LibrarySession
from .predictors import text_predictor

__all__ = ["Segmented", "learn_segmented"]

_ROUNDS = 3
"""Times that what a model says is learned and proved, each time with less of it."""
_SHOWN = 10
"""Most demonstrations of one goal that are proved."""
_ACTIONS = 400
"""Most actions that these have together."""


@dataclass(frozen=True, slots=True)
class Segmented:
    """What became of a model's segmentation.

    Attributes:
        model: Its name.
        goals: Goals whose demonstrations plans are learned from.
        asked: Goals of which it was asked about a demonstration.
        kept: Goals whose demonstrations are cut as a model says, now or before.
        symbolic: Goals whose demonstrations are cut as symbols do.
        procedures: Procedures that came of what it says.
        calls: Requests.
        tokens: Tokens of prompts and answers.
        refused: Why something was not taken, one text each.
    """

    model: str
    goals: int = 0
    asked: int = 0
    kept: int = 0
    symbolic: int = 0
    procedures: int = 0
    calls: int = 0
    tokens: int = 0
    refused: tuple[str, ...] = ()


def learn_segmented(
    learn: Callable[[Mapping[str, Cut]], Learned],
    reasoner: Callable[[Learned], Abstracter],
    *,
    model: str,
    budget: Budget,
    settings: Mapping[str, Any],
    stage: Callable[[str], None],
) -> tuple[Learned, Segmented]:
    """Learn, let a model cut a demonstration of each goal, and keep what reproduces them.

    Args:
        learn: Learns with cuts; with none as symbols do.
        reasoner: Makes what is asked, from what symbols learned.
        model: Its name.
        budget: What it may be asked about one demonstration.
        settings: Of the library that is learned into.
        stage: Told what is being done.
    """
    plain = learn({})
    shown = plain.demonstrations
    if not shown:
        return plain, Segmented(model)
    asked = ask_for_cuts(
        shown,
        reasoner(plain),
        maker=model,
        budget=budget,
        progress=lambda done, of: stage(f"asking {model} about goal {done + 1} of {of}"),
    )
    stage(f"proving what {model} says")
    refused = dict(asked.refused)
    learned = _proved(learn, plain, asked.cuts, settings, refused)
    kept = _goals_told(learned) & shown.keys()
    return learned, Segmented(
        model,
        goals=len(shown),
        asked=asked.asked,
        kept=len(kept),
        symbolic=len(shown) - len(kept),
        procedures=len(_told(learned)),
        calls=asked.calls,
        tokens=asked.tokens,
        refused=tuple(f"{goal!r}: {why}" for goal, why in refused.items()),
    )


def _told(learned: Learned) -> set[str]:
    return {name for name, each in learned.procedures.items() if SEGMENTED_BY in each["provenance"]}


def _goals_told(learned: Learned) -> set[str]:
    metas = learned.metas.values()
    return {goal_of(each["goal"]) for each in metas if SEGMENTED_BY in each["provenance"]}


def _proved(
    learn: Callable[[Mapping[str, Cut]], Learned],
    plain: Learned,
    cuts: Mapping[str, Cut],
    settings: Mapping[str, Any],
    refused: dict[str, str],
) -> Learned:
    """Learn with cuts, and with fewer of them until no goal is the worse for it."""
    if not cuts:
        return plain
    samples = {goal: _sample(each) for goal, each in plain.demonstrations.items()}
    before = _reproduced(plain, samples, settings)
    for _ in range(_ROUNDS):
        learned = learn(cuts)
        after = _reproduced(learned, samples, settings)
        worse = [goal for goal in cuts if not after[goal].by_told or after[goal] < before[goal]]
        others = [goal for goal in samples if goal not in cuts and after[goal] < before[goal]]
        for goal in worse:
            refused[as_data(goal, 80)] = after[goal].against(before[goal])
        if not worse and not others:
            return learned
        if not worse:
            refused |= _of_all(cuts, "other goals are reproduced less often with it")
            return plain
        cuts = {goal: cut for goal, cut in cuts.items() if goal not in worse}
        if not cuts:
            return plain
    refused |= _of_all(cuts, f"goals were still the worse for it after {_ROUNDS} rounds")
    return plain


def _of_all(goals: Iterable[str], why: str) -> dict[str, str]:
    return {as_data(goal, 80): why for goal in goals}


def _sample(shown: Sequence[Trajectory]) -> list[Trajectory]:
    sizes = [len(each.acts) for each in shown]
    return [shown[place] for place in sample_within(sizes, _SHOWN, _ACTIONS)]


@dataclass(frozen=True, slots=True)
class _Share:
    """How many demonstrations of a goal are reproduced, of how many, and with a model's words."""

    reproduced: int
    of: int
    by_told: bool

    def __lt__(self, other: _Share) -> bool:
        return self.reproduced < other.reproduced

    def against(self, symbols: _Share) -> str:
        """Say why this is not kept."""
        if not self.by_told:
            return f"none of {self.of} demonstrations is reproduced by what comes of it"
        return f"reproduces {self.reproduced} of {self.of}, symbols {symbols.reproduced}"


def _reproduced(
    learned: Learned, samples: Mapping[str, Sequence[Trajectory]], settings: Mapping[str, Any]
) -> dict[str, _Share]:
    """Prove what was learned, as a library of its own."""
    told = _told(learned)
    with PrivateFolder(Path(tempfile.gettempdir()), "macla-segments-") as own:
        folder = own.path / "library"
        Library.create(folder, domain="trial", embedding=DEFAULT_EMBEDDING, settings=dict(settings))
        with LibrarySession.open(folder) as session:
            store(session.library, session.ledger, learned)
        shares = {}
        with text_predictor(folder) as predictor:
            for goal, shown in samples.items():
                items = [(place, each.task, each) for place, each in enumerate(shown)]
                good = [each for each in prove(items, predictor) if each.reproduced]
                by_told = any(
                    told.intersection(step.prediction.by) for each in good for step in each.steps
                )
                shares[goal] = _Share(len(good), len(shown), by_told)
        return shares
