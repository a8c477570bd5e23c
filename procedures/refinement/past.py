"""Counts of what followed an action's observation in past episodes, cached by frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon
from .occasions import about, read_action


class Past:
    """Episodes, and counts of how often a run went on in the successful ones.

    Args:
        lexicon: Reads them.
        episodes: The episodes.
        before: Earlier episodes, read with the same lexicon.
    """

    def __init__(
        self, lexicon: Lexicon, episodes: Sequence[Trajectory], before: Past | None = None
    ) -> None:
        self.lexicon = lexicon
        self._own = tuple(episodes)
        self._before = before
        # First frame → (pattern observed after it, frame of the next action) → count.
        self._counts: dict[str, Counter[tuple[str, str]]] = {}

    def __iter__(self) -> Iterator[Trajectory]:
        """Iterate over the episodes, earlier ones first."""
        return chain(self._before or (), self._own)

    def went_on(self, frame: str, pattern: str, following: Collection[str]) -> int:
        """Count how often a frame of ``following`` came directly after ``pattern`` of ``frame``.

        Both actions must share an entity.
        """
        if frame not in self._counts:
            self._counts[frame] = self._counted(frame)
        own_count = sum(self._counts[frame][pattern, each] for each in following)
        earlier_count = self._before.went_on(frame, pattern, following) if self._before else 0
        return own_count + earlier_count

    def _counted(self, frame: str) -> Counter[tuple[str, str]]:
        count_by_sequel: Counter[tuple[str, str]] = Counter()
        for episode in self._own:
            if not episode.success:
                continue
            for at, action in enumerate(episode.acts[:-1]):
                action_frame, arguments = self.lexicon.parse(action)
                if action_frame != frame:
                    continue
                next_frame, next_arguments = read_action(self.lexicon, episode.acts[at + 1])
                if not set(next_arguments).isdisjoint(arguments):
                    patterns = about(self.lexicon, action, episode.obs[at + 1])[2]
                    count_by_sequel.update((pattern, next_frame) for pattern in patterns)
        return count_by_sequel
