"""What is proved: demonstrations, and what is done with them.

A subject opens a library as a predictor, learns another one from other demonstrations with the
same options, and knows the floor. One module each: :mod:`.proving_texts`, :mod:`.proving_tools`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from ...procedures.library.library import Library
from ...procedures.proof.predictions import Predictor, Shown

__all__ = ["Options", "Subject"]

E = TypeVar("E")
_NOT_OPTIONS = ("learned", "evidence_from")
"""Settings that say where a library comes from, and not how it is learned and played."""


class Subject(Protocol[E]):
    """Demonstrations, and what is done with them."""

    @property
    def kind(self) -> Literal["text", "tools"]:
        """What is demonstrated."""
        ...

    @property
    def library(self) -> Library:
        """The library that is proved."""
        ...

    @property
    def episodes(self) -> Sequence[E]:
        """The demonstrations."""
        ...

    def shown(self, episode: E) -> Sequence[Shown]:
        """Return what a demonstration shows, for who knows nothing of it."""
        ...

    def task(self, episode: E) -> str:
        """Return what was asked."""
        ...

    def actions(self) -> int:
        """Return how many different actions the demonstrations have."""
        ...

    def opened(self, library: Path) -> AbstractContextManager[Predictor[E]]:
        """Open a library as a predictor; it is not changed."""
        ...

    def learned(self, library: Path, episodes: Sequence[E]) -> None:
        """Learn a library into a folder that is not there, with the options of the proved one.

        Raises:
            TrajectoryError: Nothing can be learned.
        """
        ...

    def floor(self, episodes: Sequence[E]) -> Callable[[E], bool]:
        """Return what tells whether the nearest of these, re-bound, is an episode."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """How a library is learned and played."""

    domain: str
    embedding: str
    settings: Mapping[str, Any]
    without: tuple[str, ...]

    @classmethod
    def of(cls, library: Library) -> Options:
        """Read what a library says of itself."""
        given = library.settings
        learned = given.settings.get("learned")
        without = learned.get("without", ()) if isinstance(learned, Mapping) else ()
        kept = {name: v for name, v in given.settings.items() if name not in _NOT_OPTIONS}
        return cls(given.domain, given.embedding, kept, tuple(map(str, without)))

    def create(self, folder: Path) -> None:
        """Make an empty library with these options."""
        Library.create(
            folder, domain=self.domain, embedding=self.embedding, settings=dict(self.settings)
        )
