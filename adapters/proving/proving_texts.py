"""Proving libraries of text procedures, as the loop plays them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from ...procedures.common.text import fold_space
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.library.library import Library
from ...procedures.proof.predictions import Predictor, Shown
from ...procedures.proof.rebound import Rebound
from ..teaching.predictors import text_predictor
from ..teaching.teaching import teach
from .proving_subjects import Options

__all__ = ["TextSubject"]


@dataclass(frozen=True)
class TextSubject:
    """Demonstrations of text actions; runs that failed are none.

    Args:
        library: The library that is proved.
        episodes: The demonstrations.
        failures: Runs that failed; they demonstrate nothing, and are learned from as well.
    """

    library: Library
    episodes: Sequence[Trajectory]
    failures: Sequence[Trajectory] = ()
    kind: ClassVar[Literal["text"]] = "text"

    def task(self, episode: Trajectory) -> str:
        """Return what was asked."""
        return episode.task

    def shown(self, episode: Trajectory) -> Sequence[Shown]:
        """Return the actions."""
        last = len(episode.acts) - 1
        return [
            Shown(fold_space(act), act, act, final=number == last)
            for number, act in enumerate(episode.acts)
        ]

    def actions(self) -> int:
        """Return how many different actions there are."""
        return len({act for episode in self.episodes for act in episode.acts})

    @contextmanager
    def opened(self, library: Path) -> Iterator[Predictor[Trajectory]]:
        """Open a library as the loop plays it."""
        with text_predictor(library) as predictor:
            yield predictor

    def learned(self, library: Path, episodes: Sequence[Trajectory]) -> None:
        """Learn from episodes, and from the runs that failed, as the library was."""
        options = Options.of(self.library)
        options.create(library)
        lesson = [*episodes, *self.failures]
        teach(library, lesson, domain=options.domain, without=options.without)

    def floor(self, episodes: Sequence[Trajectory]) -> Callable[[Trajectory], bool]:
        """Compare action by action."""
        rebound = Rebound(episodes)

        def same(episode: Trajectory) -> bool:
            made = rebound.actions(episode.task, episode.obs[0])
            return [*map(fold_space, made)] == [*map(fold_space, episode.acts)]

        return same
