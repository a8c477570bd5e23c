"""A library of texts as a predictor: what its loop would do at each step of an episode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...graph.budget import Meter
from ...graph.forcing import Untrusted
from ...graph.predicting import LoopPredictor
from ...graph.reasoning import Situation
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.proof.predictions import Predictor
from ..reasoners.symbolic import SymbolicReasoner
from ..session import LibrarySession

__all__ = ["text_predictor"]


class _Onlooker(SymbolicReasoner):
    """Reads as in play, and does not act: what it would try is no prediction."""

    def act(self, situation: Situation, meter: Meter) -> str | None:
        raise Untrusted("no procedure is trusted")


@contextmanager
def text_predictor(library: Path) -> Iterator[Predictor[Trajectory]]:
    """Open a library as the loop plays it; it is not changed."""
    with LibrarySession.open(library, read_only=True) as session:
        knowledge = session.knowledge()
        reasoner = _Onlooker(knowledge.similarity)
        yield LoopPredictor(knowledge, reasoner, session.loop_settings())
