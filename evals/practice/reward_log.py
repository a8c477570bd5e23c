"""The file of a practice by reward: an episode a line, synced before the next one begins."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...procedures.common.errors import LibraryError
from ...procedures.local.machine_folder import LOCAL

__all__ = ["REWARDS", "RewardLog", "RewardedEpisode"]

REWARDS = Path(LOCAL) / "rewards.jsonl"
"""The file in a library's folder; like all there, it is not for git."""


@dataclass(frozen=True, slots=True)
class RewardedEpisode:
    """An episode, and what it told.

    Attributes:
        task: Its id.
        reward: What it was paid, in [0, 1].
        listed: Traits of what was taken, as it was listed; None where nothing was.
        opened: Traits with its own result; None where that was not seen.
        trial: Whether something else than the best was meant, or nothing.
        error: What the environment did wrong, or "".
    """

    task: str
    reward: float
    listed: Mapping[str, float] | None
    opened: Mapping[str, float] | None
    trial: bool
    error: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> RewardedEpisode:
        """Read plain data.

        Raises:
            KeyError, TypeError, ValueError: It is none.
        """
        listed, opened = (_traits(row[key]) for key in ("listed", "opened"))
        reward = float(row["reward"])
        return cls(str(row["task"]), reward, listed, opened, bool(row["trial"]), str(row["error"]))


class RewardLog:
    """The file of a library, while one practice writes it; half a last line is cut off.

    Args:
        library: The library's folder.

    Attributes:
        episodes: All so far.

    Raises:
        LibraryError: The file holds something else.
    """

    def __init__(self, library: Path) -> None:
        self._file = library / REWARDS
        self.episodes: list[RewardedEpisode] = []
        if not self._file.exists():
            return
        data = self._file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self._file, whole)
        try:
            rows = map(json.loads, data[:whole].splitlines())
            self.episodes += map(RewardedEpisode.of, rows)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise LibraryError(
                "holds something else than episodes of practice",
                file=self._file,
                hint="remove the file to practise anew; what the program learned stays",
            ) from None

    def add(self, episode: RewardedEpisode) -> None:
        """Add an episode, and wait until it is on disk."""
        self.episodes.append(episode)
        with self._file.open("ab") as stream:
            stream.write(json.dumps(asdict(episode), ensure_ascii=False).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())


def _traits(document: Any) -> dict[str, float] | None:
    return None if document is None else {str(k): float(v) for k, v in dict(document).items()}
