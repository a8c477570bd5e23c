"""The sources of ``macla learn``: a file of episodes, the demonstrations of a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

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


def read_benchmark(arguments: LearnOptions, bar: output.Bar) -> Lesson:
    """Return a lesson of a benchmark's episodes, with its unused games.

    Raises:
        DataError: The data is not there, or there are fewer episodes.
    """
    from ..evals.suites.suites import make_suite

    suite = make_suite(
        arguments.source,
        data=arguments.data,
        goals=arguments.goals,
        game=arguments.game,
        jobs=arguments.jobs,
        noise=arguments.noise,
        agent_logs=arguments.agent_logs or None,
        hold_out=arguments.hold_out,
        exclude_db=arguments.exclude_db,
        protocol=arguments.protocol,
    )
    episodes, unused_games = suite.demonstrations(arguments.episodes, arguments.seed, bar)
    facts: dict[str, Any] = {"from": arguments.source}
    if arguments.noise:
        facts["noise"] = arguments.noise
    if arguments.agent_logs:
        facts["agent_logs"] = True
    for key in ("hold_out", "exclude_db", "protocol"):
        if (value := getattr(arguments, key)) is not None:
            facts[key] = value
    if arguments.goals is not None:
        facts["goals"] = arguments.goals
    if arguments.verb_last:
        from ..adapters.verb_last import with_verbs_last

        episodes = [with_verbs_last(trajectory) for trajectory in episodes]
        facts["verb_last"] = True
    return Lesson(episodes, arguments.domain or suite.domain, facts, unused_games)
