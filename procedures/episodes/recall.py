"""What was done before in the very same situation: the same task, and all observations alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..trajectories import Trajectory, cleaned

__all__ = ["Recall"]


class Recall:
    """Demonstrations that succeeded, by how they begin.

    It knows nothing of situations that are only similar: as soon as one observation differs from
    what a demonstration was told, that demonstration is no longer recalled. A look-up compares
    those that begin alike, so its cost does not grow with all that is remembered.

    Args:
        episodes: Those that failed are left out.
    """

    def __init__(self, episodes: Iterable[Trajectory] = ()) -> None:
        self._beginnings: dict[tuple[str, str], list[Trajectory]] = {}
        for episode in episodes:
            if episode.success and episode.obs:
                alike = self._beginnings.setdefault((episode.task, cleaned(episode.obs[0])), [])
                alike.append(episode)
        for alike in self._beginnings.values():
            alike.sort(key=lambda episode: len(episode.acts))

    def next_action(self, task: str, first: str, history: Sequence[Sequence[object]]) -> str | None:
        """Return what the shortest demonstration did next in this situation; None if there is none.

        Args:
            task: What is asked.
            first: The first observation.
            history: ``(action, observation, …)`` of each step so far.
        """
        at = len(history)
        for episode in self._beginnings.get((task, cleaned(first)), ()):
            if at < len(episode.acts) and all(
                action == shown and cleaned(str(told)) == cleaned(observed)
                for (action, told, *_), shown, observed in zip(
                    history, episode.acts, episode.obs[1:], strict=False
                )
            ):
                return episode.acts[at]
        return None
