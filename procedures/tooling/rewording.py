"""Tasks of one kind in different words, aligned by the values that their calls take from them.

"How many orders has Ada placed?" and "Count the orders of Ben." share hardly a word; that they ask
for the same is seen in what was done: the same calls, but for one value that stands in the task,
and the same answer, but for that value and what the results say. Nothing is taken from how alike
the words are: "the cheapest" and "the dearest" are alike too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..condition_patterns import template_parameters
from ..model import Procedure
from .abstraction import abstract, replays
from .episodes import ToolEpisode
from .values import Token, leaves, text_of, tokenise
from .writing import written

__all__ = ["called_with", "reworded"]

_MOST = 50
"""Most wordings of a procedure."""
_LONGEST = 60
"""Most tokens of a task that is looked at."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A value of the calls that stands in the task."""

    text: str
    start: int
    end: int


def called_with(episode: ToolEpisode) -> str:
    """Return all values of an episode's arguments, one a line, in the order of the calls."""
    return "\n".join(
        text_of(value) for call in episode.calls for _, value in leaves(call.arguments)
    )


def reworded(known: Procedure, episodes: Sequence[ToolEpisode]) -> Procedure | None:
    """Return the procedure that episodes in several wordings demonstrate, or None.

    Args:
        known: What was learned so far; its goal stays the goal, its wordings stay.
        episodes: At least two of one shape, in the order in which they were met.

    Returns:
        A procedure that gives back every episode's calls and, where all episodes have one, the
        answer; or None where a value is not found in its task once and no more, or something
        else than the values differs.
    """
    values = _values(episodes)
    if values is None:
        return None
    tasks = [
        " ".join(f"value{number} {each.text}" for number, each in enumerate(said))
        for said in values
    ]
    alike = [replace(e, task=task) for e, task in zip(episodes, tasks, strict=True)]
    made = abstract(alike, known.id)
    if made is None or (any(e.answer for e in episodes) and made.steps[-1].do is None):
        return None
    names = template_parameters(made.goal)
    if made.goal != " ".join(f"value{i} {{{name}}}" for i, name in enumerate(names)):
        return None
    if len(names) != len(values[0]):
        return None
    before = set(template_parameters(known.goal))
    if before and before != set(names):
        return None
    found = [
        _wording(episode.task, said, names) for episode, said in zip(episodes, values, strict=True)
    ]
    kept = [known.goal, *known.wordings] if before else []
    goal, *others = dict.fromkeys((*kept, *found))
    made = replace(made, goal=goal, wordings=tuple(others[:_MOST]))
    return made if replays(made, episodes) else None


def _values(episodes: Sequence[ToolEpisode]) -> list[list[_Said]] | None:
    """Return each episode's values in the order of their use; None where they do not match."""
    arguments = [called_with(each) for each in episodes]
    found: list[list[_Said]] = []
    for episode, own in zip(episodes, arguments, strict=True):
        tokens = tokenise(episode.task)
        if len(tokens) > _LONGEST:
            return None
        said = [
            each
            for each in _mentioned(episode.task, tokens, own)
            # What all calls have in common is no value: a table, a folder.
            if not all(_holds(other, each.text) for other in arguments)
        ]
        if len({each.text for each in said}) < len(said):
            return None
        found.append(sorted(said, key=lambda each: _at(own, each.text)))
    counts = {len(each) for each in found}
    return found if len(counts) == 1 and counts != {0} else None


def _mentioned(task: str, tokens: Sequence[Token], arguments: str) -> list[_Said]:
    """Return the longest stretches of a task that stand in arguments, from left to right."""
    found: list[_Said] = []
    start = 0
    while start < len(tokens):
        end = next(
            (
                e
                for e in range(len(tokens), start, -1)
                if any(c.isalnum() for c in tokens[start].text)
                and any(c.isalnum() for c in tokens[e - 1].text)
                and _holds(arguments, task[tokens[start].start : tokens[e - 1].end])
            ),
            None,
        )
        if end is None:
            start += 1
            continue
        found.append(_Said(task[tokens[start].start : tokens[end - 1].end], start, end))
        start = end
    return found


def _at(text: str, value: str) -> int:
    hit = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)
    return -1 if hit is None else hit.start()


def _holds(text: str, value: str) -> bool:
    return _at(text, value) >= 0


def _wording(task: str, said: Sequence[_Said], names: Sequence[str]) -> str:
    placed = sorted(zip(said, names, strict=True), key=lambda pair: pair[0].start)
    spans = [(each.start, each.end) for each, _ in placed]
    return written(task, tokenise(task), spans, [f"{{{name}}}" for _, name in placed])
