"""Texts of results that try to instruct a model, replaced by marks as secrets are.

A page may say on every visit what a check refuses to have in a library. What was done there can
still be learned, of what else it told; where the text itself would count, a model decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..checks.instructing import instructions_in, texts_in
from ..tooling.tool_episodes import ToolEpisode
from ..tooling.values import parse_result
from .finding import Secrets
from .redactor import Cleaner
from .secret_names import Secrecy
from .secret_patterns import Secret


def without_instructions(run: ToolEpisode) -> ToolEpisode:
    """Return a run with a mark for each line of a result that tries to instruct a model.

    The mark takes its place in calls and in the answer as well, so that it still is seen to flow.
    """
    known_secrets = Secrets(())
    for call in run.calls:
        for line in _instructing_lines(call.result):
            known_secrets.add(Secret("instruction", line, line))
    clean = Cleaner(known_secrets, b"")
    return replace(
        run,
        calls=tuple(
            replace(
                call,
                args=clean.value(call.arguments, Secrecy.NONE),
                result=clean.text(call.result),
            )
            for call in run.calls
        ),
        answer=None if run.answer is None else clean.text(run.answer),
    )


def _instructing_lines(result: str) -> Iterator[str]:
    """Yield the lines of a result that do, or the whole text where only lines together do."""
    for _, text in texts_in(parse_result(result)):
        lines = [line for line in text.splitlines() if any(instructions_in(line))]
        yield from (line.strip() for line in lines)
        if not lines and any(instructions_in(text)):
            yield text
