"""Values that the data show to be for one use: another one in every run, and never used again.

A one-time password or a session's key has no label and no form, but it is told in the same place
of every run, differs each time, and no later call is given it. What nothing uses, nobody needs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..tooling.tool_episodes import ToolEpisode
from ..tooling.values import leaves, parse_result, text_of
from .randomness import RUN_OF_A_KIND

__all__ = ["single_use"]

_SIGN = r"[A-Za-z0-9!#$%^&*+=_-]"
_CODE = re.compile(
    rf"(?<![\w.:/-])(?={_SIGN}{{0,63}}?\d)(?={_SIGN}{{0,63}}?[A-Za-z]){_SIGN}{{8,64}}(?![\w:/-])"
)
_LEAST_CHANGES = 0.4
_LEAST_RUNS = 3
_FIGURES = re.compile(r"\d+")
_LONGEST_PLACE = 2_000
"""Characters of a line that is a place as a whole; of a longer one what stands around a code is."""
_AROUND = 60


def single_use(episodes: Sequence[ToolEpisode]) -> frozenset[str]:
    """Return the values that are told in one place, differ in every run and are never used.

    Args:
        episodes: At least three runs, else nothing is known to be different in each.
    """
    if len(episodes) < _LEAST_RUNS:
        return frozenset()
    places: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    used: set[str] = set()
    for number, episode in enumerate(episodes):
        used.update(_CODE.findall(episode.task))
        for call in episode.calls:
            for _, value in leaves(call.arguments):
                used.update(_CODE.findall(text_of(value)))
            for place, value in _told(call.result):
                places[call.tool, place].append((number, value))
    return frozenset(
        value
        for told in places.values()
        if len({number for number, _ in told}) >= _LEAST_RUNS
        and len({value for _, value in told}) == len(told)
        and used.isdisjoint(value for _, value in told)
        for _, value in told
    )


def _told(result: str) -> Iterator[tuple[str, str]]:
    """Yield (place, value) of the codes in a result; a place has no numbers."""
    parsed = parse_result(result)
    if isinstance(parsed, dict | list):
        for path, value in leaves(parsed):
            if isinstance(value, str) and _is_code(value):
                yield _FIGURES.sub("*", path), value
        return
    for line in str(result).splitlines():
        for found in _CODE.finditer(line):
            if _is_code(found[0]):
                around = line
                if len(line) > _LONGEST_PLACE:
                    start, end = max(0, found.start() - _AROUND), found.end() + _AROUND
                    around = line[start:end]
                yield _FIGURES.sub("*", around.replace(found[0], "\0")), found[0]


def _is_code(text: str) -> bool:
    runs = RUN_OF_A_KIND.findall(text)
    return _CODE.fullmatch(text) is not None and len(runs) >= _LEAST_CHANGES * len(text)
