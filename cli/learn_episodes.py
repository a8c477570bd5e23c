"""``macla learn`` from a file of episodes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .learn_lesson import Lesson

if TYPE_CHECKING:
    from . import output
    from .learn_options import LearnOptions


def read_episodes(arguments: LearnOptions, _: output.Bar) -> Lesson:
    """Return the episodes of a file, or a random sample of them.

    Raises:
        DataError: There is no such file, or it holds fewer episodes.
        TrajectoryError: Nothing in it is an episode.
    """
    from ..evals.suites.suites import SUITES, sampled
    from ..procedures.common.errors import DataError, MaclaError
    from ..procedures.episodes.trajectories import read_trajectories
    from ..procedures.redaction.redactor import Redactor

    source, file = arguments.source, arguments.file
    if not file.suffix and not file.exists():
        raise DataError(
            f"no source {source[:200]!r}; write {', '.join(SUITES)}, or the path of a file of "
            "episodes (JSON Lines); module:Class is for macla practice"
        )
    skipped: list[MaclaError] = []
    all_episodes = list(read_trajectories(file, skipped.append, to_learn=True))
    episodes = sampled(
        all_episodes, arguments.episodes, arguments.seed or 0, f"episodes of {file.name}"
    )
    if not arguments.keep_secrets:
        redactor = Redactor.of_machine()
        episodes = [redactor.trajectory(each) for each in episodes]
    skip_messages = tuple(map(str, skipped))
    return Lesson(
        episodes, arguments.domain or "", {"from": Path(source).name}, skipped=skip_messages
    )
