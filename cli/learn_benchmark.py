"""``macla learn`` from the demonstrations of a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .learn_lesson import Lesson

if TYPE_CHECKING:
    from . import output
    from .learn_options import LearnOptions


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
