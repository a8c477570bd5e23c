"""What followed what in past episodes: counted once for each action that came first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon
from .occasions import about, read_action

__all__ = ["Past"]


class Past:
    """Episodes, and how often one went on in those that succeeded.

    Args:
        lexicon: Reads them.
        episodes: The episodes.
        before: Earlier ones that were read with the same lexicon.
    """

    def __init__(
        self, lexicon: Lexicon, episodes: Sequence[Trajectory], before: Past | None = None
    ) -> None:
        self.lexicon = lexicon
        self._own = tuple(episodes)
        self._before = before
        # First frame → (pattern observed then, frame of what followed) → times.
        self._counts: dict[str, Counter[tuple[str, str]]] = {}

    def __iter__(self) -> Iterator[Trajectory]:
        """Iterate over the episodes, earlier ones first."""
        return chain(self._before or (), self._own)

    def went_on(self, frame: str, pattern: str, following: Collection[str]) -> int:
        """Count how often one of ``following`` came at once after ``frame`` had shown ``pattern``.

        Only what was about a thing that the first action was about counts.
        """
        if frame not in self._counts:
            self._counts[frame] = self._counted(frame)
        own = sum(self._counts[frame][pattern, each] for each in following)
        earlier = self._before.went_on(frame, pattern, following) if self._before else 0
        return own + earlier

    def _counted(self, frame: str) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        for episode in self._own:
            if not episode.success:
                continue
            for at, action in enumerate(episode.acts[:-1]):
                here, arguments = self.lexicon.parse(action)
                if here != frame:
                    continue
                following, used = read_action(self.lexicon, episode.acts[at + 1])
                if not set(used).isdisjoint(arguments):
                    patterns = about(self.lexicon, action, episode.obs[at + 1])[2]
                    found.update((pattern, following) for pattern in patterns)
        return found
