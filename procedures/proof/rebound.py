"""The nearest demonstration re-bound: the floor that nothing learned may fall below.

The demonstration that begins most like an episode is repeated, with the names and values of the
new task in the places of the old.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..episodes.trajectories import Trajectory
from .nearest import Nearest

_EDGES = ".,;:!?\"'()[]{}"


class Rebound:
    """Repeats the nearest demonstration, its task's words exchanged for those of the new task.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self._nearest = Nearest(trajectories)

    def actions(self, task: str, observation: str) -> tuple[str, ...]:
        """Return the actions for an episode that begins with ``task`` and ``observation``."""
        near = self._nearest.nearest(task, observation)
        words = exchanges(near.task, task)
        return tuple(exchanged(action, words) for action in near.acts)


def exchanges(old: str, new: str) -> dict[str, str]:
    """Return phrase of one task → phrase of another task in the same place.

    The tasks are aligned word by word; where they differ, the phrases are exchanged, and where
    these have equally many words, the words too.

    >>> exchanges("Add Ada Abbott from Oslo.", "Add Ben Bauer from York.")["Oslo"]
    'York'
    """
    pairs: dict[str, str] = {}
    for one, other in _differences(old.split(), new.split()):
        if not one or not other:
            continue
        pairs.setdefault(" ".join(one).strip(_EDGES), " ".join(other).strip(_EDGES))
        if len(one) == len(other):
            for old_word, new_word in zip(one, other, strict=True):
                pairs.setdefault(old_word.strip(_EDGES), new_word.strip(_EDGES))
    return {phrase: new_phrase for phrase, new_phrase in pairs.items() if phrase and new_phrase}


def exchanged(text: str, words: Mapping[str, str]) -> str:
    """Return a text with phrases exchanged, all at once, the longest first; case does not count."""
    if not words:
        return text
    by_case = {phrase.casefold(): other for phrase, other in words.items()}
    longest = sorted(by_case, key=lambda phrase: (-len(phrase), phrase))
    pattern = "|".join(map(re.escape, longest))
    return re.sub(
        rf"(?<!\w)(?:{pattern})(?!\w)",
        lambda match: by_case.get(match[0].casefold(), match[0]),
        text,
        flags=re.IGNORECASE,
    )


def _differences(
    before: Sequence[str], after: Sequence[str]
) -> list[tuple[Sequence[str], Sequence[str]]]:
    """Return the runs in which two texts differ, aligned by the least number of edits."""
    one = [word.strip(_EDGES).casefold() for word in before]
    other = [word.strip(_EDGES).casefold() for word in after]
    # cost[i][j]: edits that turn what stands behind i words into what stands behind j.
    cost = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one), -1, -1):
        for j in range(len(other), -1, -1):
            if i == len(one) or j == len(other):
                cost[i][j] = len(one) - i + len(other) - j
            elif one[i] == other[j]:
                cost[i][j] = cost[i + 1][j + 1]
            else:
                cost[i][j] = 1 + min(cost[i + 1][j + 1], cost[i + 1][j], cost[i][j + 1])
    runs: list[tuple[Sequence[str], Sequence[str]]] = []
    i = j = from_i = from_j = 0
    while i < len(one) or j < len(other):
        if i < len(one) and j < len(other) and one[i] == other[j]:
            runs.append((before[from_i:i], after[from_j:j]))
            i, j = i + 1, j + 1
            from_i, from_j = i, j
        elif i < len(one) and j < len(other) and cost[i][j] == 1 + cost[i + 1][j + 1]:
            i, j = i + 1, j + 1
        elif i < len(one) and cost[i][j] == 1 + cost[i + 1][j]:
            i += 1
        else:
            j += 1
    return [*runs, (before[from_i:], after[from_j:])]
