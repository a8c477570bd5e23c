"""Proving libraries of programs that call tools, as the middleware recalls them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from ...procedures.library.library import Library
from ...procedures.proof.predictions import Predictor, Shown
from ...procedures.proof.tool_rebound import ToolRebound
from ...procedures.redaction.redactor import Redactor
from ...procedures.tooling.recall import ProgramRecall
from ...procedures.tooling.tool_episodes import ToolEpisode, worth_learning
from ..langchain.run_predictions import ToolPredictor, steps_of
from ..langchain.store import AgentMemory
from ..session import LibrarySession
from .proving_subjects import Options

__all__ = ["ToolSubject", "redacted"]


def redacted(episodes: Sequence[ToolEpisode]) -> list[ToolEpisode]:
    """Return runs as the library would keep them: without secrets."""
    return Redactor.of_machine().episodes(episodes)


@dataclass(frozen=True)
class ToolSubject:
    """Demonstrations of tool calls, runs that failed or were refused included.

    Args:
        library: The library that is proved.
        episodes: The demonstrations, secrets taken out.
    """

    library: Library
    episodes: Sequence[ToolEpisode]
    kind: ClassVar[Literal["tools"]] = "tools"

    def task(self, episode: ToolEpisode) -> str:
        """Return what was asked."""
        return episode.task

    def shown(self, episode: ToolEpisode) -> Sequence[Shown]:
        """Return the calls that were made together, and the answer."""
        return steps_of(worth_learning(episode) or episode)

    def actions(self) -> int:
        """Return how many different things a model said."""
        return len({step.action for each in self.episodes for step in self.shown(each)})

    @contextmanager
    def opened(self, library: Path) -> Iterator[Predictor[ToolEpisode]]:
        """Open a library as the middleware recalls it."""
        with LibrarySession.open(library, read_only=True) as session:
            yield ToolPredictor(ProgramRecall(session.library, session.ledger))

    def learned(self, library: Path, episodes: Sequence[ToolEpisode]) -> None:
        """Learn from episodes."""
        Options.of(self.library).create(library)
        with AgentMemory.open(library, redact=None) as memory:
            memory.learn(episodes)

    def floor(self, episodes: Sequence[ToolEpisode]) -> Callable[[ToolEpisode], bool]:
        """Compare the calls; the answer is the model's, as it is where nothing was called."""
        rebound = ToolRebound(episodes)

        def same(episode: ToolEpisode) -> bool:
            made = ToolEpisode(episode.task, rebound.calls(episode.task))
            shown = self.shown(episode)
            return [s.action for s in steps_of(made)[:-1]] == [s.action for s in shown[:-1]]

        return same
