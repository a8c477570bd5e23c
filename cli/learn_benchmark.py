"""``macla learn`` from the demonstrations of a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .learn_lesson import Lesson

if TYPE_CHECKING:
    from . import output
    from .learn_options import LearnOptions

__all__ = ["read_benchmark"]


def read_benchmark(wanted: LearnOptions, bar: output.Bar) -> Lesson:
    """Return a benchmark's episodes, and the games that are none of them.

    Raises:
        DataError: The data is not there, or there are fewer episodes.
    """
    from ..evals.suites import make_suite

    suite = make_suite(
        wanted.source,
        data=wanted.data,
        goals=wanted.goals,
        game=wanted.game,
        jobs=wanted.jobs,
        noise=wanted.noise,
        agent_logs=wanted.agent_logs or None,
        hold_out=wanted.hold_out,
        exclude_db=wanted.exclude_db,
        protocol=wanted.protocol,
    )
    found, left = suite.demonstrations(wanted.episodes, wanted.seed, bar)
    facts: dict[str, Any] = {"from": wanted.source}
    if wanted.noise:
        facts["noise"] = wanted.noise
    if wanted.agent_logs:
        facts["agent_logs"] = True
    for key in ("hold_out", "exclude_db", "protocol"):
        if (value := getattr(wanted, key)) is not None:
            facts[key] = value
    if wanted.goals is not None:
        facts["goals"] = wanted.goals
    if wanted.verb_last:
        from ..adapters.verb_last import with_verbs_last

        found = [with_verbs_last(trajectory) for trajectory in found]
        facts["verb_last"] = True
    return Lesson(found, wanted.domain or suite.domain, facts, left)
